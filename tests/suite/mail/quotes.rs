//! Whose words a line holds, as the programs of many countries mark it.

use amici::mail::quote::{Kind, split};

fn own(text: &str) -> String {
    split(text).own_text()
}

/// Above a quotation, marked or not, only the answer is the sender's; below it he may go on.
#[test]
fn attributions_in_twenty_five_languages_announce_a_quotation_marked_or_not() {
    for line in [
        "On Tue, Jun 4, 2019 at 5:02 PM Mila Ostrander <mila@example.net> wrote:",
        "On 6/4/2019 5:02 PM, Mila Ostrander wrote:",
        "On 2019-06-04 17:02, Mila Ostrander wrote:",
        "On Jun 4, 2019, at 5:02 PM, Mila Ostrander <mila@example.net> wrote:",
        "--- Mila Ostrander <mila@example.net> wrote:",
        "---- On Tue, 04 Jun 2019 17:02:00 +0200 Mila <mila@example.net> wrote ----",
        "In a message dated 6/4/2019 5:02:11 PM Eastern Daylight Time, mila@example.net writes:",
        "Quoting Mila Ostrander <mila@example.net>:",
        "Mila Ostrander wrote:",
        "Am 04.06.2019 um 17:02 schrieb Mila Ostrander:",
        "Am Di., 4. Juni 2019 um 17:02 Uhr schrieb Mila <mila@example.net>:",
        "Mila Ostrander schrieb am 04.06.2019:",
        "Mila Ostrander <mila@example.net> hat am 04.06.2019 17:02 geschrieben:",
        "Zitat von Mila Ostrander <mila@example.net>:",
        "Le mar. 4 juin 2019 à 17:02, Mila Ostrander <mila@example.net> a écrit :",
        "Le 04/06/2019 17:02, Mila Ostrander a écrit :",
        "Mila Ostrander a écrit :",
        "El mar, 4 jun 2019 a las 17:02, Mila (<mila@example.net>) escribió:",
        "El 04/06/2019 a las 17:02, Mila Ostrander escribió:",
        "Il giorno mar 4 giu 2019 alle ore 17:02 Mila <mila@example.net> ha scritto:",
        "Il 04/06/2019 17:02, Mila Ostrander ha scritto:",
        "Em ter., 4 de jun. de 2019 às 17:02, Mila <mila@example.net> escreveu:",
        "Em 04/06/2019 17:02, Mila Ostrander escreveu:",
        "Op di 4 jun. 2019 om 17:02 schreef Mila <mila@example.net>:",
        "Op 4 juni 2019 om 17:02 heeft Mila Ostrander het volgende geschreven:",
        "Den tis 4 juni 2019 kl 17:02 skrev Mila <mila@example.net>:",
        "Den tir. 4. jun. 2019 kl. 17.02 skrev Mila <mila@example.net>:",
        "Den 04.06.2019 17:02, skrev Mila Ostrander:",
        "tir. 4. jun. 2019 kl. 17:02 skrev Mila <mila@example.net>:",
        "ti 4. kesäk. 2019 klo 17.02 Mila Ostrander (mila@example.net) kirjoitti:",
        "Mila Ostrander kirjoitti 4.6.2019 klo 17.02:",
        "wt., 4 cze 2019 o 17:02 Mila <mila@example.net> napisał(a):",
        "W dniu 04.06.2019 o 17:02, Mila Ostrander pisze:",
        "út 4. 6. 2019 v 17:02 odesílatel Mila <mila@example.net> napsal:",
        "Dne 4.6.2019 v 17:02 Mila Ostrander napsal(a):",
        "Mila <mila@example.net> ezt írta (időpont: 2019. jún. 4., K, 17:02):",
        "2019.06.04. 17:02 keltezéssel, Mila Ostrander írta:",
        "вт, 4 июн. 2019 г. в 17:02, Mila <mila@example.net>:",
        "04.06.2019 17:02, Mila Ostrander пишет:",
        "4 июня 2019 г., 17:02 пользователь Mila <mila@example.net> написал:",
        "Вторник, 4 июня 2019, 17:02 +03:00 от Mila <mila@example.net>:",
        "04.06.2019, 17:02, \"Mila Ostrander\" <mila@example.net>:",
        "вт, 4 черв. 2019 р. о 17:02 Mila <mila@example.net> пише:",
        "2019年6月4日(火) 17:02 Mila <mila@example.net>:",
        "2019年6月4日 17:02、Mila Ostrander <mila@example.net>のメール:",
        "Mila <mila@example.net> 于2019年6月4日周二 下午5:02写道:",
        "2019년 6월 4일 (화) 오후 5:02, Mila <mila@example.net>님이 작성:",
        "4 Haz 2019 Sal 17:02 tarihinde Mila <mila@example.net> şunu yazdı:",
        "Στις Τρί 4 Ιουν 2019 στις 5:02 μ.μ., ο χρήστης Mila <mila@example.net> έγραψε:",
        "În mar., 4 iun. 2019 la 17:02, Mila <mila@example.net> a scris:",
        "uto, 4. lip 2019. u 17:02 Mila <mila@example.net> napisao je:",
        "ut 4. 6. 2019 o 17:02 Mila <mila@example.net> napísal(a):",
    ] {
        let marked = format!("10. 5254\n\n{line}\n\n> old 1111\n\nbye");
        assert_eq!(own(&marked), "10. 5254\n\nbye", "{line}");
        let unmarked = format!("10. 5254\n\n{line}\n\nold 1111\n\n> older 2222\n\nolder 3333");
        assert_eq!(own(&unmarked), "10. 5254", "{line}");
        assert!(split(&marked).lines.iter().any(|l| l.kind == Kind::Attribution), "{line}");
    }
}

#[test]
fn attributions_wrapped_over_two_or_three_lines_are_whole() {
    for lines in [
        "Le mar. 4 juin 2019 à 17:02, Mila Ostrander <mila@example.net> a\nécrit :",
        "Le mar. 4 juin 2019 à 17:02, Mila Ostrander\n<mila@example.net> a\nécrit :",
        "On Tue, Jun 4, 2019 at 5:02 PM Mila Ostrander <\nmila@example.net> wrote:",
        "On Tue, Jun 4, 2019 at 5:02 PM\nMila Ostrander\n<mila@example.net> wrote:",
        "Am Di., 4. Juni 2019 um 17:02 Uhr schrieb Mila Ostrander <\nmila@example.net>:",
        "El mar, 4 jun 2019 a las 17:02, Mila Ostrander\n(<mila@example.net>) escribió:",
        "Il giorno mar 4 giu 2019 alle ore 17:02 Mila Ostrander\n<mila@example.net> ha scritto:",
        "ti 4. kesäk. 2019 klo 17.02 Mila Ostrander (mila@example.net)\nkirjoitti:",
        "wt., 4 cze 2019 o 17:02 Mila Ostrander <mila@example.net>\nnapisał(a):",
        "út 4. 6. 2019 v 17:02 odesílatel Mila Ostrander <mila@example.net>\nnapsal:",
        "Mila Ostrander <mila@example.net> ezt írta (időpont: 2019. jún. 4.,\nK, 17:02):",
        "вт, 4 июн. 2019 г. в 17:02, Mila Ostrander <mila@example.net>\nнаписал:",
        "2019年6月4日(火) 17:02 Mila Ostrander\n<mila@example.net>:",
        "In a message dated 6/4/2019 5:02:11 PM Eastern Daylight Time,\nmila@example.net writes:",
        "\"Mila Ostrander\" <mila@example.net> wrote in message\nnews:5254@example.net...",
    ] {
        let text = format!("10. 5254\n\n{lines}\n> old 1111");
        assert_eq!(own(&text), "10. 5254", "{lines}");
    }
}

#[test]
fn sentences_that_look_like_attributions_stay_own() {
    for text in [
        "You wrote:\n10. 5254",
        "As you wrote on 12.5.:\n10. 5254",
        "My answer to what Mila wrote on Tuesday:\n10. 5254",
        "Du schriebst:\n10. 5254",
        "Comme vous a écrit :\n10. 5254",
        "My moves so far:\n10. 5254",
        "Please use mila@example.net from now on:\n10. 5254",
        "10. 5254 at 17:02",
    ] {
        assert_eq!(own(text), text);
    }
}

#[test]
fn heads_of_unmarked_quotations_in_many_languages_end_the_own_words() {
    for head in [
        "From: Mila\nSent: Tuesday, June 4, 2019 5:02 PM\nTo: Tobin\nSubject: EM",
        "From: Mila\nDate: Tuesday, June 4, 2019 at 5:02 PM\nTo: Tobin\nSubject: EM",
        "Von: Mila\nGesendet: Dienstag, 4. Juni 2019 17:02\nAn: Tobin\nBetreff: EM",
        "Gesendet: Dienstag, 04. Juni 2019 um 17:02 Uhr\nVon: \"Mila\" <mila@example.net>\nAn: Tobin\nBetreff: EM",
        "Betreff: \tEM\nDatum: \tTue, 4 Jun 2019 17:02:00 +0200\nVon: \tMila\nAn: \tTobin",
        "De : Mila\nEnvoyé : mardi 4 juin 2019 17:02\nÀ : Tobin\nObjet : EM",
        "De: Mila\nEnviado: martes, 4 de junio de 2019 17:02\nPara: Tobin\nAsunto: EM",
        "Da: Mila\nInviato: martedì 4 giugno 2019 17:02\nA: Tobin\nOggetto: EM",
        "De: Mila\nEnviada: terça-feira, 4 de Junho de 2019 17:02\nPara: Tobin\nAssunto: EM",
        "Van: Mila\nVerzonden: dinsdag 4 juni 2019 17:02\nAan: Tobin\nOnderwerp: EM",
        "Från: Mila\nSkickat: den 4 juni 2019 17:02\nTill: Tobin\nÄmne: EM",
        "Fra: Mila\nSendt: 4. juni 2019 17:02\nTil: Tobin\nEmne: EM",
        "Lähettäjä: Mila\nLähetetty: tiistai 4. kesäkuuta 2019 17.02\nVastaanottaja: Tobin\nAihe: EM",
        "Od: Mila\nWysłano: wtorek, 4 czerwca 2019 17:02\nDo: Tobin\nTemat: EM",
        "Od: Mila\nOdesláno: 4. června 2019 17:02\nKomu: Tobin\nPředmět: EM",
        "Feladó: Mila\nElküldve: 2019. június 4. 17:02\nCímzett: Tobin\nTárgy: EM",
        "От: Mila\nОтправлено: 4 июня 2019 г. 17:02\nКому: Tobin\nТема: EM",
        "差出人: Mila\n送信日時: 2019年6月4日 17:02\n宛先: Tobin\n件名: EM",
        "发件人: Mila\n发送时间: 2019年6月4日 17:02\n收件人: Tobin\n主题: EM",
        "보낸 사람: Mila\n보낸 날짜: 2019년 6월 4일\n받는 사람: Tobin\n제목: EM",
        "Kimden: Mila\nGönderildi: 4 Haziran 2019\nKime: Tobin\nKonu: EM",
        "Από: Mila\nΣτάλθηκε: 4 Ιουνίου 2019\nΠρος: Tobin\nΘέμα: EM",
        "De la: Mila\nTrimis: 4 iunie 2019\nCătre: Tobin\nSubiect: EM",
        "Від: Mila\nНадіслано: 4 червня 2019\nКому: Tobin\nТема: EM",
        "----- Original Message -----\nFrom: Mila",
        "=====Original Message=====",
        "----- Reply message -----",
        "-----Původní zpráva-----",
        "-----Eredeti üzenet-----",
        "-----元のメッセージ-----",
        "-----Alkuperäinen viesti-----",
        "-----Oprindelig meddelelse-----",
        "---------- Mensaje reenviado ---------",
        "---------- Пересылаемое сообщение ----------",
        "Anfang der weitergeleiteten Nachricht:",
        "Début du message réexpédié :",
    ] {
        for rule in ["", "________________________________\n"] {
            let text = format!("6... 2836\n\nTobin\n\n{rule}{head}\n\n6. 6152, if 6... 5755\n");
            let own = own(&text);
            assert_eq!(own.trim_end_matches(['_', '\n']), "6... 2836\n\nTobin", "{head}");
        }
    }
}

#[test]
fn quote_marks_of_old_programs_and_initials_are_seen() {
    for mark in [">", "> ", "> > ", ">>", "TQ> ", "Tobin> ", "Åke> ", "| ", ": "] {
        let text = format!("6... 2836\n\n{mark}6. 6152\n{mark}5755\n\nbye");
        assert_eq!(own(&text), "6... 2836\n\nbye", "{mark}");
    }
}

#[test]
fn own_words_stay_apart_above_between_and_below_marked_quotations() {
    let text = "Hi\n> 5. 7163\nsent 30.9.\n>> older\n> 6. 6152\n\n6... 5755\n-- \nMila\n";
    assert_eq!(own(text), "Hi\n\nsent 30.9.\n\n6... 5755");
}

#[test]
fn footers_of_phones_programs_and_lists_are_not_own() {
    for footer in [
        "Sent from my Nokia 6233",
        "Nokia 6233 készülékről küldve",
        "No virus found in this incoming message.\nChecked by AVG.\nVersion: 7.5.432 / Base: 5254\n4352",
        "__________ ESET NOD32 Antivirus, version of virus signature database 4352 (20090826) __________\n\nThe message was checked by ESET NOD32 Antivirus.\n\n",
        "Outgoing mail is certified Virus Free.\nVersion: 6.0.520 / 5254",
        "Do You Yahoo!?\nGet 5254 things at example.com",
        "To unsubscribe from this group, write to\n5254@example.org",
    ] {
        assert_eq!(own(&format!("3234\n\n{footer}\n")), "3234", "{footer}");
    }
    let under_a_footer = "3234\n\nDo You Yahoo!?\n-----Original Message-----\n\n5254\n\n5755";
    assert_eq!(own(under_a_footer), "3234");
    let signed = "3234\n-- \nDo You Yahoo!?\n\nBox 8171";
    assert_eq!(own(signed), "3234");
}

#[test]
fn armour_is_taken_off_and_its_dashes_are_undone() {
    let signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n3234\n- --- 5254\n- - x\n- a list\n-----BEGIN PGP SIGNATURE-----\nVersion: 5254\n\niQ 5254\n=4352\n-----END PGP SIGNATURE-----\n\nafter";
    assert_eq!(own(signed), "3234\n--- 5254\n- x\n- a list\n\nafter");
    assert_eq!(own("- --- 5254"), "- --- 5254");
}
