//! A person at the terminal: sees the table, asks, tries, takes back.

use std::io::Write as _;

use anyhow::Result;
use azulejo_bots::{Budget, HouseBot};
use azulejo_engine::{Move, words};
use azulejo_rules::parts::Seat;

use super::Session;

const HELP: &str = "\
  a move       as in the list of moves, like 3B2 or cRf
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
        println!("\n{}", self.view.text(&self.table));
        loop {
            let Some(line) = self.prompt(seat)? else { return Ok(false) };
            match self.understand(line.trim()) {
                Answer::Again => {}
                Answer::Quit => return Ok(false),
                Answer::Undo if self.undo() => return Ok(true),
                Answer::Undo => println!("There is nothing to take back yet."),
                Answer::Move(action) => {
                    self.asked.push((self.table, self.steps.len(), self.last));
                    self.play(seat, action)?;
                    return Ok(true);
                }
            }
        }
    }

    /// A line from the terminal; none if there is no more to come.
    fn prompt(&self, seat: Seat) -> Result<Option<String>> {
        let count = self.table.legal_moves().len();
        print!("{}, {count} moves (help)> ", self.view.names[seat.index()]);
        std::io::stdout().flush()?;
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line)?;
        Ok((read > 0).then_some(line))
    }

    fn understand(&self, line: &str) -> Answer {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "quit" | "exit" => return Answer::Quit,
            "undo" => return Answer::Undo,
            "help" | "?" => println!("{HELP}"),
            "" => println!("Type a move, or `moves` to see them, or `help`."),
            "moves" => self.list_moves(rest.trim()),
            "table" => println!("{}", self.view.text(&self.table)),
            "hint" => self.hint(),
            _ => return self.read_move(line),
        }
        Answer::Again
    }

    fn list_moves(&self, wanted: &str) {
        let moves = self.table.legal_moves();
        let mut shown = 0;
        for (number, &action) in (1..).zip(&moves) {
            let sentence = words::of_move(action);
            if sentence.contains(wanted) || action.to_string().contains(wanted) {
                println!("{number:>4}  {action:<8} {sentence}");
                shown += 1;
            }
        }
        if shown == 0 {
            println!("None of the {} moves speaks of {wanted:?}.", moves.len());
        }
    }

    fn hint(&self) {
        let strong = HouseBot::Strong { budget: Budget::Nodes(20_000), threads: 1 };
        if let Some(action) = self.table.choose(strong, 1) {
            println!("The strong bot would play {action}: {}.", words::of_move(action));
        }
    }

    fn read_move(&self, text: &str) -> Answer {
        let moves = self.table.legal_moves();
        if let Ok(number) = text.parse::<usize>() {
            if let Some(&action) = number.checked_sub(1).and_then(|index| moves.get(index)) {
                return Answer::Move(action);
            }
            println!("There are moves 1 to {}; `moves` lists them.", moves.len());
            return Answer::Again;
        }
        match self.table.read_move(text) {
            Err(bad) => {
                println!(
                    "{bad}\n  {text}\n  {:>at$}\n`moves` lists what you can do.",
                    '^',
                    at = bad.at
                );
                Answer::Again
            }
            Ok(action) => match self.table.clone().play(action) {
                Ok(_) => Answer::Move(action),
                Err(refusal) => {
                    println!("{refusal}. `moves` lists what you can do.");
                    Answer::Again
                }
            },
        }
    }

    /// Back to where a person was asked last.
    fn undo(&mut self) -> bool {
        let Some((table, steps, last)) = self.asked.pop() else { return false };
        self.table = table;
        self.steps.truncate(steps);
        self.last = last;
        println!("Taken back.");
        true
    }
}
