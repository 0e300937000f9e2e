//! How a move came on record: the mail that gave it, with the lines found in it again, or the player's word.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use super::super::Failure;
use super::Account;
use crate::domain::game::Game;
use crate::intake::again::{Again, Places};
use crate::intake::evidence::Letters;
use crate::io::store::{Event, Provenance, Store, StoredGame, StoredMail};
use crate::languages::Language;
use crate::letters::vouched;
use crate::mail::authentication::{Authentication, OwnServer};
use crate::mail::message::parse;
use crate::mail::sender::Sender;
use crate::mail::text::one_line;

/// How a move came on record.
pub(super) enum Source {
    /// A mail gave it, or proves that the player sent it.
    Mail { mail: StoredMail, places: Places, accepted: Option<String>, vouched: Option<String> },
    /// The player said that he sent it.
    Said(String),
    /// It came with the game.
    Import,
}

impl Source {
    /// The mail that is on record for the move, read again as the game stood before it.
    ///
    /// # Errors
    /// Those of reading the database.
    pub(super) async fn of_mail(
        store: &mut Store,
        mail: i64,
        thread: &StoredGame,
        index: usize,
        played: &shakmaty::Move,
        events: &[Event],
        own: &OwnServer,
    ) -> Result<Source, Failure> {
        let raw = store.mail_raw(mail).await?;
        let Some(stored) = store.mail(mail).await? else { return Ok(Source::Import) };
        let mut then = thread.clone();
        then.game.moves.truncate(index);
        then.game.plan = None;
        then.game.result = None;
        let at = stored.server_date.unwrap_or(stored.taken_at);
        let again = match &raw {
            Some(raw) => {
                let letters = Letters::beside(store, raw, std::slice::from_ref(&then)).await?;
                Again::of(raw, &then, at, &letters)
            }
            None => None,
        };
        let number = then.game.due();
        let places = again.map_or(Places::Nowhere, |again| again.places_of(index, played, number));
        let accepted = events.iter().find(|e| e.kind == "accepted" && e.mail == Some(mail)).map(|e| e.text.clone());
        let vouched = vouching(store, mail, raw.as_deref(), &thread.game, own).await?;
        Ok(Source::Mail { mail: stored, places, accepted, vouched })
    }

    /// The word of the player is in the journal, at the instant at which the move went on record.
    pub(super) fn said(events: &[Event], proof: &Provenance) -> Source {
        let event = events.iter().find(|e| e.kind == "sent" && e.at == proof.recorded_at);
        event.map_or(Source::Import, |event| Source::Said(event.text.clone()))
    }
}

/// What vouches for the sender of a mail of the opponent's that is kept; `None` where the player wrote it.
async fn vouching(
    store: &mut Store,
    mail: i64,
    raw: Option<&[u8]>,
    game: &Game,
    own: &OwnServer,
) -> Result<Option<String>, Failure> {
    let verified = store.verified(mail).await?;
    let Some(message) = raw.and_then(|raw| parse(raw).ok()) else { return Ok(None) };
    let Ok(Sender { address: from, .. }) = &message.from else { return Ok(None) };
    // his own mails lie in his own folder
    if game.myself().emails.iter().any(|mine| mine.eq_ignore_ascii_case(from.as_str())) {
        return Ok(None);
    }
    let found = Authentication::of(&message.headers, own, verified.as_deref());
    Ok(Some(vouched(found.vouching(from), Language::English)))
}

/// What vouches for the mail that gave the opponent's last move; `None` where no mail of his did.
///
/// # Errors
/// Those of reading the database.
pub(in super::super) async fn vouching_of_last(
    store: &mut Store,
    game: &Game,
    own: &OwnServer,
) -> Result<Option<String>, Failure> {
    let proof = store.provenance(&game.id, game.moves.len()).await?;
    let Some(mail) = proof.filter(|_| game.is_my_turn()).and_then(|proof| proof.mail) else { return Ok(None) };
    let raw = store.mail_raw(mail).await?;
    vouching(store, mail, raw.as_deref(), game, own).await
}

impl Account<'_> {
    pub(super) fn source_text(&self, zone: Tz) -> String {
        let local = |at: DateTime<Utc>| at.with_timezone(&zone).format("%a %d %b %Y %H:%M").to_string();
        let mut text = String::new();
        if let Some((planned, words)) = &self.planned {
            let (number, sent) = (self.number, self.record.numeric);
            text.push_str(&format!(
                "  planned   {number} {planned}{words}\n  sent      {number} {sent} ({}), which binds you\n",
                self.san
            ));
        }
        if let Some(draft) = self.draft() {
            let of = self.planned.as_ref().map(|(planned, _)| format!(" {planned},")).unwrap_or_default();
            text.push_str(&format!("  draft    {of} {} of {}\n", draft.message_id, local(draft.created_at)));
        }
        match &self.source {
            Source::Import => text.push_str("  source    it came with the game, from no mail\n"),
            Source::Said(said) => text.push_str(&format!("  source    {said}: your word, no mail\n")),
            Source::Mail { mail, places, accepted, vouched } => {
                text.push_str(&format!(
                    "  mail      {} from {}\n            {}\n            subject: {}\n",
                    mail.mail,
                    mail.from_address.as_deref().unwrap_or("an unknown sender"),
                    mail.message_id.as_deref().unwrap_or("without a Message-ID"),
                    one_line(&mail.subject, 60)
                ));
                text.push_str(&format!("  arrived   {}\n", local(mail.server_date.unwrap_or(mail.taken_at))));
                text.extend(vouched.iter().map(|vouched| format!("  sender    {vouched}\n")));
                text.push_str(&format!("  source    {}\n", self.found(places, accepted.is_some())));
                if let Some(accepted) = accepted {
                    text.push_str(&format!("  accepted  {accepted}, on {}\n", local(self.proof.recorded_at)));
                }
                if let Places::Own(lines) | Places::Quoted(lines) = places {
                    text.extend(lines.iter().map(|line| format!("{line}\n")));
                }
            }
        }
        text.push_str(&format!("  recorded  {}\n", local(self.proof.recorded_at)));
        text
    }

    /// No opponent's mail gave it, but the player's own.
    fn is_own_mail(&self) -> bool {
        let Source::Mail { mail, .. } = &self.source else { return false };
        let his = &self.game.opponent().emails;
        mail.from_address.as_ref().is_some_and(|from| !his.iter().any(|his| his.eq_ignore_ascii_case(from)))
    }

    /// Where the mail has it, in words.
    fn found(&self, places: &Places, accepted: bool) -> &'static str {
        match (self.is_mine(), places, accepted) {
            (false, Places::Own(_), _) => "these lines of his text",
            (false, Places::Quoted(_), _) => "lines that he quotes",
            (false, Places::Nowhere, true) => "your word: no line of it gives just this move",
            (false, Places::Nowhere, false) => "this mail; the line could not be found again",
            (true, ..) if self.is_own_mail() => "your own mail, as it went out",
            (true, Places::Own(_), _) => "he repeats it, so it was sent",
            (true, Places::Quoted(_), _) => "he quotes it, so it was sent",
            (true, Places::Nowhere, true) => "you accepted his answer to it, so it was sent",
            (true, Places::Nowhere, false) => "he answers it, so it was sent",
        }
    }
}
