//! Deals, from a seed or from given tiles.

use azulejo_rules::parts::{Outcome, Seed, TileColor, Tiles};
use azulejo_wire::game::v1::Displays;
use azulejo_wire::served::v1 as pb;
use azulejo_wire::{BadField, Problem};

use crate::message::{azul_display, pavilion_display, read_seed};
use crate::{EngineError, Event, Table};

pub fn deal(request: pb::DealRequest) -> Result<pb::DealResponse, EngineError> {
    use pb::deal_request::Chance;
    let pb::DealRequest { state, chance, max_displays } = request;
    let mut table = Table::read(state)?;
    if !table.awaits_deal() {
        return Err(EngineError::NoDealDue);
    }
    let events = match chance.ok_or_else(|| BadField::missing("chance"))? {
        Chance::Seed(seed) => {
            let most = if max_displays == 0 { u32::MAX } else { max_displays };
            deal_at_most(&mut table, read_seed(Some(seed))?, most)
        }
        Chance::Displays(_) if max_displays != 0 => {
            let (found, least, most) = (max_displays.into(), 0, 0);
            let problem = Problem::OutOfRange { found, least, most };
            return Err(BadField::new("max_displays", problem).into());
        }
        Chance::Displays(displays) => deal_given(&mut table, displays)?,
    };
    if events.is_empty() {
        return Err(BadField::missing("displays").into());
    }
    Ok(pb::DealResponse {
        state: Some(table.state()),
        due: Some(table.due()),
        events: events.into_iter().map(Event::message).collect(),
    })
}

/// Fills all displays that wait, from the seed; does nothing without one.
pub(super) fn deal_by(table: &mut Table, seed: Option<Seed>) -> Vec<Event> {
    deal_at_most(table, seed, u32::MAX)
}

fn deal_at_most(table: &mut Table, seed: Option<Seed>, most: u32) -> Vec<Event> {
    let mut events = Vec::new();
    let Some(seed) = seed else { return events };
    let mut left = most;
    while left > 0 && table.awaits_deal() {
        events.extend(table.deal(&seed));
        left -= 1;
    }
    events
}

/// Fills displays with the given tiles, in order.
pub(super) fn deal_given(table: &mut Table, displays: Displays) -> Result<Vec<Event>, EngineError> {
    let mut events = Vec::new();
    for (index, step) in table.read_displays(displays)?.into_iter().enumerate() {
        let dealt = table.step(step);
        events.extend(dealt.map_err(|refusal| EngineError::BadDeal { index, refusal })?);
    }
    Ok(events)
}

pub fn deal_outcomes(
    request: pb::DealOutcomesRequest,
) -> Result<pb::DealOutcomesResponse, EngineError> {
    let pb::DealOutcomesRequest { state } = request;
    let table = Table::read(state)?;
    let outcomes = match &table {
        Table::Azul(position) => position
            .deal_outcomes()
            .map(|all| all.map(|one| outcome_message(one, azul_display)).collect()),
        Table::SummerPavilion(position) => position
            .deal_outcomes()
            .map(|all| all.map(|one| outcome_message(one, pavilion_display)).collect()),
    };
    let outcomes: Vec<(pb::DealOutcome, u64)> = outcomes.ok_or(EngineError::NoDealDue)?;
    Ok(pb::DealOutcomesResponse {
        display: table.awaiting(),
        all_ways: outcomes.first().map_or(0, |&(_, all_ways)| all_ways),
        outcomes: outcomes.into_iter().map(|(outcome, _)| outcome).collect(),
    })
}

fn outcome_message<C: TileColor>(
    outcome: Outcome<C>,
    display: impl Fn(Tiles<C>) -> Displays,
) -> (pb::DealOutcome, u64) {
    let Outcome { tiles, ways, all_ways } = outcome;
    let probability = outcome.probability();
    (pb::DealOutcome { displays: Some(display(tiles)), ways, probability }, all_ways)
}
