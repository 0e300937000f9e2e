//! The program: parse arguments, start logging, run the command, print, exit. No logic.

use std::io::Write;
use std::process::ExitCode;

use amici::cli::{Cli, stdio};

fn main() -> ExitCode {
    let cli = Cli::of_process();
    let logging = amici::cli::start_logging(&cli);
    let ended = cli.run();
    drop(logging);
    match ended {
        Ok(report) => {
            let done = stdio::stdout().write_all(report.text.as_bytes());
            // a closed pipe, as after `| head`, is no failure
            if done.is_err() { ExitCode::SUCCESS } else { ExitCode::from(report.exit as u8) }
        }
        Err(failure) => {
            let _ = writeln!(stdio::stderr(), "error: {}", failure.message);
            ExitCode::from(failure.exit as u8)
        }
    }
}
