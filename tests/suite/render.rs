//! Every kind of mail that the program writes: it goes to the addresses of its game alone, and holds nothing of another game.
//!
//! 500 games against 50 opponents; each field of each game holds a word that stands nowhere else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use amici::config::{Config, Me, Senders};
use amici::domain::game::{Game, MoveRecord, Player, Side, Stated};
use amici::domain::judge::Verdict;
use amici::domain::notation::NumericMove;
use amici::intake::decide::{Judgement, Trust, decide};
use amici::intake::which::Thread;
use amici::letters::LetterError;
use amici::mail::address::Address;
use chrono::{Days, NaiveDate};
use mail_parser::{Message, MessageParser, MimeHeaders, PartType};
use regex::bytes::Regex;
use shakmaty::{Chess, Position};

pub(crate) use self::kinds::{KINDS, legal, stage};
use self::kinds::{alone, any_move, noon, notice, with_blank};
use super::club::Dice;

mod kinds;

const GAMES: usize = 500;
const OPPONENTS: usize = 50;
/// The player.
const ME: &str = "tobin.q@example.net";
/// A word for a number, unlike every other, and in no language.
fn canary(number: usize) -> String {
    let letter = |place: u32| char::from(b"bcdfghjklmnprstvwxzy"[number * 7919 / 20_usize.pow(place) % 20]);
    "zq".chars().chain((0..6).map(letter)).collect()
}

fn canary_of_opponent(number: usize) -> String {
    canary(GAMES + number)
}

/// All that a mail is made of.
pub(crate) struct Scene {
    pub(crate) game: Game,
    pub(crate) root: String,
    pub(crate) me: Me,
    /// The director of the event.
    pub(crate) director: Address,
    /// Another address of the opponent's.
    pub(crate) other: Address,
    /// What stands in every field that is free.
    pub(crate) word: String,
    /// Running games for what is about several.
    pub(crate) games: Vec<Game>,
}

/// A mail, and to whom it may go: fields To, Cc and Reply-To, of itself and of the letter that it brings.
pub(crate) struct Mail {
    pub(crate) kind: &'static str,
    pub(crate) bytes: Vec<u8>,
    pub(crate) goes: Recipients,
    pub(crate) brings: Option<Recipients>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Recipients {
    to: Vec<String>,
    cc: Vec<String>,
    reply_to: Vec<String>,
}

impl Recipients {
    fn of(to: &str) -> Recipients {
        Recipients { to: vec![to.to_owned()], cc: Vec::new(), reply_to: Vec::new() }
    }

    /// To the player alone.
    fn player() -> Recipients {
        Recipients::of(ME)
    }

    fn read(message: &Message<'_>) -> Recipients {
        let list = |list: Option<&mail_parser::Address<'_>>| {
            list.into_iter().flat_map(|list| list.iter()).map(|a| a.address().unwrap_or_default().to_owned()).collect()
        };
        assert!(message.bcc().is_none());
        Recipients { to: list(message.to()), cc: list(message.cc()), reply_to: list(message.reply_to()) }
    }
}

/// The message that the mail brings.
pub(crate) fn attached(message: &Message<'_>) -> Option<Vec<u8>> {
    let named = |part: &&mail_parser::MessagePart<'_>| part.attachment_name() == Some("reply.eml");
    message.parts.iter().find(named).map(|part| part.contents().to_vec())
}

/// Everything a reader of the mail can find in it: fields as they stand and decoded, parts decoded, the mail that it brings.
fn all_words(bytes: &[u8]) -> Vec<u8> {
    let read = MessageParser::default().parse(bytes).unwrap();
    let mut words = Vec::new();
    for part in &read.parts {
        let (head, body) = (part.raw_header_offset(), part.raw_body_offset());
        words.extend(&bytes[usize::try_from(head).unwrap()..usize::try_from(body).unwrap()]);
        // the letter is read below: encoded, its bytes would be words by chance
        if !matches!(part.body, PartType::Multipart(_)) && part.attachment_name() != Some("reply.eml") {
            words.push(b'\n');
            words.extend(part.contents());
        }
    }
    words.extend(read.subject().unwrap_or_default().bytes());
    for list in [read.from(), read.to(), read.cc(), read.reply_to()].into_iter().flatten() {
        list.iter().for_each(|address| words.extend(address.name().unwrap_or_default().bytes()));
    }
    if let Some(letter) = attached(&read) {
        words.extend(all_words(&letter));
    }
    words
}

/// The mail's own fields, and what the player would send of it.
fn outgoing(bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let read = MessageParser::default().parse(bytes).unwrap();
    let fields = bytes[..usize::try_from(read.root_part().raw_body_offset()).unwrap()].to_vec();
    (fields, attached(&read).map(|letter| all_words(&letter)).unwrap_or_default())
}

/// The canaries among the words. The pixels of a picture make such words by chance, so it must be one of them.
fn marked(words: &[u8]) -> BTreeSet<String> {
    static ALL: LazyLock<BTreeSet<String>> = LazyLock::new(|| (0..GAMES + OPPONENTS).map(canary).collect());
    static CANARY: LazyLock<Regex> = LazyLock::new(|| Regex::new("(?i-u)zq[bcdfghjklmnprstvwxzy]{6}").unwrap());
    let found = CANARY.find_iter(words).map(|word| String::from_utf8(word.as_bytes().to_ascii_lowercase()).unwrap());
    found.filter(|word| ALL.contains(word)).collect()
}

/// That the mail goes where it may, and nowhere else.
pub(crate) fn check_recipients(mail: &Mail) {
    let read = MessageParser::default().parse(&mail.bytes).unwrap();
    assert_eq!(Recipients::read(&read), mail.goes, "{}", mail.kind);
    let letter = attached(&read);
    let brings = letter.as_ref().map(|letter| Recipients::read(&MessageParser::default().parse(letter).unwrap()));
    assert_eq!(brings, mail.brings, "{}", mail.kind);
}

/// The player with a greeting for each opponent that is his alone.
pub(crate) fn me() -> Me {
    let mut config = format!(
        "[me]\nname = \"Quillfeather, Tobin\"\nemails = [\"{ME}\"]\ntimezone = \"Europe/Vienna\"\n\
         [letters]\nsignature = \"Regards, Tobin\"\n"
    );
    for number in 0..OPPONENTS {
        let word = canary_of_opponent(number);
        config.push_str(&format!("[[opponent]]\naddresses = [\"{word}@example.org\"]\ngreeting = \"Hello {word},\"\n"));
    }
    // the directors of every third game get copies of its moves
    for word in (0..GAMES).step_by(3).map(canary) {
        let director = format!("director = \"td.{word}@example.com\"\ncc_director = true\n");
        config.push_str(&format!("[[event]]\nname = \"EM/{word}\"\n{director}"));
    }
    Config::parse(&config).unwrap().me
}

/// A game of so many random plies, or fewer; every other one is at an address of the opponent's that no other game has.
pub(crate) fn game(number: usize, plies: usize, dice: &mut Dice) -> Game {
    let (word, his) = (canary(number), canary_of_opponent(number % OPPONENTS));
    let shared = format!("{his}@example.org");
    let own = format!("{word}@example.com");
    let emails = if (number / OPPONENTS).is_multiple_of(2) { vec![shared, own] } else { vec![own, shared] };
    let mut game = Game::between(
        format!("EM-{word}").parse().unwrap(),
        format!("EM/{word}"),
        if dice.rarely(2) { Side::White } else { Side::Black },
        Player { name: format!("Quillfeather {word}, Tobin"), emails: vec![ME.to_owned()] },
        Player { name: format!("Žofie {his}"), emails },
        serde_json::from_str("\"iccf-email-2000\"").unwrap(),
    );
    game.site = format!("{word} town");
    game.last_message_id = Some(format!("<{word}.last@example.org>"));
    game.seen_message_ids = vec![format!("<{word}.seen@example.org>")];
    let mut position = Chess::default();
    let mut day: NaiveDate = "2026-01-05".parse().unwrap();
    while game.moves.len() < plies && !position.is_game_over() {
        let played = any_move(&position, dice);
        let received = Some(day);
        day = day + Days::new(dice.roll(3) as u64);
        let stated = Stated { received, sent: Some(day), ..Stated::default() };
        game.moves.push(MoveRecord::claimed(NumericMove::of(&played), stated));
        position.play_unchecked(played);
    }
    game
}

pub(crate) fn scene(number: usize, games: &[Game], me: &Me) -> Scene {
    let word = canary(number);
    Scene {
        game: games[number].clone(),
        root: format!("<EM-{word}.{word}@example.net>"),
        me: me.clone(),
        director: format!("td.{word}@example.com").parse().unwrap(),
        other: format!("{word}.home@example.com").parse().unwrap(),
        word: format!("Greetings from {word}"),
        games: (number % OPPONENTS..GAMES).step_by(OPPONENTS).map(|other| games[other].clone()).collect(),
    }
}

/// The notice of the opponent's move, as his mail gives it: its fields name the addresses and the threads of others.
fn judged(number: usize, scene: &Scene, dice: &mut Dice) -> Mail {
    let before = stage(scene, false, dice);
    let numeric = legal(&before, dice);
    let stranger = canary((number + 1) % GAMES);
    let at = noon(&before);
    let raw = format!(
        "From: {name} <{from}>\nTo: {ME}, {stranger}@example.com\nCc: td.{stranger}@example.com\n\
         Reply-To: {stranger}@example.com\nSender: {stranger}@example.net\nMessage-ID: <{stranger}.{numeric}@example.org>\n\
         In-Reply-To: {root}\nReferences: <{stranger}.root@example.net> {root}\nSubject: {event} {stranger}\n\
         Date: {date}\n\n{due} {numeric}\n",
        name = stranger,
        from = before.opponent().emails[0],
        root = scene.root,
        event = before.event,
        date = at.to_rfc2822(),
        due = before.due(),
    );
    told_of(raw.replace('\n', "\r\n").as_bytes(), scene, &before).unwrap().unwrap()
}

/// The notice of a mail that the opponent sent when the game stood so; `None` where it is not about this game.
pub(crate) fn told_of(raw: &[u8], scene: &Scene, before: &Game) -> Result<Option<Mail>, LetterError> {
    let thread = |game: &Game| match game.id == before.id {
        true => Thread { game: before.clone(), root_message_id: scene.root.clone() },
        false => Thread { game: game.clone(), root_message_id: format!("<{}.root@example.net>", game.id) },
    };
    let threads: Vec<Thread> = scene.games.iter().map(thread).collect();
    let senders = Senders::default();
    let trust = Trust { senders: &senders, seen: &[], verified: None };
    let at = noon(before);
    let decision = decide(raw, &scene.me, &trust, &threads, at).unwrap();
    let his = |judgement: &&Judgement<'_>| judgement.thread.is_some_and(|thread| thread.game.id == before.id);
    let Some(Judgement { verdict, .. }) = decision.judgements.iter().find(his) else { return Ok(None) };
    let Verdict::Accepted(accepted) = verdict else {
        let letter = notice(scene, before, verdict)?;
        return Ok(Some(alone("notice of his doubtful mail", letter)));
    };
    let mut game = before.clone();
    game.moves.push(MoveRecord::claimed(accepted.numeric, Stated { sent: Some(at.date_naive()), ..accepted.stated }));
    Ok(Some(with_blank("notice of his mail", notice(scene, &game, verdict)?, scene, &game)))
}

/// What a campaign has made.
#[derive(Default)]
struct Made {
    kinds: BTreeMap<&'static str, usize>,
    /// Mails in which a canary of their game was found.
    own: usize,
    /// Digests in which those of more than one game were.
    several: usize,
}

/// A random mail of this round's game, checked.
fn round(round: usize, games: &[Game], me: &Me, made: &mut Made) {
    let (number, mut dice) = (round % GAMES, Dice(round as u64));
    let scene = scene(number, games, me);
    let mail = match dice.roll(KINDS.len() + 1) {
        kind if kind < KINDS.len() => KINDS[kind](&scene, &mut dice).unwrap(),
        _ => judged(number, &scene, &mut dice),
    };
    check_recipients(&mail);
    let mut allowed = BTreeSet::from([canary(number), canary_of_opponent(number % OPPONENTS)]);
    // what stands in a header, or goes to somebody else, is of this game alone
    let (fields, letter) = outgoing(&mail.bytes);
    assert!(marked(&fields).is_subset(&allowed), "round {round}: {:?} in a field", marked(&fields));
    assert!(marked(&letter).is_subset(&allowed), "round {round}: {:?} in the letter", marked(&letter));
    let found = marked(&all_words(&mail.bytes));
    match mail.kind {
        "digest" => allowed.extend((number % OPPONENTS..GAMES).step_by(OPPONENTS).map(canary)),
        // the player is told where his opponent wants answers to go
        "notice of his mail" | "notice of his doubtful mail" => _ = allowed.insert(canary((number + 1) % GAMES)),
        _ => (),
    }
    let foreign: Vec<&String> = found.difference(&allowed).collect();
    assert!(foreign.is_empty(), "round {round}: {foreign:?} in the {}", mail.kind);
    made.several += usize::from(mail.kind == "digest" && found.len() > 2);
    made.own += usize::from(found.contains(&canary(number)));
    *made.kinds.entry(mail.kind).or_insert(0) += 1;
}

/// `AMICI_RENDERED=100000 cargo test --test suite render::every_mail -- --nocapture` makes it the long one.
#[test]
fn every_mail_goes_to_the_addresses_of_its_game_and_holds_nothing_of_another() {
    let wanted = std::env::var("AMICI_RENDERED").map_or(1200, |mails| mails.parse::<usize>().unwrap());
    let (mut dice, me) = (Dice(20_041_030), me());
    let games: Vec<Game> = (0..GAMES).map(|number| game(number, 12 + number % 49, &mut dice)).collect();
    let campaign = &|first: usize| {
        let mut made = Made::default();
        (first..wanted).step_by(2).for_each(|number| round(number, &games, &me, &mut made));
        made
    };
    let mut made = Made::default();
    std::thread::scope(|scope| {
        for half in [0, 1].map(|first| scope.spawn(move || campaign(first))) {
            let Made { kinds, own, several } = half.join().unwrap();
            kinds.into_iter().for_each(|(kind, mails)| *made.kinds.entry(kind).or_insert(0) += mails);
            (made.own, made.several) = (made.own + own, made.several + several);
        }
    });
    let Made { kinds, own, several } = made;
    println!(
        "{wanted} mails of {GAMES} games, {own} with a canary of their own, {several} of several games: {kinds:?}"
    );
    assert!(several > 0 && own == wanted, "the canaries are found where they belong");
    assert!(kinds["notice of his mail"] > 10 * kinds.get("notice of his doubtful mail").unwrap_or(&0));
}
