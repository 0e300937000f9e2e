//! The question to an opponent about a mail that was held: his own lines, how they can be read, and what is asked of him.
//!
//! A finished draft like that of a move: it goes to the player, who sends it himself. What will surprise you: the answer will
//! mostly quote the question. So the readings have no move number, and his quoted lines bear a mark by which the intake
//! knows them again ([`is_quotation`]): old words of his, told back to him, cast no doubt on the new ones. Not covered: a
//! language for each opponent; the caller names it.

use std::fmt::Write;

use chrono::{DateTime, NaiveDate, Utc};
use shakmaty::{Chess, Move};

use super::page::Told;
use super::ready::{bring, how};
use super::{Envelope, Letter, LetterError, label_of, message_id, transmission, wrapped};
use crate::config::{Language, Me};
use crate::domain::game::Game;
use crate::domain::notation::{NumericMove, san};
use crate::domain::transmission::compose::{COLUMNS, clip, score};

/// Lines of his that are quoted at most.
const MOST_LINES: usize = 10;
/// Stands between the number of a quoted line and its text.
const MARK: &str = "| ";
/// Begins the name of a question's Message-ID, after that of the game.
const LABEL: &str = "question";

/// Whether an id is that of a question about a game, or of the mail that brought it to the player.
pub fn is_question(id: &str) -> bool {
    label_of(id).is_some_and(|label| label.starts_with(LABEL))
}

/// Whether a line of a question quotes the mail it asks about.
pub fn is_quotation(line: &str) -> bool {
    let number = line.split_once(MARK.trim_end()).map(|(number, _)| number.trim());
    number.is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
}

/// The words of each language.
fn words(language: Language) -> &'static Words {
    match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
        Language::French => &FRENCH,
        Language::Spanish => &SPANISH,
        Language::Italian => &ITALIAN,
        Language::Portuguese => &PORTUGUESE,
        Language::Russian => &RUSSIAN,
    }
}

/// What a question says; `{date}` is the day of his mail.
struct Words {
    hello: &'static str,
    /// Introduces his lines.
    wrote: &'static str,
    /// One reading.
    one: &'static str,
    /// Several.
    several: &'static str,
    /// He repeats the player's last move as another one, `{his}`; it was `{mine}`.
    misread: &'static str,
    /// None that is legal.
    illegal: &'static str,
    /// None at all.
    none: &'static str,
    /// The record waits for the player's own move.
    mine: &'static str,
    please: &'static str,
    /// Introduces the score.
    game: &'static str,
    regards: &'static str,
}

const ENGLISH: Words = Words {
    hello: "Hello,",
    wrote: "in your mail of {date} you wrote:",
    one: "I read your move in it as the following. Did you mean that?",
    several: "I can read your move in it in more than one way. Which of these did you mean, or did you mean another?",
    misread: "In it you repeat my last move as {his}, but my move was {mine}. Please look at your position, and tell me your answer to {mine}.",
    illegal: "The move that I read in it is not possible in the position I have. Which move did you mean?",
    none: "I could not tell from it with certainty which move you play. Which one did you mean?",
    mine: "By my record the next move is mine. Which move of mine are you answering?",
    please: "Please send me your move once more in numeric notation, with its number, the day you received my move and the day you sent yours. Until then I have recorded nothing.",
    game: "The game as I have it:",
    regards: "Kind regards",
};

const GERMAN: Words = Words {
    hello: "Hallo,",
    wrote: "in Ihrer Mail vom {date} haben Sie geschrieben:",
    one: "Ich lese Ihren Zug darin so. Haben Sie das gemeint?",
    several: "Ich kann Ihren Zug darin auf mehr als eine Weise lesen. Welchen dieser Züge haben Sie gemeint, oder einen anderen?",
    misread: "Darin wiederholen Sie meinen letzten Zug als {his}, mein Zug war aber {mine}. Bitte prüfen Sie Ihre Stellung und teilen Sie mir Ihre Antwort auf {mine} mit.",
    illegal: "Der Zug, den ich darin lese, ist in der Stellung, die ich habe, nicht möglich. Welchen Zug haben Sie gemeint?",
    none: "Ich konnte daraus nicht sicher erkennen, welchen Zug Sie spielen. Welchen haben Sie gemeint?",
    mine: "Nach meiner Aufzeichnung bin ich am Zug. Auf welchen meiner Züge antworten Sie?",
    please: "Bitte schicken Sie mir Ihren Zug noch einmal in numerischer Notation, mit seiner Nummer, dem Tag, an dem Sie meinen Zug erhalten haben, und dem Tag, an dem Sie Ihren abgeschickt haben. Bis dahin habe ich nichts eingetragen.",
    game: "Die Partie, wie ich sie habe:",
    regards: "Mit freundlichen Grüßen",
};

const FRENCH: Words = Words {
    hello: "Bonjour,",
    wrote: "dans votre courriel du {date} vous avez écrit :",
    one: "J'y lis votre coup ainsi. Est-ce bien ce que vous vouliez dire ?",
    several: "Je peux y lire votre coup de plusieurs façons. Lequel de ces coups vouliez-vous jouer, ou était-ce un autre ?",
    misread: "Vous y répétez mon dernier coup sous la forme {his}, or mon coup était {mine}. Veuillez vérifier votre position et m'indiquer votre réponse à {mine}.",
    illegal: "Le coup que j'y lis n'est pas possible dans la position que j'ai. Quel coup vouliez-vous jouer ?",
    none: "Je n'ai pas pu en déduire avec certitude quel coup vous jouez. Lequel vouliez-vous jouer ?",
    mine: "D'après mes notes, c'est à moi de jouer. Auquel de mes coups répondez-vous ?",
    please: "Merci de m'envoyer encore une fois votre coup en notation numérique, avec son numéro, le jour où vous avez reçu mon coup et le jour où vous avez envoyé le vôtre. D'ici là je n'ai rien noté.",
    game: "La partie telle que je l'ai :",
    regards: "Cordialement",
};

const SPANISH: Words = Words {
    hello: "Hola:",
    wrote: "en su correo del {date} usted escribió:",
    one: "Leo su jugada de esta manera. ¿Es lo que quería decir?",
    several: "Puedo leer su jugada de más de una manera. ¿Cuál de estas quería jugar, o era otra?",
    misread: "En él repite mi última jugada como {his}, pero mi jugada fue {mine}. Por favor, revise su posición y dígame su respuesta a {mine}.",
    illegal: "La jugada que leo no es posible en la posición que tengo. ¿Qué jugada quería hacer?",
    none: "No he podido saber con certeza qué jugada hace. ¿Cuál quería hacer?",
    mine: "Según mis notas me toca jugar a mí. ¿A cuál de mis jugadas responde?",
    please: "Le ruego que me envíe su jugada otra vez en notación numérica, con su número, el día en que recibió mi jugada y el día en que envió la suya. Hasta entonces no he anotado nada.",
    game: "La partida tal como la tengo:",
    regards: "Un cordial saludo",
};

const ITALIAN: Words = Words {
    hello: "Salve,",
    wrote: "nella Sua mail del {date} ha scritto:",
    one: "Leggo la Sua mossa in questo modo. È ciò che intendeva?",
    several: "Posso leggere la Sua mossa in più di un modo. Quale di queste intendeva, oppure un'altra?",
    misread: "In essa ripete la mia ultima mossa come {his}, ma la mia mossa era {mine}. La prego di controllare la Sua posizione e di comunicarmi la Sua risposta a {mine}.",
    illegal: "La mossa che vi leggo non è possibile nella posizione che ho. Quale mossa intendeva?",
    none: "Non ho potuto capire con certezza quale mossa gioca. Quale intendeva?",
    mine: "Secondo le mie note tocca a me muovere. A quale mia mossa risponde?",
    please: "La prego di inviarmi ancora una volta la Sua mossa in notazione numerica, con il suo numero, il giorno in cui ha ricevuto la mia mossa e il giorno in cui ha inviato la Sua. Fino ad allora non ho registrato nulla.",
    game: "La partita come la ho io:",
    regards: "Cordiali saluti",
};

const PORTUGUESE: Words = Words {
    hello: "Olá,",
    wrote: "na sua mensagem de {date} escreveu:",
    one: "Leio o seu lance desta forma. É isto que queria dizer?",
    several: "Posso ler o seu lance de mais de uma forma. Qual destes queria jogar, ou era outro?",
    misread: "Nela repete o meu último lance como {his}, mas o meu lance foi {mine}. Peço que verifique a sua posição e me diga a sua resposta a {mine}.",
    illegal: "O lance que leio não é possível na posição que tenho. Que lance queria jogar?",
    none: "Não consegui saber com certeza que lance joga. Qual queria jogar?",
    mine: "Segundo as minhas notas sou eu a jogar. A qual dos meus lances responde?",
    please: "Peço que me envie outra vez o seu lance em notação numérica, com o número, o dia em que recebeu o meu lance e o dia em que enviou o seu. Até lá não registei nada.",
    game: "A partida tal como a tenho:",
    regards: "Com os melhores cumprimentos",
};

const RUSSIAN: Words = Words {
    hello: "Здравствуйте!",
    wrote: "В Вашем письме от {date} Вы написали:",
    one: "Я прочитал Ваш ход так. Вы имели в виду именно его?",
    several: "Ваш ход можно прочитать по-разному. Какой из этих ходов Вы имели в виду, или другой?",
    misread: "В нём Вы повторяете мой последний ход как {his}, но мой ход был {mine}. Пожалуйста, проверьте Вашу позицию и сообщите Ваш ответ на {mine}.",
    illegal: "Ход, который я там читаю, невозможен в моей позиции. Какой ход Вы имели в виду?",
    none: "Я не смог с уверенностью понять, какой ход Вы делаете. Какой ход Вы имели в виду?",
    mine: "По моей записи сейчас мой ход. На какой мой ход Вы отвечаете?",
    please: "Пожалуйста, пришлите Ваш ход ещё раз в цифровой нотации, с его номером, днём получения моего хода и днём отправки Вашего. До тех пор я ничего не записал.",
    game: "Партия, как она записана у меня:",
    regards: "С уважением",
};

/// What is asked about.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// The Message-ID of his mail, as it was checked when it came.
    pub message_id: Option<&'a str>,
    /// The day of his mail.
    pub day: NaiveDate,
    /// Lines of his text with their numbers, cleaned.
    pub quote: &'a [(usize, String)],
    /// The legal readings.
    pub readings: &'a [NumericMove],
    /// His move was read, and it is not legal.
    pub illegal: bool,
    /// The player's last move as the mail repeats it, where another one is on record.
    pub read_as: Option<&'a str>,
    /// In which language.
    pub language: Language,
}

/// The finished draft of a question: its exact text in a mail to the player, with the mail to the opponent attached.
///
/// It answers the mail it asks about.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn ask(
    game: &Game,
    root: &str,
    question: &Question<'_>,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    asked(game, root, (question.message_id, question_text(game, question, me)?), me, now)
}

/// The same with a text of the player's, about the mail with this Message-ID.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn asked(
    game: &Game,
    root: &str,
    (about, text): (Option<&str>, String),
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let mut answered = game.clone();
    if let Some(id) = about {
        answered.last_message_id = Some(id.to_owned());
    }
    let envelope = Envelope { game: &answered, root, me, now };
    let about = about.unwrap_or_default().as_bytes();
    let instant = now.to_rfc3339();
    let id = |label: &str| {
        message_id(&[root.as_bytes(), about, instant.as_bytes(), label.as_bytes()], &format!("{}.{label}", game.id), me)
            .map_err(|text| LetterError::Header { game: game.id.clone(), text })
    };
    let reply = envelope.to_opponent(id(LABEL)?, true, text)?;
    let opponent = clip(&game.opponent().name, 40);
    let mut told = Told::default();
    how(&mut told, &reply, &opponent, false);
    let subject = format!("ready to send to {opponent}: a question");
    bring(&envelope, subject, told, id(&format!("{LABEL}-draft"))?, &reply)
}

/// The text of a question as the program words it.
///
/// # Errors
/// [`LetterError::Game`].
pub fn question_text(game: &Game, question: &Question<'_>, me: &Me) -> Result<String, LetterError> {
    let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
    let words = words(question.language);
    let expected = game.with_plan_recorded();
    let replay = expected.replay().map_err(|e| broken(e.to_string()))?;
    let mut text = format!("{}\n\n", words.hello);
    if !question.quote.is_empty() {
        text.push_str(&wrapped(&words.wrote.replace("{date}", &question.day.to_string())));
        text.push('\n');
        for (number, line) in question.quote.iter().filter(|(_, line)| !line.is_empty()).take(MOST_LINES) {
            let line: String = format!("{number:>3}{MARK}{line}").chars().take(COLUMNS).collect();
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text.push('\n');
    }
    let asked = match (expected.is_my_turn(), question.illegal, question.readings) {
        (true, ..) => words.mine,
        (_, _, [_]) => words.one,
        (_, _, [_, _, ..]) => words.several,
        (_, true, []) => words.illegal,
        (_, false, []) => words.none,
    };
    match question.read_as.zip(expected.moves.last()) {
        Some((his, mine)) => {
            let asked = words.misread.replace("{his}", his).replace("{mine}", &mine.numeric.to_string());
            text.push_str(&wrapped(&asked));
        }
        None => text.push_str(&wrapped(asked)),
    }
    text.push('\n');
    if !expected.is_my_turn() && question.read_as.is_none() {
        let position = replay.position();
        let legal = question.readings.iter().filter_map(|m| m.to_move(position).ok().map(|legal| (m, legal.played)));
        let mut any = false;
        for (numeric, played) in legal {
            let _ = writeln!(text, "   {numeric} = {}", in_letters(position, &played));
            any = true;
        }
        if any {
            text.push('\n');
        }
    }
    text.push_str(&wrapped(words.please));
    let _ = write!(text, "\n{}\n{}\n\n{}\n\n", words.regards, clip(&me.name, COLUMNS), words.game);
    let mut record = game.clone();
    record.plan = None;
    text.push_str(&score(&transmission(&record)?));
    Ok(text)
}

/// The move in a form that every language knows, with the English one after it: `g1-f3 (Nf3)`, `O-O`.
fn in_letters(position: &Chess, played: &Move) -> String {
    let short = san(position, played);
    match played.from().filter(|_| !played.is_castle()) {
        Some(from) => format!("{from}-{} ({short})", played.to()),
        None => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_its_code_and_says_everything_in_its_own_words() {
        for (language, code) in Language::ALL {
            assert_eq!(code.parse::<Language>().unwrap(), language);
            assert_eq!(code.to_uppercase().parse::<Language>().unwrap(), language);
            let own = words(language);
            let said = [own.one, own.several, own.illegal, own.none, own.mine, own.please, own.game];
            for text in said.into_iter().chain([own.hello, own.regards]) {
                assert!(!text.is_empty() && !text.contains('{'), "{code}: {text}");
                for (other, _) in Language::ALL.into_iter().filter(|(other, _)| *other != language) {
                    let other = words(other);
                    assert!(![other.one, other.please, other.game].contains(&text), "{code}: {text}");
                }
            }
            assert_eq!(own.wrote.matches("{date}").count(), 1, "{code}");
            assert!(own.misread.contains("{his}") && own.misread.contains("{mine}"), "{code}");
        }
        let refused = "eo".parse::<Language>().unwrap_err().to_string();
        assert!(Language::ALL.iter().all(|(_, code)| refused.contains(code)), "{refused}");
    }

    #[test]
    fn a_question_and_what_it_quotes_are_known_again_and_nothing_else_is() {
        assert!(is_question("<EM-17.question.0a1b@example.org>"));
        assert!(is_question("<EM.17.question-draft.0a1b@example.org>"));
        for id in
            ["<EM-17.draft.0a@example.org>", "<EM.question.draft.0a@example.org>", "<question.0a@example.org>", ""]
        {
            assert!(!is_question(id), "{id}");
        }
        assert!(is_quotation("  3| 7. 5171") && is_quotation("12|"));
        for line in ["7. 5171", "| 3 | 5171", "5171 = e1-g1", "White| Black", ""] {
            assert!(!is_quotation(line), "{line}");
        }
    }
}
