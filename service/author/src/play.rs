//! `azulejo play`: one game, to watch or to play.

mod human;
mod in_arena;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use azulejo_engine::{Event, Move, Record, Step, Table, words};
use azulejo_rules::parts::{Seat, Seed};
use azulejo_terminal::options::Rules;
use azulejo_terminal::output::{check_writable, create, print_table};
use azulejo_terminal::seed::{bot_seed, seed_from};
use azulejo_terminal::view::{LastPlayed, PictureFolder, View};
use clap::Args;

use crate::BotArgs;
use crate::seats::{PlayerSpec, ThinkingArgs, names};

/// Play one game between house bots, bots of your own, or you.
///
/// A bot of your own is a path or a command: an executable file, a script, a folder created by
/// `azulejo new`, or the command line that starts it. It plays as on a server: this command starts an
/// arena, passes its address and a token to the bot in `AZULEJO_SERVER` and `AZULEJO_TOKEN`, and stops
/// both at the end. Nothing is stored.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  azulejo play human greedy
  azulejo play ./mybot greedy
  azulejo play \"python3 bot.py\" strong --game summer-pavilion --open
  azulejo play strong greedy random --game summer-pavilion --svg pictures
  azulejo play strong strong --seed 7 --record game.json && azulejo replay game.json")]
pub struct Play {
    /// Two to four of: human, random, greedy, strong (100 ms per move), strong:MS (milliseconds per
    /// move), strong:Nn (N search iterations per move), or a bot of your own: ./mybot, ./bot.py,
    /// "go run ."
    #[arg(required = true, num_args = 2..=4)]
    players: Vec<PlayerSpec>,
    #[command(flatten)]
    rules: Rules,
    /// Seed of the deals and of the house bots: a number or 64 hexadecimal digits. Default: random;
    /// it is printed at the end.
    #[arg(long)]
    seed: Option<String>,
    #[command(flatten)]
    thinking: ThinkingArgs,
    /// Write an SVG picture of every step to this folder.
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write the record of the game to this file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print without colors.
    #[arg(long)]
    plain: bool,
    /// Open the page of the match in the browser. The page is served until you press Enter.
    #[arg(long, conflicts_with_all = ["svg", "seed"])]
    open: bool,
    #[command(flatten)]
    bot_args: BotArgs,
}

/// A game in progress.
pub(crate) struct GameSession {
    table: Table,
    steps: Vec<Step>,
    last: LastPlayed,
    seed: Seed,
    view: View,
    players: Vec<PlayerSpec>,
    /// The last round whose deal was printed. Refills of the supply are not printed.
    announced_round: u8,
    undo_points: Vec<UndoPoint>,
}

/// The game before a move of a person.
struct UndoPoint {
    table: Table,
    steps: usize,
    last: LastPlayed,
    announced_round: u8,
}

impl Play {
    pub fn run(&self) -> Result<()> {
        let players: Vec<PlayerSpec> =
            self.players.iter().map(|player| self.thinking.applied_to(player.clone())).collect();
        if self.open || players.iter().any(|player| matches!(player, PlayerSpec::Own(_))) {
            return self.run_in_arena(players);
        }
        let mut session = self.session(players, seed_from(self.seed.as_deref())?)?;
        // Fail before the game, not after it.
        self.record.as_deref().map_or(Ok(()), check_writable)?;
        let pictures = self.svg.as_deref().map(PictureFolder::new).transpose()?;
        session.save_picture(pictures.as_ref())?;
        say!("{}", self.rules);
        while !session.table.is_over() {
            if !session.advance()? {
                say!("You left the game. Seed: {}", session.seed.to_hex());
                break;
            }
            session.save_picture(pictures.as_ref())?;
        }
        if session.table.is_over() {
            session.print_result();
        }
        if let Some(path) = &self.record {
            session.write_record(path)?;
        }
        self.print_files();
        Ok(())
    }

    fn session(&self, players: Vec<PlayerSpec>, seed: Seed) -> Result<GameSession> {
        Ok(GameSession {
            table: Table::new(self.rules.ruleset(players.len())?, Seat::First),
            steps: Vec::new(),
            last: None,
            seed,
            view: View::new(&names(&players), self.plain),
            players,
            announced_round: 0,
            undo_points: Vec::new(),
        })
    }

    fn print_files(&self) {
        if let Some(path) = &self.record {
            say!("Record: {0} (verify it with `azulejo verify {0}`)", path.display());
        }
        if let Some(folder) = &self.svg {
            say!("Pictures: {}", folder.display());
        }
    }
}

impl GameSession {
    /// Makes one deal or one move. False if the person at the terminal quits.
    fn advance(&mut self) -> Result<bool> {
        if self.table.awaits_deal() {
            self.deal();
            return Ok(true);
        }
        let Some(seat) = self.table.to_move() else { bail!("no seat is to move") };
        match &self.players[seat.index()] {
            PlayerSpec::House(bot) => {
                let choice = bot_seed(&self.seed).wrapping_add(self.steps.len() as u64);
                let action = self.table.choose(*bot, choice).context("the bot found no move")?;
                self.play(seat, action)?;
            }
            PlayerSpec::Human => return self.ask(seat),
            PlayerSpec::Own(program) => bail!("{program} can only play in an arena"),
        }
        Ok(true)
    }

    fn deal(&mut self) {
        let events = self.table.deal(&self.seed);
        self.steps.extend(events.iter().filter_map(Event::as_deal));
        if !self.table.awaits_deal() && self.announced_round != self.table.round() {
            self.announced_round = self.table.round();
            say!("\nRound {} is dealt.", self.announced_round);
            // For a person, the table is printed before each prompt.
            if !self.players.contains(&PlayerSpec::Human) {
                say!("{}", self.view.text(&self.table));
            }
        }
    }

    /// Plays a move and prints it.
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

    /// Pictures are numbered by step, as in `azulejo replay`. After an undo they are overwritten.
    fn save_picture(&self, pictures: Option<&PictureFolder>) -> Result<()> {
        let Some(pictures) = pictures else { return Ok(()) };
        pictures.save(self.steps.len(), &self.view.svg(&self.table, self.last))
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
        say!("Seed: {}", self.seed.to_hex());
    }

    fn write_record(&self, path: &Path) -> Result<()> {
        let names = &self.view.names;
        let record = Record::of(names, Some(&self.seed), Seat::First, &self.steps, &self.table);
        writeln!(create(path)?, "{}", serde_json::to_string(&record)?)?;
        Ok(())
    }
}
