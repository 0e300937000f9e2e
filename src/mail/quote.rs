//! A mail's text, line by line: the sender's own words, and what he quotes, with the lines that programs add.
//!
//! Knows `>` and its relatives, attribution lines in some twenty-five languages (also wrapped), the unmarked quotations of
//! Outlook, forwarded mail, signatures, what phones and programs append, PGP armour. The text must be normalised (see `text`).
//! Where it is in doubt it says "quoted": a quotation taken for new words could become a wrong record, the reverse only
//! a question. What will surprise you: after a quotation without marks nothing is own any more, and an attribution with no
//! mark after it announces one; "You wrote:" does not, because it may open an answer; a line typed into a quoted
//! line is quoted. A quotation without any mark or head is known where the text that it repeats
//! is (see `known`). Not covered: indentation alone.

use super::{footers, phrases};

/// A quoted line as long as this was probably broken by a mailer, its end left without a mark on the next line.
const WRAPPED: usize = 66;
/// No mailer breaks shorter lines, and so many that are broken at one width are no accident.
const BROKEN: (usize, usize) = (56, 3);
/// Lines of the head of an unmarked quotation that are looked at.
const HEAD_LINES: usize = 8;

/// Whose a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The sender's own words, or an empty line among them.
    Own,
    /// Someone's earlier words, so many levels deep.
    Quoted {
        /// 1 for `> `, 2 for `>> `.
        depth: usize,
    },
    /// "On 12 May Nora wrote:".
    Attribution,
    /// "-----Original Message-----".
    Separator,
    /// From `-- ` on.
    Signature,
    /// Added by a program: "Sent from my phone", anti-virus notes, PGP armour.
    Footer,
}

/// One line of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Counted from 1, as a reader would.
    pub number: usize,
    /// Whose it is.
    pub kind: Kind,
    /// Its text, without quote marks.
    pub text: &'a str,
}

/// A text taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split<'a> {
    /// Every line, in order.
    pub lines: Vec<Line<'a>>,
}

impl Split<'_> {
    /// The own lines; where something else stood between them there is an empty line.
    pub fn own_text(&self) -> String {
        self.text_of(|kind| kind == Kind::Own)
    }

    fn text_of(&self, wanted: impl Fn(Kind) -> bool) -> String {
        let mut out = String::new();
        let mut gap = false;
        for line in &self.lines {
            if !wanted(line.kind) {
                gap = true;
                continue;
            }
            if std::mem::take(&mut gap) && !out.is_empty() && !out.ends_with("\n\n") {
                out.push('\n');
            }
            // One empty line says as much as several.
            if line.text.trim().is_empty() && (out.is_empty() || out.ends_with("\n\n")) {
                continue;
            }
            out.push_str(line.text);
            out.push('\n');
        }
        out.truncate(out.trim_end().len());
        out
    }
}

/// The lines of a normalised text, each with its kind.
pub fn split(text: &str) -> Split<'_> {
    let raw: Vec<Marked<'_>> = {
        // Where a table draws its columns with bars, a bar at the start of a line marks no quotation.
        let bars_quote = !text.lines().any(|line| line.trim_start_matches(['|', ' ', '\t']).contains('|'));
        text.lines().map(|line| Marked::of(line, bars_quote)).collect()
    };
    let mut sorter = Sorter {
        quote_follows: quote_follows(&raw),
        is_broken: is_broken(&raw),
        raw: &raw,
        lines: Vec::with_capacity(raw.len()),
        rest: Rest::Open,
        is_signed: false,
    };
    let mut at = 0;
    while at < raw.len() {
        at = sorter.take(at);
    }
    Split { lines: sorter.lines }
}

/// A line parted from its quote marks.
#[derive(Clone, Copy)]
struct Marked<'a> {
    whole: &'a str,
    text: &'a str,
    depth: usize,
}

impl<'a> Marked<'a> {
    fn of(line: &'a str, bars_quote: bool) -> Self {
        let (mut text, mut depth) = (line, 0);
        while let Some(rest) = without_mark(text, bars_quote) {
            text = rest;
            depth += 1;
        }
        let text = if depth > 0 { text.strip_prefix(' ').unwrap_or(text) } else { text };
        Self { whole: line, text, depth }
    }

    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// The line after its first quote mark: `>`, `Name>`, `: `, or a bar.
fn without_mark(line: &str, bars_quote: bool) -> Option<&str> {
    let text = line.trim_start_matches([' ', '\t']);
    if let Some(rest) = text.strip_prefix('>') {
        return Some(rest);
    }
    if let Some(rest) = text.strip_prefix('|').filter(|_| bars_quote) {
        return Some(rest);
    }
    if text.starts_with(": ") {
        return text.strip_prefix(':');
    }
    let (name, rest) = text.split_once('>')?;
    let is_name = (1..=24).contains(&name.len()) && name.chars().all(char::is_alphabetic);
    (is_name && (rest.is_empty() || rest.starts_with([' ', '>']))).then_some(rest)
}

/// For each line: whether the next line that is not blank is quoted, and whether any later line is.
fn quote_follows(raw: &[Marked<'_>]) -> Vec<(bool, bool)> {
    let (mut next, mut any) = (false, false);
    let mut follows: Vec<(bool, bool)> = raw
        .iter()
        .rev()
        .map(|line| {
            let here = (next, any);
            any |= line.depth > 0;
            if line.depth > 0 || !line.is_blank() {
                next = line.depth > 0;
            }
            here
        })
        .collect();
    follows.reverse();
    follows
}

/// Whether a mailer broke the lines of the whole mail at one width: every line between two quoted ones begins with a word for which the
/// line above it had no room, and there are several.
fn is_broken(raw: &[Marked<'_>]) -> bool {
    let length = |line: &Marked<'_>| line.whole.trim_end().chars().count();
    let width = raw.iter().map(length).max().unwrap_or_default();
    let between = raw.windows(3).filter_map(|lines| match lines {
        [before, line, after] if before.depth > 0 && after.depth > 0 && line.depth == 0 && !line.is_blank() => {
            let first = line.whole.split_whitespace().next().unwrap_or_default();
            Some(length(before) + 1 + first.chars().count() > width)
        }
        _ => None,
    });
    let between: Vec<bool> = between.collect();
    let (narrowest, several) = BROKEN;
    width >= narrowest && between.len() >= several && between.iter().all(|is_broken| *is_broken)
}

/// What the lines to come are, unless they say otherwise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    Open,
    Quoted,
    Signature,
    /// What a program appended, until the next blank line.
    Footer,
    /// The head of PGP's armour, until the next blank line.
    PgpHead,
    /// Until the last line of the armour.
    PgpBlock,
}

struct Sorter<'a, 'b> {
    raw: &'b [Marked<'a>],
    quote_follows: Vec<(bool, bool)>,
    /// A mailer broke its lines.
    is_broken: bool,
    lines: Vec<Line<'a>>,
    rest: Rest,
    /// Within the text of PGP's armour.
    is_signed: bool,
}

impl<'a> Sorter<'a, '_> {
    /// Sorts the line at this place, or several; the place after them.
    fn take(&mut self, at: usize) -> usize {
        let Some(&line) = self.raw.get(at) else {
            return at + 1;
        };
        let kind = match self.rest {
            Rest::Quoted => Kind::Quoted { depth: line.depth + 1 },
            _ if phrases::is_groupwise_head(line.whole) && !self.quote_follows(at).1 => {
                self.rest = Rest::Quoted;
                Kind::Separator
            }
            _ if line.depth > 0 => Kind::Quoted { depth: line.depth },
            Rest::PgpHead | Rest::PgpBlock => {
                let ends = match self.rest {
                    Rest::PgpHead => line.is_blank(),
                    _ => line.whole.starts_with("-----END PGP"),
                };
                if ends {
                    self.rest = Rest::Open;
                }
                Kind::Footer
            }
            Rest::Open | Rest::Signature | Rest::Footer => return self.unmarked(at, line),
        };
        self.put(at, kind)
    }

    fn unmarked(&mut self, at: usize, line: Marked<'a>) -> usize {
        if let Some(count) = self.attribution(at) {
            for place in at..at + count {
                self.put(place, Kind::Attribution);
            }
            if !self.quote_follows(at + count - 1).0 {
                self.rest = Rest::Quoted;
            }
            return at + count;
        }
        let content = self.content(line);
        let is_rule = phrases::is_rule(content) && self.heads_quotation(at + 1);
        let kind = if is_rule || phrases::is_separator(content) {
            self.rest = Rest::Quoted;
            Kind::Separator
        } else if self.heads_quotation(at) {
            self.rest = Rest::Quoted;
            Kind::Quoted { depth: 1 }
        } else if line.whole.starts_with("-----BEGIN PGP") {
            self.is_signed = line.whole.contains("SIGNED MESSAGE");
            self.rest = if self.is_signed { Rest::PgpHead } else { Rest::PgpBlock };
            Kind::Footer
        } else if self.rest == Rest::Signature || content.trim_end() == "--" {
            self.rest = Rest::Signature;
            Kind::Signature
        } else if footers::is_footer(content) || self.rest == Rest::Footer && !line.is_blank() {
            self.rest = Rest::Footer;
            Kind::Footer
        } else if footers::is_phone_signature(content) {
            Kind::Footer
        } else {
            self.rest = Rest::Open;
            self.broken_off(at, line).unwrap_or(Kind::Own)
        };
        self.put(at, kind)
    }

    /// The line as its writer typed it: in signed text one that begins with a dash has "- " before it (RFC 9580, 7.1).
    fn content(&self, line: Marked<'a>) -> &'a str {
        line.whole.strip_prefix("- ").filter(|rest| self.is_signed && rest.starts_with('-')).unwrap_or(line.whole)
    }

    fn put(&mut self, at: usize, kind: Kind) -> usize {
        if let Some(line) = self.raw.get(at) {
            let text = if matches!(kind, Kind::Quoted { .. }) { line.text } else { self.content(*line) };
            self.lines.push(Line { number: at + 1, kind, text });
        }
        at + 1
    }

    fn quote_follows(&self, at: usize) -> (bool, bool) {
        self.quote_follows.get(at).copied().unwrap_or_default()
    }

    /// How many lines the attribution has that begins here; nothing where none does.
    fn attribution(&self, at: usize) -> Option<usize> {
        let fits = |joined: &str, count: usize| {
            let is_marked = self.quote_follows(at + count - 1).0;
            phrases::is_attribution(joined) && (is_marked || phrases::is_certain_attribution(joined))
        };
        let first = self.raw.get(at)?;
        if fits(first.whole, 1) {
            return Some(1);
        }
        // A finished sentence goes on to nothing.
        let is_finished = first.whole.trim_end().ends_with(['.', '!', '?', ':', ';']);
        let second = self.raw.get(at + 1)?;
        let may_open = || phrases::may_open_attribution(first.whole, second.whole);
        if is_finished || !(phrases::opens_attribution(first.whole) || may_open()) {
            return None;
        }
        let mut joined = first.whole.to_owned();
        (2..=3).find(|count| {
            let Some(next) = self.raw.get(at + count - 1).filter(|next| next.depth == 0 && !next.is_blank()) else {
                return false;
            };
            // The rest of an attribution is no attribution by itself.
            let stands_alone = phrases::is_attribution(next.whole) && phrases::opens_attribution(next.whole);
            joined.push(' ');
            joined.push_str(next.whole.trim());
            !stands_alone && fits(&joined, *count)
        })
    }

    /// "From: ..., Sent: ..., To: ..., Subject: ...": the head of an unmarked quotation, in any order: the author's label,
    /// two others at least, and no other line before the author's.
    fn heads_quotation(&self, at: usize) -> bool {
        let lines = || self.raw.iter().skip(at).take(HEAD_LINES).filter(|line| line.depth == 0).map(|line| line.whole);
        let is_label = |line: &str| phrases::is_from_label(line) || phrases::is_other_label(line);
        // a form that begins with "From:" and "To:" and goes on with other fields is his own
        let is_field = |line: &str| line.split_once(':').is_some_and(|(name, _)| name.split_whitespace().count() <= 3);
        let head = || lines().take_while(|line| is_label(line) || !is_field(line));
        lines().find(|line| !phrases::is_other_label(line)).is_some_and(phrases::is_from_label)
            && lines().next().is_some_and(is_label)
            && head().filter(|line| phrases::is_other_label(line)).count() >= 2
    }

    /// A line between two quoted ones, after a long one: its end, broken off by a mailer that set no mark.
    fn broken_off(&self, at: usize, line: Marked<'a>) -> Option<Kind> {
        let before = self.raw.get(at.checked_sub(1)?)?;
        let after = self.raw.get(at + 1)?;
        let is_between = before.depth > 0 && after.depth > 0 && !line.is_blank();
        (is_between && (self.is_broken || before.whole.len() >= WRAPPED))
            .then_some(Kind::Quoted { depth: before.depth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(text: &str) -> String {
        split(text).own_text()
    }

    fn quoted(text: &str) -> String {
        split(text).text_of(|kind| matches!(kind, Kind::Quoted { .. }))
    }

    #[test]
    fn marked_lines_are_quoted_at_their_depth() {
        let text = "mine\n> one\n>> two\n> > two\n>5254\n>>> 3\n| bar\nTQ> initials\n: colon\n   > indented\nmine too";
        let kinds: Vec<(usize, &str)> = split(text)
            .lines
            .iter()
            .filter_map(|line| match line.kind {
                Kind::Quoted { depth } => Some((depth, line.text)),
                _ => None,
            })
            .collect();
        assert_eq!(
            kinds,
            [
                (1, "one"),
                (2, "two"),
                (2, "two"),
                (1, "5254"),
                (3, "3"),
                (1, "bar"),
                (1, "initials"),
                (1, "colon"),
                (1, "indented")
            ]
        );
        assert_eq!(own(text), "mine\n\nmine too");
        assert_eq!(quoted(text), "one\ntwo\ntwo\n5254\n3\nbar\ninitials\ncolon\nindented");
    }

    #[test]
    fn tables_arrows_smileys_and_moves_are_own() {
        for line in [
            "| 1. | 5254 | 5755 |",
            "1. | 5254 |\n| 1/14",
            "1. | 5254 |",
            "-> 5254",
            "=> 5254",
            ":-) 5254",
            "11... e7>e5",
            "Nf3>= good",
            "a -- b",
            "--- 5254",
            "---- Game 1 ----",
        ] {
            assert_eq!(own(line), line);
        }
    }

    #[test]
    fn attributions_of_many_languages_are_told_from_own_words() {
        for line in [
            "On Sun, Oct 24, 2004 at 8:02 PM Nora Lindqvist <nora@example.org> wrote:",
            "On 24.10.2004, Nora wrote:",
            "Nora Lindqvist <nora@example.org> writes:",
            "Am 24.10.2004 um 20:02 schrieb Nora Lindqvist:",
            "Am So., 24. Okt. 2004 um 20:02 Uhr schrieb Nora <nora@example.org>:",
            "Nora schrieb am 24.10.2004 20:02:",
            "Le 24/10/04, Nora Lindqvist a écrit :",
            "Le dim. 24 oct. 2004 à 20:02, Nora <nora@example.org> a écrit :",
            "El dom, 24 oct 2004 a las 20:02, Nora (<nora@example.org>) escribió:",
            "Il giorno dom 24 ott 2004 alle ore 20:02 Nora <nora@example.org> ha scritto:",
            "Em dom., 24 de out. de 2004 às 20:02, Nora <nora@example.org> escreveu:",
            "Op zo 24 okt. 2004 om 20:02 schreef Nora <nora@example.org>:",
            "Den sön 24 okt. 2004 kl 20:02 skrev Nora <nora@example.org>:",
            "su 24. lokak. 2004 klo 20.02 Nora (nora@example.org) kirjoitti:",
            "W dniu 24.10.2004 o 20:02, Nora pisze:",
            "niedz., 24 paź 2004 o 20:02 Nora <nora@example.org> napisał(a):",
            "ne 24. 10. 2004 v 20:02 odesílatel Nora <nora@example.org> napsal:",
            "24.10.2004 20:02, Nora пишет:",
            "вс, 24 окт. 2004 г. в 20:02, Nora <nora@example.org>:\u{20}написал:",
            "Nora ezt írta (időpont: 2004. okt. 24., V, 20:02):",
            "2004年10月24日(日) 20:02 Nora <nora@example.org>さんは書きました:",
            "24 Ekim 2004 Paz 20:02 tarihinde Nora <nora@example.org> şunu yazdı:",
        ] {
            let text = format!("10. 5254\n\n{line}\n\n> old 1111\n\nbye");
            let split = split(&text);
            assert_eq!(split.own_text(), "10. 5254\n\nbye", "{line}");
            assert!(split.lines.iter().any(|l| l.kind == Kind::Attribution), "{line}");
            let unmarked = format!("10. 5254\n\n{line}\nold 1111\nolder 2222");
            assert_eq!(own(&unmarked), "10. 5254", "{line}");
        }
    }

    #[test]
    fn wrapped_attributions_are_recognised_and_take_no_move_with_them() {
        for (first, second) in [
            ("Le mar. 4 juin 2019 à 17:02, Nora Lindqvist <nora@example.org> a", "écrit :"),
            ("On Tue, Jun 4, 2019 at 5:02 PM Nora Lindqvist", "<nora@example.org> wrote:"),
            ("Am Di., 4. Juni 2019 um 17:02 Uhr schrieb Nora Lindqvist", "<nora@example.org>:"),
        ] {
            assert_eq!(own(&format!("9. 3344\n{first}\n{second}\n> old")), "9. 3344");
        }
        assert_eq!(own("10. 5254\nNora wrote:\n> old"), "10. 5254");
        assert_eq!(own("10. 5254 sent 4.6.\nOn 4.6. Nora wrote:\n> old"), "10. 5254 sent 4.6.");
        assert_eq!(own("On 4 June I received yours.\nNora wrote:\n> old"), "On 4 June I received yours.");
    }

    #[test]
    fn sentences_with_such_verbs_stay_own() {
        for text in [
            "You wrote 5254, I play 5755.",
            "As I wrote: 10. 5254",
            "You wrote:\n10. 5254",
            "As you wrote on 12.5.:\n10. 5254",
            "Thanks for what you wrote.\nMy moves up to move 10 are:\n10. 5254",
            "I rewrote it on 12.5.:\n10. 5254",
            "On 12.5. you wrote, and I reply today:\n10. 5254",
        ] {
            assert_eq!(own(text), text);
        }
    }

    #[test]
    fn unmarked_quotations_end_the_own_words() {
        for head in [
            "-----Original Message-----",
            "-----Ursprüngliche Nachricht-----",
            "----- Mensaje original -----",
            "-----Message d'origine-----",
            "-----Messaggio originale-----",
            "-----Mensagem original-----",
            "-----Oorspronkelijk bericht-----",
            "-----Ursprungligt meddelande-----",
            "-----Wiadomość oryginalna-----",
            "-----Исходное сообщение-----",
            "---------- Forwarded message ---------",
            "Begin forwarded message:",
            "-------- Weitergeleitete Nachricht --------",
            "From: Nora [mailto:nora@example.org]\nSent: Sunday, January 28, 2007 7:45 AM\nTo: Calvin\nSubject: EM/07/149",
            "Von: Nora\nGesendet: Sonntag, 28. Januar 2007 07:45\nAn: Calvin\nBetreff: EM",
            "________________________________\nVon: Nora <nora@example.org>\nGesendet: Sonntag\nAn: Calvin\nBetreff: EM",
            "Nora Lindqvist <nora@example.org> 24.10.04 20:02 >>>",
            ">>> Nora Lindqvist 24.10.2004 20:02 >>>",
            "*De :* Nora\n*Envoyé :* dimanche\n*À :* Calvin\n*Objet :* EM",
            "De: Nora\nEnviado el: domingo\nPara: Calvin\nAsunto: EM",
            "Da: Nora\nInviato: domenica\nA: Calvin\nOggetto: EM",
            "Van: Nora\nVerzonden: zondag\nAan: Calvin\nOnderwerp: EM",
            "Från: Nora\nSkickat: den 28 januari\nTill: Calvin\nÄmne: EM",
            "Od: Nora\nWysłano: 28 stycznia\nDo: Calvin\nTemat: EM",
            "От: Nora\nОтправлено: 28 января\nКому: Calvin\nТема: EM",
        ] {
            let text = format!("37. 2825\n\nCalvin\n\n{head}\n\nmy move is 36... 4725\n37. 2826\n");
            assert_eq!(own(&text), "37. 2825\n\nCalvin", "{head}");
            assert!(quoted(&text).contains("37. 2826"), "{head}");
        }
        let form = "From: Nora\n10. 5254\nSent: 12.5.\nReceived: 10.5.";
        assert_eq!(own(form), form);
    }

    #[test]
    fn signatures_phones_anti_virus_and_pgp_are_not_own() {
        assert_eq!(own("3234\n\n-- \nBox 8171\nTel 7163\n\n> old"), "3234");
        assert_eq!(own("3234\n--\nBox 8171"), "3234");
        for line in [
            "Sent from my iPhone 5254",
            "Von meinem iPhone gesendet",
            "Enviado desde mi Huawei Y 4352",
            "Envoyé de mon iPad",
            "Отправлено с iPhone",
            "iPhoneから送信",
        ] {
            assert_eq!(own(&format!("3234\n\n{line}\n")), "3234", "{line}");
        }
        assert_eq!(
            own(
                "3234\nNo virus found in this incoming message.\nChecked by AVG.\nVersion: 7.5 / Virus Database: 268.17/658\n"
            ),
            "3234"
        );
        let signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\n3234\n\n- -- \nTel 7163\n-----BEGIN PGP SIGNATURE-----\n\niD8 5254\n=4352\n-----END PGP SIGNATURE-----\n";
        assert_eq!(own(signed), "3234");
        assert_eq!(
            own("lähetetty 27. helmikuuta 3234\nsent 12.5. 3234"),
            "lähetetty 27. helmikuuta 3234\nsent 12.5. 3234"
        );
    }

    #[test]
    fn the_end_of_a_quoted_line_that_a_mailer_broke_off_is_quoted() {
        let long = format!("> {} 12.", "5254 5755 ".repeat(7));
        assert_eq!(own(&format!("13. 1214\n{long}\n4244\n> 5544")), "13. 1214");
        assert_eq!(own("> your move?\n13. 1214\n> and then?"), "13. 1214");
        let row = |number| format!("> {number}. 5254 12.3.2004 14.3.2004  2  20  |  5755  15.3.2004\n16.3.2004 1 8\n");
        assert_eq!(own(&format!("7. 1213\n{}{}{}> 4.", row(1), row(2), row(3))), "7. 1213");
        let answers = "> And how is your knee after the fall?\nBetter.\n".repeat(3);
        assert_eq!(
            own(&format!("{answers}> And the dog, is it still as fat as ever?")),
            "Better.\n\nBetter.\n\nBetter."
        );
    }

    #[test]
    fn every_line_keeps_its_number() {
        let text = "a\n> b\n\nOn 1.1. X wrote:\n> c\n-- \nd";
        let split = split(text);
        assert_eq!(split.lines.iter().map(|line| line.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(split.lines[5], Line { number: 6, kind: Kind::Signature, text: "-- " });
    }
}
