//! The code of a move that is due: proves that an answer is to a notice of ours, where ids and headers were lost on the way.
//!
//! Printed in the notice, which goes to the player's own address alone. The opponent knows a game's name, its threads and all
//! dates; without the key he can make neither the code of a move nor the id of a notice (RFC 2104).
//! What will surprise you: a code is of a ply, not of a mail. Every notice of the same ply has the same one, and an old one proves
//! nothing once the move is made.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::config::Me;
use crate::domain::game::{Game, GameId};
use crate::mail::draft::{DraftMessage, Mailbox};
use crate::mail::uri::percent;

/// Five bits each, without `l`, `o`, `0` and `1`, which are taken for one another.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Letters of a code: the first five bytes of the HMAC.
const LETTERS: usize = 8;

/// The secret of this installation, [`crate::io::store::Store::answer_key`].
#[derive(Clone)]
pub struct AnswerKey([u8; 32]);

/// Without the secret.
impl fmt::Debug for AnswerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnswerKey")
    }
}

impl AnswerKey {
    /// The key with these bytes.
    pub fn new(bytes: [u8; 32]) -> AnswerKey {
        AnswerKey(bytes)
    }

    /// Goes into the hash that a notice's Message-ID is made of, so that nobody else can name a notice.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether the text is the code of this ply, counted from 1, in letters of either size. Takes the same time however much of
    /// it is right.
    pub fn is_code(&self, game: &GameId, ply: usize, text: &str) -> bool {
        if text.len() != LETTERS {
            return false;
        }
        let value = |letter: u8| (0..).zip(ALPHABET).find(|(_, known)| **known == letter.to_ascii_lowercase());
        let bits = text.bytes().try_fold(0, |bits: u64, letter| value(letter).map(|(value, _)| bits << 5 | value));
        let Some([_, _, _, shown @ ..]) = bits.map(u64::to_be_bytes) else { return false };
        self.mac(game, ply).is_some_and(|mac| mac.verify_truncated_left(&shown).is_ok())
    }

    /// 64 hexadecimal digits that only this installation can set below a text. No text that is sealed is taken for the code of a ply.
    pub fn seal(&self, text: &str) -> String {
        self.keyed(&sealed(text)).map(|mac| hex::encode(mac.finalize().into_bytes())).unwrap_or_default()
    }

    /// Whether it is the seal of this text. Takes the same time however much of it is right.
    pub fn is_seal(&self, text: &str, seal: &str) -> bool {
        let bytes = hex::decode(seal).unwrap_or_default();
        self.keyed(&sealed(text)).is_some_and(|mac| mac.verify_slice(&bytes).is_ok())
    }

    fn mac(&self, game: &GameId, ply: usize) -> Option<Hmac<Sha256>> {
        self.keyed(&format!("{game}/{ply}"))
    }

    fn keyed(&self, text: &str) -> Option<Hmac<Sha256>> {
        let mac = Hmac::<Sha256>::new_from_slice(&self.0).ok()?;
        Some(mac.chain_update(text))
    }
}

/// What is sealed; a game's name has no blank, so that no ply reads like it.
fn sealed(text: &str) -> String {
    format!("sealed {text}")
}

/// `k7q2wxyz`: the code of a ply, counted from 1.
pub fn answer_code(key: &AnswerKey, game: &GameId, ply: usize) -> String {
    let mac = key.mac(game, ply).map(|mac| mac.finalize().into_bytes());
    let bits = mac.iter().flatten().take(5).fold(0, |bits: u64, byte| bits << 8 | u64::from(*byte));
    let letter = |place| (0..).zip(ALPHABET).find(|(value, _)| *value == bits >> (5 * place) & 31);
    (0..LETTERS).rev().filter_map(letter).map(|(_, letter)| char::from(*letter)).collect()
}

/// `EM-1037-PET/24 k7q2wxyz`: game, ply that is due, and its code, as a notice shows them and the subject of an answer brings
/// them back.
pub fn answer_mark(key: &AnswerKey, game: &Game) -> String {
    let ply = game.moves.len() + 1;
    format!("{}/{ply} {}", game.id, answer_code(key, &game.id, ply))
}

/// A link that opens a mail of the player to himself for an answer by one tap (RFC 6068): its subject is the mark, and its text begins
/// the line that the move is typed into. Where he types it above or below instead, that line says nothing.
pub(super) fn answer_link(me: &Me, mark: &str) -> String {
    let to = me.address().map(|address| format!("{}@{}", percent(address.local()), percent(address.domain())));
    format!("mailto:{}?subject={}&body={}", to.unwrap_or_default(), percent(mark), percent("My move: "))
}

/// Characters of a link that every mail program takes whole: Gmail's page cuts them from about 1,620 on.
pub(super) const LONGEST_LINK: usize = 1600;

/// A link that opens a letter as a new mail of the player's: addressed, in its thread where the mail program reads that, and with its
/// text if wanted (RFC 6068).
pub(super) fn letter_link(letter: &DraftMessage, with_text: bool) -> String {
    let address = |to: &Mailbox| format!("{}@{}", percent(to.address.local()), percent(to.address.domain()));
    let all = |list: &[Mailbox]| list.iter().map(address).collect::<Vec<_>>().join(",");
    let mut link = format!("mailto:{}?subject={}", all(&letter.to), percent(&letter.subject));
    if !letter.cc.is_empty() {
        link.push_str(&format!("&cc={}", all(&letter.cc)));
    }
    if let Some(id) = &letter.in_reply_to {
        link.push_str(&format!("&in-reply-to={}", percent(&id.to_string())));
    }
    if with_text {
        // lines end with CRLF (RFC 6068, 5)
        link.push_str(&format!("&body={}", percent(&letter.body.replace('\n', "\r\n"))));
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> AnswerKey {
        AnswerKey::new([7; 32])
    }

    fn game() -> GameId {
        "EM-1037-PET".parse().unwrap()
    }

    #[test]
    fn a_code_is_the_first_forty_bits_of_the_hmac() {
        // openssl dgst -sha256 -mac HMAC -macopt hexkey:0707..07 of EM-1037-PET/24 begins with 23fca54591
        assert_eq!(answer_code(&key(), &game(), 24), "er8kktnt");
    }

    #[test]
    fn a_seal_is_of_its_text_and_of_its_key() {
        let seal = key().seal("desk 1");
        assert!(key().is_seal("desk 1", &seal) && seal.len() == 64);
        assert!(!key().is_seal("desk 2", &seal) && !AnswerKey::new([8; 32]).is_seal("desk 1", &seal));
        for other in ["", "00", "no hex", seal.get(..62).unwrap()] {
            assert!(!key().is_seal("desk 1", other), "{other}");
        }
    }

    #[test]
    fn a_code_is_known_again_in_letters_of_either_size() {
        for ply in 1..200 {
            let code = answer_code(&key(), &game(), ply);
            assert_eq!(code.len(), 8, "{code}");
            assert!(code.chars().all(|c| !"lo01".contains(c)), "{code}");
            assert!(key().is_code(&game(), ply, &code) && key().is_code(&game(), ply, &code.to_uppercase()), "{code}");
        }
    }

    #[test]
    fn no_other_text_is_the_code() {
        let code = answer_code(&key(), &game(), 24);
        assert!(!key().is_code(&game(), 25, &code), "another ply");
        assert!(!key().is_code(&"EM-1037-PE".parse().unwrap(), 24, &code), "another game");
        assert!(!AnswerKey::new([8; 32]).is_code(&game(), 24, &code), "another installation");
        for at in 0..8 {
            let mut other = code.clone().into_bytes();
            other[at] = if other[at] == b'a' { b'b' } else { b'a' };
            assert!(!key().is_code(&game(), 24, &String::from_utf8(other).unwrap()));
        }
        let (first, padded) = (code.split_at(7).0, format!("a{code}"));
        for text in ["", " ", first, &padded, &format!(" {code}"), "ÄÄÄÄ", &format!("0{}", code.split_at(1).1)] {
            assert!(!key().is_code(&game(), 24, text), "{text}");
        }
    }

    #[test]
    fn a_link_carries_its_subject_encoded() {
        let me = "[me]\nname = \"Nora\"\nemails = [\"nora+chess&co@example.org\"]\ntimezone = \"UTC\"\n";
        let me = crate::config::Config::parse(me).unwrap().me;
        let link = answer_link(&me, "EM-1037-PET/24 er8kktnt");
        let subject = "subject=EM-1037-PET%2F24%20er8kktnt";
        assert_eq!(link, format!("mailto:nora%2Bchess%26co@example.org?{subject}&body=My%20move%3A%20"));
        assert_eq!(percent("a\"<b>\r\n=?é"), "a%22%3Cb%3E%0D%0A%3D%3F%C3%A9");
    }

    #[test]
    fn the_key_is_not_shown() {
        assert_eq!(format!("{:?}", key()), "AnswerKey");
    }
}
