//! `azulejo play`: one game, to watch or to take part in.

mod human;
mod own;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use azulejo_engine::{Event, Move, Record, Step, Table, words};
use azulejo_rules::parts::{Seat, Seed};
use clap::Args;

use crate::author::Running;
use crate::options::Rules;
use crate::output::{check_writable, create, print_table};
use crate::seats::{Player, Thinking, names};
use crate::seed::{bot_seed, seed_from};
use crate::view::{Album, Last, View};

/// Play one game: house bots, bots of your own, or you.
///
/// A bot of your own is a path or a command: an executable file, a script, a folder made by
/// `azulejo new`, or whatever you would type to start it. It plays as it would on a server: the
/// command starts an arena inside itself, tells the bot its address and its token in `AZULEJO_SERVER`
/// and `AZULEJO_TOKEN`, and stops both at the end. Nothing is kept.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  azulejo play human greedy
  azulejo play ./mybot greedy
  azulejo play \"python3 bot.py\" strong --game summer-pavilion --open
  azulejo play strong greedy random --game summer-pavilion --svg pictures
  azulejo play strong strong --seed 7 --record game.json && azulejo replay game.json")]
pub(crate) struct Play {
    /// Two to four of: human, random, greedy, strong (thinks for 100 ms), strong:MS, strong:Nn, or a
    /// bot of your own: ./mybot, ./bot.py, "go run ."
    #[arg(required = true, num_args = 2..=4)]
    players: Vec<Player>,
    #[command(flatten)]
    rules: Rules,
    /// The deals: a number or 64 hexadecimal digits. A new one is made unless given, and told.
    #[arg(long)]
    seed: Option<String>,
    #[command(flatten)]
    thinking: Thinking,
    /// Write a picture of every step into this folder.
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write the record of the game to this file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// No colors.
    #[arg(long)]
    plain: bool,
    /// Watch it in the browser, on the page that a server shows; the command then stays until you
    /// press Enter.
    #[arg(long, conflicts_with_all = ["svg", "seed"])]
    open: bool,
    #[command(flatten)]
    running: Running,
}

/// A game that is being played.
pub(crate) struct Session {
    table: Table,
    steps: Vec<Step>,
    last: Last,
    seed: Seed,
    view: View,
    players: Vec<Player>,
    /// The round whose deal was announced last; supplies are topped up without a word.
    dealt: u8,
    /// Where a person was asked, to go back to.
    asked: Vec<Asked>,
}

/// The game as it was when a person was asked.
struct Asked {
    table: Table,
    steps: usize,
    last: Last,
    dealt: u8,
}

impl Play {
    pub(crate) fn run(&self) -> Result<()> {
        let players: Vec<Player> =
            self.players.iter().map(|player| self.thinking.applied_to(player.clone())).collect();
        if self.open || players.iter().any(|player| matches!(player, Player::Own(_))) {
            return self.run_in_arena(players);
        }
        let mut session = self.session(players, seed_from(self.seed.as_deref())?)?;
        // Before the first move: a game that cannot be written down should not be played.
        self.record.as_deref().map_or(Ok(()), check_writable)?;
        let album = self.svg.as_deref().map(Album::new).transpose()?;
        session.picture(album.as_ref())?;
        say!("{}", self.rules);
        while !session.table.is_over() {
            if !session.advance()? {
                say!("You left the game. Its deals came from seed {}", session.seed.to_hex());
                break;
            }
            session.picture(album.as_ref())?;
        }
        if session.table.is_over() {
            session.print_result();
        }
        if let Some(path) = &self.record {
            session.write_record(path)?;
        }
        self.tell_files();
        Ok(())
    }

    fn session(&self, players: Vec<Player>, seed: Seed) -> Result<Session> {
        Ok(Session {
            table: Table::new(self.rules.ruleset(players.len())?, Seat::First),
            steps: Vec::new(),
            last: None,
            seed,
            view: View::new(&names(&players), self.plain),
            players,
            dealt: 0,
            asked: Vec::new(),
        })
    }

    fn tell_files(&self) {
        if let Some(path) = &self.record {
            say!("The record is in {}; check it with `azulejo verify`.", path.display());
        }
        if let Some(folder) = &self.svg {
            say!("A picture of each step is in {}.", folder.display());
        }
    }
}

impl Session {
    /// One deal or one decision. False: the person at the terminal has had enough.
    fn advance(&mut self) -> Result<bool> {
        if self.table.awaits_deal() {
            self.deal();
            return Ok(true);
        }
        let Some(seat) = self.table.to_move() else { bail!("nobody is to move") };
        match &self.players[seat.index()] {
            Player::House(bot) => {
                let choice = bot_seed(&self.seed).wrapping_add(self.steps.len() as u64);
                let action = self.table.choose(*bot, choice).context("the bot found no move")?;
                self.play(seat, action)?;
            }
            Player::Human => return self.ask(seat),
            Player::Own(program) => bail!("{program} decides in the arena"),
        }
        Ok(true)
    }

    fn deal(&mut self) {
        let events = self.table.deal(&self.seed);
        self.steps.extend(events.iter().filter_map(Event::as_deal));
        if !self.table.awaits_deal() && self.dealt != self.table.round() {
            self.dealt = self.table.round();
            say!("\nRound {} is dealt.", self.dealt);
            // A person is shown the table when asked.
            if !self.players.contains(&Player::Human) {
                say!("{}", self.view.text(&self.table));
            }
        }
    }

    /// Carries out a move and tells it.
    fn play(&mut self, seat: Seat, action: Move) -> Result<()> {
        let round = self.table.round();
        let events = self.table.play(action)?;
        self.steps.push(action.into());
        self.last = Some((seat, action));
        let name = &self.view.names[seat.index()];
        say!("{name}: {action}  {}", words::of_move(action));
        for event in events.iter().filter(|event| words::is_news(event)) {
            say!("  {}", words::of_event(event, &self.view.names));
        }
        if self.table.round() != round || self.table.is_over() {
            say!("\n{}", self.view.text(&self.table));
        }
        Ok(())
    }

    /// Pictures are numbered by steps, as `replay` does; a step taken back is painted over.
    fn picture(&self, album: Option<&Album>) -> Result<()> {
        let svg =
            |album: &Album| album.add(self.steps.len(), &self.view.svg(&self.table, self.last));
        album.map_or(Ok(()), svg)
    }

    fn print_result(&self) {
        let score = self.table.score();
        say!("The game is over: {}.", score.end.as_deref().unwrap_or_default());
        let rows = self.view.names.iter().zip(&score.seats).map(|(name, seat)| {
            let numbers = [seat.points, seat.bonus, seat.lost, seat.total];
            let numbers = numbers.iter().map(ToString::to_string);
            [name.clone(), format!("{}.", seat.rank)].into_iter().chain(numbers).collect()
        });
        print_table(&["player", "rank", "points", "bonus", "lost", "total"], rows);
        say!("The deals came from seed {}", self.seed.to_hex());
    }

    fn write_record(&self, path: &Path) -> Result<()> {
        let names = &self.view.names;
        let record = Record::of(names, Some(&self.seed), Seat::First, &self.steps, &self.table);
        writeln!(create(path)?, "{}", serde_json::to_string(&record)?)?;
        Ok(())
    }
}
