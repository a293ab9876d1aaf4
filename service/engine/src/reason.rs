//! The stable reasons of errors. They are part of the API: never rename one, only add.
//! `proto/README.md` lists them, and a test compares.

use azulejo_rules::parts::BadDeal;
use azulejo_rules::{azul, pavilion};
use azulejo_wire::Problem;

use crate::{BadTable, EngineError, Refusal};

impl EngineError {
    /// The stable reason.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::BadField(bad) => field(bad.problem),
            Self::AzulPosition(defect) => azul_position(defect),
            Self::PavilionPosition(defect) => pavilion_position(defect),
            Self::IllegalMove { .. } => "ILLEGAL_MOVE",
            Self::NoSuchAction { .. } => "NO_SUCH_ACTION",
            Self::BadNotation(_) => "BAD_NOTATION",
            Self::BadPositionText(bad) => bad.reason(),
            Self::BadDeal { .. } => "IMPOSSIBLE_DEAL",
            Self::NoDealDue => "NO_DEAL_DUE",
            Self::BadRecord(_) => "BAD_RECORD",
            Self::OutOfTime => "DEADLINE_EXCEEDED",
        }
    }

    /// The rule that forbids the move or the deal, if there is one.
    #[must_use]
    pub const fn rule(&self) -> Option<&'static str> {
        match self {
            Self::IllegalMove { refusal, .. } | Self::BadDeal { refusal, .. } => {
                Some(refusal.rule())
            }
            Self::BadField(_)
            | Self::AzulPosition(_)
            | Self::PavilionPosition(_)
            | Self::NoSuchAction { .. }
            | Self::BadNotation(_)
            | Self::BadPositionText(_)
            | Self::NoDealDue
            | Self::BadRecord(_)
            | Self::OutOfTime => None,
        }
    }
}

impl Refusal {
    /// The rule that forbids it.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        rule(self)
    }
}

impl BadTable {
    /// The stable reason.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        position_text(self)
    }
}

/// A text that is well-formed but not a legal position has the reason of that position.
const fn position_text(bad: &BadTable) -> &'static str {
    match bad {
        BadTable::Azul(azul::BadNotation::Text(_))
        | BadTable::SummerPavilion(pavilion::BadNotation::Text(_)) => "BAD_POSITION_TEXT",
        BadTable::Azul(azul::BadNotation::Position(defect)) => azul_position(defect),
        BadTable::SummerPavilion(pavilion::BadNotation::Position(defect)) => {
            pavilion_position(defect)
        }
    }
}

const fn field(problem: Problem) -> &'static str {
    match problem {
        Problem::Missing => "FIELD_MISSING",
        Problem::NoSuchValue { .. } => "NO_SUCH_ENUM_VALUE",
        Problem::OutOfRange { .. } => "OUT_OF_RANGE",
        Problem::WrongCount { .. } => "WRONG_COUNT",
        Problem::TooMany { .. } | Problem::MoreThan { .. } => "TOO_MANY",
        Problem::SeedLength { .. } => "SEED_LENGTH",
        Problem::UnknownVersion { .. } => "UNKNOWN_RULES_VERSION",
        Problem::NotNow => "FIELD_NOT_OF_THIS_PHASE",
        Problem::HeldTwice => "HELD_TWICE",
        Problem::NoMessage => "BAD_MESSAGE",
        Problem::OtherGame => "OTHER_GAME",
        Problem::TooLong { .. } | Problem::TooManyCharacters { .. } => "TOO_LONG",
        Problem::ControlCharacter => "CONTROL_CHARACTER",
    }
}

const fn azul_position(defect: &azul::BadPosition) -> &'static str {
    use azul::BadPosition as Bad;
    match defect {
        Bad::BoardCount { .. } | Bad::FactoryCount { .. } => "WRONG_COUNT",
        Bad::NoRounds | Bad::RoundOutOfRange { .. } => "ROUND_OUT_OF_RANGE",
        Bad::TurnSeat { .. } | Bad::StartSeat { .. } | Bad::MarkerSeat { .. } => "NO_SUCH_SEAT",
        Bad::FactoryOverfull { .. } => "FACTORY_OVERFULL",
        Bad::CenterOverfull { .. } => "CENTER_OVERFULL",
        Bad::TilesNotConserved { .. } => "TILES_NOT_CONSERVED",
        Bad::DrawnOutOfRange { .. } => "DRAWN_OUT_OF_RANGE",
        Bad::PointsOutOfRange { .. } => "POINTS_OUT_OF_RANGE",
        Bad::WallColorMisplaced { .. } => "WALL_COLOR_MISPLACED",
        Bad::ColorTwiceInRow { .. } => "COLOR_TWICE_IN_ROW",
        Bad::ColorTwiceInColumn { .. } => "COLOR_TWICE_IN_COLUMN",
        Bad::LineLength { .. } => "LINE_LENGTH",
        Bad::LineColorOnWall { .. } => "LINE_COLOR_ON_WALL",
        Bad::FloorOverfull { .. } => "FLOOR_OVERFULL",
        Bad::OfferEmpty => "OFFER_EMPTY",
        Bad::OfferNotEmpty => "OFFER_NOT_EMPTY",
        Bad::NothingToDeal => "NOTHING_TO_DEAL",
        Bad::DealOutOfOrder { .. } => "DEAL_OUT_OF_ORDER",
        Bad::RowAlreadyComplete { .. } => "ROW_ALREADY_COMPLETE",
        Bad::LineNotTiled { .. } => "LINE_NOT_TILED",
        Bad::FloorNotCleared { .. } => "FLOOR_NOT_CLEARED",
        Bad::MarkerNotReturned => "MARKER_NOT_RETURNED",
        Bad::TurnNotStart => "TURN_NOT_START",
        Bad::TilingOnColoredWall => "TILING_ON_COLORED_WALL",
        Bad::NothingToPlace { .. } => "NOTHING_TO_PLACE",
        Bad::EndNotReached { .. } => "END_NOT_REACHED",
    }
}

const fn pavilion_position(defect: &pavilion::BadPosition) -> &'static str {
    use pavilion::BadPosition as Bad;
    match defect {
        Bad::BoardCount { .. } | Bad::FactoryCount { .. } => "WRONG_COUNT",
        Bad::RoundOutOfRange { .. } => "ROUND_OUT_OF_RANGE",
        Bad::TurnSeat { .. }
        | Bad::StartSeat { .. }
        | Bad::TokenSeat { .. }
        | Bad::PassedSeat { .. } => "NO_SUCH_SEAT",
        Bad::FactoryOverfull { .. } => "FACTORY_OVERFULL",
        Bad::CenterOverfull { .. } => "CENTER_OVERFULL",
        Bad::SupplyOverfull { .. } => "SUPPLY_OVERFULL",
        Bad::SupplyShort { .. } => "SUPPLY_SHORT",
        Bad::TilesNotConserved { .. } => "TILES_NOT_CONSERVED",
        Bad::DrawnOutOfRange { .. } => "DRAWN_OUT_OF_RANGE",
        Bad::PointsOutOfRange { .. } => "POINTS_OUT_OF_RANGE",
        Bad::StarColor { .. } => "STAR_COLOR",
        Bad::TooManyKept { .. } => "TOO_MANY_KEPT",
        Bad::OfferEmpty => "OFFER_EMPTY",
        Bad::OfferNotEmpty => "OFFER_NOT_EMPTY",
        Bad::NothingToDeal => "NOTHING_TO_DEAL",
        Bad::DealOutOfOrder { .. } => "DEAL_OUT_OF_ORDER",
        Bad::PassedTooEarly => "PASSED_TOO_EARLY",
        Bad::TurnPassed { .. } => "TURN_PASSED",
        Bad::TokenNotReturned => "TOKEN_NOT_RETURNED",
        Bad::TurnNotStart => "TURN_NOT_START",
        Bad::BonusOutOfRange { .. } => "BONUS_OUT_OF_RANGE",
        Bad::BonusNotEarned { .. } => "BONUS_NOT_EARNED",
        Bad::NothingToKeep { .. } => "NOTHING_TO_KEEP",
        Bad::EndNotReached => "END_NOT_REACHED",
    }
}

const fn rule(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Azul(azul::Defect::Move(illegal)) => azul_rule(illegal),
        Refusal::SummerPavilion(pavilion::Defect::Move(illegal)) => pavilion_rule(illegal),
        Refusal::Azul(azul::Defect::Deal(bad)) => deal_rule(&bad),
        Refusal::SummerPavilion(pavilion::Defect::Deal(bad)) => deal_rule(&bad),
        Refusal::Azul(azul::Defect::Setup) | Refusal::SummerPavilion(pavilion::Defect::Setup) => {
            "SETUP"
        }
        Refusal::OtherGame => "OTHER_GAME",
    }
}

const fn azul_rule(illegal: azul::IllegalMove) -> &'static str {
    use azul::IllegalMove as Illegal;
    match illegal {
        Illegal::GameOver => "GAME_OVER",
        Illegal::DealDue => "DEAL_DUE",
        Illegal::NotOffering => "NOT_OFFERING",
        Illegal::NotTiling => "NOT_TILING",
        Illegal::NoSuchFactory { .. } => "NO_SUCH_FACTORY",
        Illegal::ColorAbsent { .. } => "COLOR_ABSENT",
        Illegal::LineHoldsOtherColor { .. } => "LINE_HOLDS_OTHER_COLOR",
        Illegal::LineComplete { .. } => "LINE_COMPLETE",
        Illegal::ColorOnWall { .. } => "COLOR_ON_WALL",
        Illegal::OtherRowDue { .. } => "OTHER_ROW_DUE",
        Illegal::CellCovered { .. } => "CELL_COVERED",
        Illegal::ColorInColumn { .. } => "COLOR_IN_COLUMN",
    }
}

const fn pavilion_rule(illegal: pavilion::IllegalMove) -> &'static str {
    use pavilion::IllegalMove as Illegal;
    match illegal {
        Illegal::GameOver => "GAME_OVER",
        Illegal::DealDue => "DEAL_DUE",
        Illegal::NotAcquiring => "NOT_ACQUIRING",
        Illegal::NotPlaying => "NOT_PLAYING",
        Illegal::NoBonusDue => "NO_BONUS_DUE",
        Illegal::NotKeeping => "NOT_KEEPING",
        Illegal::NoSuchFactory { .. } => "NO_SUCH_FACTORY",
        Illegal::ColorAbsent { .. } => "COLOR_ABSENT",
        Illegal::WildNotAlone { .. } => "WILD_NOT_ALONE",
        Illegal::SpaceCovered { .. } => "SPACE_COVERED",
        Illegal::ColorNotTaken { .. } => "COLOR_NOT_TAKEN",
        Illegal::TooFewTiles { .. } => "TOO_FEW_TILES",
        Illegal::NaturalsOutOfRange { .. } => "NATURALS_OUT_OF_RANGE",
        Illegal::BonusSize { .. } => "BONUS_SIZE",
        Illegal::NotInSupply { .. } => "NOT_IN_SUPPLY",
        Illegal::KeepSize { .. } => "KEEP_SIZE",
        Illegal::NotAtHand { .. } => "NOT_AT_HAND",
    }
}

const fn deal_rule<C: azulejo_rules::parts::TileColor>(bad: &BadDeal<C>) -> &'static str {
    match bad {
        BadDeal::NotDue => "NOT_DUE",
        BadDeal::Size { .. } => "DEAL_SIZE",
        BadDeal::NotInBag { .. } => "NOT_IN_BAG",
        BadDeal::LeftInBag { .. } => "LEFT_IN_BAG",
        BadDeal::NotInDiscards { .. } => "NOT_IN_DISCARDS",
    }
}
