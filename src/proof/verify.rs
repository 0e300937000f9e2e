//! Single rows against what proves them: every ply against its mail, read again, or against the player's own act, and what he entered
//! beside the moves. And the other way round: every mail and act that gave a ply has it on record.
//!
//! A mail is judged as [`crate::intake::decide`] judged it, against the game as it stood before its first ply; what the proof says takes the place
//! of a row that contradicts it, so that one wrong row is one difference. Who wrote a mail is left out: a rebuilt record proves that.
//! What will surprise you: where the stored total differs from the mail's own arithmetic, that is no difference but known.

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;

use super::bytes::Bytes;
use super::came;
use super::otherwise::{NOTHING, Stands, otherwise, shown};
use super::own;
use super::record::Record;
use crate::config::Me;
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::{Game, MoveRecord, Observed};
use crate::domain::judge::Verdict;
use crate::intake::again::{Again, observed};
use crate::intake::decide::{Judgement, Opened, Trust, decide_opened};
use crate::intake::evidence::Letters;
use crate::io::store::{Act, MailOfGame, Store, StoreError, StoredGame};

/// A row that is not what its proof says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Which ply, from 1, if it is about one.
    pub ply: Option<usize>,
    /// The mail that proves it; `None` where the player's own act does.
    pub mail: Option<i64>,
    /// The value, as in `sent`.
    pub what: String,
    /// What stands on record.
    pub record: String,
    /// What the proof says.
    pub proof: String,
    /// What to do.
    pub help: &'static str,
}

/// One game with what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The game.
    pub game: Game,
    /// Plies that a mail gave or proved, each read again.
    pub from_mails: usize,
    /// Plies of the player's word, and imported ones, each compared with his act.
    pub from_acts: usize,
    /// Mails of the game whose bytes were compared with their SHA-256.
    pub mails: usize,
    /// What contradicts its proof.
    pub differences: Vec<Difference>,
    /// Where a mail and the clocks differ, and it is on record that they do.
    pub known: Vec<String>,
}

/// The whole database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// What SQLite finds wrong with the file.
    pub defects: Vec<String>,
    /// Mails, of no checked game, whose bytes are not those that came.
    pub other_mails: Vec<i64>,
    /// The games asked for.
    pub games: Vec<Checked>,
}

const BACKUP: &str = "put back the newest backup of amici.db, or see `amici verify --rebuild` for what the mails give";
const LOOK: &str = "look at the mail with `amici explain`; if the record is wrong, rebuild it with `amici verify --rebuild --keep DIR`";
const REBUILD: &str = "if the record is wrong, `amici verify --rebuild --keep DIR` makes it again as you entered it";

/// Checks these games, and the file.
///
/// # Errors
/// Those of reading the database.
pub async fn verify(store: &mut Store, me: &Me, games: &[StoredGame]) -> Result<Findings, StoreError> {
    let bytes = Bytes::read(store).await?;
    let mut record = Record::load(store, me.timezone).await?;
    let mut findings = Findings { defects: store.defects().await?, other_mails: Vec::new(), games: Vec::new() };
    let mut told = BTreeSet::new();
    for game in games {
        let mails = store.mails_of(&game.game.id).await?;
        told.extend(mails.iter().map(|mail| mail.mail));
        record.read(store, game).await?;
        findings.games.push(Check::of(&record, game, &mails, &bytes).run(store, me).await?);
    }
    findings.other_mails = bytes.other().filter(|mail| !told.contains(mail)).collect();
    Ok(findings)
}

/// One game under examination.
struct Check<'a> {
    record: &'a Record,
    stored: &'a StoredGame,
    mails: BTreeMap<i64, &'a MailOfGame>,
    bytes: &'a Bytes,
    /// The record with every contradicted row replaced by what its proof says.
    proven: Vec<MoveRecord>,
    /// The dates that the player's own mails gave to plies which other mails prove, by index.
    supplied: BTreeMap<usize, Observed>,
    /// What stands after the plies of the mail that was read last.
    stands: Option<Stands>,
    checked: Checked,
}

impl<'a> Check<'a> {
    fn of(record: &'a Record, stored: &'a StoredGame, mails: &'a [MailOfGame], bytes: &'a Bytes) -> Check<'a> {
        let checked = Checked {
            game: stored.game.clone(),
            from_mails: 0,
            from_acts: 0,
            mails: mails.len(),
            differences: Vec::new(),
            known: Vec::new(),
        };
        let mails = mails.iter().map(|mail| (mail.mail, mail)).collect();
        let (proven, supplied) = (stored.game.moves.clone(), BTreeMap::new());
        Check { record, stored, mails, bytes, proven, supplied, stands: None, checked }
    }

    async fn run(mut self, store: &mut Store, me: &Me) -> Result<Checked, StoreError> {
        for (mail, of_game) in &self.mails {
            self.checked.differences.extend(self.bytes.instead(*mail).map(|record| Difference {
                ply: None,
                mail: Some(*mail),
                what: "bytes".to_owned(),
                record: record.to_owned(),
                proof: format!("SHA-256 {}", of_game.sha256),
                help: "put back the newest backup that has this mail; what it proves was not checked",
            }));
        }
        self.supplied = own::supplied(store, self.stored, &self.mails, &self.record.zones).await?;
        let mut index = 0;
        while let Some(origin) = self.record.origins().get(index).copied() {
            index = match origin.mail {
                Some(mail) => self.mail(store, me, mail, index).await?,
                None => self.word(index),
            };
        }
        self.plays_out();
        let plies = self.stored.game.moves.len();
        let stands = self
            .stands
            .take_if(|stands| stands.plies == plies)
            .filter(|_| self.record.now().is_none_or(|sum| sum.moves.len() <= plies));
        let last = plies.checked_sub(1);
        let last_mail = last.and_then(|last| self.record.origins().get(last)?.mail);
        for (what, record, proof) in stands.iter().flat_map(|stands| stands.otherwise(&self.stored.game)) {
            self.differs(last, last_mail, what, record, proof);
        }
        self.lost(plies);
        let found = match self.record.now() {
            Some(sum) => otherwise(&self.stored.game, sum, stands.is_some()),
            None => vec![(None, "game".to_owned(), self.stored.game.id.to_string(), NOTHING.to_owned())],
        };
        let what = || "written by another program".to_owned();
        let outside = self.record.outside().map(|patch| (None, what(), patch.to_owned(), NOTHING.to_owned()));
        for (index, what, record, proof) in found.into_iter().chain(outside) {
            self.differs(index, None, &what, record, proof);
        }
        Ok(self.checked)
    }

    /// The plies that acts gave and the record has not: those of a mail together, each other by itself.
    fn lost(&mut self, plies: usize) {
        let Some(sum) = self.record.now() else { return };
        let lost: Vec<(usize, Option<i64>, String)> = (plies..sum.moves.len())
            .filter_map(|index| {
                let mail =
                    self.record.giver(index).and_then(|act| self.record.mail_of(act, self.mails.values().copied()));
                Some((index, mail, sum.moves.get(index)?.numeric.to_string()))
            })
            .collect();
        for of_one in lost.chunk_by(|one, next| one.1.is_some() && one.1 == next.1) {
            let words: Vec<&str> = of_one.iter().map(|(.., numeric)| numeric.as_str()).collect();
            let (index, mail) = of_one.first().map_or((None, None), |(index, mail, _)| (Some(*index), *mail));
            self.differs(index.filter(|_| mail.is_none()), mail, "move", NOTHING.to_owned(), words.join(" "));
        }
    }

    /// Compares a ply that no mail gave, and gives the index after it.
    fn word(&mut self, index: usize) -> usize {
        match self.record.now().and_then(|sum| sum.moves.get(index)).copied() {
            Some(given) => {
                self.checked.from_acts += 1;
                self.compare(index, None, &given);
            }
            None => self.differs(Some(index), None, "move", self.numeric(index), NOTHING.to_owned()),
        }
        index + 1
    }

    /// Compares the plies that a mail gave, and gives the index after them.
    async fn mail(&mut self, store: &mut Store, me: &Me, mail: i64, first: usize) -> Result<usize, StoreError> {
        let origins = self.record.origins();
        let count = origins.iter().skip(first).take_while(|origin| origin.mail == Some(mail)).count().max(1);
        let (last, behind) = (first + count - 1, first + count);
        let Some(of_game) = self.mails.get(&mail).copied() else {
            self.unread(first, mail, "no decision about it is on record for this game".to_owned());
            return Ok(behind);
        };
        let Some(raw) = came(store, mail, &of_game.sha256).await? else {
            return Ok(behind);
        };
        self.checked.from_mails += count;
        let Some(act) = self.record.giver(first) else {
            self.unread(first, mail, NOTHING.to_owned());
            return Ok(behind);
        };
        let mut threads = self.record.before(act, of_game)?;
        let this = threads.iter_mut().find(|thread| thread.game.id == self.stored.game.id);
        let plan = this
            .as_ref()
            .and_then(|this| this.game.plan.clone())
            .filter(|_| of_game.outcome != "own" && self.stored.game.number_of(first).side == self.stored.game.me);
        if let (Some(this), Some(stands)) = (this, self.stands.take_if(|stands| stands.plies == first)) {
            (this.game.conditionals, this.game.draw_offer) = (stands.conditionals, stands.draw_offer);
        }
        let letters = Letters::beside(store, &raw, &threads).await?;
        let settled = match self.record.act(act) {
            Some(Act::Settle { read, .. }) => read.as_ref(),
            _ => None,
        };
        let planned = plan.map(|plan| plan.records()).unwrap_or_default();
        let gave: Vec<MoveRecord> = match (settled, of_game.outcome.as_str()) {
            // he read it himself: his act says what he entered
            (Some(new), _) => {
                self.entered((&raw, &letters), &threads, of_game, last, &new.record);
                self.stands = Some(Stands { plies: last + 1, ..Stands::behind(new) });
                new.before.iter().chain([&new.record]).copied().collect()
            }
            (None, "move") => self.reread((&raw, letters), me, &threads, of_game, last),
            (None, "own") => self.reread_own(store, &raw, me, &threads, of_game, last).await?,
            (None, _) => {
                self.unread(last, mail, "held, and no act of yours takes a move from it".to_owned());
                Vec::new()
            }
        };
        let proof = planned.len() + gave.len();
        if !gave.is_empty() && proof != count {
            self.differs(Some(first), Some(mail), "plies", count.to_string(), proof.to_string());
        }
        for (index, record) in (first..behind).zip(planned.iter().chain(&gave)) {
            self.compare(index, Some(mail), record);
        }
        self.totals(last, mail);
        Ok(behind)
    }

    /// What a mail gives that was recorded without the player's help; nothing where it does not any more.
    fn reread(
        &mut self,
        (raw, letters): (&[u8], Letters),
        me: &Me,
        threads: &[StoredGame],
        mail: &MailOfGame,
        last: usize,
    ) -> Vec<MoveRecord> {
        let opened = Opened::of(raw).ok().map(|opened| opened.beside(letters));
        let decision = opened.map(|opened| decide_opened(opened, me, &Trust::default(), threads, mail.at));
        let judged = decision.and_then(|decision| {
            let of_this = |j: &Judgement<'_>| j.thread.is_some_and(|t| t.game.id == self.stored.game.id);
            let judgement = decision.judgements.into_iter().find(of_this)?;
            Some((decision.message, &judgement.thread?.game, judgement.verdict))
        });
        let other = match judged {
            Some((message, then, Verdict::Accepted(accepted))) => {
                self.stands = Some(Stands {
                    plies: last + 1,
                    conditionals: then.with_plan_recorded().lines_after(&accepted.plies()),
                    draw_offer: accepted.draw_offer.then_some(then.me.other()),
                });
                let arrived = self.stored.game.moves.get(last).and_then(|record| record.observed.arrived);
                let seen = |zone: &Tz| observed(message.as_ref(), mail.at, *zone);
                let zone = self.record.zones.iter().find(|zone| seen(zone).arrived == arrived);
                let observed = seen(zone.unwrap_or(&me.timezone));
                self.told(last, mail, &accepted.differs());
                let before = accepted.before.iter().map(|(_, numeric)| MoveRecord::conditional(*numeric));
                let record = MoveRecord { observed, ..MoveRecord::claimed(accepted.numeric, accepted.stated) };
                return before.chain([record]).collect();
            }
            Some((.., other)) => format!("{}: {}", other.outcome(), other.reason()),
            None => "nothing of this game".to_owned(),
        };
        self.unread(last, mail.mail, other);
        Vec::new()
    }

    /// The same for a mail of the player's own.
    async fn reread_own(
        &mut self,
        store: &mut Store,
        raw: &[u8],
        me: &Me,
        threads: &[StoredGame],
        mail: &MailOfGame,
        last: usize,
    ) -> Result<Vec<MoveRecord>, StoreError> {
        let recorded = self.stored.game.moves.get(last).map(|record| record.observed);
        let zones = (&*self.record.zones, recorded);
        let Some(new) = own::gave(store, raw, me, threads, (&self.stored.game.id, mail), zones).await? else {
            self.unread(last, mail.mail, "no move of the player's".to_owned());
            return Ok(Vec::new());
        };
        self.stands = Some(Stands { plies: last + 1, ..Stands::behind(&new) });
        Ok(new.before.into_iter().chain([new.record]).collect())
    }

    /// What the player entered of a held mail beside what the mail states of that move.
    fn entered(
        &mut self,
        (raw, letters): (&[u8], &Letters),
        threads: &[StoredGame],
        mail: &MailOfGame,
        last: usize,
        entered: &MoveRecord,
    ) {
        let thread = threads.iter().find(|thread| thread.game.id == self.stored.game.id);
        let again =
            thread.and_then(|thread| Again::of(raw, thread, mail.at, letters)?.taken_as(thread, entered.numeric));
        let Some(accepted) = again else { return };
        let says = shown(&MoveRecord::claimed(accepted.numeric, accepted.stated));
        for ((what, record), (_, stated)) in shown(entered).into_iter().zip(says) {
            if record != NOTHING && stated != NOTHING && record != stated {
                let (number, mail) = (self.stored.game.number_of(last), mail.mail);
                self.checked.known.push(format!("{number} {what}: you entered {record}, mail {mail} states {stated}"));
            }
        }
    }

    /// What he states and the clocks, side by side.
    fn totals(&mut self, index: usize, mail: i64) {
        let mut proven = self.stored.game.clone();
        proven.moves.clone_from(&self.proven);
        let time = Ledger::of(&proven).ok().and_then(|ledger| ledger.plies().get(index).copied());
        let Some((time, record)) = time.zip(self.proven.get(index)) else { return };
        if let Some(total) = record.claimed.total.filter(|total| *total != time.total) {
            let line = format!(
                "{} {}: mail {mail} states total {total}, the clock says {}",
                time.number, record.numeric, time.total
            );
            self.checked.known.push(line);
        }
    }

    /// Whether the record tells of the differences that the mail shows; what was settled since has changed them.
    fn told(&mut self, index: usize, mail: &MailOfGame, found: &[String]) {
        let Game { moves, leaves, .. } = &self.stored.game;
        let was_set = self.record.clock_was_set() || !leaves.is_empty();
        let settled = was_set || moves.iter().any(|record| record.agreed != Default::default());
        let words = |list: &[String]| if list.is_empty() { "none".to_owned() } else { list.join("; ") };
        if found.is_empty() != mail.discrepancies.is_empty() && !settled {
            self.differs(Some(index), Some(mail.mail), "discrepancies", words(&mail.discrepancies), words(found));
        }
    }

    fn unread(&mut self, index: usize, mail: i64, found: String) {
        self.differs(Some(index), Some(mail), "move", self.numeric(index), found);
    }

    /// The move that stands on record.
    fn numeric(&self, index: usize) -> String {
        self.stored.game.moves.get(index).map(|record| record.numeric.to_string()).unwrap_or_default()
    }

    fn differs(&mut self, index: Option<usize>, mail: Option<i64>, what: &str, record: String, proof: String) {
        let ply = index.map(|index| index + 1);
        let help = if mail.is_some() { LOOK } else { REBUILD };
        self.checked.differences.push(Difference { ply, mail, what: what.to_owned(), record, proof, help });
    }

    /// Compares a row with its proof, value by value; from here on the proof counts.
    fn compare(&mut self, index: usize, mail: Option<i64>, proof: &MoveRecord) {
        let Some(row) = self.proven.get_mut(index) else { return };
        let observed = self.supplied.get(&index).copied().unwrap_or(proof.observed);
        let proof = &MoveRecord { observed, ..*proof };
        let pairs = shown(row).into_iter().zip(shown(proof));
        let differences: Vec<_> = pairs.filter(|((_, record), (_, proof))| record != proof).collect();
        *row = MoveRecord { agreed: row.agreed, ..*proof };
        for ((what, record), (_, proof)) in differences {
            self.differs(Some(index), mail, what, record, proof);
        }
    }

    /// The moves are legal one after the other, from the start position.
    fn plays_out(&mut self) {
        let mut proven = self.stored.game.clone();
        proven.moves.clone_from(&self.proven);
        let moves_agree = proven.moves.iter().map(|m| m.numeric).eq(self.stored.game.moves.iter().map(|m| m.numeric));
        if let (Err(error), true) = (self.stored.game.replay(), moves_agree) {
            let (what, proof) = ("position".to_owned(), "a legal move at every ply".to_owned());
            let record = error.to_string();
            self.checked.differences.push(Difference { ply: None, mail: None, what, record, proof, help: BACKUP });
        }
    }
}
