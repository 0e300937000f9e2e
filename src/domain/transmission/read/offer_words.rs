//! The words of conditional moves: what each does to the moves around it.
//!
//! Words come in lower case and without accents, Japanese as it was written. A word of no sense here is one that the reader
//! of offers does not understand, and a sentence with one is never an offer.

/// What a word does to the moves around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    /// A condition follows: "if".
    If,
    /// A condition of another kind: "unless".
    Except,
    /// Also an everyday word of another language: a condition only where moves follow at once.
    Perhaps,
    /// Conditional moves follow: "conditional:".
    Label,
    /// "on 7475 I reply 6647".
    On,
    /// The reply follows.
    Then,
    /// The moves before it were the condition: Japanese "nara".
    Postfix,
    And,
    Or,
    /// Any move.
    Any,
    /// Says nothing more.
    Glue,
    /// What might have been.
    Past,
    /// Makes the condition a politeness: "if you like".
    Idle,
    /// Thoughts and no offer: "I considered".
    Thought,
    /// The sentence goes on with something else.
    Stop,
}

/// The sense of a word, if it has one here.
pub(super) fn sense(word: &str) -> Option<Sense> {
    if !word.is_ascii() {
        return japanese(word);
    }
    let found = match word {
        "if" | "provided" | "when" | "whenever" | "wenn" | "falls" | "sofern" | "s'il" | "si" | "caso" | "indien"
        | "wanneer" | "hvis" | "jos" | "mikali" | "jesli" | "jezeli" | "gdy" | "pokud" | "jestlize" | "kdyz"
        | "esli" | "se" | "om" | "ifall" | "amennyiben" | "cas" => Sense::If,
        "unless" | "ausser" | "sauf" | "salvo" | "tenzij" => Sense::Except,
        "als" | "ha" | "ak" | "ako" | "daca" => Sense::Perhaps,
        "conditional" | "conditionals" | "eventualzug" | "eventualzuge" | "eventualzuege" | "conditionnel"
        | "conditionnels" | "condicional" | "condicionales" | "condicionais" | "condizionale" | "condizionali"
        | "voorwaardelijk" | "voorwaardelijke" | "kondicional" | "kondicionalis" | "villkorsdrag" | "betinget"
        | "betingede" | "ehdollinen" | "ehdolliset" | "warunkowe" | "warunkowy" | "warunkowo" | "podmineny"
        | "podminene" | "felteteles" | "uslovnye" | "uslovnyi" | "uslovno" | "bedingt" | "bedingte" => Sense::Label,
        "on" | "after" | "auf" | "nach" | "bei" | "sur" | "apres" | "tras" | "sobre" | "dopo" | "apos" | "op"
        | "efter" | "pa" | "po" | "na" | "posle" => Sense::On,
        "then" | "dann" | "so" | "alors" | "entonces" | "allora" | "entao" | "dan" | "da" | "sa" | "niin" | "to"
        | "wtedy" | "pak" | "potom" | "akkor" | "togda" => Sense::Then,
        "and" | "und" | "et" | "y" | "e" | "ed" | "en" | "och" | "og" | "ja" | "i" | "a" | "es" | "also" | "auch"
        | "but" | "aber" | "mais" | "pero" | "ma" | "mas" | "maar" | "men" | "ale" | "further" | "weiter"
        | "ensuite" | "puis" | "luego" | "poi" | "verder" | "vidare" | "videre" | "dalej" | "dale" | "dalee"
        | "dalshe" | "zatem" => Sense::And,
        "or" | "oder" | "ou" | "o" | "of" | "eller" | "tai" | "lub" | "albo" | "nebo" | "vagy" | "ili" => Sense::Or,
        "any" | "anything" | "bel" | "a.l" | "al" | "qualunque" | "qualsiasi" | "cualquiera" | "cualquier"
        | "quelconque" | "n'importe" | "qualquer" | "willekeurig" | "willekeurige" | "vilket" | "ethvert" | "mika"
        | "dowolny" | "dowolne" | "libovolny" | "libovolne" | "barmely" | "barmilyen" | "tetszoleges" | "liuboi"
        | "liuboy" | "lyuboy" | "luboi" | "anders" => Sense::Any,
        "had" | "hatte" | "hatten" | "ware" | "avais" | "avait" | "aviez" | "hubiera" | "hubiese" | "avessi"
        | "avesse" | "tivesse" | "hadde" | "havde" | "olisin" | "gdybym" | "kdybych" | "kdyby" | "volna" | "were" => {
            Sense::Past
        }
        "may" | "like" | "want" | "mind" | "wish" | "get" | "got" | "time" | "possible" | "necessary" | "voulez"
        | "veux" | "permettez" | "plait" | "mochten" | "mochtest" | "wollen" | "willst" | "darf" | "moglich"
        | "quiere" | "quieres" | "vuole" | "vuoi" | "quiser" | "wilt" | "vill" | "haluat" | "chcesz" | "chcete"
        | "akarja" | "khotite" => Sense::Idle,
        "considered" | "consider" | "considering" | "thought" | "thinking" | "analysed" | "analyzed" | "looked"
        | "expected" | "uberlegt" | "uberlegte" | "erwartet" | "analysiert" | "pensais" | "pensaba" | "pensavo" => {
            Sense::Thought
        }
        _ if word.starts_with("beliebig") => Sense::Any,
        _ if is_glue(word) => Sense::Glue,
        _ if ends(word) || super::vocabulary::label(word).is_some() => Sense::Stop,
        _ => return None,
    };
    Some(found)
}

/// Players, moves and playing.
fn is_glue(word: &str) -> bool {
    matches!(
        word,
        // players and sides
        "you" | "your" | "me" | "my" | "we" | "white" | "black" | "he" | "she"
            | "sie" | "ihr" | "ihre" | "ihren" | "ich" | "mein" | "meine" | "du" | "dein" | "deinen" | "weiss" | "schwarz"
            | "vous" | "votre" | "tu" | "ton" | "je" | "mon" | "ma" | "j'ai" | "blancs" | "noirs" | "les"
            | "usted" | "su" | "yo" | "mi" | "blancas" | "negras" | "las" | "lei" | "io" | "mia" | "mio" | "bianco"
            | "nero" | "il" | "voce" | "eu" | "meu" | "minha" | "brancas" | "pretas" | "as" | "u" | "jij" | "ik"
            | "mijn" | "wit" | "zwart" | "jag" | "min" | "vit" | "svart" | "jeg" | "hvid" | "hvit" | "sort" | "sina"
            | "mina" | "te" | "valkea" | "musta" | "ty" | "pan" | "moj" | "biale" | "czarne" | "vy" | "muj"
            | "bily" | "cerny" | "vilagos" | "sotet" | "vi" | "moi" | "belye" | "chernye" | "w" | "b"
        // the move and its writing
            | "move" | "moves" | "zug" | "zuge" | "antwort" | "coup" | "coups" | "jugada" | "jugadas" | "mossa" | "mosse"
            | "lance" | "lances" | "zet" | "zetten" | "drag" | "trek" | "traek" | "siirto" | "siirrot" | "ruch" | "tah"
            | "tahy" | "lepes" | "khod" | "khody" | "reply" | "response" | "continuation" | "line" | "lines" | "case"
            | "the" | "der" | "die" | "das" | "den" | "le" | "la" | "el" | "un" | "une" | "ein" | "einen" | "een"
            | "following" | "folgende" | "folgenden" | "suivant" | "with" | "mit" | "avec" | "con" | "com" | "met" | "med"
            | "z" | "s" | "by" | "durch" | "par" | "por" | "door" | "av" | "im" | "fall" | "else" | "other" | "de" | "di"
            | "van" | "in" | "nel" | "er" | "is" | "ist" | "est" | "will" | "be" | "again" | "proposal"
        // playing
            | "play" | "plays" | "played" | "answer" | "answers" | "take" | "takes" | "retake" | "recapture" | "capture"
            | "respond" | "castle" | "castles" | "go" | "i'll" | "shall" | "spiele" | "spielen" | "spielt"
            | "spielst" | "antworte" | "ziehe" | "ziehen" | "ziehst" | "zieht" | "schlage" | "schlagen" | "schlagst"
            | "nehme" | "nehmen" | "nimmst" | "folgt" | "kommt" | "joue" | "jouez" | "joues" | "jouent" | "reponds"
            | "repondrai" | "jouerai" | "prends" | "prenez" | "reprends" | "juega" | "juegas" | "juegan" | "juego"
            | "respondo" | "contesto" | "jugare" | "toma" | "tomo" | "gioca" | "giochi" | "gioco" | "rispondo" | "giochero"
            | "prende" | "prendo" | "joga" | "jogo" | "jogar" | "jogarei" | "speelt" | "speel" | "slaat" | "sla"
            | "antwoord" | "spelar" | "svarar" | "slar" | "spiller" | "svarer" | "spiser" | "pelaat" | "pelaan"
            | "pelaa" | "vastaan" | "vastaa" | "zagrasz" | "zagra" | "gram" | "zagram" | "odpowiadam" | "zahrajete"
            | "zahraje" | "zahrajes" | "hrajete" | "hraju" | "zahraji" | "zahraju" | "odpovim" | "lep" | "lepek" | "lepi"
            | "jatszom" | "jatszik" | "valaszolok" | "valaszom" | "igraete" | "igraiu" | "sygraete" | "otvechaiu" | "course" | "gespielt" | "gezogen" | "wird"
            | "naturally"
    )
}

/// Closings and thanks, behind which nothing is said of the moves.
fn ends(word: &str) -> bool {
    matches!(
        word,
        "regards"
            | "best"
            | "greetings"
            | "amici"
            | "sincerely"
            | "cheers"
            | "gruss"
            | "grusse"
            | "grussen"
            | "mfg"
            | "salutations"
            | "cordialement"
            | "amicalement"
            | "saludos"
            | "saluti"
            | "groeten"
            | "groet"
            | "halsningar"
            | "hilsen"
            | "terveisin"
            | "pozdrawiam"
            | "pozdrav"
            | "udvozlettel"
            | "thanks"
            | "thank"
            | "danke"
            | "merci"
            | "gracias"
            | "grazie"
            | "obrigado"
            | "tack"
            | "tak"
            | "kiitos"
    )
}

/// Runs of Japanese letters hold no blanks: what they begin with or contain tells.
fn japanese(run: &str) -> Option<Sense> {
    let any = |parts: &[&str]| parts.iter().any(|part| run.contains(part));
    if run.contains("もし") {
        Some(Sense::If)
    } else if any(&["なら", "場合", "たら", "れば"]) {
        Some(Sense::Postfix)
    } else if run.contains("条件") {
        Some(Sense::Label)
    } else if any(&["何でも", "任意", "どんな"]) {
        Some(Sense::Any)
    } else {
        let said = [
            "とします",
            "します",
            "です",
            "指します",
            "私は",
            "こちらは",
            "あなたが",
            "に対して",
            "と",
            "で",
            "は",
            "に",
            "が",
            "、",
        ];
        said.contains(&run).then_some(Sense::Glue)
    }
}
