//! The words by which a sentence says whose move it speaks of, and how it is meant.
//!
//! Lower case, without accents, in the languages of our mails: en de fr es it pt nl sv da no fi pl cs hu ru. A word that is the
//! same in two languages and means different things stands in no list, or its finder looks at the word beside it.

use super::vocabulary::among;

/// Words by which the sender speaks of himself.
pub(super) fn is_first_person(word: &str) -> bool {
    among(
        word,
        "i me my mine ich mein meine meinen meinem je j mon ma moi yo mi io mio mia eu meu minha ik mijn mij jag mitt min \
         jeg mit mina minun moj moja moje muj az en ia moi' moi moia",
    )
}

/// Verbs of making a move that are first persons by their form.
pub(super) fn i_play(word: &str) -> bool {
    among(
        word,
        "playing spiele ziehe antworte erwidere rochiere entscheide setze joue jouerai reponds juego jugare respondo contesto mando \
         muevo enroco envio gioco rispondo muovo arrocco jogo joguei movo speel pelaan vastaan siirran gram odpowiadam \
         zagralem zagram hraji hraju odpovidam tahnu jatszom lepek lepem lepesem valaszolok valaszom igraiu otvechaiu khozhu",
    )
}

/// Verbs of making a move that may have any subject.
pub(super) fn plays(word: &str) -> bool {
    among(
        word,
        "play played answer reply respond choose chose chosen castle go continue roque antwoord spelar svarar drar spiller svarer \
         traekker trekker",
    )
}

/// The word for a move.
pub(super) fn names_move(word: &str) -> bool {
    among(
        word,
        "move zug gegenzug antwort coup jugada mossa lance zet drag traek traekket trekk trekket siirto siirtoni ruch ruchem posuniecie \
         tah tahem lepes lepesem valaszlepes valaszlepesem khod otvet reply answer respuesta reponse risposta resposta antwoord",
    )
}

/// Words at which a sentence turns to what is really played.
pub(super) fn is_turn(word: &str) -> bool {
    among(
        word,
        "but so finally end decided therefore however aber doch also schliesslich letztlich sondern daher nun mais finalement donc \
         pero finalmente asi quindi alla mas porem entao maar uiteindelijk dus men till lopulta mutta ale wiec ostatecznie nakonec \
         vegul tehat hanem poetomu itoge joten takze dlatego ezert igy alltsa darfor altsa derfor daarom portanto percio",
    )
}

/// Words by which a move is only thought of, feared, hoped for, or somebody else's.
pub(super) fn is_weighing(word: &str) -> bool {
    among(
        word,
        "looked looking wondering considered analysed analyzed expected expecting feared hoped instead rather idea plan other another loses \
         threatens threat after before previous suggested suggests recommends andere anderen anderer erwartet erwartete befurchtet \
         statt anstatt geprueft gepruft angesehen nach verliert droht vorher autre regarde apres avant attendais craignais otra otro \
         mirado miraba esperaba temia despues antes altra altro guardato aspettavo temevo dopo prima outra outro olhei esperava \
         depois ander gekeken verwacht verwachtte vreesde annat annan andra tittade vantade efter anden andet ventede frygtede toinen \
         toisessa odotin pelkasin inna innej inny jina jine jinou cekal obaval masik masikban drugoi drugaia drugoj dumal smotrel ozhidal",
    )
}

/// Words that may stand between "I play" and the move.
pub(super) fn is_small(word: &str) -> bool {
    among(
        word,
        "is ist est es e ar er je to va a the der den die le la el il o now nun jetzt alors ahora ora agora nu teraz ted most seichas \
         also thus so following folgende folgenden here hier",
    )
}

/// Words with which one begins to speak, and which say nothing: "OK, 1213."
pub(super) fn opens(word: &str) -> bool {
    among(word, "ok okay so well now nun gut tja bon alors bueno allora bene bom dus nou nu hyva dobrze dobre")
}

/// Words that deny wherever they stand.
pub(super) fn denies_alone(word: &str) -> bool {
    among(
        word,
        "kein keine keinen aucun geen ingen zaden zadna nehraji nehraju nechci nebudu neni ninguno nessuno nenhum ei eika",
    )
}

/// Words that deny what stands before them in their sentence.
pub(super) fn denies(word: &str) -> bool {
    among(
        word,
        "no ei eika enka en neni nejsem nehraji nehraju nechci nebudu nelze kein keine keinen aucun geen ingen ingenting zaden zadna \
         never ninguno nessuno nenhum net ne non nao nem nie not pas nicht niet inte ikke",
    )
}

/// Verbs behind a move that make it the subject of a sentence: "5254 is my rating".
pub(super) fn speaks_of(word: &str) -> bool {
    among(
        word,
        "is was were would looks seems has had can ist war ware sieht kann est etait serait es era seria sarebbe foi ar var kan on \
         oli jest byl bylo volt lett",
    )
}
