//! A person at the terminal: sees the table, asks, tries, takes back.

use std::io::BufRead as _;

use anyhow::Result;
use azulejo_bots::{Budget, HouseBot};
use azulejo_engine::{Move, words};
use azulejo_rules::parts::Seat;

use super::{Asked, Session};
use crate::output::{pointer, write_out};

const HELP: &str = "\
  a move       as in the list of moves
  a number     the move with this number in the list
  moves        list the legal moves; `moves blue` only those that speak of blue
  table        show the table again
  hint         what the strong bot would do
  undo         take back your last move and what followed
  quit         leave the game";

/// What a person typed.
enum Answer {
    Move(Move),
    Undo,
    Quit,
    /// Something that was answered already: ask again.
    Again,
}

impl Session {
    /// Asks until there is a legal move. False: the person wants to leave.
    pub(super) fn ask(&mut self, seat: Seat) -> Result<bool> {
        say!("\n{}", self.view.text(&self.table));
        loop {
            let Some(line) = self.prompt(seat)? else { return Ok(false) };
            match self.understand(line.trim()) {
                Answer::Again => {}
                Answer::Quit => return Ok(false),
                Answer::Undo if self.undo() => return Ok(true),
                Answer::Undo => say!("There is nothing to take back yet."),
                Answer::Move(action) => {
                    self.asked.push(Asked {
                        table: self.table,
                        steps: self.steps.len(),
                        last: self.last,
                        dealt: self.dealt,
                    });
                    self.play(seat, action)?;
                    return Ok(true);
                }
            }
        }
    }

    /// A line from the terminal; none if there is no more to come.
    fn prompt(&self, seat: Seat) -> Result<Option<String>> {
        let count = self.table.legal_moves().len();
        write_out(format_args!("{}, {count} moves (help)> ", self.view.names[seat.index()]));
        let mut line = Vec::new();
        let read = std::io::stdin().lock().read_until(b'\n', &mut line)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }

    fn understand(&self, line: &str) -> Answer {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word.to_lowercase().as_str() {
            "quit" | "exit" | "q" => return Answer::Quit,
            "undo" => return Answer::Undo,
            "help" | "h" | "?" => self.help(),
            "" => say!("Type a move, or `moves` to see them, or `help`."),
            "moves" | "m" => self.list_moves(rest.trim()),
            "table" => say!("{}", self.view.text(&self.table)),
            "hint" => self.hint(),
            _ => return self.read_move(line),
        }
        Answer::Again
    }

    fn help(&self) {
        say!("{HELP}\nA move is written like this:\n{}", words::grammar(&self.table.ruleset()));
    }

    fn list_moves(&self, wanted: &str) {
        let moves = self.table.legal_moves();
        let mut shown = 0;
        for (number, &action) in (1..).zip(&moves) {
            let sentence = words::of_move(action);
            let spoken = sentence.split([' ', ',']).any(|word| word.eq_ignore_ascii_case(wanted));
            if wanted.is_empty() || spoken || action.to_string().starts_with(wanted) {
                say!("{number:>4}  {action:<8} {sentence}");
                shown += 1;
            }
        }
        if shown == 0 {
            say!("None of the {} moves speaks of {wanted:?}.", moves.len());
        }
    }

    fn hint(&self) {
        let strong = HouseBot::Strong { budget: Budget::Nodes(20_000), threads: 1 };
        if let Some(action) = self.table.choose(strong, 1) {
            say!("The strong bot would play {action}: {}.", words::of_move(action));
        }
    }

    fn read_move(&self, text: &str) -> Answer {
        let moves = self.table.legal_moves();
        if let Ok(number) = text.parse::<usize>() {
            if let Some(&action) = number.checked_sub(1).and_then(|index| moves.get(index)) {
                return Answer::Move(action);
            }
            say!("There are moves 1 to {}; `moves` lists them.", moves.len());
            return Answer::Again;
        }
        // However it is spelled: "2 b 3" is 2B3.
        let squeezed: String = text.split_whitespace().collect();
        let same = |action: &&Move| action.to_string().eq_ignore_ascii_case(&squeezed);
        if let Some(&action) = moves.iter().find(same) {
            return Answer::Move(action);
        }
        match self.table.read_move(text) {
            Err(bad) => {
                say!(
                    "That is neither a command (`help`) nor a move: {bad}\n{}\n`moves` lists what you can do.",
                    pointer(text, bad.at)
                );
                Answer::Again
            }
            Ok(action) => match self.table.clone().play(action) {
                Ok(_) => Answer::Move(action),
                Err(refusal) => {
                    say!("{refusal}. `moves` lists what you can do.");
                    Answer::Again
                }
            },
        }
    }

    /// Back to where a person was asked last.
    fn undo(&mut self) -> bool {
        let Some(before) = self.asked.pop() else { return false };
        self.table = before.table;
        self.steps.truncate(before.steps);
        self.last = before.last;
        self.dealt = before.dealt;
        say!("Taken back.");
        true
    }
}
