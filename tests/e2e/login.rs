//! `amici login` at a provider of the test, and what follows: Dovecot and Exim take the tokens that the program then gets itself.

use crate::player::{Player, await_letters, game, mail};
use crate::support::provider::{Provider, get};
use crate::support::{HARRIET, PLAYER, Servers, poll};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread;

/// The servers, their provider, and a player who has yet to log in there.
fn world() -> (Servers, Provider, Player) {
    let provider = Provider::start(PLAYER);
    let servers = Servers::start_with_tokens(&provider.introspection());
    provider.tell_exim(servers.dir().join("smtp-tokens"));
    let player = Player::of(&servers);
    let config = player.file("config.toml");
    let password = format!("password.file = \"{}\"", player.file("password").display());
    let text = fs::read_to_string(&config).unwrap();
    assert_eq!(text.matches(&password).count(), 2);
    fs::write(config, text.replace(&password, &provider.configuration())).unwrap();
    fs::remove_file(player.file("password")).unwrap();
    (servers, provider, player)
}

/// The file that the login is kept in.
fn kept(player: &Player) -> PathBuf {
    let files = fs::read_dir(player.file("data")).unwrap().map(|entry| entry.unwrap().path());
    let name = format!("login-127.0.0.1-{PLAYER}");
    let found: Vec<PathBuf> = files.filter(|file| file.ends_with(&name)).collect();
    assert_eq!(found.len(), 1);
    found[0].clone()
}

#[test]
fn a_login_by_code_is_renewed_while_the_program_runs_and_what_is_kept_is_what_the_provider_takes() {
    let (servers, provider, player) = world();
    let before = player.amici(&["check"]);
    assert_eq!(before.code, 7, "{before:?}");
    assert_eq!(before.out.matches("help: `amici login` makes one").count(), 2, "{}", before.out);

    provider.script(&["authorization_pending", "authorization_pending"]);
    let ended = player.amici(&["login"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.err.contains("/activate\n") && ended.err.contains("type there WDJB-MJHT"), "{}", ended.err);
    assert!(
        ended.out.contains(&format!("{PLAYER} is logged in at Example.")) && ended.out.contains("amici check"),
        "{}",
        ended.out
    );
    let file = kept(&player);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(provider.asked(), 3);
    let checked = player.ok(&["check"]);
    assert!(checked.contains(&format!("ok      imap         {} as {PLAYER}", servers.host())), "{checked}");

    player.import(&[game("G-1", HARRIET, "black", &[])]);
    let mut daemon = player.run_with("debug");
    player.await_status("a look", |status| !status["last_check"].is_null());
    // it ends long before the hour that was promised, and the server hangs up
    provider.end_access();
    servers.kick(PLAYER);
    servers.send_as(HARRIET, PLAYER, &mail(HARRIET, "h1", "G-1", "1. 5254"));
    await_letters(&servers, &player, 1);
    assert_eq!(player.moves("G-1"), ["5254"]);
    assert!(daemon.lives());
    // another process renews it meanwhile, and the daemon goes on with what that one kept
    player.ok(&["check"]);
    provider.end_access();
    servers.kick(PLAYER);
    servers.send_as(HARRIET, PLAYER, &mail(HARRIET, "h2", "Hello", "no move"));
    let again = provider.asked();
    assert!(poll(|| (provider.asked() > again).then_some(())).is_some(), "{}", player.log());
    assert!(daemon.terminate().success());
    assert_eq!(fs::read_to_string(&file).unwrap().trim(), provider.refresh().unwrap());
    let said = player.log() + &fs::read_to_string(player.file("config.toml")).unwrap() + &ended.out + &ended.err;
    assert!(!said.contains("refresh-") && !said.contains("access-"), "{said}");
}

#[test]
fn a_login_that_is_taken_back_counts_as_refused_and_is_made_anew() {
    let (_servers, provider, player) = world();
    player.ok(&["login"]);
    player.ok(&["check"]);
    provider.take_back();
    for _ in 0..3 {
        let ended = player.amici(&["poll"]);
        assert_eq!(ended.code, 7, "{ended:?}");
        assert!(ended.err.contains("Example takes the login of before no more: because (invalid_grant)"), "{ended:?}");
        assert!(ended.err.contains("help: log in anew: `amici login`, then `amici check`"), "{ended:?}");
    }
    let asked = provider.asked();
    let ended = player.amici(&["poll"]);
    assert!(ended.code == 7 && ended.err.contains("it is not tried any more"), "{ended:?}");
    assert_eq!(provider.asked(), asked, "nobody asks again and again");
    player.ok(&["login"]);
    assert!(player.ok(&["check"]).contains("resumed"));
    player.ok(&["poll"]);
}

#[test]
fn a_provider_in_trouble_is_an_outage_and_no_refusal() {
    let (_servers, provider, player) = world();
    player.ok(&["login"]);
    provider.is_down(true);
    for _ in 0..4 {
        let ended = player.amici(&["poll"]);
        assert_eq!(ended.code, 7, "{ended:?}");
        assert!(ended.err.contains("Example cannot be asked for a token: the server answers 503"), "{ended:?}");
    }
    provider.is_down(false);
    player.ok(&["poll"]);
}

#[test]
fn who_says_no_or_comes_too_late_is_told_so_and_nothing_is_kept() {
    let (_servers, provider, player) = world();
    for (answers, said) in [
        (&["authorization_pending", "access_denied"][..], "the login at Example was refused: because (access_denied)"),
        (&["expired_token"][..], "nobody logged in at Example in time\nhelp: begin anew: `amici login`"),
        (&["unauthorized_client"][..], "Example does not let this program ask: because (unauthorized_client)"),
    ] {
        provider.script(answers);
        let ended = player.amici(&["login"]);
        assert_eq!(ended.code, 7, "{ended:?}");
        assert!(ended.err.contains(said), "{ended:?}");
    }
    assert!(!player.file("data").exists());
    let both = player.amici(&["login", "--device", "--browser"]);
    assert_eq!(both.code, 2, "{both:?}");
}

/// A login in the browser that waits, with its link.
struct Waiting {
    child: Child,
    said: BufReader<ChildStderr>,
    link: String,
}

impl Waiting {
    fn start(player: &Player) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_amici"));
        command.arg("--config").arg(player.file("config.toml")).arg("--data").arg(player.file("data"));
        command.args(["login", "--browser"]).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut link = String::new();
        while !link.starts_with("http://") {
            link.clear();
            assert!(said.read_line(&mut link).unwrap() > 0, "it ends without a link");
        }
        Self { child, said, link: link.trim().to_owned() }
    }

    /// Where the browser is to come back to, as the link says.
    fn back(&self) -> String {
        let back = self.link.split("redirect_uri=").nth(1).unwrap().split('&').next().unwrap();
        back.replace("%3A", ":").replace("%2F", "/")
    }

    /// How it ends, and what it says.
    fn end(mut self) -> (i32, String) {
        let mut said = String::new();
        self.said.read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap().code().unwrap(), said)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        // it has ended already, unless the test failed
        let _ = self.child.kill();
    }
}

#[test]
fn a_login_in_the_browser_believes_its_own_state_alone_and_proves_that_it_began_it() {
    let (_servers, provider, player) = world();
    let waiting = Waiting::start(&player);
    let back = waiting.back();
    assert!(back.starts_with("http://127.0.0.1:"), "{back}");
    for (path, status) in [("/favicon.ico", 404), ("/?code=the-code&state=another", 400), ("/?code=the-code", 400)] {
        assert_eq!(get(&format!("{back}{path}")).0, status, "{path}");
    }
    assert_eq!(provider.asked(), 0, "nothing is asked for what another brings");
    let (status, answer) = get(&waiting.link);
    assert_eq!(status, 302);
    let to = answer.split("Location: ").nth(1).unwrap().lines().next().unwrap();
    assert!(to.starts_with(&back));
    let (status, page) = get(to);
    assert!(status == 200 && page.contains("You can close this page"), "{page}");
    let (code, said) = waiting.end();
    assert_eq!(code, 0, "{said}");
    assert_eq!(fs::read_to_string(kept(&player)).unwrap().trim(), provider.refresh().unwrap());
    player.ok(&["check"]);

    // the person says no
    let waiting = Waiting::start(&player);
    let state = waiting.link.split("state=").nth(1).unwrap().split('&').next().unwrap().to_owned();
    get(&format!("{}/?error=access_denied&error_description=no+thanks&state={state}", waiting.back()));
    let (code, said) = waiting.end();
    assert!(
        code == 7 && said.contains("the login at Example was refused: no thanks (access_denied)"),
        "{code}: {said}"
    );
}

#[test]
fn two_processes_at_once_do_not_lose_the_new_token() {
    let (_servers, provider, player) = world();
    player.ok(&["login"]);
    // Exim knows the newest token only, so that some may be refused there: what counts is what is kept
    thread::scope(|scope| {
        let running: Vec<_> = (0..4).map(|_| scope.spawn(|| player.amici(&["check"]))).collect();
        for ended in running {
            let ended = ended.join().unwrap();
            assert!(!(ended.out + &ended.err).contains("invalid_grant"));
        }
    });
    assert_eq!(provider.asked(), 5, "the login, and one for each process");
    assert_eq!(fs::read_to_string(kept(&player)).unwrap().trim(), provider.refresh().unwrap());
    player.ok(&["check"]);
}

#[test]
fn a_login_can_be_kept_in_the_password_store_and_is_renewed_there() {
    let (_servers, provider, player) = world();
    // stands in for the real one, which wants a key: keeps what comes in, and prints it again
    let (bin, kept) = (player.file("bin"), player.file("kept"));
    fs::create_dir(&bin).unwrap();
    let stand_in = format!("#!/bin/sh\ncase $1 in insert) cat > {0};; show) cat {0};; esac\n", kept.display());
    fs::write(bin.join("pass"), stand_in).unwrap();
    fs::set_permissions(bin.join("pass"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = [("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()))];
    let config = player.file("config.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("token.scopes", "token.store = \"pass\"\ntoken.scopes")).unwrap();
    for command in ["check", "login", "check", "poll"] {
        let ended = player.amici_with(&[command], "", &path);
        let is_before = !kept.exists();
        assert_eq!(ended.code, if is_before { 7 } else { 0 }, "{command}: {ended:?}");
        assert!(!is_before || ended.out.contains("pass does not give what was kept (exit status: 1)"), "{ended:?}");
    }
    assert_eq!(fs::read_to_string(&kept).unwrap(), provider.refresh().unwrap());
    assert_eq!(provider.asked(), 3, "the login, and one for each command that followed");
}

#[test]
fn a_second_setup_logs_in_anew_and_keeps_the_addresses_of_the_provider() {
    let (servers, provider, player) = world();
    let config = player.file("config.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("amici-of-the-test", "the-one-of-before")).unwrap();
    let (imap, smtp) =
        (servers.socket(servers.imaps_port()).to_string(), servers.socket(servers.smtps_port()).to_string());
    let args = ["init", "--client-id", "amici-of-the-test", "--provider", "Example", "--imap", &imap, "--smtp", &smtp];
    let without = player.amici(&args);
    assert_eq!(without.code, 6, "{without:?}");
    assert!(fs::read_to_string(&config).unwrap().contains("the-one-of-before"));
    assert!(!player.file("data").exists(), "nothing is kept before the yes");

    let ended = player.amici(&[&args[..], &["--yes"]].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    let text = fs::read_to_string(&config).unwrap();
    assert_eq!(text.matches("client_id = \"amici-of-the-test\"").count(), 2, "{text}");
    assert_eq!(text.matches("token_url = ").count(), 2, "{text}");
    assert_eq!(fs::read_to_string(kept(&player)).unwrap().trim(), provider.refresh().unwrap());
    player.ok(&["check"]);
    // a third keeps it
    player.ok(&["init", "--yes"]);
}
