//! Reports of mail servers that a mail did not arrive, or not yet: which mail they name, for whom, and why.
//!
//! Pure. Reads delivery reports (RFC 3464), and the older kind that says it in words above the returned mail; of both only what says
//! which mail it was. What will surprise you: anybody can write such a report, so nothing hangs on it but a warning; and a report
//! names several ids, since some servers return the threading fields of a mail whose own id they have replaced.

use super::address::Address;
use super::headers::Headers;
use super::ids::MessageId;
use super::message::parse;
use super::mime;
use super::text::one_line;

/// Lines looked at for the ids of the returned mail.
const MOST_LINES: usize = 20_000;

/// What a report says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounce {
    /// The ids of the returned mail: its own first, where the report shows it.
    pub message_ids: Vec<MessageId>,
    /// The ids of its thread.
    pub thread: Vec<MessageId>,
    /// The subject of the returned mail, where the report shows it.
    pub subject: String,
    /// For whom it was, where the report says so.
    pub recipient: Option<Address>,
    /// The enhanced status code (RFC 3463), `5.1.1`.
    pub status: Option<String>,
    /// The server goes on trying.
    pub is_delayed: bool,
}

impl Bounce {
    /// Why, in words that name no server.
    pub fn reason(&self) -> String {
        match &self.status {
            Some(status) => format!("{} ({status})", words(status)),
            None => "the mail server gives no reason".to_owned(),
        }
    }
}

/// `: the mailbox is full (4.2.2)`.
pub fn in_words(status: &str) -> String {
    format!(": {} ({status})", words(status))
}

/// What an enhanced status code means (RFC 3463, 3), in a few words.
fn words(status: &str) -> &'static str {
    let detail = status.split_once('.').map_or("", |(_, detail)| detail);
    match detail {
        "1.1" | "1.0" | "1.3" => "there is no such mailbox",
        "1.2" => "there is no such mail domain",
        "1.6" => "the mailbox has moved and left no address",
        "2.1" => "the mailbox is disabled",
        "2.2" => "the mailbox is full",
        "2.3" | "3.4" => "the mail is too large for it",
        "4.1" | "4.2" => "its mail server does not answer",
        "4.3" | "4.4" => "no way to its mail server was found",
        "4.6" => "the mail was sent in a circle",
        "4.7" => "it could not be delivered for too long",
        _ => match detail.split('.').next() {
            Some("1") => "the address is not valid",
            Some("2") => "the mailbox does not take it",
            Some("3") => "its mail server does not take it",
            Some("4") => "the way to its mail server is broken",
            Some("7") => "its mail server refuses it by its rules, mostly against spam",
            _ => "it was refused",
        },
    }
}

/// The report that these bytes are; `None` for every other mail.
pub fn read(raw: &[u8]) -> Option<Bounce> {
    let entity = mime::take_apart(raw).ok()?;
    let reports = entity.parts.iter().filter(|part| part.part_type.content_type.ends_with("/delivery-status"));
    let groups: Vec<Headers> = reports.flat_map(|part| groups(part.body)).collect();
    let of_recipient = groups.iter().filter(|group| group.first("final-recipient").is_some());
    let failed = |group: &&Headers| group.first("action").is_some_and(|action| !action.eq_ignore_ascii_case("delayed"));
    let told = of_recipient.clone().find(failed).or_else(|| of_recipient.clone().next());
    let is_report = entity.root_type.content_type == "multipart/report";
    let (recipient, status, is_delayed) = match told {
        Some(group) => {
            let action = group.first("action").unwrap_or_default().trim().to_ascii_lowercase();
            if matches!(action.as_str(), "delivered" | "relayed" | "expanded") {
                return None;
            }
            let status = group.first("status").and_then(status_in);
            let is_delayed = action == "delayed" || (action.is_empty() && is_temporary(status.as_deref()));
            (address(group), status, is_delayed)
        }
        None if is_report || !is_from_postmaster(raw) => return None,
        None => {
            let text = String::from_utf8_lossy(raw);
            let status = status_in(&text);
            (None, status.clone(), is_temporary(status.as_deref()))
        }
    };
    let returned = returned(raw);
    let ids = |name: &str| returned.all(name).flat_map(MessageId::parse_list).collect::<Vec<_>>();
    let thread = ids("references").into_iter().chain(ids("in-reply-to")).collect();
    let recipient = recipient.or_else(|| returned.first("to").and_then(address_in));
    let subject = returned.first("subject").map(|subject| one_line(subject, 200)).unwrap_or_default();
    Some(Bounce { message_ids: ids("message-id"), thread, subject, recipient, status, is_delayed })
}

fn is_temporary(status: Option<&str>) -> bool {
    status.is_some_and(|status| status.starts_with('4'))
}

/// The blank lines of a report part stand between what it says of each recipient (RFC 3464, 2.1).
fn groups(body: &[u8]) -> Vec<Headers> {
    let lines: Vec<&[u8]> = body.split(|byte| *byte == b'\n').collect();
    lines.split(|line| line.trim_ascii().is_empty()).map(|group| Headers::read(&group.join(&b'\n'))).collect()
}

fn address(group: &Headers) -> Option<Address> {
    let named = group.first("original-recipient").or_else(|| group.first("final-recipient"))?;
    named.rsplit_once(';').map_or(named, |(_, address)| address).trim().parse().ok()
}

fn address_in(value: &str) -> Option<Address> {
    let inner = value.rsplit_once('<').and_then(|(_, rest)| rest.split_once('>')).map_or(value, |(inner, _)| inner);
    inner.trim().parse().ok()
}

fn status_in(text: &str) -> Option<String> {
    let is_short = |part: &str| (1..=3).contains(&part.len());
    let is_status = |run: &&str| match *run.split('.').collect::<Vec<_>>() {
        ["4" | "5", subject, detail] => is_short(subject) && is_short(detail),
        _ => false,
    };
    text.split(|c: char| !(c.is_ascii_digit() || c == '.')).find(is_status).map(str::to_owned)
}

/// The sender is a mail server's own address.
fn is_from_postmaster(raw: &[u8]) -> bool {
    let from = parse(raw).ok().and_then(|message| message.from.ok());
    from.is_some_and(|sender| {
        let local = sender.address.local().to_ascii_lowercase();
        matches!(local.as_str(), "mailer-daemon" | "postmaster" | "mail-daemon" | "mailerdaemon")
    })
}

/// The header of the mail that came back: every field after the report's own header, wherever it stands.
fn returned(raw: &[u8]) -> Headers {
    let lines = raw.split(|byte| *byte == b'\n');
    let body = lines.skip_while(|line| !line.trim_ascii().is_empty()).take(MOST_LINES);
    let lines: Vec<&[u8]> = body.collect();
    Headers::read(&lines.join(&b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSTFIX: &[u8] = include_bytes!("../../tests/corpus/catalogue/362_bounce_report.eml");
    const QMAIL: &[u8] = include_bytes!("../../tests/corpus/catalogue/363_bounce_qmail_text.eml");

    #[test]
    fn a_report_names_the_mail_its_recipient_and_the_reason() {
        let bounce = read(POSTFIX).unwrap();
        assert_eq!(bounce.message_ids, ["<sfs11-ram.17@post.example.org>".parse().unwrap()]);
        assert_eq!(bounce.recipient, "gottlieb.ramseyer@alpen.example.com".parse().ok());
        assert_eq!((bounce.reason().as_str(), bounce.is_delayed), ("the mailbox is full (4.2.2)", false));
    }

    #[test]
    fn a_report_in_words_names_it_too() {
        let bounce = read(QMAIL).unwrap();
        assert_eq!(bounce.message_ids, ["<de9-pfi.20@raab.example.com>".parse().unwrap()]);
        assert_eq!(bounce.recipient, "ewald.pfingstgraef@dial.example.net".parse().ok());
        assert_eq!((bounce.reason().as_str(), bounce.is_delayed), ("there is no such mailbox (5.1.1)", false));
    }

    #[test]
    fn a_delay_is_no_failure_and_a_receipt_no_report() {
        let text = String::from_utf8(POSTFIX.to_vec()).unwrap();
        assert!(read(text.replace("Action: failed", "Action: delayed").as_bytes()).unwrap().is_delayed);
        assert_eq!(read(text.replace("Action: failed", "Action: relayed").as_bytes()), None);
        let receipt = text.replace("message/delivery-status", "message/disposition-notification");
        assert_eq!(read(receipt.as_bytes()), None);
    }

    #[test]
    fn a_letter_that_quotes_a_report_is_none() {
        let text = String::from_utf8(QMAIL.to_vec()).unwrap();
        assert_eq!(read(text.replacen("MAILER-DAEMON@", "ewald@", 1).as_bytes()), None);
    }
}
