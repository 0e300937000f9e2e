//! Corrections, leave, claims, addresses and reminders in a sentence.

use std::sync::LazyLock;

use regex::Regex;

use super::language::{one_of, pattern};
use super::sentence::{Clause, Place, Sentence};
use super::{Event, Meaning, Spoken};
use crate::domain::transmission::calendar::month_named;
use crate::domain::transmission::dates::WrittenDate;
use crate::domain::transmission::read::lex::{self, Token};
use crate::domain::transmission::read::vocabulary;

/// A kind of announcement: what says it, and what only looks like it. `|` ends a clause before a move, `,` any other.
struct Kind {
    says: Regex,
    /// May be one.
    hints: Regex,
    /// Is none.
    besides: Regex,
}

impl Kind {
    fn of(says: &str, hints: &str, besides: &str) -> Kind {
        let part = |list: &str| pattern(&format!("(?-u)(?:^| )(?:{})(?: |$)", one_of(list)));
        Kind { says: part(says), hints: part(hints), besides: part(besides) }
    }

    /// How the sentence means it, if it speaks of it at all.
    fn meaning(&self, text: &str, sentence: &Sentence) -> Option<Meaning> {
        let says = self.says.is_match(text);
        if !says && !self.hints.is_match(text) {
            return None;
        }
        Some(match () {
            () if self.besides.is_match(text) => Meaning::Talk,
            () if says && !sentence.quotes => Meaning::Clear,
            () => Meaning::Open,
        })
    }
}

static TAKES_BACK: LazyLock<Kind> = LazyLock::new(|| {
    Kind::of(
        r"
            (take|takes|taking|took) (\w+ ){0,4}back|(nehme|nehmen|ziehe) (\w+ ){0,4}zuruck|zurucknehmen
            zuruckziehen|zurueckziehen|takeback|take back|have my (last )?move back|(is|are) withdrawn|i withdraw
            (i|we) (retract|withdrew|cancel)
            (please )?(ignore|disregard|forget|cancel|discard) (my|the|that|this|it)( \w+)? ?(mail|move|message|email|one|letter|move)?
            (ignoriere|ignorieren|vergiss|vergessen) (sie )?(bitte )?(meine|meinen|die|den|das)|je retire mon coup
            je (veux|voudrais) reprendre|je reprends mon coup|annule(z|r)? mon (coup|message)
            retiro mi (jugada|movimiento)|anulo mi|ritiro la mia mossa|annullo la|retiro (o )?meu lance|anulo meu
            neem (\w+ ){0,3}terug|terugnemen|tar (\w+ ){0,3}tillbaka|tager (\w+ ){0,3}tilbage|tar (\w+ ){0,3}tilbake
            perun siirto\w*|cofam|beru (\w+ )?zpet|visszavonom|beru (\w+ )?nazad|otmeniaiu
        ",
        r"withdraw|withdrawn|withdrew|retract|retracted|cancel|disregard|ignore|ignored|discard|forget|wait",
        r"
            (not|never|dont|wont|cannot|cant|nicht) (\w+ ){0,3}(take|taken|back|withdraw|forget|retract|cancel|zuruck|ignore)
            dont forget|not forget|(can|cant|cannot|will|ill|must|to|not|no) wait|wait for (your|the)
            (the|a|long) wait|had to wait|back then|days back|withdrew some|back (soon|from|in|on|at|to)
            withdrew (money|from)|forget (to|about|how|the holiday)|taken aback|takes me back|took me back
            take you back|hat off|cancel (the|my|our) (trip|holiday|subscription|party|dinner|flight)
            withdrawn (from|player)|(rook|knight|bishop|queen|piece|pawn) back
            take (\w+ ){0,2}back (the|a) (pawn|piece)
            you (cannot|cant|may not|want to|would like to|may) (take|withdraw)
        ",
    )
});

static CORRECTS: LazyLock<Kind> = LazyLock::new(|| {
    Kind::of(
        r"
            (correction|korrektur|berichtigung|correccion|correzione|correcao|correctie|rattelse|rettelse|korjaus|korekta|oprava|javitas|helyesbites|ispravlenie|richtigstellung)( (of|to|zu|zum|der|von|for|in|till|til) (\w+ ){0,4}\w+)? ?[,|]
            ^(correction|korrektur|berichtigung|correccion|correzione|correcao|correctie|rattelse|rettelse|korjaus|korekta|oprava|javitas|ispravlenie)$
            wrong (move|number|line|notation|digits|square)|falscher zug|mauvais coup|jugada equivocada
            mossa sbagliata|lance errado|verkeerde zet|fel drag|forkert traek|feil trekk|zly ruch|spatny tah
            rossz lepes|i (really |of course |actually )?(mean|meant)( to (play|send|write|move))? \|
            i (really |actually )?(wanted|intended) to (play|send|write|move) \||was meant|(ich )?meinte (\w+ )?\|
            gemeint|ich wollte (\w+ )?\|
            (je voulais|queria|volevo|quise|ik bedoelde|jag menade|jeg mente|mialem na mysli|myslel jsem|gondoltam)( dire| jouer| jugar| giocare| jogar| decir)? \|
            (was|is) (just )?(a |my |an )?(typo|slip|misprint|typing error|typing mistake|clerical error|tippfehler|schreibfehler)
            (mistake|error|typo|slip|fehler|irrtum|erreur|error|errore|erro|fout|fel|fejl|feil|blad|chyba|hiba) (\w+ ){0,4}(move|mail|message|email|letter|table|zug|nachricht|coup|jugada|mossa|lance|zet|drag|traek|trekk|ruch|tah|lepes)
            (move|mail|message|email|zug|mein zug) (\w+ ){0,3}(was|is|war|ist) (\w+ )?(wrong|mistaken|falsch|incorrect|a typo|a mistake|an error)
            oops|no wait|instead of \||statt \||i wrote \| (\w+ )?(instead|but)|by mistake|versehentlich|irrtumlich
            par erreur|por error|per errore|por engano|po oshibke
        ",
        r"
            typo|mistake|wrong|error|instead|oops|korrektur|irrtum|fehler|tippfehler|correction|mistyped|misspelt
            misspelled|corrected|falsch|erreur|wait \||sorry \|
        ",
        r"
            (no|not|any|without|never) (\w+ ){0,2}(mistake|error|typo|errors|correction|wrong)
            (kein|keine|ohne|null) (\w+ )?(fehler|irrtum|korrektur)|what is wrong|whats wrong|something wrong with
            nothing wrong|mistakes|wrong (with|about)|instead of (\w+ ){0,2}(coffee|tea|going|working|playing|the)$
            mistake (\w+ ){0,2}(in the (last|other)|tournament)|last tournament|weather
            wrong (side|day|foot|end|opening)|your (mistake|error|typo)|trial and error
            (if|falls|wenn) (\w+ ){0,4}(wrong|mistake|error|fehler|falsch)|please correct|(maybe|perhaps) i am wrong
            my fault|a mistake (to|in the opening|on move)|mistake (at|on) (move )?9
            instead of (coffee|him|her|them)
        ",
    )
});

static LEAVE: LazyLock<Kind> = LazyLock::new(|| {
    Kind::of(
        r"
            on (leave|vacation|holiday|holidays|annual leave)
            (take|taking|claim|have|announce|request) (\w+ ){0,3}(leave|vacation|holiday|holidays)
            (leave|vacation|holidays?) (from|until|till|till|9|on|starting|between)|out of (the )?office
            (will|shall|ill|i am|im|am) (be )?(away|absent|travelling|traveling|abroad|unavailable|offline)
            away (from|until|till|9)|urlaub (vom|von|bis|ab|9)|(im|in|habe|nehme|in den) (\w+ ){0,2}urlaub|verreist
            (bin|werde) (\w+ ){0,6}(abwesend|verreist|urlaub|nicht da)|abwesend (vom|von|bis)|abwesenheit
            (en|prends|conge) (\w+ )?(conge|conges|vacances)|en conge|en vacances|absent (du|jusqu\w*)|de vacaciones
            de (licencia|permiso)|(tomo|tomare|pido) (\w+ ){0,2}(licencia|permiso|vacaciones)|in (ferie|vacanza|congedo)
            de (ferias|licenca)|ausente (del?|desde|hasta|ate|em)|(estare|estarei) (ausente|fuera|fora|de viaje)
            assente (dal|dall|il|fino|sino)|saro (assente|fuori|via|in viaggio)
            met vakantie|op vakantie|met verlof|(har|pa|tar) (\w+ )?(semester|ferie|permisjon|orlov)|lomalla|poissa
            na urlopie|urlop (od|do)|(mam|mam|na|beru si) (\w+ )?(dovolenou|dovolene|dovolena)|dovolena (od|do)
            szabadsagon|(v|beru|ukhozhu v) otpuske?|otpusk (s|do)
        ",
        r"vacation until|abwesenheitsnotiz",
        r"
            (was|were|war|waren|etais|etait|ero|estaba|estuve|estive|sono stato|was op|var pa|olin|bylem|byl|byla|voltam) (\w+ ){0,3}(vacation|leave|holiday|holidays|urlaub|vacances|vacaciones|permiso|ausente|ferie|congedo|assente|verreist|away|vakantie|lomalla|urlopie|dovolene|abwesend|absent|out of)
            your (vacation|leave|holiday|holidays)|ihr urlaub|dein urlaub|after my (leave|vacation|holiday)
            back from (\w+ )?(leave|vacation|holiday|holidays)|aus dem urlaub
            (have|enjoy|nice|happy|good|schonen|merry|bonnes) (\w+ ){0,2}(holiday|holidays|vacation|urlaub|vacances)
            you (are|were|will be) (away|on)|if you (are )?|have not been away|run away|right away|throw away
            away game|far away|go away|not (on|take|away)|no leave|leave (the|it|to|me|you)
        ",
    )
});

static TIME: LazyLock<Kind> = LazyLock::new(|| {
    Kind::of(
        r"
            you (have )?(overstepped|exceeded|overrun)( (the|your))?( (time|limit|time limit|thinking time|reflection time))?
            claim (the |a )?(game|win|point) on time|claim (\w+ ){0,3}(time|overstep|overstepping)
            time (is )?(over|exceeded|overstepped)|your (time|flag) (is|has) (over|fallen|run out|up|expired)
            time limit|overstepped|zeituberschreitung|zeitueberschreitung
            (bedenkzeit|zeit) (\w+ )?(uberschritten|ueberschritten|abgelaufen|verbraucht)|depasse (\w+ ){0,2}temps
            depassement de temps|reclame (\w+ ){0,3}(temps|gain)|(por|de) tiempo|excedido (\w+ ){0,2}tiempo
            (superato|reclamo) (\w+ ){0,2}tempo|excedeu (\w+ ){0,2}tempo|tijdsoverschrijding|tijd overschreden
            tidsoverskrid\w*|betankningstid\w*|tidsoverskridelse|aika ylit\w*|przekroczyl \w+ czas\w*
            przekroczenie czasu|prekroceni casu|prekrocil|idotullepes|prosrochil\w*|prosrochka
        ",
        r"overstepping|overstep",
        r"
            (i|ich) (have |habe )?(overstepped|exceeded|not)|my time|our time limit is|the time limit (is|of)
            time limit for|gym|within the time limit|meine zeit|not (\w+ ){0,3}(overstepped|exceeded)
            (por|de) tiempo (libre|parcial)|de tiempo en tiempo|mucho tiempo|poco tiempo|falta de tiempo|reflexion
        ",
    )
});

static REPETITION: LazyLock<Kind> = LazyLock::new(|| {
    Kind::of(
        r"
            (by|threefold|third|3fold|three fold|triple|a) repetition|repetition of (the )?(moves|position)
            dreimalige \w*|stellungswiederholung|zugwiederholung|(par|de) repetition|por repeticion
            triple repeticion|ripetizione|por repeticao|zetherhaling|stallingsherhaling|dragupprepning
            stillingsgentagelse|toisto|powtorzenie|opakovani|tiltrekkgjentakelse|haromszori|troekratnoe povtorenie
        ",
        r"threefold",
        r"
            (no|not|avoid|without|against) (\w+ ){0,3}repetition|9 repetition|(1st|2nd) repetition
            repetition of (my|your|the) (mail|message|last)|keine \w+
        ",
    )
});

static FIFTY: LazyLock<Kind> = LazyLock::new(|| {
    Kind::of(
        r"
            (fifty|9) moves? rule|9 zuge regel|funfzig zuge regel|regle des (cinquante|9) coups
            regla de (los )?(cincuenta|9)|regola delle (cinquanta|9) mosse|regra dos (cinquenta|9)|9 zetten regel
            pravilo (9|piatidesiati)
        ",
        r"funfzig zuge",
        r"not (\w+ ){0,3}rule",
    )
});

static TABLEBASE: LazyLock<Kind> = LazyLock::new(|| {
    Kind::of(
        r"
            claim (\w+ ){0,5}tablebases?|tablebases? (\w+ ){0,9}claim|tablebases? (\w+ |, )*(i )?claim
            claim (\w+ |, )*tablebases?|(reklamiere|beanspruche) (\w+ )*(tablebase|endspieldatenbank|tablebases)
        ",
        r"according to the (\w+ )*tablebase",
        r"(cannot|not|no) (\w+ ){0,3}claim",
    )
});

static ADDRESS: LazyLock<Kind> = LazyLock::new(|| {
    Kind::of(
        r"
            (my|a|following|use|note) (\w+ ){0,3}new (e )?(mail |email )?address
            new (e )?(mail |email )?address (is|_mail)|(address|e mail|email) (has )?(changed|is now)
            (neue|neuen|geanderte) (e )?(mail )?(adresse|mailadresse)
            (bin ich|erreichen sie mich|erreichst du mich) (\w+ )*_mail|_mail zu erreichen|nouvelle adresse
            nueva direccion|nuevo (correo|email)|nuovo indirizzo|novo (endereco|email)|nieuw(e)? (e )?(mail )?adres
            ny (e )?(mail )?adress?e?|uusi (\w+ )?osoite\w*|nowy adres|nova (e )?(mail\w* )?adresa
            uj (e )?(mail )?(cim\w*|emailcim\w*)|novyi (\w+ )?adres
        ",
        r"change of address|adressanderung",
        r"(did|do) you have a new|your new (e )?(mail )?address|no new address|web address|new address book",
    )
});

static ASKS: LazyLock<Kind> = LazyLock::new(|| {
    Kind::of(
        r"
            did you (get|receive) (my|the) (\w+ )?(move|mail|message|email|reply|answer|last)
            have you (got|received|gotten) (my|the) (\w+ )?(move|mail|message|email|reply|answer)
            (mail|message|move|email) (\w+ ){0,3}(got|been|was|is|be) lost|did not (get|receive) an? (answer|reply)
            did you (get|receive) (it|that)|have not (heard|received) (\w+ ){0,3}(from you|your|any|an)
            havent (heard|received) (\w+ ){0,3}(from you|your|any|an)|no (reply|answer) (from you|yet|to my)
            (haben sie|hast du) (\w+ ){0,3}(zug|mail|nachricht) (\w+ )?(erhalten|bekommen)
            noch nichts (von \w+ )?gehort|keine antwort (von|erhalten|bekommen|auf)|avez vous (bien )?recu mon
            nai pas (encore )?recu (de |votre |ta )reponse|no he (tenido|recibido) (\w+ )?respuesta
            non ho (ancora )?(avuto|ricevuto) (\w+ )?risposta|nao (tive|recebi) (\w+ )?resposta|ne poluchil (\w+ )?otveta
            as tu (bien )?recu mon|sans nouvelles|(recibiste|recibio|has recibido|ha recibido) mi
            (hai|ha) ricevuto (il|la) mi[ao]|recebeu (o )?(meu|minha)
            (heb je|hebt u|heeft u) mijn (\w+ )?(zet|mail|bericht)|(fick|har) du (\w+ )?mitt|fik du (\w+ )?mit
            fikk du (\w+ )?(mitt|trekket)|saitko (\w+ )?siirto\w*
            (czy )?(otrzymales|otrzymal pan|dostales) (\w+ )?(moj|ruch)|(dostal|obdrzel) jsi muj|megkaptad a?
            vy poluchili moi
        ",
        r"repeat your (move|mail|last)|resend",
        r"postcard|present|book|if you have not|photo|letter from",
    )
});

static LONG_THOUGHT: LazyLock<Kind> = LazyLock::new(|| {
    Kind::of(
        r"
            (need|needs|take|takes|want|wants) (a )?(long|longer) (thought|think)
            (need|needs|take|takes) (\w+ ){0,2}(longer|more time) (to|for) (\w+ ){0,3}(think|thinking|answer|reply|move|reflection)
            i expect to (answer|reply) (by|until|before|not before)|lange nachdenken|(brauche|benotige) (\w+ )?(langer|mehr) bedenkzeit
            (demande|demandera|necessite) une longue reflexion|(pide|requiere|necesita) una larga reflexion
            richiede una lunga riflessione|(pede|requer) uma longa reflexao|trebuet dolgogo razmyshleniia
        ",
        "~",
        r"you (need|take|want)|(did|do|does|will) not|no need (of|for)",
    )
});

/// The kinds that need nothing but their words.
fn plain_kinds() -> [(Event, &'static Kind); 8] {
    [
        (Event::TakesBack, &TAKES_BACK),
        (Event::Corrects, &CORRECTS),
        (Event::TimeClaim, &TIME),
        (Event::RepetitionClaim, &REPETITION),
        (Event::FiftyMoveClaim, &FIFTY),
        (Event::TablebaseClaim, &TABLEBASE),
        (Event::AsksRepeat, &ASKS),
        (Event::LongThought, &LONG_THOUGHT),
    ]
}

#[allow(clippy::expect_used, reason = "a literal; failing loudly beats reading nothing")]
static MAIL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b[A-Za-z0-9][A-Za-z0-9._+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b").expect("a literal")
});

/// Adds what the sentence says besides the result.
pub(super) fn hear(sentence: &Sentence, found: &mut Vec<Spoken>, understood: &mut Vec<Place>) {
    let text = marked(sentence);
    let mut add = |event, meaning| found.push(Spoken::new(sentence.line, event, meaning, &sentence.raw));
    for (event, kind) in plain_kinds() {
        if let Some(meaning) = kind.meaning(&text, sentence) {
            add(event, meaning);
        }
    }
    if let Some(meaning) = LEAVE.meaning(&text, sentence) {
        // "received 24.10., sent 26.10., from 1.11. on leave"
        let dates_a_move = |clause: &&Clause| clause.words.iter().any(|w| vocabulary::label(&w.plain).is_some());
        let beside_a_move = |clause: &&Clause| clause.before_move || clause.after_move;
        let absent = sentence.clauses.iter().filter(|clause| !dates_a_move(clause) && !beside_a_move(clause));
        understood.extend(absent.flat_map(|c| &c.words).map(|w| w.place.clone()));
        let (from, until) = days(&sentence.raw, &text);
        add(Event::Leave { from, until }, if sentence.asks { Meaning::Talk } else { meaning });
    }
    if let Some(meaning) = ADDRESS.meaning(&text, sentence) {
        let mut addresses = MAIL.find_iter(&sentence.raw).map(|m| m.as_str().to_owned());
        let only = addresses.next().filter(|_| addresses.next().is_none());
        add(Event::AddressChange(only), meaning);
    }
}

/// The clauses, with `|` where a move stands and `,` at every other border.
fn marked(sentence: &Sentence) -> String {
    let mut text = String::new();
    for clause in &sentence.clauses {
        if clause.after_move && !text.ends_with("| ") {
            text.push_str("| ");
        }
        text.push_str(&clause.text());
        text.push_str(if clause.before_move { " | " } else { " , " });
    }
    text.trim_end_matches([' ', ',']).to_owned()
}

/// The first and the last day of an absence, as far as they are written.
fn days(raw: &str, text: &str) -> (Option<WrittenDate>, Option<WrittenDate>) {
    #[allow(clippy::expect_used, reason = "a literal; failing loudly beats reading nothing")]
    static RANGE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(?<a>\d{1,2})\.? ?(?:-|to|bis|au|al|a|til|till) ?(?<b>\d{1,2})\.? (?:de )?(?<m>\p{L}{3,})")
            .expect("a literal")
    });
    if let Some(range) = RANGE.captures(raw) {
        let number = |name: &str| range.name(name).and_then(|m| m.as_str().parse::<u32>().ok());
        if let (Some(a), Some(b), Some(month)) =
            (number("a"), number("b"), range.name("m").and_then(|m| month_named(m.as_str())))
        {
            let of = |day| Some(WrittenDate::Clear { day, month, year: None });
            return (of(a), of(b));
        }
    }
    let dates: Vec<WrittenDate> = lex::tokens(raw)
        .into_iter()
        .filter_map(|p| match p.token {
            Token::Date(date) => Some(date),
            Token::Slash(first, second) if (1..=31).contains(&first) && (1..=31).contains(&second) => {
                Some(WrittenDate::Open { first, second, year: None, dotted: false })
            }
            _ => None,
        })
        .collect();
    let ends = ["until", "till", "bis", "jusquau", "hasta", "fino", "ate", "tot", "til", "asti", "do"];
    match dates.as_slice() {
        [from, until, ..] => (Some(*from), Some(*until)),
        [until] if text.split(' ').any(|w| ends.contains(&w)) => (None, Some(*until)),
        [from] => (Some(*from), None),
        [] => (None, None),
    }
}
