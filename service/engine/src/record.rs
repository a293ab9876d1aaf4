//! A game as a document: players, every deal and every move, the seed of the deals, and the result.
//! All of it can be verified.

mod arena;

use azulejo_rules::parts::{BadSeed, BadText, Seat, Seed};
use azulejo_rules::{azul, pavilion};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Event, Refusal, Ruleset, Score, Step, Table};

pub use arena::{ArenaDefect, ArenaPart, Cost, Forfeit, MOST_SENT, RefusedMove, SeatOutcome};

/// Name and version of the format. Unknown formats are refused.
pub const FORMAT: &str = "azulejo-record/1";
/// The format of a match of the arena: the same, plus the arena's part.
pub const ARENA_FORMAT: &str = "azulejo-record/2";

/// A game as a document, one line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    pub format: String,
    /// Names of the seats.
    pub seats: Vec<SeatInfo>,
    /// 64 hexadecimal digits; absent if the deals were not made from a seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The rules, the start seat, every deal and every move, in the notation of the rules.
    pub game: String,
    /// Four hexadecimal digits for each step: a running check over the steps and the positions that
    /// they led to, so that a changed step is detected even if it changes nothing else.
    pub checks: String,
    pub result: Ending,
    /// The arena's part; absent for other games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arena: Option<ArenaPart>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatInfo {
    pub name: String,
}

/// The result of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    pub score: Score,
    /// The running check after the last step, 16 hexadecimal digits.
    pub check: String,
}

/// A position of a recorded game, and how it came about.
#[derive(Clone, Debug)]
pub struct Moment {
    /// `None` for the first position.
    pub step: Option<Step>,
    pub events: Vec<Event>,
    pub table: Table,
}

/// The parts of a game, parsed from its text.
#[derive(Clone, Debug)]
struct Moves {
    ruleset: Ruleset,
    start: Seat,
    steps: Vec<Step>,
}

/// A document that is not a record.
#[derive(Debug, Error)]
pub enum Unreadable {
    #[error("not a record: {0}")]
    Json(#[from] serde_json::Error),
    #[error("unsupported format {found:?}; supported: {FORMAT:?}, {ARENA_FORMAT:?}")]
    Format { found: String },
    #[error("a record of format {format:?} {}", if *has { "must not have a part \"arena\"" } else { "requires a part \"arena\"" })]
    Arena { format: String, has: bool },
}

/// The first defect of a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Defect {
    #[error("invalid game: {0}")]
    Text(BadText),
    #[error("invalid seed: {0}")]
    Seed(BadSeed),
    #[error("{seats} seats are named, but {players} play")]
    Seats { seats: usize, players: usize },
    #[error("start seat {start} does not exist, or the round limit is 0")]
    Start { start: usize },
    #[error("step {step}, {text}: {refusal}")]
    Step { step: usize, text: String, refusal: Refusal },
    #[error("step {step}: the seed deals {drawn}, the record has {found}")]
    Deal { step: usize, drawn: String, found: String },
    #[error("the game {}, the record says that it {}", how(.reached.as_ref()), how(.recorded.as_ref()))]
    End { reached: Option<String>, recorded: Option<String> },
    #[error("seat {seat}: the record's score differs from the game's, {reached} points in all")]
    Score { seat: usize, reached: u16 },
    #[error("the winners are {reached:?}, the record says {recorded:?}")]
    Winners { reached: Vec<usize>, recorded: Vec<usize> },
    #[error("step {step}, {text}: the checksum does not match the steps and names so far")]
    Check { step: usize, text: String },
    #[error("the record has {found} checksums for {steps} steps")]
    Checks { found: usize, steps: usize },
    #[error("the checksum of the game is wrong")]
    LastCheck,
    #[error(transparent)]
    Arena(#[from] ArenaDefect),
}

/// Names in a record may be anything; quoted, they cannot harm a terminal.
fn how(end: Option<&String>) -> String {
    end.map_or("is not finished".to_owned(), |end| format!("ended with {end:?}"))
}

impl Record {
    /// The record of a game that was played from its beginning.
    #[must_use]
    pub fn of(
        names: &[String],
        seed: Option<&Seed>,
        start: Seat,
        steps: &[Step],
        last: &Table,
    ) -> Self {
        let mut game = format!("{} start {}", last.ruleset(), start.index());
        let mut table = Table::new(last.ruleset(), start);
        let mut check = Check::of(names.iter().map(String::as_str), &table);
        let mut checks = String::new();
        for &step in steps {
            let text = step.to_string();
            // A step that was played can be replayed; if not, `verify` reports it.
            let _refused = table.step(step);
            check.add(&text, &table);
            game.push(' ');
            game.push_str(&text);
            checks.push_str(&check.short());
        }
        Self {
            format: FORMAT.to_owned(),
            seats: names.iter().map(|name| SeatInfo { name: name.clone() }).collect(),
            seed: seed.map(Seed::to_hex),
            game,
            checks,
            result: Ending { score: last.score(), check: check.long() },
            arena: None,
        }
    }

    /// The same, with the arena's part.
    #[must_use]
    pub fn of_arena(mut self, part: ArenaPart) -> Self {
        ARENA_FORMAT.clone_into(&mut self.format);
        self.arena = Some(part);
        let digest = arena::digest(&self);
        if let Some(part) = &mut self.arena {
            part.digest = digest;
        }
        self
    }

    /// Parses a record without verifying it.
    pub fn read(text: &str) -> Result<Self, Unreadable> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
        }
        // The format first: an unknown one may have other fields.
        let Head { format } = serde_json::from_str(text)?;
        if format != FORMAT && format != ARENA_FORMAT {
            return Err(Unreadable::Format { found: format });
        }
        let record: Self = serde_json::from_str(text)?;
        let has = record.arena.is_some();
        if has != (format == ARENA_FORMAT) {
            return Err(Unreadable::Arena { format, has });
        }
        Ok(record)
    }

    /// Verifies everything: every deal against the seed, every move, the score, the winners.
    pub fn verify(&self) -> Result<Table, Defect> {
        let moves = self.moves()?;
        let players = moves.ruleset.players().seats();
        if self.seats.len() != players {
            return Err(Defect::Seats { seats: self.seats.len(), players });
        }
        let seed: Option<Seed> =
            self.seed.as_ref().map(|seed| seed.parse()).transpose().map_err(Defect::Seed)?;
        let mut last = moves.first()?;
        let mut deciders = Vec::new();
        let names = self.seats.iter().map(|seat| seat.name.as_str());
        let mut check = Check::of(names, &last);
        for (number, &step) in (1..).zip(&moves.steps) {
            if let Some(seed) = &seed {
                check_deal(&last, step, seed, number)?;
            }
            deciders.extend(last.to_move().map(Seat::index));
            take_step(&mut last, step, number)?;
            let text = step.to_string();
            check.add(&text, &last);
            if self.checks.get(number * 4 - 4..number * 4) != Some(check.short().as_str()) {
                return Err(Defect::Check { step: number, text });
            }
        }
        self.check_result(&last)?;
        let (found, steps) = (self.checks.len() / 4, moves.steps.len());
        if self.checks.len() != steps * 4 {
            return Err(Defect::Checks { found, steps });
        }
        if self.result.check != check.long() {
            return Err(Defect::LastCheck);
        }
        if let Some(part) = &self.arena {
            part.verify(self, &deciders, &last)?;
        }
        Ok(last)
    }

    /// Every position of the game, the first one before any step.
    pub fn positions(&self) -> Result<Vec<Moment>, Defect> {
        let moves = self.moves()?;
        let mut table = moves.first()?;
        let mut positions = vec![Moment { step: None, events: Vec::new(), table }];
        for (number, &step) in (1..).zip(&moves.steps) {
            let events = take_step(&mut table, step, number)?;
            positions.push(Moment { step: Some(step), events, table });
        }
        Ok(positions)
    }

    fn moves(&self) -> Result<Moves, Defect> {
        if self.game.trim_start().starts_with("summer-pavilion") {
            let record: pavilion::Record = self.game.parse().map_err(Defect::Text)?;
            let steps = record.steps.into_iter().map(Step::SummerPavilion).collect();
            let ruleset = Ruleset::SummerPavilion(record.rules);
            return Ok(Moves { ruleset, start: record.start, steps });
        }
        let record: azul::Record = self.game.parse().map_err(Defect::Text)?;
        let steps = record.steps.into_iter().map(Step::Azul).collect();
        Ok(Moves { ruleset: Ruleset::Azul(record.rules), start: record.start, steps })
    }

    fn check_result(&self, last: &Table) -> Result<(), Defect> {
        let (reached, recorded) = (last.score(), &self.result.score);
        if reached.end != recorded.end {
            return Err(Defect::End { reached: reached.end, recorded: recorded.end.clone() });
        }
        for (seat, score) in reached.seats.iter().enumerate() {
            if recorded.seats.get(seat) != Some(score) {
                return Err(Defect::Score { seat, reached: score.total });
            }
        }
        if recorded.seats.len() > reached.seats.len() {
            return Err(Defect::Score { seat: reached.seats.len(), reached: 0 });
        }
        if reached.winners != recorded.winners {
            let recorded = recorded.winners.clone();
            return Err(Defect::Winners { reached: reached.winners, recorded });
        }
        Ok(())
    }
}

impl Moves {
    fn first(&self) -> Result<Table, Defect> {
        let no_rounds = matches!(self.ruleset, Ruleset::Azul(rules) if rules.round_limit == 0);
        if no_rounds || !self.ruleset.players().has(self.start) {
            return Err(Defect::Start { start: self.start.index() });
        }
        Ok(Table::new(self.ruleset, self.start))
    }
}

/// A running checksum: FNV-1a over the names, each step's text and the hash of the position after
/// it. It detects accidents, not forgery; the seed and the arena's commitment do that.
struct Check(u64);

impl Check {
    fn of<'a>(names: impl Iterator<Item = &'a str>, first: &Table) -> Self {
        let mut check = Self(0xcbf2_9ce4_8422_2325);
        for name in names {
            // The end of each name is hashed, so that "a", "bc" and "ab", "c" differ.
            check.take_in(name.bytes().chain([0]));
        }
        check.take_in(first.canonical_hash().to_le_bytes());
        check
    }

    fn add(&mut self, step: &str, table: &Table) {
        self.take_in(step.bytes().chain(table.canonical_hash().to_le_bytes()));
    }

    fn take_in(&mut self, bytes: impl IntoIterator<Item = u8>) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn short(&self) -> String {
        format!("{:04x}", (self.0 >> 48) ^ (self.0 & 0xffff))
    }

    fn long(&self) -> String {
        format!("{:016x}", self.0)
    }
}

fn take_step(table: &mut Table, step: Step, number: usize) -> Result<Vec<Event>, Defect> {
    table.step(step).map_err(|refusal| Defect::Step {
        step: number,
        text: step.to_string(),
        refusal,
    })
}

/// A deal must follow from the seed.
fn check_deal(before: &Table, step: Step, seed: &Seed, number: usize) -> Result<(), Defect> {
    if !step.is_deal() {
        return Ok(());
    }
    let events = before.clone().deal(seed);
    let drawn = events.iter().find_map(Event::as_deal);
    match drawn {
        Some(drawn) if drawn != step => {
            Err(Defect::Deal { step: number, drawn: drawn.to_string(), found: step.to_string() })
        }
        // No deal is due: the step itself is refused, with that reason.
        _ => Ok(()),
    }
}
