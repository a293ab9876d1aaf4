//! Turns a file, a folder or a command into a program that can be started as a bot.

use std::fmt;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A bot of your own, and how to start it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// A valid bot name.
    pub(crate) name: String,
    pub(crate) command: Vec<String>,
    /// Its working directory; `None` for that of this process.
    pub(crate) folder: Option<PathBuf>,
    /// The build script, if there is one. It runs before every start, so it must be fast when nothing
    /// has changed.
    pub(crate) build: Option<PathBuf>,
}

/// The script of a folder that starts the bot.
const RUN: &str = "run";
/// The script of a folder that builds the bot.
const BUILD: &str = "build";

impl FromStr for Program {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = Path::new(text);
        if path.is_dir() {
            return Self::of_folder(path);
        }
        if path.is_file() {
            return Self::of_file(path);
        }
        if text.trim().contains(char::is_whitespace) {
            return Ok(Self::of_command(text));
        }
        if text.contains('/') {
            return Err(format!("no such file or folder: {text}"));
        }
        Err("not a house bot, file, folder or command".to_owned())
    }
}

impl Program {
    /// A folder with a script `run` and optionally a script `build`, as `azulejo new` creates it.
    fn of_folder(path: &Path) -> Result<Self, String> {
        let folder = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
        let run = folder.join(RUN);
        if !is_executable(&run) {
            return Err(format!(
                "the folder {} has no executable file `{RUN}` that starts the bot; create one, or a \
                 new project with `azulejo new`",
                path.display()
            ));
        }
        let build = Some(folder.join(BUILD)).filter(|build| is_executable(build));
        let command = vec![run.display().to_string()];
        Ok(Self { name: bot_name(&folder), command, folder: Some(folder), build })
    }

    fn of_file(path: &Path) -> Result<Self, String> {
        let absolute =
            path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
        let file = absolute.display().to_string();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let command = match extension {
            _ if is_executable(path) => vec![file],
            Some("py") => vec!["python3".to_owned(), file],
            Some("js" | "mjs") => vec!["node".to_owned(), file],
            _ => return Err(format!("{0} is not executable; run `chmod +x {0}`", path.display())),
        };
        Ok(Self { name: bot_name(path), command, folder: None, build: None })
    }

    /// A shell command. A simple command is started with `exec`, so that signals reach the bot and not
    /// the shell.
    fn of_command(text: &str) -> Self {
        let named = text.split_whitespace().rfind(|word| !word.starts_with('-'));
        let name = bot_name(Path::new(named.unwrap_or(text)));
        let is_compound = text.contains([';', '&', '|', '(', '\n']);
        let script = if is_compound { text.to_owned() } else { format!("exec env {text}") };
        let command = vec!["sh".to_owned(), "-c".to_owned(), script];
        Self { name, command, folder: None, build: None }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// A valid bot name for a file or folder: `my-bot` for `My Bot.py`.
fn bot_name(path: &Path) -> String {
    /// Leaves room for the number that distinguishes bots of the same name.
    const MAX_LENGTH: usize = 24;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let replaced = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name: String = stem.chars().map(replaced).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "bot".to_owned() } else { name.chars().take(MAX_LENGTH).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_becomes_a_valid_bot_name() {
        let named = |path: &str| bot_name(Path::new(path));
        assert_eq!(named("bots/My Bot.py"), "my-bot");
        assert_eq!(named("./…"), "bot");
        assert_eq!(named(&"x".repeat(99)), "x".repeat(24));
    }

    #[test]
    fn a_command_is_named_after_its_last_word_and_run_by_the_shell() {
        let program: Program = "python3 -u bots/smart.py".parse().unwrap();
        assert_eq!(program.name, "smart");
        assert_eq!(program.command, ["sh", "-c", "exec env python3 -u bots/smart.py"]);
    }

    #[test]
    fn a_missing_program_is_an_error_that_says_what_was_expected() {
        let refused = |text: &str| text.parse::<Program>().unwrap_err();
        assert_eq!(refused("./missing"), "no such file or folder: ./missing");
        assert_eq!(refused("missing"), "not a house bot, file, folder or command");
    }
}
