//! `azulejo position`: converts positions between text, JSON and pictures.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use azulejo_engine::{EngineError, Table};
use azulejo_terminal::options;
use azulejo_terminal::output::pointing_at;
use azulejo_terminal::seed::seed_from;
use azulejo_terminal::view::View;
use azulejo_wire::game::v1::GameState;
use clap::{Args, Subcommand};
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, SerializeOptions};

/// Convert positions between one line of text, JSON and pictures.
///
/// The line of text is documented in service/rules/NOTATION.md. `azulejo perft --position` and the
/// engine call `ParsePosition` read it too.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  azulejo position new --seed 7
  azulejo position show \"azul colored 2 round 1/50 offer turn 0 …\"
  azulejo position json \"azul colored 2 round 1/50 offer turn 0 …\" > state.json
  azulejo position text state.json")]
pub(crate) struct Position {
    #[command(subcommand)]
    command: PositionCommand,
}

#[derive(Debug, Subcommand)]
enum PositionCommand {
    /// Print the first position of a new game.
    New {
        #[command(flatten)]
        table: options::Table,
        /// A number or 64 hexadecimal digits. Default: random.
        #[arg(long)]
        seed: Option<String>,
    },
    /// Draw a position in the terminal, or as SVG.
    Show {
        /// The position as text.
        position: String,
        /// Print an SVG picture instead.
        #[arg(long)]
        svg: bool,
        /// Print without colors.
        #[arg(long)]
        plain: bool,
    },
    /// Print a position as JSON: the message `GameState` of the API.
    Json {
        /// The position as text.
        position: String,
    },
    /// Print a JSON state as text.
    Text {
        /// A file with the message `GameState` as JSON; `-` reads standard input.
        file: PathBuf,
    },
}

impl Position {
    pub(crate) fn run(&self) -> Result<()> {
        match &self.command {
            PositionCommand::New { table, seed } => {
                let seed = seed_from(seed.as_deref())?;
                let mut first = Table::start(table.ruleset()?);
                while first.awaits_deal() {
                    first.deal(&seed);
                }
                say!("{first}");
            }
            PositionCommand::Show { position, svg, plain } => {
                let table = parse(position)?;
                let names: Vec<String> =
                    (1..=table.players().seats()).map(|seat| format!("Player {seat}")).collect();
                let view = View::new(&names, *plain);
                if *svg {
                    say!("{}", view.svg(&table, None));
                } else {
                    say!("{}", view.text(&table));
                }
            }
            PositionCommand::Json { position } => say!("{}", to_json(&parse(position)?)?),
            PositionCommand::Text { file } => say!("{}", from_json(&read(file)?)?),
        }
        Ok(())
    }
}

/// Parses a position; the error points at the invalid character.
pub(crate) fn parse(text: &str) -> Result<Table> {
    text.parse::<Table>().map_err(|bad| pointing_at(text, bad.at(), &bad))
}

fn read(file: &Path) -> Result<String> {
    if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
        return Ok(text);
    }
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

fn message_type() -> Result<MessageDescriptor> {
    let pool = DescriptorPool::decode(azulejo_wire::DESCRIPTORS)?;
    pool.get_message_by_name("azulejo.game.v1.GameState")
        .context("GameState is missing from the descriptors")
}

fn to_json(table: &Table) -> Result<String> {
    let bytes = table.state().encode_to_vec();
    let message = DynamicMessage::decode(message_type()?, bytes.as_slice())?;
    let mut json = serde_json::Serializer::pretty(Vec::new());
    let options = SerializeOptions::new().skip_default_fields(false);
    message.serialize_with_options(&mut json, &options)?;
    Ok(String::from_utf8(json.into_inner())?)
}

fn from_json(text: &str) -> Result<Table> {
    let mut json = serde_json::Deserializer::from_str(text);
    let message = DynamicMessage::deserialize(message_type()?, &mut json);
    let message = message.context("the JSON is not a GameState")?;
    let state = GameState::decode(message.encode_to_vec().as_slice())?;
    Table::read(Some(state)).map_err(|bad| in_file(&bad))
}

/// The error with the field's path in the file, which contains only the state.
fn in_file(bad: &EngineError) -> anyhow::Error {
    let (path, message) = (bad.field(), bad.to_string());
    let problem = message.strip_prefix(&format!("{path}: ")).unwrap_or(&message);
    anyhow!("{}: {problem}", path.strip_prefix("state.").unwrap_or(&path))
}
