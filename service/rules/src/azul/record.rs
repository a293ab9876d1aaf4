//! A whole game as one line: `azul colored 2 limit 50 start 0 [B2YR] [BYKW] … 3B2 1Y4 …`.

use core::str::FromStr;

use crate::parts::{self, BadText, Text};

use super::{Color, IllegalMove, Move, Position, Rules};

pub type Record = parts::Record<Rules, Color, Move>;
pub type Step = parts::Step<Color, Move>;
pub type Defect = parts::Defect<Color, IllegalMove>;
pub type BadRecord = parts::BadRecord<Defect>;

impl Record {
    /// Plays the record and returns where it leads.
    pub fn replay(&self) -> Result<Position, BadRecord> {
        if !self.rules.players.has(self.start) || self.rules.round_limit == 0 {
            return Err(BadRecord { step: 0, defect: Defect::Setup });
        }
        let mut position = Position::new(self.rules, self.start);
        for (index, &step) in self.steps.iter().enumerate() {
            position.step(step).map_err(|defect| BadRecord { step: index + 1, defect })?;
        }
        Ok(position)
    }
}

impl Position {
    /// Carries out a step of a record. A refused step leaves the position unchanged.
    pub fn step(&mut self, step: Step) -> Result<(), Defect> {
        match step {
            Step::Deal(tiles) => self.deal_exactly(tiles, &mut ()).map_err(Defect::Deal),
            Step::Move(action) => self.play(action, &mut ()).map_err(Defect::Move),
        }
    }
}

impl FromStr for Record {
    type Err = BadText;

    fn from_str(text: &str) -> Result<Self, BadText> {
        let text = &mut Text::new(text);
        let (side, players) = Rules::read(text)?;
        let round_limit = text.number("limit")?;
        Self::read(Rules { side, players, round_limit }, text, Move::read)
    }
}
