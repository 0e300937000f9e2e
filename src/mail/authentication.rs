//! What the player's own mail server found out about the sender: the topmost Authentication-Results field that carries
//! the name (authserv-id) of that server, and no other (RFC 8601).
//!
//! Only the border server strips forged fields, so a field with another id, or one further down, is worth nothing.
//! What will surprise you: two verdicts of one method that differ count as the worse; alignment is exact or with a
//! parent domain of at least two labels, without the public suffix list. Not covered: SPF, ARC, checking signatures here.

use super::address::Address;
use super::headers::Headers;

/// The verdicts that concern the author's domain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuthResult {
    /// Domains (`header.d`) whose DKIM signature passed, in lower case; `None` where DKIM was not reported.
    pub dkim: Option<Vec<String>>,
    /// The From domain (`header.from`) for which DMARC passed; `Some(None)`: reported, not passed.
    pub dmarc: Option<Option<String>>,
}

impl AuthResult {
    /// Whether DMARC passed for the domain of this address, or a DKIM signature of that domain or a parent of it did.
    pub fn passes_for(&self, address: &Address) -> bool {
        let domain = address.domain();
        let is_parent = |parent: &String| {
            parent.contains('.')
                && domain.strip_suffix(parent.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        self.dmarc.iter().flatten().any(|passed| passed == domain) || self.dkim.iter().flatten().any(is_parent)
    }
}

/// The results of the server with this authserv-id; `None` where it left none.
pub fn authentication(headers: &Headers, authserv_id: &str) -> Option<AuthResult> {
    headers.all("authentication-results").find_map(|value| {
        let clauses = clauses(value);
        let (id, results) = clauses.split_first()?;
        // The id may be followed by a version (RFC 8601, 2.2).
        let is_ours = id.split_whitespace().next()?.eq_ignore_ascii_case(authserv_id);
        is_ours.then(|| results_of(results))
    })
}

fn results_of(clauses: &[String]) -> AuthResult {
    let mut result = AuthResult::default();
    for clause in clauses {
        let properties: Vec<(&str, &str)> = clause.split_whitespace().filter_map(|word| word.split_once('=')).collect();
        let Some(&(method, verdict)) = properties.first() else {
            continue;
        };
        let passed = verdict.eq_ignore_ascii_case("pass");
        let property = |wanted: &str| {
            let found = properties.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            found.map(|(_, value)| value.to_ascii_lowercase()).filter(|_| passed)
        };
        // `method/version` is allowed (RFC 8601, 2.2).
        match method.split('/').next().unwrap_or_default().to_ascii_lowercase().as_str() {
            "dkim" => result.dkim.get_or_insert_default().extend(property("header.d")),
            "dmarc" => {
                let domain = property("header.from");
                result.dmarc = Some(match result.dmarc.take() {
                    Some(earlier) if earlier != domain => None,
                    _ => domain,
                });
            }
            _ => {}
        }
    }
    result
}

/// The clauses between semicolons, without comments and quotation marks, blanks round `=` removed.
fn clauses(value: &str) -> Vec<String> {
    let mut clauses = vec![String::new()];
    let (mut comment, mut quoted) = (0_usize, false);
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        let Some(clause) = clauses.last_mut() else {
            break;
        };
        match character {
            '\\' if quoted || comment > 0 => {
                // Nothing that needs escaping can be part of a domain.
                characters.next();
            }
            '"' if comment == 0 => quoted = !quoted,
            // A quoted value is one word.
            _ if quoted => clause.push(if character.is_whitespace() { '_' } else { character }),
            '(' => comment += 1,
            ')' => comment = comment.saturating_sub(1),
            _ if comment > 0 => {}
            ';' => clauses.push(String::new()),
            '=' => {
                clause.truncate(clause.trim_end().len());
                clause.push('=');
            }
            _ if character.is_whitespace() && clause.ends_with('=') => {}
            _ => clause.push(character),
        }
    }
    clauses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(header: &str) -> Option<AuthResult> {
        authentication(&Headers::read(header.as_bytes()), "mx.example.net")
    }

    fn passes(header: &str, address: &str) -> bool {
        results(header).is_some_and(|result| result.passes_for(&address.parse().unwrap()))
    }

    #[test]
    fn a_pass_of_the_own_server_counts_for_its_domain_only() {
        let header = "Authentication-Results: mx.example.net 1; spf=pass smtp.mailfrom=x.org;\r\n dkim=pass (2048-bit; ok) header.d=Example.org header.s=k;\r\n dmarc=pass (p=NONE) header.from=mail.example.org\r\n";
        assert_eq!(
            results(header),
            Some(AuthResult {
                dkim: Some(vec!["example.org".to_owned()]),
                dmarc: Some(Some("mail.example.org".to_owned()))
            })
        );
        assert!(passes(header, "opp@mail.example.org"));
        assert!(passes(header, "opp@other.example.org"));
        assert!(!passes(header, "opp@badexample.org"));
        assert!(!passes(header, "opp@example.com"));
    }

    #[test]
    fn only_the_topmost_field_of_the_own_server_counts() {
        let forged = "Authentication-Results: mx.example.net; dkim=fail header.d=example.org\nAuthentication-Results: mx.example.net; dkim=pass header.d=example.org\n";
        assert!(!passes(forged, "opp@example.org"));
        let foreign = "Authentication-Results: evil.example.com; dkim=pass header.d=example.org\n";
        assert_eq!(results(foreign), None);
        assert_eq!(results("Authentication-Results: mx.example.net; none"), Some(AuthResult::default()));
    }

    #[test]
    fn a_pass_inside_a_comment_or_a_quoted_reason_is_none() {
        for value in [
            "mx.example.net; dkim=fail (; dkim=pass header.d=example.org) header.d=example.org",
            "mx.example.net; dkim=fail reason=\"; dkim=pass header.d=example.org\" header.d=example.org",
            "mx.example.net; dkim=fail reason=\"x dkim=pass\" header.d=example.org",
            "(mx.example.net) other; dkim=pass header.d=example.org",
            "mx.example.net; dmarc=pass header.from=example.org; dmarc=fail header.from=example.org",
            "mx.example.net; dkim=pass header.d=org",
        ] {
            assert!(!passes(&format!("Authentication-Results: {value}"), "opp@example.org"), "{value}");
        }
        assert!(passes(
            "Authentication-Results: mx.example.net; dkim = pass header.d = \"example.org\"",
            "opp@example.org"
        ));
    }
}
