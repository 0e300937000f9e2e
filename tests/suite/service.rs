//! `amici service`: the unit is written and the service manager told, as the player agreed. A stand-in for the manager writes down what it
//! is asked.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::cli::Player;

/// Programs of these names that write down how they are called; `systemctl show` answers as the real one does of a running service.
fn with_manager(player: &Player) -> String {
    let bin = player.path("bin");
    fs::create_dir(&bin).unwrap();
    let calls = player.path("calls");
    let shown = "UnitFileState=enabled\\nActiveState=active\\nSubState=running\\nResult=success\\nExecMainStatus=0\\n";
    let log = "INFO the mailbox is looked at\\n WARN the mailbox cannot be read: away\\n INFO it is back\\n";
    let program = format!(
        "#!/bin/sh\necho \"${{0##*/}} $*\" >> {}\ncase \"$*\" in *show*) printf '{shown}';; *journal*|--user-unit*) printf '{log}';; esac\n",
        calls.display()
    );
    for name in ["systemctl", "journalctl"] {
        fs::write(bin.join(name), &program).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    format!("{}:{}", bin.display(), std::env::var("PATH").unwrap())
}

fn calls(player: &Player) -> Vec<String> {
    let calls = fs::read_to_string(player.path("calls")).unwrap_or_default();
    let _ = fs::remove_file(player.path("calls"));
    calls.lines().map(str::to_owned).collect()
}

#[test]
fn a_service_is_installed_looked_at_and_removed_on_a_yes() {
    let player = Player::new();
    let path = with_manager(&player);
    let path = [("PATH", path.as_str())];
    let unit = player.path(".config/systemd/user/amici.service");

    // what would be done is told, and nothing is done
    let refusal = player.run_with(&["service", "install"], &path).failure(6);
    assert!(refusal.contains("This is run:     systemctl --user enable amici.service"), "{refusal}");
    assert!(!unit.exists() && calls(&player).is_empty());
    let away = player.run_with(&["service", "status"], &path);
    assert!(away.code == 8 && away.out.contains("file    not installed: amici service install"), "{away:?}");
    calls(&player);

    let said = player.run_with(&["service", "install", "--yes"], &path).result();
    assert!(said.contains("loginctl enable-linger"), "{said}");
    let told = ["daemon-reload", "enable amici.service", "restart amici.service"];
    assert_eq!(calls(&player), told.map(|words| format!("systemctl --user {words}")));
    let text = fs::read_to_string(&unit).unwrap();
    let data = player.path("data");
    for line in [
        format!(
            "ExecStart={} --config {} --data {} run",
            env!("CARGO_BIN_EXE_amici"),
            player.path("config.toml").display(),
            data.display()
        ),
        format!("ReadWritePaths={}", data.display()),
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }
    assert_eq!(fs::metadata(&data).unwrap().permissions().mode() & 0o777, 0o700);

    let status = player.run_with(&["service", "status", "--json"], &path);
    let document: serde_json::Value = serde_json::from_str(&status.out).unwrap();
    assert_eq!(
        (status.code, &document["installed"], &document["state"]),
        (8, &true.into(), &"enabled, active (running)".into())
    );
    assert_eq!(document["last_errors"], serde_json::json!([" WARN the mailbox cannot be read: away"]));
    assert!(document["health"].as_str().unwrap().starts_with("the daemon never ran here"), "{document}");
    calls(&player);

    player.run_with(&["service", "remove"], &path).failure(6);
    assert!(unit.exists() && calls(&player).is_empty());
    player.run_with(&["service", "remove", "--yes"], &path).result();
    assert!(!unit.exists());
    assert_eq!(calls(&player), ["systemctl --user disable --now amici.service", "systemctl --user daemon-reload"]);
    assert!(player.run_with(&["service", "remove", "--yes"], &path).result().contains("no service is installed"));
}

#[test]
fn a_unit_that_is_only_written_starts_nothing_and_is_one_that_systemd_takes() {
    let player = Player::new();
    for (name, more) in [("user.service", &[][..]), ("system.service", &["--system"][..])] {
        let file = player.path(name);
        let file = file.to_str().unwrap();
        player.run(&[&["service", "install", "-o", file], more].concat()).result();
        assert!(
            player.run(&[&["service", "install", "-o", file], more].concat()).failure(1).contains("exists already")
        );
        assert_eq!(
            player.run(&[&["service", "install", "-o", "-"], more].concat()).result(),
            fs::read_to_string(file).unwrap()
        );
        // a part of systemd, which is not on every machine
        if let Ok(verified) = Command::new("systemd-analyze").args(["verify", "--man=no", file]).output() {
            let said = String::from_utf8_lossy(&verified.stderr).into_owned();
            let ours: Vec<&str> = said.lines().filter(|line| line.contains(name)).collect();
            assert_eq!(ours, [""; 0], "{said}");
        }
    }
}

#[test]
fn the_files_of_other_systems_say_themselves_how_they_are_used() {
    let player = Player::new();
    for (form, command) in [("launchd", "launchctl bootstrap"), ("task", "schtasks /Create /TN amici /XML amici.xml")] {
        let text = player.run(&["service", "install", "--form", form, "-o", "-"]).result();
        assert!(text.contains(command) && text.contains(env!("CARGO_BIN_EXE_amici")), "{text}");
    }
}

#[test]
fn a_service_without_a_configuration_or_a_manager_is_not_installed() {
    let player = Player::new();
    let nowhere = [("PATH", "/nowhere")];
    let unmanaged = player.run_with(&["service", "install", "--yes"], &nowhere).failure(1);
    assert!(unmanaged.contains("`systemctl` cannot be run"), "{unmanaged}");
    fs::remove_file(player.path("config.toml")).unwrap();
    assert!(player.run_with(&["service", "install", "--yes"], &nowhere).failure(3).contains("`amici init` makes one"));
}
