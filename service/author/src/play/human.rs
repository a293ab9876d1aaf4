//! Prompts a person at the terminal for moves and commands.

use std::io::BufRead as _;

use anyhow::Result;
use azulejo_bots::{Budget, HouseBot};
use azulejo_engine::{Move, words};
use azulejo_rules::parts::Seat;
use azulejo_terminal::output::{pointer, write_out};

use super::{GameSession, UndoPoint};

const HELP: &str = "\
  a move       play it; `moves` shows how moves are written
  a number     play the move with this number in the list
  moves        list the legal moves; `moves blue` lists only those with blue
  table        show the table again
  hint         show what the strong bot would play
  undo         take back your last move and everything after it
  quit         leave the game";

/// A line that the person typed.
enum Input {
    Move(Move),
    Undo,
    Quit,
    /// A command or an error, already answered.
    Handled,
}

impl GameSession {
    /// Prompts until a legal move is entered. False if the person quits.
    pub(super) fn ask(&mut self, seat: Seat) -> Result<bool> {
        say!("\n{}", self.view.text(&self.table));
        loop {
            let Some(line) = self.prompt(seat)? else { return Ok(false) };
            match self.read_input(line.trim()) {
                Input::Handled => {}
                Input::Quit => return Ok(false),
                Input::Undo if self.undo() => return Ok(true),
                Input::Undo => say!("There is nothing to undo."),
                Input::Move(action) => {
                    self.undo_points.push(UndoPoint {
                        table: self.table,
                        steps: self.steps.len(),
                        last: self.last,
                        announced_round: self.announced_round,
                    });
                    self.play(seat, action)?;
                    return Ok(true);
                }
            }
        }
    }

    /// A line from the terminal; `None` at the end of the input.
    fn prompt(&self, seat: Seat) -> Result<Option<String>> {
        let count = self.table.legal_moves().len();
        write_out(format_args!("{}, {count} moves (help)> ", self.view.names[seat.index()]));
        let mut line = Vec::new();
        let read = std::io::stdin().lock().read_until(b'\n', &mut line)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }

    fn read_input(&self, line: &str) -> Input {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word.to_lowercase().as_str() {
            "quit" | "exit" | "q" => return Input::Quit,
            "undo" => return Input::Undo,
            "help" | "h" | "?" => self.help(),
            "" => say!("Type a move, `moves` to list them, or `help`."),
            "moves" | "m" => self.list_moves(rest.trim()),
            "table" => say!("{}", self.view.text(&self.table)),
            "hint" => self.hint(),
            _ => return self.read_move(line),
        }
        Input::Handled
    }

    fn help(&self) {
        say!("{HELP}\nA move is written like this:\n{}", words::grammar(&self.table.ruleset()));
    }

    fn list_moves(&self, wanted: &str) {
        let moves = self.table.legal_moves();
        let mut shown = 0;
        for (number, &action) in (1..).zip(&moves) {
            let sentence = words::of_move(action);
            let has_word = sentence.split([' ', ',']).any(|word| word.eq_ignore_ascii_case(wanted));
            if wanted.is_empty() || has_word || action.to_string().starts_with(wanted) {
                say!("{number:>4}  {action:<8} {sentence}");
                shown += 1;
            }
        }
        if shown == 0 {
            say!("None of the {} legal moves contains {wanted:?}.", moves.len());
        }
    }

    fn hint(&self) {
        let strong = HouseBot::Strong { budget: Budget::Nodes(20_000), threads: 1 };
        if let Some(action) = self.table.choose(strong, 1) {
            say!("The strong bot would play {action}: {}.", words::of_move(action));
        }
    }

    fn read_move(&self, text: &str) -> Input {
        let moves = self.table.legal_moves();
        if let Ok(number) = text.parse::<usize>() {
            if let Some(&action) = number.checked_sub(1).and_then(|index| moves.get(index)) {
                return Input::Move(action);
            }
            say!("Moves are numbered 1 to {}; `moves` lists them.", moves.len());
            return Input::Handled;
        }
        // Spaces and case do not matter: "2 b 3" is 2B3.
        let joined: String = text.split_whitespace().collect();
        let same = |action: &&Move| action.to_string().eq_ignore_ascii_case(&joined);
        if let Some(&action) = moves.iter().find(same) {
            return Input::Move(action);
        }
        match self.table.read_move(text) {
            Err(bad) => {
                say!(
                    "Not a command or a move: {bad}\n{}\nType `help` for the commands, `moves` for the legal moves.",
                    pointer(text, bad.at)
                );
                Input::Handled
            }
            Ok(action) => match self.table.clone().play(action) {
                Ok(_) => Input::Move(action),
                Err(refusal) => {
                    say!("Illegal move: {refusal}. `moves` lists the legal moves.");
                    Input::Handled
                }
            },
        }
    }

    /// Goes back to before the person's last move. False if there is none.
    fn undo(&mut self) -> bool {
        let Some(before) = self.undo_points.pop() else { return false };
        self.table = before.table;
        self.steps.truncate(before.steps);
        self.last = before.last;
        self.announced_round = before.announced_round;
        say!("Move undone.");
        true
    }
}
