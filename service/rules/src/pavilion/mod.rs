//! Summer Pavilion: draft tiles, pay with them for the spaces of seven stars, surround pillars,
//! statues and windows.
//!
//! One file per heading of the rulebook; this one knows their order:
//!
//! | phase | decided by | next |
//! |---|---|---|
//! | [`Phase::Deal`] | a deal | `Deal` until supply and factory displays are filled, then `Acquire`; `Play` if there is nothing to take |
//! | [`Phase::Acquire`] | [`Move::Take`] | `Acquire` while tiles remain, then `Play` |
//! | [`Phase::Play`] | [`Move::Place`], [`Move::Pass`] | `Bonus`, `Keep`, or the turn is over: `TopUp`, `Play`; after the last pass `Deal` or `Over` |
//! | [`Phase::Bonus`] | [`Move::TakeBonus`] | the turn is over |
//! | [`Phase::Keep`] | [`Move::Keep`] | the turn is over |
//! | [`Phase::TopUp`] | a deal | `Play` |
//! | [`Phase::Over`] | nothing | |

mod acquire_tiles;
mod bad_position;
mod board;
mod bonus_tiles;
mod color;
mod effect;
mod end_of_game;
mod event;
mod hash;
mod mask;
mod moves;
mod next_round;
mod notation;
mod observation;
mod passing;
mod perft;
mod play_tiles;
mod position;
mod record;
mod setup;
mod star;
mod wild_color;

use thiserror::Error;

pub use bad_position::BadPosition;
pub use board::{FEWEST_POINTS, FIRST_POINTS, PlayerBoard};
pub use color::Color;
pub use effect::Effect;
pub use end_of_game::{GameEnd, MIXED_STAR_BONUS, NUMBER_BONUSES, Score, SeatScore, star_bonus};
pub use event::Event;
pub use mask::MOST_IDS;
pub use moves::{ActionId, CORNERS, MOST_BONUS_TILES, Move, MoveList, action_count};
pub use next_round::{Display, SUPPLY_SPACES};
pub use notation::BadNotation;
pub use observation::observation_size;
pub use position::{BoardSetup, Setup};
pub use record::{BadRecord, Defect, Record, Step};
pub use setup::Rules;
pub use star::{Space, Star, cost};
pub use wild_color::{ROUNDS, WILD_COLORS};

use crate::parts::{Factory, Offer, Seat, SeatSet, Source, Stock, Tiles, Witness};

/// What has to happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The supply or a factory display waits to be filled, at the start of a round.
    Deal,
    /// Phase 1: the player whose turn it is takes tiles.
    Acquire,
    /// Phase 2: the player whose turn it is lays a tile or passes.
    Play,
    /// The player whose turn it is takes this many tiles from the supply.
    Bonus {
        due: u8,
    },
    /// The player whose turn it is has passed and chooses what to keep.
    Keep,
    /// The supply waits to be topped up, in the middle of phase 2.
    TopUp,
    Over,
}

/// A position that obeys every rule. It holds no secret: no seed, and no order of tiles.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    boards: [PlayerBoard; 4],
    offer: Offer<Color>,
    supply: Tiles<Color>,
    stock: Stock<Color>,
    rules: Rules,
    phase: Phase,
    round: u8,
    turn: Seat,
    /// The seat that started this round.
    start: Seat,
    /// The seat that holds the start player token; `None` while it is in the center.
    token: Option<Seat>,
    passed: SeatSet,
}

/// Why a move is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalMove {
    #[error("the game is over")]
    GameOver,
    #[error("a display waits to be filled before anyone can move")]
    DealDue,
    #[error("tiles are taken in phase 1 only")]
    NotAcquiring,
    #[error("tiles are laid, and players pass, on their turn of phase 2 only")]
    NotPlaying,
    #[error("no bonus tiles are due")]
    NoBonusDue,
    #[error("no tiles to keep are to be chosen now")]
    NotKeeping,
    #[error("this table has no factory display {factory}")]
    NoSuchFactory { factory: Factory },
    #[error("no {color} tiles there")]
    ColorAbsent { place: Source, color: Color },
    #[error("a wild tile can be chosen only if there are no other colors")]
    WildNotAlone { place: Source },
    #[error("space {} of the {star} is covered", space.number())]
    SpaceCovered { star: Star, space: Space },
    #[error("the {star} takes no {color} tile")]
    ColorNotTaken { star: Star, color: Color },
    #[error("the space costs {price} {color} tiles, and there are too few, wild ones included")]
    TooFewTiles { color: Color, price: u8 },
    #[error("{naturals} tiles of the color itself cannot be paid: {least} to {most}")]
    NaturalsOutOfRange { naturals: u8, least: u8, most: u8 },
    #[error("{due} bonus tiles are due, not {found}")]
    BonusSize { due: u8, found: u8 },
    #[error("the supply does not hold {tiles}")]
    NotInSupply { tiles: Tiles<Color> },
    #[error("exactly four tiles are kept, not {found}")]
    KeepSize { found: u8 },
    #[error("the player does not have {tiles}")]
    NotAtHand { tiles: Tiles<Color> },
}

impl Position {
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    #[must_use]
    #[inline]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The round that is played, 1 to 6.
    #[must_use]
    pub const fn round(&self) -> u8 {
        self.round
    }

    /// The seat that has to decide; `None` before a deal and after the end.
    #[must_use]
    pub const fn to_move(&self) -> Option<Seat> {
        match self.phase {
            Phase::Acquire | Phase::Play | Phase::Bonus { .. } | Phase::Keep => Some(self.turn),
            Phase::Deal | Phase::TopUp | Phase::Over => None,
        }
    }

    /// The seat that started this round, or starts the one that is being dealt.
    #[must_use]
    pub const fn start(&self) -> Seat {
        self.start
    }

    /// The seat that holds the start player token; `None` while it is in the center.
    #[must_use]
    pub const fn token(&self) -> Option<Seat> {
        self.token
    }

    /// The seats that have passed this round.
    #[must_use]
    pub const fn passed(&self) -> SeatSet {
        self.passed
    }

    /// The tiles of a factory display.
    #[must_use]
    pub const fn factory(&self, factory: Factory) -> Tiles<Color> {
        self.offer[Source::Factory(factory).index()]
    }

    #[must_use]
    pub const fn center(&self) -> Tiles<Color> {
        self.offer[Source::Center.index()]
    }

    #[must_use]
    pub const fn supply(&self) -> Tiles<Color> {
        self.supply
    }

    /// Bag and tower, by count.
    #[must_use]
    pub const fn stock(&self) -> &Stock<Color> {
        &self.stock
    }

    #[must_use]
    pub const fn board(&self, seat: Seat) -> &PlayerBoard {
        &self.boards[seat.index()]
    }

    /// Every legal move, in ascending order of action ids; none before a deal or after the end.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.collect_moves(&mut moves);
        moves
    }

    /// The same into a given list, which is cleared first.
    #[inline]
    pub fn collect_moves(&self, moves: &mut MoveList) {
        moves.clear();
        match self.phase {
            Phase::Acquire => self.collect_takes(moves),
            Phase::Play => {
                moves.push(Move::Pass);
                self.collect_places(moves);
            }
            Phase::Bonus { due } => self.collect_bonuses(due, moves),
            Phase::Keep => self.collect_keeps(moves),
            Phase::Deal | Phase::TopUp | Phase::Over => {}
        }
    }

    /// How many legal moves there are.
    #[must_use]
    pub fn count_moves(&self) -> u32 {
        self.legal_moves().len() as u32
    }

    /// Whether the move is legal, and if not, why.
    pub fn check(&self, action: Move) -> Result<(), IllegalMove> {
        match (self.phase, action) {
            (Phase::Over, _) => Err(IllegalMove::GameOver),
            (Phase::Deal | Phase::TopUp, _) => Err(IllegalMove::DealDue),
            (Phase::Acquire, Move::Take { source, color }) => self.check_take(source, color),
            (Phase::Play, Move::Place { star, space, color, naturals }) => {
                self.check_place(star, space, color, naturals)
            }
            (Phase::Play, Move::Pass) => Ok(()),
            (Phase::Bonus { due }, Move::TakeBonus(tiles)) => self.check_bonus(due, tiles),
            (Phase::Keep, Move::Keep(tiles)) => self.check_keep(tiles),
            (_, Move::Take { .. }) => Err(IllegalMove::NotAcquiring),
            (_, Move::Place { .. } | Move::Pass) => Err(IllegalMove::NotPlaying),
            (_, Move::TakeBonus(_)) => Err(IllegalMove::NoBonusDue),
            (_, Move::Keep(_)) => Err(IllegalMove::NotKeeping),
        }
    }

    /// Plays a move. A refused move leaves the position unchanged.
    pub fn play(
        &mut self,
        action: Move,
        witness: &mut impl Witness<Event>,
    ) -> Result<(), IllegalMove> {
        self.check(action)?;
        self.play_unchecked(action, witness);
        Ok(())
    }

    /// Carries out a move that is known to be legal, for search.
    ///
    /// With an illegal move the position becomes invalid, and may panic now or later.
    #[inline]
    pub fn play_unchecked(&mut self, action: Move, witness: &mut impl Witness<Event>) {
        match action {
            Move::Take { source, color } => self.take(source, color, witness),
            Move::Place { star, space, color, naturals } => {
                self.place(star, space, color, naturals, witness);
            }
            Move::TakeBonus(tiles) => self.take_bonus(tiles, witness),
            Move::Pass => self.pass(witness),
            Move::Keep(tiles) => self.keep(tiles, witness),
        }
    }
}
