//! What a file, a folder or a command means as a bot.

use std::fmt;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A bot that somebody wrote, and how it is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// As the arena takes names.
    pub(crate) name: String,
    pub(crate) command: Vec<String>,
    /// Where it runs; none: where this process does.
    pub(crate) folder: Option<PathBuf>,
    /// What makes it ready to run, if there is something. It has to be quick if nothing changed.
    pub(crate) build: Option<PathBuf>,
}

/// The file that starts the bot of a folder.
const RUN: &str = "run";
/// The file that makes it ready.
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
            return Err(format!("there is no file and no folder {text}"));
        }
        Err("no house bot, file, folder or command has this name".to_owned())
    }
}

impl Program {
    /// A folder as `azulejo new` makes them: it holds `run`, and possibly `build`.
    fn of_folder(path: &Path) -> Result<Self, String> {
        let folder = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
        let run = folder.join(RUN);
        if !is_executable(&run) {
            return Err(format!(
                "the folder {} has no executable file `{RUN}` that starts the bot; `azulejo new` \
                 makes folders that do",
                path.display()
            ));
        }
        let build = Some(folder.join(BUILD)).filter(|build| is_executable(build));
        let command = vec![run.display().to_string()];
        Ok(Self { name: fit_for_the_arena(&folder), command, folder: Some(folder), build })
    }

    fn of_file(path: &Path) -> Result<Self, String> {
        let whole = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
        let file = whole.display().to_string();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let command = match extension {
            _ if is_executable(path) => vec![file],
            Some("py") => vec!["python3".to_owned(), file],
            Some("js" | "mjs") => vec!["node".to_owned(), file],
            _ => return Err(format!("{0} is not executable: chmod +x {0}", path.display())),
        };
        Ok(Self { name: fit_for_the_arena(path), command, folder: None, build: None })
    }

    /// By the shell, with whatever it understands. A simple command takes the place of the shell:
    /// its process is the bot's.
    fn of_command(text: &str) -> Self {
        let named = text.split_whitespace().rfind(|word| !word.starts_with('-'));
        let name = fit_for_the_arena(Path::new(named.unwrap_or(text)));
        let several = text.contains([';', '&', '|', '(', '\n']);
        let script = if several { text.to_owned() } else { format!("exec env {text}") };
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

/// `My Bot.py` as `my-bot`: what the arena takes for a name.
fn fit_for_the_arena(path: &Path) -> String {
    /// Leaves room for a number where two are alike.
    const LONGEST: usize = 24;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name: String = stem.chars().map(plain).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "bot".to_owned() } else { name.chars().take(LONGEST).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_made_fit_for_the_arena() {
        let named = |path: &str| fit_for_the_arena(Path::new(path));
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
    fn what_is_not_there_is_refused_in_words() {
        let refused = |text: &str| text.parse::<Program>().unwrap_err();
        assert_eq!(refused("./nobody"), "there is no file and no folder ./nobody");
        assert!(refused("nobody").contains("no house bot, file, folder or command"));
    }
}
