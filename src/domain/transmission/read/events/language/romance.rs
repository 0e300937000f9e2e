//! French, Spanish, Italian, Portuguese.

use super::Words;

pub(super) const ALL: [Words; 4] = [
    Words {
        before: r"
            et|donc|alors|oui|non|bon|ok|merci|helas|par consequent|malheureusement|avec regret|ici
            je crois quil est temps|je pense quil est temps|il est temps|a ce stade|mais|avec ce coup|cher \w+
            chere \w+|bonjour|bonjour \w+|bravo|avec|sur ce|maintenant|a contrecoeur|dans cette position
        ",
        behind: r"
            merci|merci beaucoup|et merci|et merci pour (la|cette|cette belle) partie
            pour (la|cette|cette belle|la belle) partie|felicitations|et felicitations|bravo|et bravo|ici|maintenant
            si vous voulez|si tu veux|si vous etes daccord|si tu es daccord|avec ce coup
            dans cette (position|partie)|cordialement|amicalement|amities|_10|_01|_half|bien joue|vous avez gagne
            tu as gagne|volontiers|avec plaisir|pour votre victoire|pour ta victoire|cette partie
        ",
        offer: r"
            (je )?((vous|te|lui|me permets de vous|me permets de|voudrais|souhaite|desire) )*(propose|proposer|offre|offrir)( ici| maintenant)? ((la|le|une|un|de|le partage|partage) )*(nulle|nullite|match nul|partie nulle)
            joffre ((la|une|le) )*(nulle|nullite|match nul)|(proposition|offre) de (nulle|nullite|match nul)
            nulle proposee|je (vous |te )?propose le partage( du point)?|(voici )?une proposition de nulle
        ",
        asks: r"
            (la |partie )?nulle|nullite|match nul|on fait nulle|nulle (ici|daccord|ok)
            que (dites vous|diriez vous|dis tu|dirais tu) dune nulle
            et si (on|nous) (faisait|faisions|partageait) nulle|puis je (vous |te )?proposer (la )?nulle
        ",
        accept: r"
            (j)?accepte ((la|le|votre|ta|volontiers|avec plaisir|offre|proposition|de) )*(nulle|nullite|match nul|nul)
            jaccepte ((la|le|votre|ta|volontiers|avec plaisir|offre|proposition|de) )*(nulle|nullite|match nul|nul)
            je suis daccord pour (la |une )?(nulle|nullite)|daccord pour (la |une )?(nulle|nullite)|nulle acceptee
            va pour la nulle|(la|votre|ta) (proposition de |offre de )?(nulle|nullite) est( volontiers)? acceptee
            daccord (pour )?nulle
        ",
        decline: r"
            (je )?(refuse|decline|dois refuser|dois decliner) ((la|le|votre|ta|offre|proposition|de) )*(nulle|nullite|match nul|offre|proposition)
            nulle refusee|(la|votre|ta) (proposition de |offre de )?(nulle|nullite) est refusee|je (prefere|veux|souhaite|voudrais) (continuer|jouer)( a jouer| encore| la partie)?
            je continue( la partie| a jouer)?|je naccepte pas (la|votre) (proposition de )?nulle
        ",
        resign: r"
            jabandonne( ici| donc| maintenant)?( la partie| cette partie)?|abandonne( la partie)?
            je (dois|vais|prefere|suis oblige d|suis contraint d|ne peux qu) ?abandonner( la partie| ici)?
            il est temps dabandonner|je me rends|je couche mon roi|vous avez gagne|tu as gagne
            felicitations pour (votre|ta|la|cette) victoire|abandon|les noirs abandonnent|les blancs abandonnent
        ",
        draw_key: r"nulle|nullite|match nul|partage du point|(le|un) nul",
        accept_key: r"jaccepte|daccord pour|acceptee",
        resign_key: r"jabandonne|abandonne|abandonner|abandonne|abandon|me rends|couche mon roi|vous avez gagne",
        no_draw: r"
            (pensais|allais|voulais|failli|hesite|hesitais) (a )?(\w+ )?(proposer|offrir) (la )?nulle
            nulle part|nulle (autre|idee|envie|raison|mention|trace)|(cest|est|etait|suis|etais|fut) (\w+ )?nulle
            nulle theorique|position (est )?nulle|sans nulle|contre nulle
        ",
        no_resignation: r"
            sabandonner|sabandonne|(a|ai|avait|avons|ont|est|sont) abandonn\w*|abandonne (mon|ma|le|les|son|sa)
            (suis|est|es|sont) abandonne|abandon de|labandon|me rends (a|compte|au|chez|en)
        ",
        negation: r"ne|pas|jamais|trop tot|premature|nullement|sans|aucune|nabandonne|n abandonne|nabandonnerai|noffre",
        condition: r"si|quand|lorsque|au cas|des que|avant",
        elsewhere: r"
            contre|autre partie|lautre partie|terminee?|derniere partie|partie precedente|lan dernier|annee derniere
            hier|etait|semaine derniere|ronde|equipe|coupe|il y a
        ",
    },
    Words {
        before: r"
            y|asi que|por lo tanto|por tanto|entonces|bueno|si|ok|gracias|muchas gracias|lamentablemente
            desgraciadamente|por eso|con esta jugada|aqui|creo que es hora de|es hora de|hola|hola \w+|estimado \w+
            estimada \w+|querido \w+|pues|de modo que|ya|pero|con|en esta posicion|porque
        ",
        behind: r"
            gracias|muchas gracias|y gracias|por la (buena |bonita |gran |interesante )?partida
            y gracias por la partida|enhorabuena|felicidades|felicitaciones|y felicidades|y te felicito
            y le felicito|te felicito|le felicito|aqui|ahora|si quieres|si quiere|si (le|te) parece( bien)?
            con esta jugada|en esta (posicion|partida)|saludos|un saludo|bien jugado|_10|_01|_half|has ganado
            ha ganado|con gusto|encantado|por tu victoria|por su victoria
        ",
        offer: r"
            (yo )?((te|le|les|os|quiero|quisiera|me gustaria|deseo|puedo) )*(propongo|ofrezco|ofrecerle|ofrecerte|ofrecer|proponer|proponerle|proponerte|sugiero)( aqui| ahora)?( las| unas)? tablas
            (oferta|propuesta|ofrecimiento) de tablas|tablas ofrecidas|ofrece tablas|(te |le )?(ofrezco|propongo) (el |un )?empate
        ",
        asks: r"
            tablas|(unas )?tablas|(que )?te parece(n)? (bien )?(unas )?tablas|(que )?le parece(n)? (bien )?(unas )?tablas
            que tal (unas )?tablas|hacemos tablas|acordamos tablas|firmamos (las )?tablas
        ",
        accept: r"
            (yo )?(acepto|aceptamos)( gustoso| con gusto| encantado| gustosamente)? ((las|la|su|tu|oferta|propuesta|de) )*tablas
            tablas (aceptadas|acordadas)|de acuerdo con (las )?tablas|estoy de acuerdo (con|en) (las )?tablas
            conforme con (las )?tablas|de acuerdo tablas|(yo )?acepto (el |su |tu )?empate
            (las |tu |su )?(oferta de |propuesta de )?tablas (las |la )?acepto( con gusto| gustoso| encantado)?
            (tu|su|la) (oferta|propuesta) de tablas (es|queda|esta) aceptada
        ",
        decline: r"
            (yo )?(rechazo|declino|rehuso|debo rechazar|tengo que rechazar) ((las|la|su|tu|oferta|propuesta|de) )*(tablas|oferta|propuesta)
            tablas rechazadas|(las |tu |su )?(oferta de |propuesta de )?tablas (las |la )?(rechazo|no (las |la )?acepto)|(yo )?(prefiero|quiero|quisiera) (seguir|continuar)( jugando| la partida)?
            no acepto ((las|la|su|tu|oferta|propuesta|de) )*tablas|sigo jugando
        ",
        resign: r"
            (yo )?abandono( aqui| ahora)?( la partida| esta partida| el juego)?
            (debo|tengo que|voy a|prefiero|he decidido|no me queda mas que) abandonar( la partida)?|me rindo
            me doy por vencido|has ganado|ha ganado usted|inclino mi rey
            (felicidades|felicitaciones|enhorabuena) por (tu|su|la) victoria|las (negras|blancas) abandonan
        ",
        draw_key: r"tablas",
        accept_key: r"acepto|aceptadas|de acuerdo",
        resign_key: r"abandono|abandonar|me rindo|rendirme|doy por vencido|has ganado|abandonan",
        no_draw: r"
            tablas (horarias|de|contra|teoricas)|las tablas del?
            (fue|fueron|eran|era|termino en|quedo en|quedamos) (\w+ )?tablas|estamos en tablas
        ",
        no_resignation: r"
            en abandono|abandono (el|mi|del|de) (trabajo|perro|coche|casa|hogar)|abandono escolar|abandonaron
            has ganado (peso|un|la|el)
        ",
        negation: r"no|nunca|jamas|sin|ni|tampoco|demasiado pronto|prematuro|seran",
        condition: r"si|cuando|en caso|antes",
        elsewhere: r"
            contra|otra partida|ultima partida|partida anterior|ano pasado|semana pasada|ayer|ronda|equipo|copa
            torneo de|fue tablas|hace (un|dos|anos)
        ",
    },
    Words {
        before: r"
            e|quindi|allora|percio|dunque|pertanto|bene|si|ok|grazie|purtroppo|con questa mossa|qui|credo sia ora di
            e ora di|ciao|ciao \w+|caro \w+|cara \w+|gentile \w+|cosi|ma|con|in questa posizione|a questo punto
        ",
        behind: r"
            grazie|grazie mille|e grazie|per la (bella |buona )?partita|e grazie per la partita|complimenti
            congratulazioni|e complimenti|e congratulazioni|qui|ora|adesso|se vuoi|se vuole|se sei daccordo
            se e daccordo|se ti va|con questa mossa|in questa (posizione|partita)|saluti|un saluto|cordiali saluti
            ben giocato|_10|_01|_half|hai vinto|ha vinto|volentieri|con piacere|per la vittoria|la partita
        ",
        offer: r"
            (io )?((ti|le|vi|vorrei|desidero|posso|voglio) )*(propongo|offro|proporre|offrire|proporti|offrirti|proporle|offrirle|suggerisco)( qui| ora)? ?(la |una )?patta
            (proposta|offerta) di patta|patta (proposta|offerta)|offre patta
        ",
        asks: r"
            (una )?patta|che ne dici (di una|della|di) patta|che ne dice (di una|della|di) patta|facciamo patta
            ci accordiamo per la patta|patta va bene
        ",
        accept: r"
            (io )?(accetto|accettiamo)( volentieri| con piacere)? ((la|una|tua|sua|proposta|offerta|di) )*patta
            patta (accettata|concordata)|daccordo per (la )?patta|sono daccordo (per|con|sulla) (la )?patta
            va bene (la )?patta
            (la |tua |sua )*(proposta di |offerta di )?patta (la )?accetto( volentieri| con piacere)?
            (la |tua |sua )*(proposta|offerta) di patta e accettata
        ",
        decline: r"
            (io )?(rifiuto|declino|devo rifiutare|respingo) ((la|una|tua|sua|proposta|offerta|di) )*(patta|proposta|offerta)
            patta rifiutata|(la |tua |sua )*(proposta di |offerta di )?patta (la )?(rifiuto|declino)
            (io )?(preferisco|voglio|vorrei) (continuare|giocare ancora|proseguire)( a giocare| la partita)?
            non accetto ((la|una|tua|sua|proposta|offerta|di) )*patta|continuo a giocare
        ",
        resign: r"
            (io )?abbandono( qui| ora)?( la partita| questa partita| il gioco)?
            (devo|preferisco|ho deciso di|non mi resta che|sono costretto ad?) abbandonare( la partita)?|mi arrendo
            mi do per vinto|hai vinto|ha vinto lei|complimenti per la vittoria|congratulazioni per la vittoria
            il (nero|bianco) abbandona
        ",
        draw_key: r"patta|patte",
        accept_key: r"accetto|accettata|daccordo",
        resign_key: r"abbandono|abbandonare|mi arrendo|arrendermi|hai vinto|abbandona",
        no_draw: r"
            patta (doca|dei|del|contro|teorica)|la patta doca|(era|fu|stata|finita|finito in|e) patta
            patta (con|nella)
        ",
        no_resignation: r"
            in abbandono|in stato di abbandono|abbandono (il|mio|del|della|scolastico) (lavoro|cane|casa)
            abbandonato|abbandonata|hai vinto (un|il|la)
        ",
        negation: r"non|mai|senza|troppo presto|ne|neanche|nemmeno|niente|nessuna",
        condition: r"se|quando|qualora|nel caso|prima",
        elsewhere: r"
            contro|altra partita|ultima partita|partita precedente|anno scorso|settimana scorsa|ieri|turno|squadra
            coppa|fa ho
        ",
    },
    Words {
        before: r"
            e|portanto|entao|bem|sim|ok|obrigado|obrigada|muito obrigado|infelizmente|por isso|com este lance|aqui
            e hora de|acho que e hora de|ola|ola \w+|caro \w+|cara \w+|prezado \w+|assim|mas|com|nesta posicao|logo
        ",
        behind: r"
            obrigado|obrigada|muito obrigado|e obrigado|pela (boa |bela |otima )?partida|pelo jogo
            e obrigado pela partida|parabens|e parabens|aqui|agora|se quiser|se quiseres|se concordar|se voce quiser
            com este lance|nesta (posicao|partida)|abracos?|um abraco|saudacoes|cumprimentos|bem jogado|_10|_01
            _half|voce venceu|venceste|com prazer|pela vitoria|a partida|o jogo
        ",
        offer: r"
            (eu )?((te|lhe|quero|gostaria de|queria|desejo|posso) )*(ofereco|proponho|oferecer|propor|oferecer lhe|sugiro)( aqui| agora)?( o| um)? empate
            (oferta|proposta) de empate|empate (oferecido|proposto)|oferece empate
        ",
        asks: r"
            (um )?empate|que tal (um )?empate|que acha de (um )?empate|vamos empatar|empatamos|fechamos (o )?empate
        ",
        accept: r"
            (eu )?(aceito|aceitamos)( com prazer)? ((o|a|um|seu|teu|sua|tua|oferta|proposta|de) )*empate
            (o |seu |sua |tua |a )*(proposta de |oferta de )?empate (esta |e |foi )?(aceito|aceite|acordado|aceita)|de acordo empate
            de acordo com o empate|concordo com o empate
        ",
        decline: r"
            (eu )?(recuso|rejeito|declino|devo recusar) ((o|a|um|seu|teu|sua|tua|oferta|proposta|de) )*(empate|oferta|proposta)
            (o |sua |tua |a )*(proposta de |oferta de )?empate (recusado|recusada|recuso)|(eu )?(prefiro|quero) (continuar|seguir|jogar)( a jogar| jogando| a partida)?
            nao aceito ((o|a|um|seu|teu|sua|tua|oferta|proposta|de) )*empate
        ",
        resign: r"
            (eu )?abandono( aqui| agora)?( a partida| esta partida| o jogo)?
            (eu )?desisto( aqui| agora)?( da partida| do jogo)?
            (devo|tenho que|tenho de|vou|prefiro|resolvi) (abandonar|desistir)( a partida| da partida)?|me rendo
            rendo me|voce venceu|parabens pela vitoria|as (negras|brancas) abandonam
        ",
        draw_key: r"empate|empatar|empatamos",
        accept_key: r"aceito|aceite|concordo",
        resign_key: r"abandono|abandonar|desisto|desistir|rendo me|me rendo|voce venceu",
        no_draw: r"(foi|era|deu|terminou em|acabou em) (um )?empate|empate (contra|do|de 9|teorico|tecnico)",
        no_resignation: r"
            abandonei|ao abandono|abandono (o|do|de) (emprego|trabalho|cao|carro|escolar)
            desisto (de|do) (entender|cafe|fumar)
        ",
        negation: r"nao|nunca|jamais|sem|nem|cedo demais|muito cedo",
        condition: r"se|quando|caso|antes",
        elsewhere: r"
            contra|outra partida|ultima partida|partida anterior|ano passado|semana passada|ontem|rodada|equipe
            equipa|copa|benfica|foi um empate
        ",
    },
];
