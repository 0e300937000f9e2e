//! Whether `amici run` serves the desk all the time, and where: the section `[desk]`.

use std::net::SocketAddr;

use super::section::Section;

/// The local web page of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Desk {
    /// Where it is served, on this machine alone; `None` where only `amici desk` serves it, while it runs.
    pub listen: Option<SocketAddr>,
}

/// Reads the section.
pub(super) fn desk(s: &mut Section<'_>) -> Desk {
    let listen = s.opt_text("listen").and_then(|text| {
        let help = "listen = \"127.0.0.1:8086\"; from another machine reach it through `ssh -L 8086:127.0.0.1:8086`";
        match text.parse::<SocketAddr>() {
            Ok(address) if !address.ip().is_loopback() => {
                s.problem("listen", &format!("`{text}` can be reached from other machines"), help);
                None
            }
            Ok(address) if address.port() == 0 => {
                s.problem("listen", &format!("`{text}` names no port"), help);
                None
            }
            Ok(address) => Some(address),
            Err(_) => {
                s.problem("listen", &format!("`{text}` is no address with its port"), help);
                None
            }
        }
    });
    s.finish();
    Desk { listen }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;

    const ME: &str = "[me]\nname = \"Nora\"\nemails = [\"nora@example.org\"]\ntimezone = \"Europe/Stockholm\"\n";

    #[test]
    fn the_desk_is_served_on_this_machine_alone() {
        let read = |listen: &str| Config::parse(&format!("{ME}[desk]\nlisten = \"{listen}\"\n"));
        assert_eq!(Config::parse(ME).unwrap().desk.listen, None);
        for listen in ["127.0.0.1:8086", "[::1]:8086", "127.5.0.1:80"] {
            assert_eq!(read(listen).unwrap().desk.listen, Some(listen.parse().unwrap()));
        }
        for (listen, why) in [
            ("0.0.0.0:8086", "can be reached from other machines"),
            ("[::]:8086", "can be reached from other machines"),
            ("192.168.1.4:8086", "can be reached from other machines"),
            ("[::ffff:127.0.0.1]:8086", "can be reached from other machines"),
            ("127.0.0.1:0", "names no port"),
            ("localhost:8086", "is no address with its port"),
            ("127.0.0.1", "is no address with its port"),
        ] {
            let problems = read(listen).unwrap_err();
            assert_eq!(problems.len(), 1, "{listen}");
            assert_eq!(
                (problems[0].key.as_str(), problems[0].why.as_str()),
                ("desk.listen", &*format!("`{listen}` {why}"))
            );
            assert!(problems[0].help.contains("listen = \"127.0.0.1:8086\""));
        }
    }
}
