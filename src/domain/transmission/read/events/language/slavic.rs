//! Polish, Czech, and Russian as transliterated.

use super::Words;

pub(super) const ALL: [Words; 3] = [
    Words {
        before: r"
            i|ale|lecz|jednak|wiec|zatem|tak|dobrze|ok|dziekuje|niestety|dlatego|tym ruchem|teraz|witam|czesc|czesc \w+|z|no|no to
            a wiec
        ",
        behind: r"
            dziekuje|dzieki|za (ladna |dobra )?partie|i dziekuje( za partie)?|gratuluje|gratulacje|i gratuluje|teraz
            jesli chcesz|jesli pan chce|pozdrawiam|pozdrowienia|_10|_01|_half|partie|te partie|tej partii|wygrales
            zwyciestwa
        ",
        offer: r"
            (ja )?(proponuje|oferuje)( ci| panu| pani| teraz)? remis|chcialbym (zaproponowac|zaoferowac) remis
            propozycja remisu|remis proponowany|z propozycja remisu
        ",
        asks: r"(moze )?remis|co powiesz na remis|zgoda na remis|robimy remis|co pan na remis",
        accept: r"
            (ja )?(przyjmuje|akceptuje)( twoja| pana| propozycje)*( remis| remisu)|zgadzam sie na remis
            (twoja |twoje |pana |pani |panska )?(propozycje |oferte )?(remis|remisu) (przyjmuje|akceptuje)( z przyjemnoscia)?
            na remis (sie )?zgadzam( sie)?|propozycja remisu (przyjeta|zaakceptowana)
            zgoda na remis|remis (przyjety|zaakceptowany)|zgadzam sie( z)? (na )?remis|zgoda remis
        ",
        decline: r"
            (ja )?(odrzucam|odmawiam)( twoja| pana| propozycje)*( remis| remisu)|nie przyjmuje remisu
            nie zgadzam sie na remis|remis odrzucony|(propozycje |oferte )?remisu? (odrzucam|nie przyjmuje)
            jeszcze gram dalej|gram dalej|wole grac dalej|chce grac dalej
        ",
        resign: r"
            (ja )?poddaje( sie| partie| te partie| gre)?|musze (sie )?poddac( sie| partie)?|uznaje sie za pokonanego
            wygrales|gratuluje (wygranej|zwyciestwa)|rezygnuje|poddaje sie i
        ",
        draw_key: r"remis|remisu|remisem",
        accept_key: r"przyjmuje|akceptuje|zgadzam|zgoda|przyjety",
        resign_key: r"poddaj\w*|poddac|poddal\w*|rezygnuj\w*|wygrales",
        no_draw: r"(byl|skonczyl\w*|zakonczyl\w*) (sie )?remis\w*|remis (z|przeciw)|remisowa|remisowy",
        no_resignation: r"poddal\w*|poddaje (w|pod) \w+|rezygnuje z",
        negation: r"nie|bez|nigdy|za wczesnie|zaden",
        condition: r"jesli|jezeli|gdy|gdyby|kiedy|zanim",
        elsewhere: r"
            przeciwko|przeciw|druga partia|inna partia|innej partii|drugiej partii|ostatnia partia|w zeszlym|wczoraj
            druzyn\w*
        ",
    },
    Words {
        before: r"
            a|ale|avsak|tak|takze|tedy|proto|dobre|ok|dekuji|diky|bohuzel|timto( tahem)?|ted|nyni|ahoj|ahoj \w+|s|zdravim|no
        ",
        behind: r"
            dekuji|diky|za (peknou |hezkou )?partii|a dekuji( za partii)?|gratuluji|a gratuluji|blahopreji|ted|nyni
            jestli chcete|jestli chces|pokud souhlasite|pokud souhlasis|zdravi|zdravim|s pozdravem|_10|_01|_half
            partii|tuto partii|vyhral jsi|k vitezstvi|hru
        ",
        offer: r"
            (ja )?(nabizim|navrhuji)( ti| vam| nyni)? remi(s|zu|zu)|chtel bych nabidnout remi(s|zu)
            nabidka remi(s|zy|su)|remi(s|za) nabizena|s nabidkou remi(zy|su)|nabizim remi
        ",
        asks: r"remi(s|za)|co takhle remi(s|za)|dame remi(s|zu)|nechcete remi(s|zu)",
        accept: r"
            (ja )?(prijimam|akceptuji)( vasi| tvoji| nabidku)*( remi(s|zu|zy|su))|souhlasim s remi(zou|sem|zi)
            (vasi |tvou |tvoji )?(nabidku )?remi(s|zu|zy|su) (rad |rada )?(prijimam|akceptuji)|s remi(zou|sem|zi) souhlasim
            (vase |tvoje |tva )?(nabidka )?remi(s|za|zy|su) (je )?(prijata|prijat)
        ",
        decline: r"
            (ja )?(odmitam|neprijimam)( vasi| tvoji| nabidku)*( remi(s|zu|zy|su))|remi(s|za) odmitnuta|(jeste )?hraji dal
            (vasi |tvou |tvoji )?(nabidku )?remi(s|zu|zy|su) (odmitam|neprijimam)
            chci hrat dal|radeji hraji dal
        ",
        resign: r"
            (ja )?vzdavam( se| to)?( partii| tuto partii| hru)?|musim (se )?vzdat( partii| se)?|vzdavam se a
            vyhral jsi|vyhral jste|gratuluji k (vitezstvi|vyhre)
        ",
        draw_key: r"remis|remiz\w*|remisu|remisem",
        accept_key: r"prijimam|souhlasim|prijata",
        resign_key: r"vzdav\w*|vzdat|vzdal\w*|vyhral jsi",
        no_draw: r"(byla|byl|skoncila|skoncil) remi\w*|remi\w* (s|proti) \w+ova|remizova\w*",
        no_resignation: r"vzdal\w*|nevzdav\w*|vzdavam hold",
        negation: r"ne|neni|(je |prilis )?brzy|predcasn\w+|zadna|zadny|zadnou|bez|nikdy|nenabizim|nevzdavam|nechci",
        condition: r"jestli|pokud|kdyz|kdyby|nez",
        elsewhere: r"proti|jina partie|druha partie|jine partii|druhe partii|minula|loni|vcera|druzstv\w*",
    },
    Words {
        before: r"
            i|itak|da|net|nu|khorosho|ok|spasibo|k sozhaleniiu|poetomu|etim khodom|teper|zdes|zdravstvuite|privet
            privet \w+|uvazhaemyi \w+|s|no|chto zh|chto zhe|uvy
        ",
        behind: r"
            spasibo|bolshoe spasibo|za (interesnuiu |khoroshuiu )?(partiiu|igru)|i spasibo( za partiiu)?
            pozdravliaiu|i pozdravliaiu|zdes|teper|esli vy ne protiv|esli khotite|esli soglasny|s uvazheniem|_10|_01
            _half|partiiu|etu partiiu|v etoi pozitsii|s pobedoi|vy vyigrali
        ",
        offer: r"
            (ia )?(predlagaiu|predlozhu)( vam| tebe| zdes| teper)? nichiu
            (ia )?khotel by predlozhit( vam| tebe)? nichiu|predlozhenie nichei|s predlozheniem nichei
            nichia predlagaetsia
        ",
        asks: r"
            nichia|mozhet nichia|mozhet byt nichia|soglasny na nichiu|soglasen na nichiu|kak naschet nichei
            davaite nichiu
        ",
        accept: r"
            (ia )?(soglasen|soglasna) (na nichiu|s nichei)
            (ia )?prinimaiu( vashe| tvoe| predlozhenie)*( nichiu| nichei| o nichei)|nichia (priniata|soglasovana)
            soglashaius na nichiu|na nichiu (ia )?(soglasen|soglasna|soglashaius)|s nichei (soglasen|soglasna)
            (vashe |tvoe )?(predlozhenie )?(nichiu|nichei|o nichei) prinimaiu|predlozhenie (nichei|o nichei) prinimaetsia
        ",
        decline: r"
            (ia )?(otkloniaiu|otvergaiu)( vashe| tvoe| predlozhenie)*( nichiu| nichei| o nichei| predlozhenie)
            (ia )?otkazyvaius ot nichei|nichia otklonena|prodolzhaiu igru|ia (eshche )?igraiu dalshe|igraiu dalshe|khochu prodolzhit igru|budu igrat dalshe
            ne soglasen na nichiu
        ",
        resign: r"
            (ia )?sdaius(( i)? pozdravliaiu)?|(ia )?sdaiu (partiiu|etu partiiu)|(ia )?vynuzhden sdatsia
            prikhoditsia sdatsia|pora sdavatsia|ia proigral|vy vyigrali|pozdravliaiu s pobedoi
        ",
        draw_key: r"nichiu|nichia|nichei|nichi",
        accept_key: r"soglasen|soglasna|prinimaiu|soglashaius|priniata",
        resign_key: r"sdaius|sdaemsia|sdatsia|sdavatsia|sdaiu partiiu|ia proigral",
        no_draw: r"(byla|zakonchilas|soglasilis na) nich\w+|(vnichiu)|teoreticheskaia nichia",
        no_resignation: r"sdalsia|sdalas|sdal",
        negation: r"ne|net|rano|nikakoi|bez|nikogda",
        condition: r"esli|kogda|poka|prezhde",
        elsewhere: r"protiv|drugaia partiia|drugoi partii|v proshlom|vchera|komand\w*",
    },
];
