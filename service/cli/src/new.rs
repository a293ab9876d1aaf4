//! `azulejo new`: a bot that works, to begin with.

mod languages;

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use languages::{Kind, Language};

/// Make a folder with a bot that works: `azulejo play`, `match` and `check` take it as it is.
///
/// The folder holds the bot, a file `run` that starts it, and a file `build` that installs or
/// compiles what it needs; both are plain scripts, and the verbs call `build` before `run`.
///
/// The SDKs are not published yet: give `--sdk` the folder `sdk` of a checkout of Azulejo. Without
/// it the bot asks for the published package of this version, which cannot be had today.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  azulejo new python mybot --sdk ~/azulejo/sdk
  azulejo play ./mybot greedy
  azulejo match ./mybot greedy --games 20
  azulejo check ./mybot")]
pub(crate) struct New {
    /// The language.
    language: Language,
    /// The folder to make; its last part is the bot's name.
    folder: PathBuf,
    /// The folder `sdk` of a checkout, to take the SDK from there.
    #[arg(long, value_name = "DIR")]
    sdk: Option<PathBuf>,
}

impl New {
    pub(crate) fn run(&self) -> Result<()> {
        let name = self.folder.file_name().and_then(|name| name.to_str());
        let name = name.filter(|name| is_fit(name)).with_context(|| {
            format!(
                "{} is no name for a bot: a letter, then letters, digits, - and _",
                self.folder.display()
            )
        })?;
        if self.folder.exists() {
            bail!("{} is there already; nothing was changed", self.folder.display());
        }
        let sdk = self.sdk.as_deref().map(|sdk| checked(sdk, self.language)).transpose()?;
        let dependency = self.language.dependency(sdk.as_deref());
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make {}", self.folder.display()))?;
        for template in self.language.templates() {
            let text = template.text.replace("{{name}}", name).replace("{{sdk}}", &dependency);
            let text = text.replace("{{published}}", self.published());
            let path = self.folder.join(template.path);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(&path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
            if template.kind == Kind::Script {
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
            }
        }
        self.tell_what_next();
        Ok(())
    }

    /// A sentence for the README of the project on where its SDK comes from.
    const fn published(&self) -> &'static str {
        match self.sdk {
            Some(_) => "The SDK is taken from a checkout of Azulejo: it is not published yet.",
            None => {
                "The SDK is asked for by its name, but it is not published yet: make the project \
                 with `azulejo new … --sdk DIR`, where DIR is the folder `sdk` of a checkout."
            }
        }
    }

    fn tell_what_next(&self) {
        let folder = self.folder.display();
        let given = if self.folder.is_absolute() { String::new() } else { "./".to_owned() };
        say!("A bot that works is in {folder}: {}.", self.language.main_file());
        say!("  azulejo play {given}{folder} greedy               one game, to watch");
        say!("  azulejo match {given}{folder} greedy --games 20   how strong it is");
        say!("  azulejo check {given}{folder}                     whether it is fit for a ladder");
        if self.sdk.is_none() {
            say!("The SDK is not published yet: with --sdk DIR it is taken from a checkout.");
        }
    }
}

/// What every language and every system takes for a name.
fn is_fit(name: &str) -> bool {
    let rest = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(rest)
}

/// The SDK of the language in this folder, as a whole path.
fn checked(sdk: &Path, language: Language) -> Result<PathBuf> {
    let folder = sdk.join(language.sdk_folder());
    if !folder.is_dir() {
        bail!("--sdk {} has no folder {}", sdk.display(), language.sdk_folder());
    }
    folder.canonicalize().with_context(|| format!("cannot use {}", folder.display()))
}
