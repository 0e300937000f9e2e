//! Every form of a reply in every language: what it writes, our own reader reads back to the same values.

use amici::config::{Config, Form, Language, Me, OwnForm, Style, Styles};
use amici::domain::clock::rules::RulesetChoice;
use amici::domain::game::{Game, Leave, MoveRecord, Plan, Player as Named, Side, Stated};
use amici::domain::judge::{Accepted, Verdict};
use amici::domain::notation::NumericMove;
use amici::intake::decide::{Trust, decide};
use amici::intake::which::Thread;
use amici::letters::{self, LetterError};
use amici::mail::draft::{DraftMessage, Mailbox};
use chrono::{Datelike, Days, NaiveDate};
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

use super::cli::Player;
use super::intake::sample;

fn names() -> Vec<&'static str> {
    Form::BUILT_IN.iter().map(|(_, name, _)| *name).collect()
}

fn codes() -> Vec<&'static str> {
    Language::ALL.iter().map(|(_, code)| *code).collect()
}

fn configured(letters: &str) -> Config {
    let me = "[me]\nname = \"Tobin Quillfeather\"\nemails = [\"tobin.q@example.net\"]\ntimezone = \"Europe/London\"\n";
    Config::parse(&format!("{me}{letters}")).unwrap()
}

fn me(form: &str, language: &str) -> Me {
    configured(&format!("[letters]\nform = \"{form}\"\nlanguage = \"{language}\"\n")).me
}

/// What the opponent's amici makes of the letter.
fn read_by_opponent(game: &Game, text: &str, sent: NaiveDate) -> Verdict {
    let address = |player: &Named| player.emails[0].parse().unwrap();
    let mail = DraftMessage {
        from: Mailbox { name: Some(game.myself().name.clone()), address: address(game.myself()) },
        to: vec![Mailbox { name: Some(game.opponent().name.clone()), address: address(game.opponent()) }],
        cc: Vec::new(),
        subject: "Re: our game".to_owned(),
        date: sent.and_hms_opt(12, 0, 0).unwrap().and_utc().fixed_offset(),
        message_id: "<reply@example.net>".parse().unwrap(),
        in_reply_to: None,
        references: Vec::new(),
        auto_submitted: false,
        unsent: false,
        body: text.to_owned(),
        page: None,
        attached_reply: None,
    };
    let mut theirs = game.clone();
    theirs.me = game.me.other();
    theirs.plan = None;
    let opponent = game.opponent();
    let him = format!(
        "[me]\nname = \"{}\"\nemails = [\"{}\"]\ntimezone = \"Europe/London\"\n",
        opponent.name.replace('"', ""),
        opponent.emails[0]
    );
    let him = Config::parse(&him).unwrap();
    let trust = Trust { senders: &him.senders, seen: &[], verified: None };
    let threads = [Thread { game: theirs, root_message_id: "<root@example.org>".to_owned() }];
    let at = mail.date.to_utc();
    let decision = decide(&mail.to_bytes().unwrap(), &him.me, &trust, &threads, at).unwrap();
    assert_eq!(decision.judgements.len(), 1);
    decision.judgements.into_iter().next().unwrap().verdict
}

/// The letter is plain and narrow, and says what was planned; a value that is missing in it is one that the form has no place for.
fn check(game: &Game, form: &str, language: &str) -> Result<Box<Accepted>, String> {
    let plan = game.plan.as_ref().unwrap();
    let text = letters::reply_text(game, &[], &me(form, language)).map_err(|e| e.to_string())?;
    let why = |why: &str| Err(format!("{form} {language}: {why}\n{text}"));
    for line in text.lines() {
        let dates = line.matches(".20").count() + line.matches(".19").count();
        if line.chars().count() > 72 + if dates > 1 { 10 } else { 0 } || line.trim_end() != line || line.contains('\t')
        {
            return why(&format!("`{line}`"));
        }
    }
    let Verdict::Accepted(read) = read_by_opponent(game, &text, plan.stated.sent.unwrap()) else {
        let verdict = read_by_opponent(game, &text, plan.stated.sent.unwrap());
        return why(&verdict.reason());
    };
    let offered: Vec<Vec<String>> =
        plan.conditionals.iter().map(|line| line.iter().map(ToString::to_string).collect()).collect();
    if read.numeric != plan.numeric || !read.before.is_empty() || read.draw_offer != plan.draw_offer {
        return why(&format!("{read:#?}"));
    }
    if read.conditionals != offered {
        return why(&format!("{:?}, not {offered:?}", read.conditionals));
    }
    let meant = plan.stated;
    let has = |forms: &[&str]| forms.contains(&form);
    let (with_dates, with_days) = (!has(&["pgn"]), !has(&["pgn", "line", "cxv"]));
    let expected = Stated {
        received: meant.received.filter(|_| with_dates),
        sent: meant.sent.filter(|_| with_dates),
        days: meant.days.filter(|_| with_days),
        total: meant.total.filter(|_| with_days),
    };
    // of two days up to the twelfth the reader may say that he cannot tell which number is the month; it never takes the wrong one
    let either = |day: Option<NaiveDate>| day.is_none_or(|day| day.day() <= 12);
    let is_told = read.differs().iter().any(|line| line.contains("could not be read with certainty"));
    let open = is_told && either(expected.received) && either(expected.sent);
    let undated = Stated { received: None, sent: None, ..expected };
    if read.stated != expected && !(open && read.stated == undated) {
        return why(&format!("{:?}, not {expected:?}; {:?}", read.stated, read.discrepancies));
    }
    Ok(read)
}

/// The sample game before White's seventh move, which is chosen, in the notation of clubs.
fn chosen() -> Game {
    let mut game = sample(12);
    game.me = Side::White;
    game.notations = vec!["iccf".to_owned(), "san".to_owned()];
    let day = |text: &str| Some(text.parse().unwrap());
    game.plan = Some(Plan {
        before: Vec::new(),
        numeric: "5171".parse().unwrap(),
        stated: Stated { received: day("2004-10-26"), sent: day("2004-10-30"), days: Some(4), total: Some(12) },
        draw_offer: true,
        message_id: "<1@example.org>".to_owned(),
        conditionals: vec![
            ["2836", "4445"].map(|m| m.parse().unwrap()).to_vec(),
            ["5544", "6344", "6858", "6263"].map(|m| m.parse().unwrap()).to_vec(),
        ],
        comment: Some("A fine autumn day here. How is the weather with you?".to_owned()),
        held_until: None,
    });
    game
}

#[test]
fn each_form_in_each_language_is_written_as_a_correspondent_would() {
    for form in names() {
        let texts = codes().into_iter().map(|code| {
            let text = letters::reply_text(&chosen(), &[], &me(form, code)).unwrap();
            format!("===== {code}\n{text}")
        });
        insta::assert_snapshot!(form, texts.collect::<String>());
    }
}

#[test]
fn each_form_in_each_language_is_read_back_to_the_same_values() {
    let mut wrong = Vec::new();
    for form in names() {
        for code in codes() {
            wrong.extend(check(&chosen(), form, code).err());
        }
    }
    assert_eq!(wrong.len(), 0, "{}", wrong.join("\n"));
}

/// A game as it can be: who plays what, when, and what goes with the last move.
#[derive(Debug, Clone)]
struct Lot {
    choices: Vec<usize>,
    days: Vec<(u64, u8)>,
    start: Option<u64>,
    from_diagram: bool,
    leave: bool,
    san: bool,
    draw_offer: bool,
    offers: Vec<Vec<usize>>,
    names: (String, String),
}

fn name() -> impl Strategy<Value = String> {
    let odd = ["Müller, Jürgen", "Иванов, Пётр", "Ångström, Åsa", "Quill 2nd, R2D2", "O'Neill, Shaun 4244", "Zhao, 伟"];
    prop_oneof![4 => "[A-Z][a-z]{2,9}, [A-Z][a-z]{2,9}", 1 => prop::sample::select(odd.to_vec()).prop_map(str::to_owned)]
}

prop_compose! {
    fn lot()(
        choices in prop::collection::vec(0_usize..500, 1..120),
        days in prop::collection::vec((0_u64..25, 0_u8..30), 120),
        start in prop::option::weighted(0.9, 0_u64..9000),
        from_diagram in prop::bool::weighted(0.15),
        leave in prop::bool::weighted(0.2),
        san: bool,
        draw_offer: bool,
        offers in prop::collection::vec(prop::collection::vec(0_usize..500, 2..=4), 0..3),
        names in (name(), name()),
    ) -> Lot {
        Lot { choices, days, start, from_diagram, leave, san, draw_offer, offers, names }
    }
}

/// A diagram with pawns about to be promoted and both castlings open.
const DIAGRAM: &str = "r3k2r/1P4P1/8/8/3p4/8/1p2P1p1/R3K2R w KQkq - 0 31";

/// Legal moves by choice; none that ends the game.
fn play(position: &mut Chess, choices: &[usize]) -> Vec<NumericMove> {
    let mut moves = Vec::new();
    for choice in choices {
        let mut legal: Vec<_> = position.legal_moves().into_iter().collect();
        // promotions, castling and captures en passant first, one time in three
        legal.sort_by_key(|m| choice % 3 != 0 || !(m.is_promotion() || m.is_castle() || m.is_en_passant()));
        let goes_on = |m: &shakmaty::Move| {
            let mut next = position.clone();
            next.play_unchecked(*m);
            !next.is_game_over()
        };
        let rare = legal.iter().filter(|m| m.is_promotion() || m.is_castle() || m.is_en_passant()).count();
        let among = if choice % 3 == 0 && rare > 0 { rare } else { legal.len() };
        let Some(m) = (0..among).map(|i| legal[(choice + i) % among]).find(goes_on) else { break };
        moves.push(NumericMove::of(&m));
        position.play_unchecked(m);
    }
    moves
}

impl Lot {
    /// The game whose last move is the player's plan.
    fn game(&self) -> Game {
        let mut position = match self.from_diagram {
            true => DIAGRAM.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap(),
            false => Chess::default(),
        };
        let mut moves = play(&mut position, &self.choices);
        let offered = self.offers.iter().map(|choices| play(&mut position.clone(), choices));
        let mut conditionals: Vec<Vec<NumericMove>> = Vec::new();
        for line in offered {
            let line = &line[..line.len() / 2 * 2];
            if !line.is_empty() && conditionals.iter().all(|other| other[0] != line[0]) {
                conditionals.push(line.to_vec());
            }
        }
        let me = if moves.len() % 2 == 1 { Side::White } else { Side::Black };
        let start = NaiveDate::from_ymd_opt(1998, 1, 1).unwrap() + Days::new(self.start.unwrap_or(3000));
        let mut day = start;
        let mut stated = Vec::new();
        let mut totals = [0, 0];
        for (ply, (gap, missing)) in self.days.iter().take(moves.len()).enumerate() {
            let received = day;
            day = day + Days::new(*gap);
            let days = u32::try_from(*gap).unwrap();
            totals[ply % 2] += days;
            let known = !matches!(*missing, 1 | 3);
            let is_first = ply == 0;
            stated.push(Stated {
                received: (known && !is_first).then_some(received),
                sent: (*missing != 2 || ply + 1 == moves.len()).then_some(day),
                days: known.then_some(days),
                total: known.then_some(totals[ply % 2]),
            });
        }
        let last = moves.pop().unwrap();
        let of_last = stated.pop().unwrap();
        let player = |name: &str, email: &str| Named { name: name.to_owned(), emails: vec![email.to_owned()] };
        let mut game = Game::between(
            "LOT-1".parse().unwrap(),
            "EM/2133".to_owned(),
            me,
            player(&self.names.0, "tobin.q@example.net"),
            player(&self.names.1, "mila.ostrander@example.org"),
            RulesetChoice::Name("iccf-email-2000".to_owned()),
        );
        game.start_date = self.start.map(|_| start);
        game.start_fen = self.from_diagram.then(|| DIAGRAM.to_owned());
        if self.san {
            game.notations.push("san".to_owned());
        }
        game.moves = moves.into_iter().zip(stated).map(|(m, stated)| MoveRecord::claimed(m, stated)).collect();
        if self.leave {
            let to = start + Days::new(9);
            game.leaves.push(Leave { side: me, from: start, to, announced: Some(start) });
        }
        game.plan = Some(Plan {
            before: Vec::new(),
            numeric: last,
            stated: of_last,
            draw_offer: self.draw_offer,
            message_id: "<1@example.org>".to_owned(),
            conditionals,
            comment: None,
            held_until: None,
        });
        game
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]
    #[test]
    fn what_a_form_writes_of_any_game_is_read_back_to_the_same_values(
        lot in lot(), form in prop::sample::select(names()), language in prop::sample::select(codes()),
    ) {
        let game = lot.game();
        if let Err(why) = check(&game, form, language) {
            return Err(TestCaseError::fail(why));
        }
    }
}

#[test]
fn at_new_year_every_form_says_the_year() {
    let mut wrong = Vec::new();
    for form in names().into_iter().filter(|form| *form != "pgn") {
        for code in codes() {
            let mut game = chosen();
            let day = |text: &str| Some(text.parse().unwrap());
            let last = game.moves.last_mut().unwrap();
            last.claimed = Stated { sent: day("2004-12-31"), days: Some(68), total: Some(96), ..last.claimed };
            let plan = game.plan.as_mut().unwrap();
            plan.stated =
                Stated { received: day("2004-12-31"), sent: day("2005-01-01"), days: Some(1), total: Some(9) };
            plan.comment = None;
            let text = letters::reply_text(&game, &[], &me(form, code)).unwrap();
            assert!(text.contains("2004") && text.contains("2005"), "{text}");
            wrong.extend(check(&game, form, code).err());
        }
    }
    assert_eq!(wrong.len(), 0, "{}", wrong.join("\n"));
}

#[test]
fn a_club_form_gives_digits_where_letters_were_not_agreed() {
    let mut game = chosen();
    game.notations = vec!["iccf".to_owned()];
    let text = letters::reply_text(&game, &[], &me("pgn", "en")).unwrap();
    assert!(text.contains("6. 6152 5755 7. 5171 *") && text.contains("If 7... 2836 then 8. 4445."), "{text}");
    assert_eq!(check(&game, "pgn", "en").err(), None);
}

#[test]
fn each_opponent_has_his_form_language_and_greeting() {
    let config = configured(
        "[letters]\nform = \"iecg\"\ngreeting = \"Hello,\"\nsignature = \"Tobin\"\n\
         [[opponent]]\naddress = \"tobin.q@example.net\"\nform = \"desc\"\nlanguage = \"de\"\ngreeting = \"Lieber Tobin,\"\n",
    );
    let text = letters::reply_text(&chosen(), &[], &config.me).unwrap();
    assert!(text.starts_with("Lieber Tobin,\n\n[Event"), "{text}");
    assert!(text.contains("Bedenkzeit: Weiß 4/12") && text.ends_with("\n\nTobin\n"), "{text}");
    let mut other = chosen();
    other.black.emails = vec!["somebody@example.com".to_owned()];
    let text = letters::reply_text(&other, &[], &config.me).unwrap();
    assert!(text.starts_with("Hello,\n") && text.contains("Player 1 time usage: 4/12"), "{text}");
}

#[test]
fn a_comment_that_would_be_read_as_something_else_is_refused_with_its_words() {
    for (words, disturbs) in [
        ("Nice position!\nI nearly played 7. 5253 instead.", "I nearly played 7. 5253 instead."),
        ("Nice position!\nI was afraid of 5755 for a long time.", "I was afraid of 5755 for a long time."),
        ("I resign.", "I resign."),
        ("If 7... 7866 then 8. 5254", "If 7... 7866 then 8. 5254"),
    ] {
        for form in ["iccf", "iecg", "line"] {
            let mut game = chosen();
            game.plan.as_mut().unwrap().comment = Some(words.to_owned());
            match letters::reply_text(&game, &[], &me(form, "en")) {
                Err(LetterError::Misread { what, .. }) => assert_eq!(what, format!("\"{disturbs}\"")),
                other => panic!("{form}, {words}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_template_of_the_players_own_must_say_what_was_chosen() {
    let written = |source: &str| {
        let own = OwnForm { file: "mine.j2".to_owned(), source: source.to_owned() };
        let style = Style { form: Form::Own(own), ..Style::default() };
        let me = Me { styles: Styles::general(style), ..me("iccf", "en") };
        letters::reply_text(&chosen(), &[], &me)
    };
    let good = "{{ own.number }} {{ own.numeric }}\nreceived {{ own.received|date }}, sent {{ own.sent|date }}\n{{ closing }}\n";
    let text = written(good).unwrap();
    assert!(text.starts_with("7. 5171\nreceived 26.10.2004, sent 30.10.2004\nIf 7..."), "{text}");
    let why = |source: &str| written(source).unwrap_err().to_string();
    let swapped =
        good.replace("own.received", "own.draft").replace("own.sent", "own.received").replace("own.draft", "own.sent");
    for (source, expected) in [
        (good.replace("{{ closing }}", ""), "the draw would be read as not offered, but it is offered"),
        (good.replace("own.numeric", "his.numeric"), "the form mine.j2: what it writes would be misread"),
        (swapped, "mine.j2"),
        (good.replace("own.numeric", "own.numerik"), "the form mine.j2, line 1: undefined value"),
        (good.replace("|date }}, sent", "|day }}, sent"), "the form mine.j2, line 2: unknown filter"),
        (good.replace("{{ closing }}", "{% if %}"), "the form mine.j2, line 3: syntax error"),
    ] {
        assert!(why(&source).contains(expected), "{source}: {}", why(&source));
    }
}

#[test]
fn a_template_without_an_end_is_an_error_and_no_wait() {
    let endless = "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}";
    let long = "{% for a in range(900) %}{{ sheet }}{% endfor %}";
    for (source, why) in
        [(endless, "line 1: it does not come to an end: look at its loops"), (long, "characters, and a message has")]
    {
        let own = OwnForm { file: "mine.j2".to_owned(), source: source.to_owned() };
        let me = Me { styles: Styles::general(Style { form: Form::Own(own), ..Style::default() }), ..me("iccf", "en") };
        let error = letters::reply_text(&chosen(), &[], &me).unwrap_err().to_string();
        assert!(error.starts_with("the form mine.j2") && error.contains(why) && error.contains("help: "), "{error}");
        let trial = letters::try_style(me.styles.for_others(), &me).unwrap_err().to_string();
        assert!(trial.contains(why), "`check` tells it too: {trial}");
    }
}

#[test]
fn a_broken_template_stops_no_notice() {
    let own = OwnForm { file: "mine.j2".to_owned(), source: "{{ nothing }}".to_owned() };
    let me = Me { styles: Styles::general(Style { form: Form::Own(own), ..Style::default() }), ..me("iccf", "en") };
    let game = Game { plan: None, ..chosen() };
    let text = letters::reply_text(&game, &[], &me).unwrap();
    assert!(text.contains("My move: 7. ____, sent __.__.____"), "{text}");
    assert!(letters::try_style(&me.styles.all()[0], &me).is_err(), "but `check` tells");
}

#[test]
fn what_a_reply_needs_is_left_blank_in_every_form_until_the_move_is_chosen() {
    let game = Game { plan: None, ..chosen() };
    for form in names() {
        for code in codes() {
            let text = letters::reply_text(&game, &[], &me(form, code)).unwrap();
            assert!(text.contains("7. ____"), "{form} {code}: {text}");
            assert!(matches!(
                read_by_opponent(&game, &text, "2004-10-30".parse().unwrap()),
                Verdict::Repeat(_) | Verdict::Held { .. } | Verdict::NotAMove(_)
            ));
        }
    }
}

#[test]
fn every_style_of_the_program_passes_the_trial_of_check() {
    let mut wrong = Vec::new();
    for form in names() {
        for code in codes() {
            let me = me(form, code);
            wrong.extend(
                letters::try_style(me.styles.for_others(), &me).map_err(|e| format!("{form} {code}: {e}")).err(),
            );
        }
    }
    assert_eq!(wrong.len(), 0, "{}", wrong.join("\n"));
}

#[test]
fn every_problem_of_the_letters_is_reported_at_once() {
    let me = "[me]\nname = \"Nora\"\nemails = [\"nora@example.org\"]\ntimezone = \"Europe/London\"\n";
    let text = "[letters]\nform = \"tabel\"\nlanguage = \"xx\"\ngreeting = \"Liebe Grüße 1. e4\"\nsignature = \"I resign,\\nNora\"\ncolour = 1\n\
                [[opponent]]\naddress = \"mila@example.org\"\nform = \"missing.j2\"\ngreeting = \"Draw?\"\n\
                [[opponent]]\naddress = \"ben@example.org\"\n\
                [[opponent]]\naddress = \"ann@example.org\"\nform = \"nope\"\n";
    let problems = Config::parse(&format!("{me}{text}")).unwrap_err();
    let helps: Vec<String> = problems.iter().map(|p| p.help.clone()).collect();
    let found: Vec<String> = problems.into_iter().map(|p| format!("{}: {}", p.key, p.why)).collect();
    let expected = [
        "letters.form: `tabel` is not known",
        "letters.language: `xx` is not known here; choose one of en, de, fr, es, it, pt, nl, ru",
        "letters.greeting: `Liebe Grüße 1. e4` can be read as a move, an offer or a resignation",
        "letters.signature: `I resign,` can be read as a move, an offer or a resignation",
        "letters.colour: is not known",
        "opponent.1.form: the file `missing.j2` cannot be read: entity not found",
        "opponent.1.greeting: `Draw?` can be read as a move, an offer or a resignation",
        "opponent.2.policy: is missing",
        "opponent.3.form: `nope` is not known",
    ];
    assert_eq!(found, expected);
    assert!(helps.last().unwrap().starts_with("iccf, iecg, iecc, desc, semi, cxv, pgn, line, or a file"), "{helps:?}");
}

#[test]
fn friendly_greetings_and_signatures_are_taken_in_every_language() {
    for words in [
        "Dear Mila,",
        "Lieber Tobin,\\nviele Grüße aus München!",
        "Cher ami,",
        "Estimado amigo:",
        "Caro Tobin,",
        "Prezado amigo,",
        "Уважаемый Тобин!",
        "Amici sumus\\nNora Lindqvist",
        "Kind regards\\nNora (Stockholm)",
    ] {
        let config = configured(&format!("[letters]\ngreeting = \"{words}\"\nsignature = \"{words}\"\n"));
        assert!(letters::reply_text(&chosen(), &[], &config.me).is_ok(), "{words}");
    }
}

#[test]
fn the_forms_are_listed_and_shown_before_there_is_a_game() {
    let player = Player::new();
    let list = player.run(&["forms"]).result();
    assert!(names().iter().all(|name| list.contains(&format!(" {name} "))) && list.contains("* iccf"), "{list}");
    let shown = player.run(&["forms", "show", "iecg", "--language", "de"]).result();
    assert!(shown.contains("1. d4 Nf6") && shown.contains("Bedenkzeit Schwarz: 2/30"), "{shown}");
    let json: serde_json::Value =
        serde_json::from_str(&player.run(&["forms", "show", "line", "--json"]).result()).unwrap();
    assert_eq!((&json["schema"], &json["language"]), (&1.into(), &"en".into()));
    player.run(&["forms", "show", "telegram"]).failure(1);
}
