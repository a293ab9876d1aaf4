use azulejo_rules::pavilion::{BadPosition, Display};

/// The field of the state that a defect of the position is about; empty if it is the whole state.
#[must_use]
pub fn pavilion_path(defect: &BadPosition) -> String {
    match *defect {
        BadPosition::BoardCount { .. }
        | BadPosition::TokenSeat { .. }
        | BadPosition::TokenNotReturned => "boards".to_owned(),
        BadPosition::FactoryCount { .. } => "factories".to_owned(),
        BadPosition::RoundOutOfRange { .. } => "round".to_owned(),
        BadPosition::TurnSeat { .. }
        | BadPosition::TurnPassed { .. }
        | BadPosition::TurnNotStart => "turn_seat".to_owned(),
        BadPosition::StartSeat { .. } => "start_seat".to_owned(),
        BadPosition::PassedSeat { .. } | BadPosition::PassedTooEarly => "passed_seats".to_owned(),
        BadPosition::FactoryOverfull { factory, .. }
        | BadPosition::DealOutOfOrder { display: Display::Factory(factory) } => {
            format!("factories[{}]", factory.index())
        }
        BadPosition::CenterOverfull { .. } => "center".to_owned(),
        BadPosition::SupplyOverfull { .. }
        | BadPosition::SupplyShort { .. }
        | BadPosition::DealOutOfOrder { display: Display::Supply } => "supply".to_owned(),
        BadPosition::DrawnOutOfRange { .. } => "drawn".to_owned(),
        BadPosition::PointsOutOfRange { seat, .. } => format!("boards[{}].points", seat.index()),
        BadPosition::StarColor { seat, star, space, .. } => {
            format!("boards[{}].spaces[{}]", seat.index(), star.index() * 6 + space.index())
        }
        BadPosition::TooManyKept { seat, .. } | BadPosition::NothingToKeep { seat } => {
            format!("boards[{}].hand", seat.index())
        }
        BadPosition::BonusOutOfRange { .. } | BadPosition::BonusNotEarned { .. } => {
            "bonus_due".to_owned()
        }
        BadPosition::OfferEmpty
        | BadPosition::OfferNotEmpty
        | BadPosition::NothingToDeal
        | BadPosition::EndNotReached => "phase".to_owned(),
        BadPosition::TilesNotConserved { .. } => String::new(),
    }
}
