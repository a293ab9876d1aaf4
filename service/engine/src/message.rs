//! Conversions between messages and either game: the `oneof` of the wire becomes the enum `Table`.

use azulejo_rules::parts::{Factory, Seed, Tiles};
use azulejo_rules::{azul, pavilion};
use azulejo_wire::game::v1 as pb;
use azulejo_wire::{BadField, Position, Problem, State};
use prost::Message as _;

use crate::{EngineError, Event, Move, Ruleset, Step, Table};

impl Table {
    /// Decodes and validates the position of a request.
    pub fn read(state: Option<impl Into<State>>) -> Result<Self, EngineError> {
        let state: State = state.ok_or_else(|| BadField::missing("state"))?.into();
        match state.read().map_err(|bad| bad.within("state"))? {
            Position::Azul(setup) => {
                let position = azul::Position::try_from(&setup);
                position.map(Self::Azul).map_err(EngineError::AzulPosition)
            }
            Position::SummerPavilion(setup) => {
                let position = pavilion::Position::try_from(&setup);
                position.map(Self::SummerPavilion).map_err(EngineError::PavilionPosition)
            }
        }
    }

    /// The position of a `GameState` message, encoded.
    pub fn decode(message: &[u8]) -> Result<Self, EngineError> {
        let state = State::decode(message);
        Self::read(Some(state.map_err(|_| BadField::new("state", Problem::NoMessage))?))
    }

    /// A `GameState` message, encoded.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        self.state().encode_to_vec()
    }

    /// The position as a message.
    #[must_use]
    pub fn state(&self) -> State {
        match self {
            Self::Azul(position) => position.into(),
            Self::SummerPavilion(position) => position.into(),
        }
    }

    #[must_use]
    pub fn score_message(&self) -> pb::Score {
        match self {
            Self::Azul(position) => (&position.score()).into(),
            Self::SummerPavilion(position) => (&position.score()).into(),
        }
    }

    /// What the position waits for.
    #[must_use]
    pub fn due(&self) -> pb::Due {
        let due = if let Some(seat) = self.to_move() {
            pb::due::Due::Seat(seat.index() as u32)
        } else if let Some(display) = self.awaiting() {
            pb::due::Due::Deal(display)
        } else {
            pb::due::Due::GameOver(pb::GameOver {})
        };
        pb::Due { due: Some(due) }
    }

    /// The display that waits to be filled.
    #[must_use]
    pub fn awaiting(&self) -> Option<pb::Display> {
        let display = match self {
            Self::Azul(position) => factory(position.awaiting_deal()?),
            Self::SummerPavilion(position) => match position.awaiting_deal()? {
                pavilion::Display::Supply => pb::display::Display::Supply(pb::Supply {}),
                pavilion::Display::Factory(display) => factory(display),
            },
        };
        Some(pb::Display { display: Some(display) })
    }

    /// The move again, if it is one of this table's game.
    pub fn own_move(&self, action: Move) -> Result<Move, EngineError> {
        match (self, action) {
            (Self::Azul(_), Move::Azul(_)) | (Self::SummerPavilion(_), Move::SummerPavilion(_)) => {
                Ok(action)
            }
            (Self::Azul(_), Move::SummerPavilion(_)) | (Self::SummerPavilion(_), Move::Azul(_)) => {
                Err(BadField::new("move", Problem::OtherGame).into())
            }
        }
    }

    /// Reads a move of this table's game.
    pub fn typed_move(&self, message: pb::Move) -> Result<Move, EngineError> {
        use pb::r#move::Game;
        match (self, message.game) {
            (Self::Azul(_), Some(Game::SummerPavilion(_)))
            | (Self::SummerPavilion(_), Some(Game::Azul(_))) => {
                Err(BadField::new("move", Problem::OtherGame).into())
            }
            (Self::Azul(_) | Self::SummerPavilion(_), _) => Move::read(message),
        }
    }

    /// The move with this action id.
    pub fn action(&self, id: u32) -> Result<Move, EngineError> {
        let (side, players) = (self.ruleset().side(), self.players());
        let short = u16::try_from(id).ok();
        let (action, count) = match self {
            Self::Azul(_) => {
                let action = short.and_then(|id| azul::Move::from_action_id(side, players, id));
                (action.map(Move::Azul), azul::action_count(side, players))
            }
            Self::SummerPavilion(_) => {
                let action = short.and_then(|id| pavilion::Move::from_action_id(side, players, id));
                (action.map(Move::SummerPavilion), pavilion::action_count(side, players))
            }
        };
        action.ok_or(EngineError::NoSuchAction { id, count })
    }

    /// The action id of a move; `None` for a move that is not in the action space.
    pub fn action_id(&self, action: Move) -> Option<u16> {
        let side = self.ruleset().side();
        match action {
            Move::Azul(action) => action.action_id(side),
            Move::SummerPavilion(action) => action.action_id(side),
        }
    }

    /// A legal move with its notation and its effect.
    #[must_use]
    pub fn legal_move(&self, action: Move) -> pb::LegalMove {
        use pb::legal_move::Effect;
        let effect = match (self, action) {
            (Self::Azul(position), Move::Azul(action)) => {
                Some(Effect::AzulEffect(position.effect(action).into()))
            }
            (Self::SummerPavilion(position), Move::SummerPavilion(action)) => {
                Some(Effect::SummerPavilionEffect(position.effect(action).into()))
            }
            (Self::Azul(_), Move::SummerPavilion(_)) | (Self::SummerPavilion(_), Move::Azul(_)) => {
                None
            }
        };
        pb::LegalMove {
            r#move: Some(action.message()),
            action_id: self.action_id(action).unwrap_or_default().into(),
            notation: action.to_string(),
            effect,
        }
    }

    /// All legal moves with their notation and effects, in ascending order of action ids.
    #[must_use]
    pub fn legal_move_messages(&self) -> Vec<pb::LegalMove> {
        self.legal_moves().into_iter().map(|action| self.legal_move(action)).collect()
    }

    /// Converts the given displays to deals, in order.
    pub(crate) fn read_displays(&self, message: pb::Displays) -> Result<Vec<Step>, EngineError> {
        let pb::Displays { game } = message;
        let steps = match (self, game.ok_or_else(|| BadField::missing("displays.game"))?) {
            (Self::Azul(_), pb::displays::Game::Azul(displays)) => {
                let displays = azulejo_wire::azul_displays(displays);
                let displays = displays.map_err(|bad| bad.within("displays.azul"))?;
                displays.into_iter().map(|tiles| Step::Azul(azul::Step::Deal(tiles))).collect()
            }
            (Self::SummerPavilion(_), pb::displays::Game::SummerPavilion(displays)) => {
                let displays = azulejo_wire::pavilion_displays(displays);
                let displays = displays.map_err(|bad| bad.within("displays.summer_pavilion"))?;
                let step = |tiles| Step::SummerPavilion(pavilion::Step::Deal(tiles));
                displays.into_iter().map(step).collect()
            }
            (Self::Azul(_), pb::displays::Game::SummerPavilion(_))
            | (Self::SummerPavilion(_), pb::displays::Game::Azul(_)) => {
                return Err(BadField::new("displays", Problem::OtherGame).into());
            }
        };
        Ok(steps)
    }
}

fn factory(display: Factory) -> pb::display::Display {
    pb::display::Display::Factory(display.index() as u32 + 1)
}

impl Ruleset {
    pub fn read(ruleset: Option<pb::Ruleset>) -> Result<Self, EngineError> {
        let ruleset = ruleset.ok_or_else(|| BadField::missing("ruleset"))?;
        let pb::Ruleset { game } = ruleset;
        let within = |game: &'static str| move |bad: BadField| bad.within(game);
        match game.ok_or_else(|| BadField::missing("ruleset.game"))? {
            pb::ruleset::Game::Azul(rules) => {
                let rules = rules.try_into().map_err(within("ruleset.azul"))?;
                Ok(Self::Azul(rules))
            }
            pb::ruleset::Game::SummerPavilion(rules) => {
                let rules = rules.try_into().map_err(within("ruleset.summer_pavilion"))?;
                Ok(Self::SummerPavilion(rules))
            }
        }
    }

    #[must_use]
    pub fn message(&self) -> pb::Ruleset {
        let game = match *self {
            Self::Azul(rules) => pb::ruleset::Game::Azul(rules.into()),
            Self::SummerPavilion(rules) => pb::ruleset::Game::SummerPavilion(rules.into()),
        };
        pb::Ruleset { game: Some(game) }
    }
}

impl Move {
    /// Reads a move of either game.
    pub fn read(message: pb::Move) -> Result<Self, EngineError> {
        let pb::Move { game } = message;
        let within = |game: &'static str| move |bad: BadField| bad.within(game);
        Ok(match game.ok_or_else(|| BadField::missing("move.game"))? {
            pb::r#move::Game::Azul(action) => {
                Self::Azul(action.try_into().map_err(within("move.azul"))?)
            }
            pb::r#move::Game::SummerPavilion(action) => {
                Self::SummerPavilion(action.try_into().map_err(within("move.summer_pavilion"))?)
            }
        })
    }

    #[must_use]
    pub fn message(&self) -> pb::Move {
        let game = match *self {
            Self::Azul(action) => pb::r#move::Game::Azul(action.into()),
            Self::SummerPavilion(action) => pb::r#move::Game::SummerPavilion(action.into()),
        };
        pb::Move { game: Some(game) }
    }
}

impl Event {
    #[must_use]
    pub fn message(self) -> pb::Event {
        let game = match self {
            Self::Azul(event) => pb::event::Game::Azul(event.into()),
            Self::SummerPavilion(event) => pb::event::Game::SummerPavilion(event.into()),
        };
        pb::Event { game: Some(game) }
    }
}

/// Decodes an optional seed.
pub(crate) fn read_seed(seed: Option<pb::Seed>) -> Result<Option<Seed>, EngineError> {
    let seed = seed.map(Seed::try_from).transpose();
    Ok(seed.map_err(|bad| bad.within("seed"))?)
}

/// One display of Azul.
pub(crate) fn azul_display(tiles: Tiles<azul::Color>) -> pb::Displays {
    let displays = pb::AzulDisplays { displays: vec![tiles.into()] };
    pb::Displays { game: Some(pb::displays::Game::Azul(displays)) }
}

/// One display of Summer Pavilion.
pub(crate) fn pavilion_display(tiles: Tiles<pavilion::Color>) -> pb::Displays {
    let displays = pb::SummerPavilionDisplays { displays: vec![tiles.into()] };
    pb::Displays { game: Some(pb::displays::Game::SummerPavilion(displays)) }
}
