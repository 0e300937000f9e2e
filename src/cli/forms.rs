//! `amici forms`: the forms that a reply can have, and what one writes.

use std::io::ErrorKind;
use std::path::Path;

use clap::{Args as ClapArgs, Subcommand};
use serde_json::{Value, json};

use super::{Exit, Failure, Report, Setup, find};
use crate::config::{Config, Form, Language, Me, OwnForm, Style, Styles};
use crate::domain::game::GameId;
use crate::intake::table::his_table;
use crate::io::file::read_text;
use crate::letters::{LetterError, reply_text, sample_reply};

/// Show the forms that your replies can have
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// One JSON document
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<FormsCommand>,
}

#[derive(Debug, Subcommand)]
enum FormsCommand {
    Show(ShowArgs),
}

/// A reply in one form, of a game of yours or of a sample
#[derive(Debug, ClapArgs)]
struct ShowArgs {
    /// Its name, as `amici forms` lists it, or the file of your own template
    name: String,
    /// In which language [default: as configured]: en, de, fr, es, it, pt, nl, ru
    #[arg(long, value_name = "CODE")]
    language: Option<Language>,
    /// The reply of this game, finished or with the move left open
    #[arg(long, value_name = "GAME")]
    game: Option<GameId>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    match args.command {
        None => Ok(list(configured(setup)?.as_ref(), args.json).into()),
        Some(FormsCommand::Show(show)) => {
            let json = show.json || args.json;
            show_form(setup, show, json).await
        }
    }
}

/// The configuration; none where there is no file yet.
fn configured(setup: &Setup) -> Result<Option<Config>, Failure> {
    if setup.config.is_none() && !setup.config_file().is_ok_and(|file| file.exists()) {
        return Ok(None);
    }
    setup.config().map(Some)
}

fn list(config: Option<&Config>, json: bool) -> String {
    let used: Vec<Style> = config.map(|config| config.me.styles.all()).unwrap_or_else(|| vec![Style::default()]);
    let is_used = |form: &Form| used.iter().any(|style| style.form == *form);
    let own = used.iter().filter(|style| matches!(style.form, Form::Own(_))).map(|style| &style.form);
    let mut own: Vec<&Form> = own.collect();
    own.dedup();
    if json {
        let built_in = Form::BUILT_IN
            .iter()
            .map(|(form, name, what)| json!({"name": name, "what": what, "own": false, "used": is_used(form)}));
        let own = own.iter().map(|form| json!({"name": form.name(), "what": null, "own": true, "used": true}));
        let forms: Vec<Value> = built_in.chain(own).collect();
        let languages: Vec<&str> = Language::ALL.iter().map(|(_, code)| *code).collect();
        return format!("{:#}\n", json!({"schema": 1, "forms": forms, "languages": languages}));
    }
    let mut text = String::new();
    for (form, name, what) in &Form::BUILT_IN {
        let mark = if is_used(form) { "*" } else { " " };
        text.push_str(&format!("{mark} {name:<5} {what}\n"));
    }
    for form in own {
        text.push_str(&format!("* {}  your own template\n", form.name()));
    }
    let codes: Vec<&str> = Language::ALL.iter().map(|(_, code)| *code).collect();
    text.push_str(&format!(
        "\n* in use. Choose with `form` and `language` ({}) in [letters], or for one opponent in [[opponent]].\n\
         The clubs' forms write letters (Nf3) where the game agreed on them, else digits.\n\
         One in full: amici forms show NAME [--language CODE] [--game GAME].\n",
        codes.join(", ")
    ));
    text
}

async fn show_form(setup: &Setup, args: ShowArgs, json: bool) -> Result<Report, Failure> {
    let config = configured(setup)?;
    let form = form_of(&args.name)?;
    let (game, table) = match &args.game {
        Some(id) => {
            let mut store = setup.store_to_read().await?;
            let thread = find(&mut store, id).await?;
            let table = his_table(&mut store, &thread).await?;
            (thread.game, table)
        }
        None => (sample_reply(), Vec::new()),
    };
    let me = match config {
        Some(config) => config.me,
        None => somebody(),
    };
    let used = me.styles.of(game.opponent());
    let language = args.language.unwrap_or(used.language);
    let style = Style { form, language, ..used };
    let me = Me { styles: Styles::general(style), ..me };
    let text =
        reply_text(&game, &table, &me).map_err(|error: LetterError| Failure::new(Exit::Failed, error.to_string()))?;
    if !json {
        return Ok(text.into());
    }
    let document =
        json!({"schema": 1, "form": args.name, "language": language.to_string(), "game": args.game, "text": text});
    Ok(format!("{document:#}\n").into())
}

fn form_of(name: &str) -> Result<Form, Failure> {
    if let Some(form) = Form::named(name) {
        return Ok(form);
    }
    let known: Vec<&str> = Form::BUILT_IN.iter().map(|(_, name, _)| *name).collect();
    match read_text(Path::new(name), OwnForm::LARGEST) {
        Ok(source) => Ok(Form::Own(OwnForm { file: name.to_owned(), source })),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(Failure::new(
            Exit::Failed,
            format!("there is no form `{name}`, and no file of that name\nhelp: choose one of {}", known.join(", ")),
        )),
        Err(error) => {
            let known = known.join(", ");
            let why = format!("the template {name} cannot be read: {error}\nhelp: name a text file, or one of {known}");
            Err(Failure::new(Exit::Failed, why))
        }
    }
}

/// Whoever looks at the forms before he is configured.
fn somebody() -> Me {
    Me {
        name: "You".to_owned(),
        emails: Vec::new(),
        timezone: chrono_tz::UTC,
        received: Default::default(),
        language: Language::English,
        picture: true,
        styles: Styles::default(),
    }
}
