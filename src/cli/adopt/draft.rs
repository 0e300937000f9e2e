//! A game made of its longest score, and all other mails held against it, or read after it as the daemon would.

use chrono::{DateTime, TimeDelta, Utc};

use super::super::confirm::Asked;
use super::game::{Desk, Kind};
use super::mails::Mail;
use super::newest::{Founded, Newest, found, newest_move, own_move};
use super::sheaf::{Lead, Sheaf};
use super::{Color, Exit, Failure, Ready, is_same};
use crate::config::Me;
use crate::domain::adopt::{Request, Why, Writer};
use crate::domain::document::check;
use crate::domain::game::{Game, GameId, Player};

/// A game of a mailbox without a mail for so long before its newest mail is none that runs.
const SILENCE: TimeDelta = TimeDelta::days(100);

/// Why a game is not made, and which it is where it stands already.
pub(super) struct Unmade {
    pub(super) why: Failure,
    pub(super) kind: Kind,
    pub(super) known: Option<GameId>,
}

/// A game that is being made.
pub(super) struct Draft<'m> {
    lead: &'m Lead,
    mails: &'m [Mail],
    mail: &'m Mail,
    pub(super) game: Game,
    ready: Founded,
    others: Vec<String>,
    misfits: Vec<String>,
    /// The places of the opponent's mails that prove it.
    evidence: Vec<usize>,
    /// The places of his older letters without a move.
    letters: Vec<usize>,
    /// Mails whose move the daemon would have asked about.
    left: Vec<String>,
    trouble: Option<Failure>,
    /// How a mail says that it ended.
    over: Option<String>,
    /// The newest mail of it.
    newest: DateTime<Utc>,
    /// A newer mail goes on with it.
    goes_on: bool,
}

impl<'m> Draft<'m> {
    /// The game of its longest score, with the newest move of that mail.
    pub(super) fn begin(
        sheaf: &Sheaf<'m>,
        lead: &'m Lead,
        desk: &Desk<'_>,
        names: &[GameId],
    ) -> Result<Draft<'m>, Failure> {
        let missing = || Failure::new(Exit::Failed, "the mail of a score is gone");
        let mail = sheaf.mails.get(lead.index).ok_or_else(missing)?;
        let (me, args) = (&desk.config.me, desk.args);
        let name = args.opponent_name.clone().or_else(|| mail.opponent_name.clone()).or_else(|| sheaf.name());
        let request = Request {
            me: me.player(),
            opponent: Player { name: name.unwrap_or_default(), emails: vec![mail.opponent.to_string()] },
            writer: mail.writer,
            subject: mail.message.subject.clone(),
            side: args.me.map(Color::side),
            id: args.id.clone(),
            event: args.event.clone().or_else(|| Some(lead.event.clone()).filter(|event| !event.is_empty())),
            rules: desk.rules.clone(),
            notations: args.notations.clone(),
            start: args.start,
            day: mail.day(),
        };
        // a score of strangers in the mailbox is no reason to ask
        let who = if desk.searched.is_none() || lead.grew { desk.asked } else { Asked::Nobody };
        let mut ready = found(&lead.score, (mail, me, who), &request, names)?;
        let mut game = ready.game.clone();
        let (mut evidence, mut left, mut over) = (Vec::new(), Vec::new(), None);
        match &ready.newest {
            Newest::Left(reason) => {
                left.push(format!(
                    "the newest move of {}: {reason}\n    take the mail in afterwards with `amici take`, and settle it there",
                    mail.name
                ));
            }
            Newest::Ended(how) => over = Some(format!("{}: {how}", mail.name)),
            Newest::Moved | Newest::Nothing | Newest::Chat => {
                if !matches!(ready.newest, Newest::Moved) && mail.writer == Writer::Opponent {
                    ready.unused.push(format!("{} brings no new move of his", mail.name));
                }
                note_newest(&mut game, mail);
                evidence.push(lead.index);
            }
        }
        ready.unused.extend(lead.told.iter().cloned());
        Ok(Draft {
            lead,
            mails: sheaf.mails,
            mail,
            game,
            ready,
            others: Vec::new(),
            misfits: Vec::new(),
            evidence,
            letters: Vec::new(),
            left,
            trouble: None,
            over,
            newest: mail.written(),
            goes_on: false,
        })
    }

    /// A mail shows how a game ended: it is this one, if its moves are of it.
    pub(super) fn end(&mut self, mail: &Mail) {
        if mail.written() >= self.mail.written() && mail.fits(&self.lead.score) {
            self.over = Some(format!("{} has its result", mail.name));
        }
    }

    /// Whether later mails of both players have the whole score as it is now: what an older one has otherwise is overtaken.
    fn is_overtaken(&self, index: usize) -> bool {
        let later = self.lead.members.iter().filter(|member| **member < index).filter_map(|at| self.mails.get(*at));
        let agrees = |mail: &&Mail| mail.differences(&self.lead.score).is_none();
        let mut writers = later.filter(agrees).map(|mail| mail.writer);
        let first = writers.next();
        writers.any(|writer| Some(writer) != first)
    }

    /// Holds an older mail against the score; one `with_score` must agree.
    fn compare(&mut self, index: usize, older: &Mail, with_score: bool, desk: &Desk<'_>) {
        let name = &self.mail.name;
        match older.differences(&self.lead.score) {
            None if !older.repeats(&self.lead.score) => self.pass_over(index, older, &desk.config.me),
            None => {
                let apart = older.otherwise(&self.lead.score, name, desk.args.start);
                let how = if apart.is_empty() { "" } else { " in its moves" };
                self.others.push(format!("{}: agrees{how}", older.name));
                self.misfits.extend(apart);
                note_seen(&mut self.game, older);
                self.evidence.push(index);
            }
            Some(difference) if !with_score => self.misfits.push(format!("{}: {difference}", older.name)),
            Some(difference) if self.is_overtaken(index) => {
                self.misfits.push(format!("{}: {difference}; later mails of both of you agree", older.name));
                note_seen(&mut self.game, older);
            }
            Some(difference) => {
                let why = format!(
                    "{name}: an older mail, {}, does not agree: {difference}\nhelp: of two games with one opponent, name the mails one by one",
                    older.name
                );
                self.trouble = self.trouble.take().or(Some(Failure::new(Exit::Failed, why)));
            }
        }
    }

    /// An old letter without a move is nothing to ask about, unless it tells of something else than moves.
    fn pass_over(&mut self, index: usize, older: &Mail, me: &Me) {
        let came = newest_move(vec![&mut self.game.clone()], older, me);
        if older.writer == Writer::Opponent && came.iter().all(|(_, newest)| matches!(newest, Newest::Chat)) {
            self.letters.push(index);
        }
    }

    /// The game that is over and has a score of this one among its mails, where nobody named the mails.
    fn done<'d>(&self, desk: &'d Desk<'_>) -> Option<&'d Game> {
        let ids = || self.lead.members.iter().filter_map(|at| self.mails.get(*at)?.id());
        let has_one = |game: &&Game| ids().any(|id| game.seen_message_ids.contains(&id));
        desk.over.iter().filter(|_| desk.searched.is_some()).find(has_one)
    }

    /// The game if it can stand and runs.
    pub(super) fn finish<'g>(
        self,
        desk: &Desk<'_>,
        mut running: impl Iterator<Item = &'g Game>,
    ) -> Result<Ready, Unmade> {
        let named = |why: String| Failure::new(Exit::Failed, format!("{}: {why}", self.mail.name));
        let unmade = |why, kind| Err(Unmade { why, kind, known: None });
        if let Some(same) = running.find(|known| is_same(known, &self.game)) {
            let (id, help) = (same.id.clone(), "help: take the mail in with `amici take`");
            let why = named(format!("this is game {id}, which you have already\n{help}"));
            return Err(Unmade { why, kind: Kind::Known, known: Some(id) });
        }
        if let Some(done) = self.done(desk) {
            let why = named(format!("this is game {}, which is over", done.id));
            return Err(Unmade { why, kind: Kind::Known, known: Some(done.id.clone()) });
        }
        if let Some(how) = &self.over {
            let why = format!("the game is over, and only running games are adopted: {how}");
            return unmade(named(why), Kind::Over);
        }
        if let Some(newest) = desk.searched {
            if self.newest < newest - SILENCE {
                let why = format!("no mail of this game since {}: it may be over", self.newest.date_naive());
                return unmade(
                    named(format!("{why}\nhelp: if it runs, save that mail, and say: amici adopt FILE.eml")),
                    Kind::Over,
                );
            }
            if !(self.lead.grew || self.goes_on || self.ready.why == Why::Named) {
                let why = "the score names neither of you, and no other mail goes on with it";
                return unmade(named(why.to_owned()), Kind::Stray);
            }
        }
        let open = |why| Unmade { why, kind: Kind::Open, known: None };
        if let Some(why) = self.trouble {
            return Err(open(why));
        }
        desk.args.rules.check(&self.game).map_err(open)?;
        check(&self.game).map_err(|e| open(named(e.to_string())))?;
        let Draft { lead, mails, mail, game, ready, mut others, misfits, mut evidence, letters, left, .. } = self;
        // the oldest first
        evidence.sort_by_key(|index| std::cmp::Reverse(*index));
        let his = evidence.iter().filter_map(|at| mails.get(*at)).filter(|mail| mail.writer == Writer::Opponent);
        let kept = |mail: &Mail| (mail.raw.clone(), mail.at);
        let evidence = his.map(kept).collect();
        let letters = letters.iter().filter_map(|at| mails.get(*at)).map(kept).collect();
        others.reverse();
        Ok(Ready {
            game,
            from: mail.name.clone(),
            at: mail.at,
            place: lead.place.clone(),
            why: ready.why.words(),
            others,
            unused: ready.unused,
            left,
            doubts: ready.doubts,
            misfits,
            evidence,
            letters,
        })
    }
}

/// Puts a mail beside the score of a game: after it where it is newer, else before it. One with a score that does not hold `must_agree`.
pub(super) fn place(index: usize, (mail, must_agree): (&Mail, bool), drafts: &mut [Draft<'_>], desk: &Desk<'_>) {
    let is_member = drafts.iter().any(|draft| draft.lead.members.contains(&index));
    let mut of: Vec<&mut Draft<'_>> =
        drafts.iter_mut().filter(|draft| !is_member || draft.lead.members.contains(&index)).collect();
    if of.iter().all(|draft| index > draft.lead.index) {
        let is_sole = of.len() == 1;
        for draft in of {
            let fits = is_sole || mail.differences(&draft.lead.score).is_none();
            if fits {
                draft.compare(index, mail, is_member || must_agree, desk);
            }
        }
        return;
    }
    of.retain(|draft| index < draft.lead.index);
    read_on(index, mail, &mut of, desk);
}

/// Reads a mail that is newer than the scores of these games, as the daemon would.
fn read_on(index: usize, mail: &Mail, drafts: &mut [&mut Draft<'_>], desk: &Desk<'_>) {
    let games: Vec<&mut Game> = drafts.iter_mut().map(|draft| &mut draft.game).collect();
    let came = match mail.writer {
        Writer::Opponent => newest_move(games, mail, &desk.config.me),
        Writer::Me => own_move(games, mail, desk.config),
    };
    for (at, newest) in came {
        let Some(draft) = drafts.get_mut(at) else { continue };
        draft.newest = draft.newest.max(mail.written());
        match newest {
            Newest::Moved | Newest::Nothing => {
                let what = if matches!(newest, Newest::Moved) { "without the whole score" } else { "brings no move" };
                draft.others.push(format!("{}: newer, {what}", mail.name));
                note_newest(&mut draft.game, mail);
                draft.evidence.push(index);
                draft.goes_on |= matches!(newest, Newest::Moved);
            }
            Newest::Ended(how) => draft.over = Some(format!("{}: {how}", mail.name)),
            Newest::Chat => draft.others.push(format!("{}: newer, brings no move", mail.name)),
            Newest::Left(why) => {
                let what = match mail.writer {
                    Writer::Opponent => "take the mail in afterwards with `amici take`, and settle it there",
                    Writer::Me => "say what you sent with `amici sent`",
                };
                draft.left.push(format!("a newer mail, {}: {why}\n    {what}", mail.name));
            }
        }
    }
}

/// The newest mail of a game is also the one that the next answers.
fn note_newest(game: &mut Game, mail: &Mail) {
    game.last_message_id = mail.id();
    note_seen(game, mail);
}

fn note_seen(game: &mut Game, mail: &Mail) {
    let id = mail.id();
    game.seen_message_ids.extend(id.filter(|id| !game.seen_message_ids.contains(id)));
}
