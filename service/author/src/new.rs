//! `azulejo new`: creates a project with a working bot.

mod languages;

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use languages::{FileKind, Language, With};

/// Create a project with a working bot, for `azulejo play`, `match` and `check`.
///
/// The folder contains the bot and two shell scripts: `build` installs or compiles what it needs, and
/// `run` starts it. The commands call `build` before `run`.
///
/// The SDKs are not published yet: pass the folder `sdk` of an Azulejo checkout with `--sdk`. Without
/// it, the project depends on the package of this version, which is not published yet.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  azulejo new python mybot --sdk ~/azulejo/sdk
  azulejo play ./mybot greedy
  azulejo match ./mybot greedy --games 20
  azulejo check ./mybot
  azulejo new rust searcher --with search --sdk ~/azulejo/sdk")]
pub struct New {
    /// Programming language of the bot.
    language: Language,
    /// Folder to create; its name is the name of the bot.
    folder: PathBuf,
    /// Use the SDK from this folder: `sdk` in a checkout of Azulejo.
    #[arg(long, value_name = "DIR")]
    sdk: Option<PathBuf>,
    /// What the bot begins with, instead of a random move.
    #[arg(long)]
    with: Option<With>,
}

impl New {
    pub fn run(&self) -> Result<()> {
        let name = self.folder.file_name().and_then(|name| name.to_str());
        let name = name.filter(|name| is_valid_name(name)).with_context(|| {
            format!(
                "{} is not a valid bot name: use a letter, then letters, digits, - and _",
                self.folder.display()
            )
        })?;
        if self.folder.exists() {
            bail!("{} already exists; nothing was changed", self.folder.display());
        }
        let sdk = self.sdk.as_deref().map(|sdk| sdk_folder(sdk, self.language)).transpose()?;
        let dependency = self.language.dependency(sdk.as_deref());
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot create {}", self.folder.display()))?;
        for template in self.language.templates(self.with) {
            let text = template.text.replace("{{name}}", name).replace("{{sdk}}", &dependency);
            let text = text.replace("{{sdk_note}}", self.sdk_note());
            let path = self.folder.join(template.path);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(&path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
            if template.kind == FileKind::Script {
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
            }
        }
        self.print_next_steps();
        Ok(())
    }

    /// Where the SDK comes from, for the README of the project.
    const fn sdk_note(&self) -> &'static str {
        match self.sdk {
            Some(_) => {
                "The SDK is not published yet. This project uses the one of an Azulejo checkout."
            }
            None => {
                "The SDK is not published yet, so this project cannot install it. Create the project with \
                 `azulejo new … --sdk DIR`, where DIR is the folder `sdk` of an Azulejo checkout."
            }
        }
    }

    fn print_next_steps(&self) {
        let folder = self.folder.display();
        let prefix = if self.folder.is_absolute() { String::new() } else { "./".to_owned() };
        say!("Created {folder}. The bot is in {}.", self.language.main_file());
        say!("  azulejo play {prefix}{folder} greedy               play one game");
        say!("  azulejo match {prefix}{folder} greedy --games 20   measure its strength");
        say!("  azulejo check {prefix}{folder}                     stress-test it");
        if self.sdk.is_none() {
            say!(
                "The SDK is not published yet: pass the `sdk` folder of a checkout with --sdk DIR."
            );
        }
    }
}

/// Whether the name is valid in every language and file system.
fn is_valid_name(name: &str) -> bool {
    let rest = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(rest)
}

/// The absolute path of the language's SDK in this folder.
fn sdk_folder(sdk: &Path, language: Language) -> Result<PathBuf> {
    let folder = sdk.join(language.sdk_folder());
    if !folder.is_dir() {
        bail!("--sdk {} has no folder {}", sdk.display(), language.sdk_folder());
    }
    folder.canonicalize().with_context(|| format!("cannot use {}", folder.display()))
}
