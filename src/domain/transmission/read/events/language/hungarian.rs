//! Hungarian.

use super::Words;

pub(super) const ALL: [Words; 1] = [Words {
    before: r"igy|tehat|igen|jo|ok|koszonom|sajnos|ezert|ezzel a lepessel|most|szia|szia \w+|kedves \w+|es|hat|akkor|de|azonban",
    behind: r"
        koszonom|koszi|a (szep )?(jatszmat|partit|partit)|es koszonom( a jatszmat| a partit)?|gratulalok
        es gratulalok|most|itt|ezzel a lepessel|ha akarod|ha egyetert|udv|udvozlettel|_10|_01|_half|jatszmat|partit|a gyozelemhez
    ",
    offer: r"
        (en )?(dontetlent) (ajanlok|javaslok|kinalok)|(ajanlok|javaslok|kinalok)( onnek| neked)? (dontetlent|remit)
        felajanlom( onnek| neked)? (a )?(dontetlent|remit)|(a )?(dontetlent|remit) felajanlom|remit ajanlok|dontetlen ?ajanlat|dontetlen (ajanlattal|felajanlva)|dontetlent szeretnek ajanlani|szeretnek dontetlent ajanlani
    ",
    asks: r"dontetlen|remi|legyen dontetlen|dontetlen jo lesz|mit szol a dontetlenhez|mit szolsz a dontetlenhez",
    accept: r"
        (en )?elfogadom( a| az)? (dontetlent|remit|dontetlen ajanlatot|remiajanlatot|dontetlenajanlatot)
        (a |az )?(dontetlent|remit|dontetlen ajanlatot|dontetlen ajanlatat|dontetlenajanlatot|dontetlenajanlatat|remiajanlatot) (orommel )?elfogadom
        dontetlen (elfogadva|rendben)|beleegyezem a dontetlenbe
    ",
    decline: r"
        (en )?(elutasitom|visszautasitom|nem fogadom el)( a| az)? (dontetlent|remit|dontetlen ajanlatot|dontetlenajanlatot|ajanlatot)
        (a |az )?(dontetlent|dontetlen ajanlatot|dontetlenajanlatot) (elutasitom|nem fogadom el)
        dontetlen elutasitva|tovabb jatszom|inkabb jatszom tovabb|jatszom tovabb
    ",
    resign: r"(en )?feladom|(a |ezt a )?(jatszmat|partit|jatekot) (ezert |most |ezennel )?feladom|fel kell adnom|feladtam|(on|te) nyert(el)?|gratulalok a gyozelemhez",
    draw_key: r"dontetlen\w*|remit|remiajanlat\w*",
    accept_key: r"elfogadom|beleegyezem|elfogadva",
    resign_key: r"felad\w*|fel kell adnom|adom fel",
    no_draw: r"dontetlen (lett|volt)|dontetlenre vegzodott|elmeleti dontetlen",
    no_resignation: r"feladta|feladat\w*|feladott|feladtak|feladom a (levelet|csomagot|kerdest)",
    negation: r"nem|nincs|ne|tul korai|soha|nelkul|semmi",
    condition: r"ha|amikor|mielott",
    elsewhere: r"ellen|masik (jatszma|parti)\w*|mult (evben|heten)|tegnap|csapat\w*|fordulo\w*",
}];
