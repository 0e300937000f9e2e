//! German and Dutch.

use super::Words;

pub(super) const ALL: [Words; 2] = [
    Words {
        before: r"
            tage?|gesamt|so|und|also|ja|nein|na|gut|ok|okay|nun|hiermit|daher|deshalb|darum|denn|danke|vielen dank
            leider|schweren herzens|gern|gerne|mit diesem zug|hier|jetzt|ich glaube es ist zeit|dann|damit|somit
            aber|anbei|mein zug|hallo \w+|liebe \w+|lieber \w+|hallo|mit|bitte|doch|deswegen|natuerlich|naturlich
            selbstverstandlich
        ",
        behind: r"
            danke|vielen dank|danke schon|danke fuer die partie|danke fur die partie
            fu?e?r die (schone |nette |gute |interessante |spannende )?partie|gluckwunsch|glueckwunsch
            herzlichen glu?e?ckwunsch|und gratuliere|ich gratuliere|und gratuliere (dir|ihnen)|gratulation
            gratuliere|hiermit|hier|jetzt|nun
            wenn (du|sie) (willst|mochtest|wollen|mochten|einverstanden (bist|sind))
            falls (du|sie) (willst|wollen|einverstanden (bist|sind))|gern|gerne|ok|in dieser (partie|stellung)
            mit diesem zug|viele gru?e?sse|gru?e?ss|liebe gru?e?sse|und danke( fu?e?r die partie)?|und bedanke mich
            gesendet|gesandt|abgesandt|erhalten|tage?|gesamt|_10|_01|_half|an|gut gespielt|zum (verdienten )?sieg|du hast gewonnen|sie haben gewonnen
        ",
        offer: r"
            (ich )?(biete|bieten) (ich )?((ihnen|dir|euch|wir|hiermit|daher|deshalb|also|jetzt|nun|gern|gerne|hier|in dieser stellung|in dieser partie|mit diesem zug|an dieser stelle|noch einmal|erneut) )*(ein |das )?(remis|unentschieden)( hiermit| hier| jetzt)? an
            (ich )?(mo?e?chte|will|wurde|wuerde|darf) (ich )?((ihnen|dir|hiermit|gern|gerne|hier|jetzt|an dieser stelle) )*(ein )?(remis|unentschieden) (anbieten|vorschlagen)
            (ich )?schlage (ich )?((ihnen|dir|hiermit|daher|also) )*(ein )?(remis|unentschieden) vor|remis ?angebot
            remis (wird )?angeboten|remisvorschlag|ich biete remis|biete remis|ein remisangebot|einem remisangebot
            meinem remisangebot|remis angebot|mit remisangebot|angebot remis
        ",
        asks: r"
            (ein )?remis|unentschieden
            (wollen|sollen) wir (uns )?(auf )?(remis|ein remis|unentschieden)( einigen| machen| vereinbaren)?
            wollen wir remis machen|wie wa?e?re es mit (einem )?remis|wie wa?e?rs mit (einem )?remis
            wie ist es mit remis|was (halten sie|haltst du|haeltst du) von( einem)? remis|darf ich (ihnen |dir )?remis anbieten|remis (ok|gefallig|recht|genehm)
            machen wir remis|einigen wir uns auf remis|friede
        ",
        accept: r"
            (ich )?(nehme|nehmen) (ich )?((hiermit|gern|gerne|daher|also|wir) )*(das |ihr |dein |dieses )?(remis|unentschieden|remisangebot|remisvorschlag|remis angebot|angebot (auf|zum|eines) remis)( gern| gerne| dankend| hiermit)? an
            einverstanden mit( dem| einem)? remis|mit( dem| einem)? remis einverstanden
            (ich )?(bin|ware) (ich )?((gern|gerne) )?mit( dem| einem| ihrem| deinem)? remis(angebot|vorschlag)? einverstanden
            (ich )?bin einverstanden mit( dem)? remis|remis ?(ist )?(angenommen|akzeptiert|vereinbart)
            remisangebot (ist )?angenommen|ich akzeptiere( das| ihr| dein)? (remis|remisangebot)
            ich stimme (dem|ihrem|deinem) remis(angebot)? zu|remis einverstanden|einverstanden remis
            (mit )?(das |ihr |ihrem |dein |deinem |dem )?(remis|unentschieden|remisangebot|remisvorschlag|angebot) (nehme|akzeptiere) ich( gern| gerne| dankend| hiermit)?( an)?
            mit( dem| ihrem| deinem)? (remis|remisangebot|remisvorschlag) bin ich( gern| gerne)? einverstanden
            (dem|ihrem|deinem) (remis|remisangebot|remisvorschlag) stimme ich( gern| gerne)? zu
            (das |ihr |dein )?remis(angebot)? (ist|wird) (hiermit |gern |gerne |dankend )?(angenommen|akzeptiert)
        ",
        decline: r"
            (ich )?(lehne|muss|mo?e?chte|will) (ich )?((hiermit|leider) )*(das |ihr |dein )?(remis|remisangebot|angebot|remis angebot)( leider| dankend| hoflich)? (ab|ablehnen)
            remis(angebot)? (ist |wird )?(leider )?abgelehnt|abgelehnt|ich lehne ab
            (ich )?(mo?e?chte|will|werde) (ich )?((lieber|noch|gern|gerne) )*weiter ?spielen
            ich spiele( lieber)?( noch)? weiter|lieber weiterspielen|kein remis ich spiele weiter
            ich nehme (das |ihr |dein )?remis(angebot)? nicht an
            (das |ihr |dein )?(remis|remisangebot|angebot) (lehne ich( leider| dankend)? ab|nehme ich( leider)? nicht an)
            (ich )?(mo?e?chte|will|werde) (noch )?(ein wenig |etwas |ein bisschen )?weiter ?spielen
        ",
        resign: r"
            (ich )?(gebe|geben) (ich )?((hiermit|daher|deshalb|also|jetzt|nun|lieber|leider|hier|dann|es|diese|die|das|unsere|meine|wir|partie|spiel) )*auf
            (ich )?(muss|mochte|moechte|werde|will|kann nur noch|sollte) (ich )?((hiermit|leider|nun|jetzt|hier|die partie|also|daher) )*aufgeben
            aufgegeben|ich strecke die waffen|ich kapituliere|ich gebe mich geschlagen|gebe mich geschlagen
            zeit aufzugeben|es ist zeit aufzugeben|du hast gewonnen|sie haben gewonnen
            (herzlichen )?glu?e?ckwunsch zum sieg|(ich )?gratuliere zum sieg|gebe ich mich geschlagen
        ",
        draw_key: r"remis|remisangebot|remisschluss|unentschieden|remisvorschlag|_half",
        accept_key: r"nehme|nehmen (wir|ich)|einverstanden|angenommen|akzeptiere",
        resign_key: r"
            aufgeben|aufgegeben|aufzugeben|gebe (\w+ )*auf|gebe auf|geben (\w+ )*auf|geschlagen|strecke die waffen
            aufgabe
        ",
        no_draw: r"
            remis (gespielt|gegen|stellung|getrennt|breite)|(war|ist|wurde|waren|endete|endeten) (\w+ )?remis
            remislich\w*|remisbreite|remisstellung|theoretisch\w* remis|(tot|dauer|fern)remis|ein remis gegen
            auf remis (spielen|halten)
        ",
        no_resignation: r"
            gebe (ich )?(den|dir|ihnen|dem|einen|eine|ihm|mir|das paket|viel)|gebe (ich )?(dir|ihnen|mir|ihm)
            (andere|viele|manche|mancher) (\w+ ){1,4}aufgegeben|aufgaben|(er|sie|man) gibt auf|(das|dem|den|die) (rauchen|hoffnung|arbeit|trinken|beruf|posten|studium|amt) auf\w+|schachaufgabe|hat aufgegeben|haben aufgegeben
            (wann|wollen sie|willst du) aufgeben|aufgabe( :)?
        ",
        negation: r"nicht|kein|keine|keinen|nie|niemals|zu fru?e?h|zu wenig|verfru?e?ht|noch lange|ohne|nein danke",
        condition: r"wenn|falls|sofern|sollten|sobald|bevor|ehe|bis",
        elsewhere: r"
            gegen|andere partie|anderen partie|anderer partie|zweite partie|letzte (partie|woche|runde|saison)
            letzten (partie|jahr|monat)|letztes (jahr|mal)|gestern|vor (jahren|wochen)|mannschaft\w*|verein
            turnier war|war remis|endete|endeten|gespielt|verlosung|auslosung|vorher|damals|pokal
        ",
    },
    Words {
        before: r"
            dus|en|ja|nee|nou|ok|bedankt|dank je|dank u|helaas|hierbij|daarom|met deze zet|dan|nu|beste \w+|hallo
            hallo \w+|maar|met
        ",
        behind: r"
            bedankt|dank je|dank u|voor de (mooie |leuke )?partij|gefeliciteerd|en gefeliciteerd|hier|nu|groeten
            groet|met vriendelijke groet|als je wilt|als u wilt|graag|hierbij|proficiat|met deze zet|_10|_01|_half
            je hebt gewonnen|en bedankt
        ",
        offer: r"
            (ik )?bied (ik )?((je|u|jou|hierbij|nu|graag) )*(een )?remise( hierbij)? aan
            (ik )?(stel|stelt) (ik )?((je|u|hierbij) )*(een )?remise voor|ik wil( je| u)?( graag)? remise aanbieden
            remise ?aanbod|remise (wordt )?aangeboden|remisevoorstel
        ",
        asks: r"
            (een )?remise|zullen we (er )?remise (maken|van maken|afspreken|overeenkomen)|wat denk je van remise
            remise ok|wat dacht je van remise
        ",
        accept: r"
            (ik )?(neem|accepteer) (ik )?((graag|hierbij) )*(het |je |uw |de )?(remise|remiseaanbod|remise aanbod|remisevoorstel)( graag)?( aan)?
            (ik )?ga( graag)? akkoord met( de| het)? (remise|remisevoorstel|remiseaanbod)|akkoord met remise
            (het |je |uw |de |jouw )?(remise|remiseaanbod|remisevoorstel|aanbod) (neem|accepteer) ik( graag| hierbij)?( aan)?
            (het |je |uw |de )?remise(aanbod|voorstel)? (is|wordt) (graag )?(geaccepteerd|aangenomen)|akkoord remise
            met (de )?remise (ben|ga) ik( graag)? akkoord|remise (geaccepteerd|aangenomen|akkoord)|ik accepteer( de| je| uw)? remise(aanbod)?
        ",
        decline: r"
            (ik )?(weiger|verwerp) (ik )?(het |je |uw |de )?(remise|remiseaanbod|remisevoorstel)
            (ik )?sla (het |je |uw )?remise(aanbod|voorstel)? af|ik wijs (het |je |uw )?remise(aanbod)? af
            remise (geweigerd|afgewezen)|ik speel( liever)?( nog)?( even| wat| een tijdje)? (door|verder)
            (het |je |uw )?(remise|remiseaanbod|remisevoorstel|aanbod) (sla|wijs) ik( helaas)? af
            ik wil( graag)?( nog)?( even| wat)? (doorspelen|verder spelen)
        ",
        resign: r"
            (ik )?geef (ik )?((het|hierbij|nu|de partij|deze partij|maar) )*op|opgegeven|ik moet( helaas)? opgeven
            ik geef me gewonnen|ik geef mij gewonnen|geef me gewonnen|je hebt gewonnen|u hebt gewonnen
            u heeft gewonnen|gefeliciteerd met (je|uw|de) (winst|overwinning)
        ",
        draw_key: r"remise|remiseaanbod|remisevoorstel",
        accept_key: r"neem|accepteer|akkoord|aangenomen",
        resign_key: r"geef (\w+ )*op|opgeven|opgegeven|gewonnen",
        no_draw: r"
            remise van de|(was|is|werd|eindigde in) remise|remise (gespeeld|tegen|van|stelling)|theoretische remise
            remiseachtig
        ",
        no_resignation: r"
            geef (je|u|hem|haar) (gelijk|een|het)|hij heeft opgegeven|heb gewonnen|gewonnen (van|tegen)
            (wij|we|hij|ik) (hebben|heeft|heb) gewonnen
        ",
        negation: r"niet|geen|nooit|te vroeg|nog lang niet|zonder",
        condition: r"als|indien|wanneer|mits|voordat|tot",
        elsewhere: r"
            tegen|andere partij|vorige (partij|week|ronde)|vorig jaar|gisteren|was remise|toen|trein|tram|team
            geleden
        ",
    },
];
