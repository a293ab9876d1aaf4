//! The project templates of each language.

use std::path::Path;

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Language {
    Python,
    Go,
    Js,
    Rust,
}

/// What a new bot can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum With {
    /// A search with the engine in the bot's process: every move is played to the end many times.
    Search,
}

/// A file of the new project. `{{name}}`, `{{sdk}}` and `{{sdk_note}}` are replaced.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) path: &'static str,
    pub(super) text: &'static str,
    pub(super) kind: FileKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    Text,
    Script,
}

macro_rules! text {
    ($path:literal, $from:literal) => {
        Template { path: $path, text: include_str!($from), kind: FileKind::Text }
    };
}

macro_rules! script {
    ($path:literal, $from:literal) => {
        Template { path: $path, text: include_str!($from), kind: FileKind::Script }
    };
}

/// The version of the SDKs that matches this program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

impl Language {
    /// The files of a project: the bot, and what it needs.
    pub(super) fn templates(self, with: Option<With>) -> impl Iterator<Item = &'static Template> {
        std::iter::once(self.bot(with)).chain(self.surroundings())
    }

    const fn bot(self, with: Option<With>) -> &'static Template {
        match (self, with) {
            (Self::Python, None) => &text!("bot.py", "python/bot.py"),
            (Self::Python, Some(With::Search)) => &text!("bot.py", "python/search.py"),
            (Self::Go, None) => &text!("main.go", "go/main.go.txt"),
            (Self::Go, Some(With::Search)) => &text!("main.go", "go/search.go.txt"),
            (Self::Js, None) => &text!("bot.js", "js/bot.js"),
            (Self::Js, Some(With::Search)) => &text!("bot.js", "js/search.js"),
            (Self::Rust, None) => &text!("src/main.rs", "rust/main.rs.txt"),
            (Self::Rust, Some(With::Search)) => &text!("src/main.rs", "rust/search.rs.txt"),
        }
    }

    const fn surroundings(self) -> &'static [Template] {
        match self {
            Self::Python => &[
                text!("requirements.txt", "python/requirements.txt"),
                script!("build", "python/build"),
                script!("run", "python/run"),
                text!("README.md", "README.md"),
                text!(".gitignore", "python/gitignore"),
            ],
            Self::Go => &[
                text!("go.mod", "go/go.mod.txt"),
                script!("build", "go/build"),
                script!("run", "go/run"),
                text!("README.md", "README.md"),
                text!(".gitignore", "go/gitignore"),
            ],
            Self::Js => &[
                text!("package.json", "js/package.json.txt"),
                script!("build", "js/build"),
                script!("run", "js/run"),
                text!("README.md", "README.md"),
                text!(".gitignore", "js/gitignore"),
            ],
            Self::Rust => &[
                text!("Cargo.toml", "rust/Cargo.toml.txt"),
                script!("build", "rust/build"),
                script!("run", "rust/run"),
                text!("README.md", "README.md"),
                text!(".gitignore", "rust/gitignore"),
            ],
        }
    }

    pub(super) const fn main_file(self) -> &'static str {
        match self {
            Self::Python => "bot.py",
            Self::Go => "main.go",
            Self::Js => "bot.js",
            Self::Rust => "src/main.rs",
        }
    }

    pub(super) const fn sdk_folder(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Go => "go",
            Self::Js => "js",
            Self::Rust => "rust",
        }
    }

    /// The project's dependency on the SDK: a version, or a path in a checkout.
    pub(super) fn dependency(self, checkout: Option<&Path>) -> String {
        match (self, checkout.map(Path::display)) {
            (Self::Python, None) => format!("azulejo-sdk=={VERSION}"),
            (Self::Python, Some(path)) => path.to_string(),
            (Self::Go, None) => String::new(),
            (Self::Go, Some(path)) => {
                format!("\nreplace github.com/azulejo-arena/azulejo/sdk/go => {path}\n")
            }
            (Self::Js, None) => VERSION.to_owned(),
            (Self::Js, Some(path)) => format!("file:{path}"),
            (Self::Rust, None) => format!("\"{VERSION}\""),
            (Self::Rust, Some(path)) => format!("{{ path = \"{path}\" }}"),
        }
    }
}
