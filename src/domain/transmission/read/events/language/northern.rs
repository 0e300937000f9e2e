//! Swedish, Danish with Norwegian, Finnish.

use super::Words;

pub(super) const ALL: [Words; 3] = [
    Words {
        before: r"
            sa|och|ja|nej|nu|ok|tack|harmed|darfor|tyvarr|med detta drag|hej|hej \w+|men|med|basta \w+|dags att
            det ar dags att|da
        ",
        behind: r"
            tack|tack sa mycket|tack for partiet|for (det fina |ett fint )?partiet|och tack( for partiet)?|grattis
            gratulerar|och gratulerar|nu|har|om du vill|halsningar|mvh|val spelat|_10|_01|_half|med detta drag
            du vann|partiet|i detta parti|harmed
        ",
        offer: r"
            (jag )?(erbjuder|foreslar|bjuder pa|bjuder) (jag )?((dig|er|harmed|nu|harmed) )*remi
            jag vill( garna)? (erbjuda|foresla) remi|remi ?(anbud|forslag)|remi erbjuds|med remianbud
        ",
        asks: r"remi|ska vi (ta|saga|komma overens om) remi|vad sags om remi|vi tar remi|remi ok",
        accept: r"
            (jag )?(accepterar|antar|godtar|tar)( garna)? (ditt |er |ert )?(remi|remianbud(et)?|remiforslag(et)?)
            (ditt |ert |er )?(remi|remianbud(et)?|remiforslag(et)?|anbud(et)?) (accepterar|antar|godtar|tar) jag( garna)?
            (ditt )?remianbud(et)? (accepteras|antas|ar accepterat|ar antaget)|overens remi
            (jag )?tackar ja till (remi|remianbud(et)?|ditt remianbud)
            remi (accepteras|accepterat|antas|ok tack)|jag gar med pa remi|overens om remi
        ",
        decline: r"
            (jag )?(avbojer|avslar|tackar nej till|forkastar) (ditt |remianbudet |ert )?(remi|remianbud(et)?|erbjudandet)?
            (ditt |ert )?(remi|remianbud(et)?|anbud(et)?) (avbojer|avslar) jag
            remi avbojs|jag (vill|foredrar att) (spela vidare|fortsatta)|jag spelar vidare
        ",
        resign: r"
            (jag )?ger( mig)?( harmed| nu| partiet)? ?upp( partiet)?|(jag )?(maste|far) ge upp|jag ger mig|ger mig
            uppgivet|du vann|grattis till (vinsten|segern)|gratulerar till (vinsten|segern)
        ",
        draw_key: r"remi|remianbud|remianbudet|remiforslag",
        accept_key: r"accepterar|antar|godtar|gar med pa",
        resign_key: r"ger (\w+ )*upp|ge upp|ger mig|gav upp|du vann",
        no_draw: r"(blev|var|slutade) remi|remi mot|remiartad",
        no_resignation: r"gav upp|ger dig|han gav upp",
        negation: r"inte|ej|ingen|inget|for tidigt|aldrig|icke|utan",
        condition: r"om|ifall|nar|forran|innan",
        elsewhere: r"mot|andra partiet|forra (partiet|aret|veckan|ronden)|igar|blev remi|laget",
    },
    Words {
        before: r"
            sa|og|ja|nej|nei|nu|na|ok|tak|takk|hermed|derfor|desvaerre|dessverre|med dette traek|med dette trekk|hej
            hei|hej \w+|hei \w+|kaere \w+|kjaere \w+|men|med|det er pa tide at|da
        ",
        behind: r"
            tak|takk|mange tak|tak for partiet|takk for partiet|for (det gode |et godt )?partiet
            og tak( for partiet)?|og takk( for partiet)?|tillykke|gratulerer|og tillykke|og gratulerer|nu|na|her
            hvis du vil|hilsen|mvh|venlig hilsen|vennlig hilsen|godt spillet|godt spilt|_10|_01|_half|du vandt
            du vant|partiet|i dette parti|hermed
        ",
        offer: r"
            (jeg )?(tilbyder|tilbyr|foreslar|foreslaar|byder) (jeg )?((dig|deg|dem|hermed|nu|na) )*remis
            jeg vil( gerne| gjerne)? (tilbyde|tilby|foresla) remis|remis ?(tilbud|forslag)|remis (tilbydes|tilbys)
            med remistilbud
        ",
        asks: r"
            remis|skal vi (tage|ta|sige|si|aftale|bli enige om|blive enige om) remis|hvad med remis|hva med remis
        ",
        accept: r"
            (jeg )?(accepterer|aksepterer|modtager|godtar|tager imod|tar imot)( gerne| gjerne)? (dit |ditt |dit tilbud om )?(remis|remistilbud|remistilbuddet|remistilbudet)
            (dit |ditt |dit tilbud om |ditt tilbud om )?(remis|remistilbud|remistilbud+et|remisforslag) (accepterer|aksepterer|modtager|godtar|tager|tar) jeg( gerne| gjerne)?( imod| imot)?
            (dit |ditt )?remistilbud+(et)? (er|blir|bliver) (accepteret|akseptert|modtaget)|(tager|tar) (imod|imot) remis
            remis er (ok|fint|fin|i orden|greit)|remis (accepteret|akseptert|ok tak)|enig i remis|jeg er enig i remis|jeg gar med pa remis
        ",
        decline: r"
            (jeg )?(afslar|avslar|afviser|avviser|takker nej til) (dit |ditt )?(remis|remistilbud|tilbuddet|tilbudet|remistilbuddet)
            (dit |ditt )?(remis|remistilbud|remistilbud+et) (afslar|avslar|afviser|avviser) jeg
            remis (afslaet|avslatt)|jeg (vil|foretraekker at|foretrekker a) (spille videre|fortsaette|fortsette)
            jeg spiller videre
        ",
        resign: r"
            (jeg )?(opgiver|giver op|gir opp|gir meg|oppgir)( hermed| nu| na)?( partiet)?
            (jeg )?(ma|maa) ((desvaerre|dessverre|nu|na|hermed) )*(opgive|give op|gi opp|gi meg)|opgivet|oppgitt|du vandt|du vant|du har vundet
            du har vunnet|tillykke med (sejren|gevinsten)|gratulerer med seieren
        ",
        draw_key: r"remis|remistilbud|remisforslag",
        accept_key: r"accepterer|aksepterer|godtar|modtager|enig i",
        resign_key: r"opgiver|opgive|oppgir|gir opp|gi opp|giver op|give op|gir meg|opgivet|opgav",
        no_draw: r"(blev|ble|var|endte|sluttede) (med )?remis|remis (mod|mot)|remisagtig",
        no_resignation: r"opgav|gav op|ga opp|giver dig|gir deg|gir deg rett",
        negation: r"ikke|ej|ingen|intet|for tidlig\w*|aldrig|aldri|uden|uten",
        condition: r"hvis|dersom|nar|for du|inden",
        elsewhere: r"
            mod|mot|andet parti|andre partiet|sidste (parti|ar|uge|runde)|forrige|i gar|holdet|blev remis|ble remis
        ",
    },
    Words {
        before: r"ja|joten|siis|no|ok|kiitos|talla siirrolla|nyt|valitettavasti|hei|hei \w+|mutta|niinpa|tassa",
        behind: r"
            kiitos|kiitos pelista|pelista|ja kiitos( pelista)?|onnea|onneksi olkoon|ja onnea|nyt|tassa|jos haluat
            jos sopii|talla siirrolla|terveisin|hyvin pelattu|_10|_01|_half|voitit|pelin|taman pelin
        ",
        offer: r"
            (mina )?(tarjoan|ehdotan)( sinulle| teille| nyt)? ?(tasapelia|tasuria|tasapeli)
            haluaisin (tarjota|ehdottaa) tasapelia|tasapelitarjous|tasapeliehdotus|tasapelia tarjotaan
        ",
        asks: r"tasapeli|tasapelia|tasapeliko|sovitaanko tasapeli|sopiiko tasapeli|tasuri|olisiko tasapeli",
        accept: r"
            (mina )?(hyvaksyn|otan)( tarjoamasi| ehdottamasi| mielellani)? ?(tasapelin|tasapelitarjouksen|tasapelitarjouksesi)
            suostun (tasapelitarjoukseen|tasapelitarjoukseesi|tasapeliehdotukseen)
            (tasapelitarjoukseen|tasapelitarjoukseesi|tasapeliin|tarjoukseen|tarjoukseesi|tasapeliehdotukseen) suostun( mielellani)?
            (tasapelin|tasapelitarjouksen|tasapelitarjouksesi) hyvaksyn|tasapelitarjous (on )?hyvaksytty
            tasapeli (hyvaksytty|sovittu|sopii)|suostun tasapeliin
        ",
        decline: r"
            (mina )?(hylkaan|torjun)( tarjoamasi)? ?(tasapelin|tasapelitarjouksen|tasapelitarjouksesi)
            en hyvaksy tasapelia|jatkan pelia|haluan jatkaa|jatkan peliaa?
        ",
        resign: r"
            (mina )?luovutan( pelin| taman pelin)?|joudun luovuttamaan|on aika luovuttaa|taytyy luovuttaa
            annan periksi|sina voitit|onnea voitosta
        ",
        draw_key: r"tasapeli\w*|tasuri\w*",
        accept_key: r"hyvaksyn|suostun|hyvaksytty",
        resign_key: r"luovut\w*|annan periksi",
        no_draw: r"(paattyi|oli|tuli) tasapeli\w*|teoreettinen tasapeli",
        no_resignation: r"luovutti|luovutettu|luovutus",
        negation: r"en|ei|emme|liian aikai\w+|eika|enka|alkaa|ala",
        condition: r"jos|mikali|kun|ennen",
        elsewhere: r"vastaan|toisessa pelissa|toinen peli|viime (vuonna|viikolla|kierros)|eilen|joukkue",
    },
];
