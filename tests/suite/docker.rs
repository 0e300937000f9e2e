//! The files of the trial in containers belong to this program: what `docker/try.sh` relies on, without a container.

use amici::config::{Config, Imap, Mail, Smtp};
use amici::domain::document::Document;
use amici::intake::decide::{Trust, decide};
use amici::intake::which::Thread;
use amici::io::access::Access;
use amici::io::secret::SecretSource;

fn file(path: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn config() -> Config {
    Config::parse(&file("docker/config.toml")).unwrap()
}

fn servers() -> (Imap, Smtp) {
    match config().mail {
        Some(Mail::Servers { imap, smtp }) => (*imap, *smtp),
        other => panic!("no servers: {other:?}"),
    }
}

#[test]
fn the_configuration_names_the_services_and_what_setup_makes_for_them() {
    let (imap, smtp) = servers();
    let compose = file("docker-compose.yml");
    let setup = file("docker/setup.sh");
    for (host, user, password, trust) in
        [(&imap.host, &imap.user, &imap.password, &imap.trust), (&smtp.host, &smtp.user, &smtp.password, &smtp.trust)]
    {
        assert!(compose.contains(&format!("\n  {host}:\n")), "{host}");
        assert!(setup.contains(&format!("DNS:{host},")), "{host}");
        assert!(setup.contains(&format!("account {user} ")), "{user}");
        let made = Access::Kept(SecretSource::File("/run/secrets/mail_password".into()));
        assert_eq!(format!("{password:?}"), format!("{made:?}"));
        let ca = trust.extra_ca.as_deref();
        assert_eq!(ca, Some(std::path::Path::new("/run/secrets/ca.pem")));
    }
    assert!(setup.contains("secrets=/run/secrets\n"));
    assert!(setup.contains("\"$secrets/mail_password\"") && setup.contains("\"$secrets/ca.pem\""));
}

#[test]
fn the_containers_and_the_player_count_the_same_days() {
    let zone = format!("TZ: ${{TZ:-{}}}\n", config().me.timezone);
    assert!(file("docker-compose.yml").contains(&zone), "{zone}");
}

#[test]
fn the_trial_s_mail_is_a_move_in_the_trial_s_game() {
    let threads: Vec<Thread> = Document::read(&file("docker/game.json"))
        .unwrap()
        .into_iter()
        .map(|game| Thread { game, root_message_id: "<root@example.org>".to_owned() })
        .collect();
    let mail = file("docker/move.eml").replace('\n', "\r\n");
    let at = "2026-03-18T12:00:00Z".parse().unwrap();
    let decision = decide(mail.as_bytes(), &config().me, &Trust::default(), &threads, at).unwrap();
    let [judgement] = decision.judgements.as_slice() else { panic!("{:?}", decision.judgements) };
    assert_eq!(judgement.verdict.outcome(), "move");
    assert_eq!(judgement.thread.unwrap().game.id.as_str(), "TRY-1");
    assert!(file("docker/try.sh").contains("amici play TRY-1 e5"));
}
