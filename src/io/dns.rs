//! What the DNS says of a domain's mail: services by name (SRV, RFC 2782) and mail exchangers (MX, RFC 5321 section 5).
//!
//! Asks the name servers of this machine. Fails never: a question without an answer has none, for the DNS is one of several places
//! where the same is looked for. What it says is not proven; the caller decides what may rest on it.

use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::ResolverOpts;
use hickory_resolver::proto::rr::RData;
use tokio::time::timeout;

/// For one question.
const LIMIT: Duration = Duration::from_secs(6);

/// One server of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// Its name, without the last dot.
    pub host: String,
    /// Its port.
    pub port: u16,
}

/// Who is asked.
#[derive(Debug, Clone)]
pub struct Dns(Option<TokioResolver>);

impl Dns {
    /// The name servers of this machine.
    pub fn of_the_machine() -> Dns {
        let built = TokioResolver::builder_tokio().map(|mut builder| {
            let options: &mut ResolverOpts = builder.options_mut();
            (options.timeout, options.attempts) = (LIMIT / 2, 1);
            builder.build()
        });
        match built {
            Ok(Ok(resolver)) => Dns(Some(resolver)),
            Ok(Err(error)) | Err(error) => {
                tracing::warn!(%error, "the DNS is not asked: the settings of the name servers cannot be read");
                Dns(None)
            }
        }
    }

    /// Nobody.
    pub fn of_nobody() -> Dns {
        Dns(None)
    }

    /// The servers of a service such as `_imaps._tcp` at a domain, the preferred first; none where it is told that there is no such service
    /// (a target of "."). Among those of the same priority the heavier one comes first: only one person asks, once.
    pub async fn services(&self, service: &str, domain: &str) -> Vec<Service> {
        let mut found = Vec::new();
        for answer in self.ask(&format!("{service}.{domain}."), Kind::Service).await {
            if let RData::SRV(srv) = answer {
                let host = srv.target.to_string().trim_end_matches('.').to_ascii_lowercase();
                found.push((srv.priority, u16::MAX - srv.weight, Service { host, port: srv.port }));
            }
        }
        found.retain(|(_, _, service)| !service.host.is_empty());
        found.sort_by(|a, b| (a.0, a.1, &a.2.host).cmp(&(b.0, b.1, &b.2.host)));
        found.into_iter().map(|(_, _, service)| service).collect()
    }

    /// The mail exchangers of a domain, the preferred first.
    pub async fn exchangers(&self, domain: &str) -> Vec<String> {
        let mut found = Vec::new();
        for answer in self.ask(&format!("{domain}."), Kind::Exchanger).await {
            if let RData::MX(mx) = answer {
                let host = mx.exchange.to_string().trim_end_matches('.').to_ascii_lowercase();
                found.push((mx.preference, host));
            }
        }
        // RFC 7505: a domain with the one exchanger "." takes no mail
        found.retain(|(_, host)| !host.is_empty());
        found.sort();
        found.into_iter().map(|(_, host)| host).collect()
    }

    async fn ask(&self, name: &str, kind: Kind) -> Vec<RData> {
        let Some(resolver) = &self.0 else { return Vec::new() };
        let lookup = async {
            match kind {
                Kind::Service => resolver.srv_lookup(name).await,
                Kind::Exchanger => resolver.mx_lookup(name).await,
            }
        };
        match timeout(LIMIT, lookup).await {
            Ok(Ok(lookup)) => lookup.answers().iter().map(|record| record.data.clone()).collect(),
            Ok(Err(error)) => {
                tracing::debug!(%error, name, "no answer");
                Vec::new()
            }
            Err(_) => Vec::new(),
        }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Service,
    Exchanger,
}

#[cfg(test)]
pub(crate) mod tests {
    use std::net::{IpAddr, SocketAddr};
    use std::str::FromStr;

    use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
    use hickory_resolver::net::runtime::TokioRuntimeProvider;
    use hickory_resolver::proto::op::{Message, ResponseCode};
    use hickory_resolver::proto::rr::rdata::{MX, SRV};
    use hickory_resolver::proto::rr::{Name, Record};
    use tokio::net::UdpSocket;

    use super::*;

    /// `name SRV priority weight port target` or `name MX preference exchange`.
    fn record(line: &str) -> Record {
        let words: Vec<&str> = line.split(' ').collect();
        let name = |text: &str| Name::from_str(text).unwrap();
        let number = |at: usize| words[at].parse::<u16>().unwrap();
        let data = match words[1] {
            "SRV" => RData::SRV(SRV::new(number(2), number(3), number(4), name(words[5]))),
            _ => RData::MX(MX::new(number(2), name(words[3]))),
        };
        Record::from_rdata(name(words[0]), 60, data)
    }

    /// A name server with these records.
    pub(crate) async fn serving(lines: &[&str]) -> Dns {
        let records: Vec<Record> = lines.iter().map(|line| record(line)).collect();
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        tokio::spawn(async move {
            let mut buffer = [0; 2048];
            while let Ok((length, from)) = socket.recv_from(&mut buffer).await {
                let mut answer = Message::from_vec(&buffer[..length]).unwrap().into_response();
                let asked = answer.queries[0].clone();
                let fits =
                    |record: &&Record| &record.name == asked.name() && record.record_type() == asked.query_type();
                let fitting: Vec<Record> = records.iter().filter(fits).cloned().collect();
                if fitting.is_empty() {
                    answer.metadata.response_code = ResponseCode::NXDomain;
                }
                answer.add_answers(fitting);
                socket.send_to(&answer.to_vec().unwrap(), from).await.unwrap();
            }
        });
        at(address)
    }

    fn at(address: SocketAddr) -> Dns {
        let mut connection = ConnectionConfig::udp();
        connection.port = address.port();
        let server = NameServerConfig::new(IpAddr::from([127, 0, 0, 1]), true, vec![connection]);
        let config = ResolverConfig::from_parts(None, vec![], vec![server]);
        Dns(Some(TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()).build().unwrap()))
    }

    #[tokio::test]
    async fn services_come_by_priority_then_weight_and_one_that_is_denied_is_none() {
        let dns = serving(&[
            "_imaps._tcp.example.org. SRV 10 0 993 late.example.org.",
            "_imaps._tcp.example.org. SRV 0 1 1993 light.example.org.",
            "_imaps._tcp.example.org. SRV 0 5 993 Heavy.example.org.",
            "_pop3s._tcp.example.org. SRV 0 0 0 .",
        ])
        .await;
        let hosts: Vec<_> = dns.services("_imaps._tcp", "example.org").await;
        let shown: Vec<String> = hosts.iter().map(|s| format!("{}:{}", s.host, s.port)).collect();
        assert_eq!(shown, ["heavy.example.org:993", "light.example.org:1993", "late.example.org:993"]);
        assert!(dns.services("_pop3s._tcp", "example.org").await.is_empty());
        assert!(dns.services("_submission._tcp", "example.org").await.is_empty());
    }

    #[tokio::test]
    async fn exchangers_come_by_preference() {
        let dns = serving(&[
            "example.org. MX 20 b.example.net.",
            "example.org. MX 10 a.example.net.",
            "no.example.org. MX 0 .",
        ]);
        let dns = dns.await;
        assert_eq!(dns.exchangers("example.org").await, ["a.example.net", "b.example.net"]);
        assert!(dns.exchangers("no.example.org").await.is_empty());
        assert!(Dns::of_nobody().exchangers("example.org").await.is_empty());
    }
}
