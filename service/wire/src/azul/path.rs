use azulejo_rules::azul::BadPosition;

/// The field of the state that a defect of the position is about; empty if it is the whole state.
#[must_use]
pub fn azul_path(defect: &BadPosition) -> String {
    match *defect {
        BadPosition::BoardCount { .. }
        | BadPosition::MarkerSeat { .. }
        | BadPosition::MarkerNotReturned => "boards".to_owned(),
        BadPosition::FactoryCount { .. } => "factories".to_owned(),
        BadPosition::NoRounds => "rules.round_limit".to_owned(),
        BadPosition::RoundOutOfRange { .. } => "round".to_owned(),
        BadPosition::TurnSeat { .. } | BadPosition::TurnNotStart => "turn_seat".to_owned(),
        BadPosition::StartSeat { .. } => "start_seat".to_owned(),
        BadPosition::FactoryOverfull { factory, .. } | BadPosition::DealOutOfOrder { factory } => {
            format!("factories[{}]", factory.index())
        }
        BadPosition::CenterOverfull { .. } => "center".to_owned(),
        BadPosition::DrawnOutOfRange { .. } => "drawn".to_owned(),
        BadPosition::PointsOutOfRange { seat, .. } => format!("boards[{}].points", seat.index()),
        BadPosition::WallColorMisplaced { seat, row, column, .. } => {
            format!("boards[{}].wall[{}]", seat.index(), row.index() * 5 + column.index())
        }
        BadPosition::ColorTwiceInRow { seat, .. }
        | BadPosition::ColorTwiceInColumn { seat, .. }
        | BadPosition::RowAlreadyComplete { seat } => format!("boards[{}].wall", seat.index()),
        BadPosition::LineLength { seat, row, .. }
        | BadPosition::LineColorOnWall { seat, row, .. }
        | BadPosition::LineNotTiled { seat, row } => {
            format!("boards[{}].lines[{}]", seat.index(), row.index())
        }
        BadPosition::FloorOverfull { seat, .. } | BadPosition::FloorNotCleared { seat } => {
            format!("boards[{}].floor", seat.index())
        }
        BadPosition::NothingToPlace { seat } => format!("boards[{}].lines", seat.index()),
        BadPosition::OfferEmpty
        | BadPosition::OfferNotEmpty
        | BadPosition::NothingToDeal
        | BadPosition::TilingOnColoredWall => "phase".to_owned(),
        BadPosition::EndNotReached { .. } => "end".to_owned(),
        BadPosition::TilesNotConserved { .. } => String::new(),
    }
}
