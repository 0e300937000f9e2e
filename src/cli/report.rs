//! `amici report`: the pages of the desk as files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as ClapArgs;

use super::desk::Program;
use super::{Exit, Failure, Report, Setup, output};
use crate::desk::report::{Shown, Written, pages};
use crate::letters::plural;

/// Write your games, events and dates as web pages into a folder
///
/// The pages are those of the desk, to be kept, printed or put on a club's page. They hold no private notes, and neither plans nor mails nor
/// addresses without --mails.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// Only games with this in their id, opponent or event
    #[arg(value_name = "PART", default_value = "", hide_default_value = true)]
    of: String,
    /// The folder; it is made where there is none
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Finished games too
    #[arg(long)]
    all: bool,
    /// Mails, letters, addresses, drafts and what is held too
    #[arg(long)]
    mails: bool,
    /// Replace the files of an earlier report
    #[arg(long)]
    force: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let is_part = !args.of.trim().is_empty();
    let written = pages(
        Arc::new(Program::of(setup)),
        Shown { of: args.of.trim().to_owned(), finished: args.all, mails: args.mails },
    )
    .await?;
    if let Some(old) = left_over(&args.output, &written) {
        let text = format!(
            "{} is of an earlier report, and would stay in this one\nhelp: name another folder, or delete it first",
            old.display()
        );
        return Err(Failure::new(Exit::Failed, text));
    }
    for file in &written {
        let path = args.output.join(&file.name);
        output::make_private(path.parent().unwrap_or(&args.output))?;
        output::write(&path, file.text.as_bytes(), args.force)?;
    }
    let first = args.output.join("index.html");
    let games = written.iter().filter(|file| file.name.starts_with("game/")).count();
    let more = if is_part { "" } else { ", with the events and what comes" };
    Ok(format!("{}: {}{more}.\n", first.display(), plural(games, "game")).into())
}

/// A page of an earlier report that this one does not write anew: it may tell what this one must not.
fn left_over(folder: &Path, written: &[Written]) -> Option<PathBuf> {
    let of =
        |within: &str| std::fs::read_dir(folder.join(within)).into_iter().flatten().flatten().map(|entry| entry.path());
    let named = ["held.html", "ahead.html"].map(|name| folder.join(name)).into_iter().filter(|path| path.exists());
    let pages = named.chain(["event", "game", "letter", "mail"].into_iter().flat_map(of));
    let is_old = |path: &PathBuf| {
        let is_page = path.extension().is_some_and(|ext| ext == "html");
        is_page && !written.iter().any(|file| folder.join(&file.name) == *path)
    };
    pages.into_iter().find(is_old)
}
