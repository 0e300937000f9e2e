//! The letters that end a game, or do not: a resignation, a draw accepted or declined. A person sends them, and they close nothing.
//! And what the player is told of a game that has ended: by its result, or on the board.

use super::speech::Speech;
use super::wrapped;
use crate::config::{Language, Me};
use crate::domain::game::Game;
use crate::domain::transmission::compose::clip;
use crate::say;
use crate::sentence;

/// What the player says about the end of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// He resigns.
    Resigns,
    /// He accepts the draw that was offered to him.
    AcceptsDraw,
    /// He plays on.
    DeclinesDraw,
}

impl Ending {
    /// In one word, part of a Message-ID and of the journal.
    pub fn label(self) -> &'static str {
        match self {
            Ending::Resigns => "resignation",
            Ending::AcceptsDraw => "draw-accepted",
            Ending::DeclinesDraw => "draw-declined",
        }
    }

    /// What the letter is, for the player.
    pub fn what(self) -> &'static str {
        match self {
            Ending::Resigns => sentence!("your resignation"),
            Ending::AcceptsDraw => sentence!("you accept the draw"),
            Ending::DeclinesDraw => sentence!("you decline the draw"),
        }
    }

    /// The letter to the opponent.
    pub fn text(self, game: &Game, me: &Me) -> String {
        let style = me.styles.of(game.opponent());
        let speech = Speech::of(style.language);
        let (words, thanks) = match self {
            Ending::Resigns => ("resigns", true),
            Ending::AcceptsDraw => ("accepts", true),
            Ending::DeclinesDraw => ("declines", false),
        };
        let mut words = speech.say(words, &[]);
        if thanks {
            words.push_str("\n\n");
            words.push_str(&speech.say("thanks", &[]));
        }
        let head = if game.event.is_empty() { String::new() } else { format!("Event: {}\n\n", clip(&game.event, 60)) };
        let words: String = words.lines().map(wrapped).collect();
        format!("{head}{}{words}{}", speech.hello(&style), speech.farewell(&style, me))
    }
}

/// That a game does not go on, why, and what to do; `None` where it does.
pub fn ended(game: &Game) -> Option<String> {
    match game.result {
        Some(result) => Some(format!("game {} is over: {}", game.id, result.word())),
        None => board_decides(game, Language::English)
            .map(|[why, close]| format!("game {} is over: {why}\nhelp: close it:  {close}", game.id)),
    }
}

/// What the last position decides where no result is on record, and the command that closes the game; `None` where it decides nothing.
pub fn board_decides(game: &Game, language: Language) -> Option<[String; 2]> {
    let standing = game.replay().ok().filter(|_| game.result.is_none())?.standing();
    let result = standing.result(game.to_move())?.word();
    let stands = say!(language, "{standing} on the board, {result}", standing = standing.words_in(language), result);
    Some([stands, format!("amici result {} {result}", game.id)])
}

#[cfg(test)]
mod tests {
    use super::super::{ReadsAs, reads_as};
    use super::*;
    use crate::domain::document::tests::sample_game;

    fn reads(ending: Ending) -> ReadsAs {
        let config =
            "[me]\nname = \"Quillfeather, Tobin\"\nemails = [\"t@example.net\"]\ntimezone = \"Europe/Vienna\"\n";
        let me = crate::config::Config::parse(config).unwrap().me;
        let mut game = sample_game();
        game.draw_offer = Some(game.me.other());
        reads_as(&game, &ending.text(&game, &me), "2004-11-02".parse().unwrap())
    }

    #[test]
    fn our_own_reader_takes_each_for_what_it_is() {
        for ending in [Ending::Resigns, Ending::AcceptsDraw] {
            assert!(matches!(reads(ending), ReadsAs::Binding(_)), "{ending:?}: {:?}", reads(ending));
        }
        assert!(!matches!(reads(Ending::DeclinesDraw), ReadsAs::Binding(_)), "{:?}", reads(Ending::DeclinesDraw));
    }
}
