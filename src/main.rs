//! The program: parse arguments, start logging, run the command, print, exit. No logic.

use std::io::Write;
use std::process::ExitCode;

use amici::cli::{Cli, Failure};

fn main() -> ExitCode {
    let cli = Cli::of_process();
    amici::cli::start_logging(&cli);
    let mut builder = match cli.is_daemon() {
        true => tokio::runtime::Builder::new_multi_thread(),
        false => tokio::runtime::Builder::new_current_thread(),
    };
    let result = match builder.enable_all().build() {
        Ok(runtime) => runtime.block_on(cli.run()),
        Err(error) => Err(Failure::new(amici::cli::Exit::Failed, format!("the program cannot start: {error}"))),
    };
    match result {
        Ok(report) => {
            let done = std::io::stdout().lock().write_all(report.text.as_bytes());
            // a closed pipe, as behind `| head`, is no failure
            if done.is_err() { ExitCode::SUCCESS } else { ExitCode::from(report.exit as u8) }
        }
        Err(failure) => {
            let _ = writeln!(std::io::stderr().lock(), "error: {}", failure.message);
            ExitCode::from(failure.exit as u8)
        }
    }
}
