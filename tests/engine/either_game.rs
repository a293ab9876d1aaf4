//! Both games for the same tests: their moves and deals as messages.

use azulejo_engine::Table;
use azulejo_rules::parts::{PlayerCount, Side};
use azulejo_rules::{azul, pavilion};
use azulejo_tests::Playable;
use azulejo_wire::game::v1 as pb;

pub(crate) trait OnWire: Playable + Into<Table> {
    fn to_wire(action: Self::Move) -> pb::Move;
    fn from_wire(message: pb::Move) -> Self::Move;
    /// What the legal move does, by the rules.
    fn effect(&self, action: Self::Move) -> pb::legal_move::Effect;
    /// The tiles of every deal among the events, as displays to be given.
    fn displays(events: &[pb::Event]) -> pb::Displays;

    fn message(self) -> pb::GameState {
        let table: Table = self.into();
        table.state().message().unwrap()
    }
}

impl OnWire for azul::Position {
    fn to_wire(action: azul::Move) -> pb::Move {
        pb::Move { game: Some(pb::r#move::Game::Azul(action.into())) }
    }

    fn from_wire(message: pb::Move) -> azul::Move {
        let Some(pb::r#move::Game::Azul(action)) = message.game else { panic!("{message:?}") };
        action.try_into().unwrap()
    }

    fn effect(&self, action: azul::Move) -> pb::legal_move::Effect {
        let effect = azul::Position::effect(self, action);
        pb::legal_move::Effect::AzulEffect(pb::AzulEffect {
            tiles_taken: effect.taken.into(),
            tiles_to_line: effect.to_line.into(),
            tiles_to_floor: effect.to_floor.into(),
            tiles_to_lid: effect.to_lid.into(),
            takes_marker: effect.takes_marker,
            completes_line: effect.completes_line,
            wall_points: effect.wall_points.into(),
            floor_penalty: effect.floor_penalty.into(),
        })
    }

    fn displays(events: &[pb::Event]) -> pb::Displays {
        let dealt = events.iter().filter_map(|event| {
            let Some(pb::event::Game::Azul(event)) = &event.game else { panic!("{event:?}") };
            let Some(pb::azul_event::Event::Dealt(dealt)) = &event.event else { return None };
            Some(dealt.tiles.unwrap())
        });
        let displays = pb::AzulDisplays { displays: dealt.collect() };
        pb::Displays { game: Some(pb::displays::Game::Azul(displays)) }
    }
}

impl OnWire for pavilion::Position {
    fn to_wire(action: pavilion::Move) -> pb::Move {
        pb::Move { game: Some(pb::r#move::Game::SummerPavilion(action.into())) }
    }

    fn from_wire(message: pb::Move) -> pavilion::Move {
        let Some(pb::r#move::Game::SummerPavilion(action)) = message.game else {
            panic!("{message:?}")
        };
        action.try_into().unwrap()
    }

    fn effect(&self, action: pavilion::Move) -> pb::legal_move::Effect {
        let effect = pavilion::Position::effect(self, action);
        pb::legal_move::Effect::SummerPavilionEffect(pb::SummerPavilionEffect {
            tiles_taken: effect.taken.into(),
            wilds_taken: effect.wilds_taken.into(),
            takes_token: effect.takes_token,
            cost: effect.cost.into(),
            wilds_paid: effect.wilds_paid.into(),
            points: effect.points.into(),
            bonus_tiles: effect.bonus_tiles.into(),
            tiles_discarded: effect.discarded.into(),
            points_lost: effect.lost.into(),
        })
    }

    fn displays(events: &[pb::Event]) -> pb::Displays {
        use pb::summer_pavilion_event::Event;
        let dealt = events.iter().filter_map(|event| {
            let Some(pb::event::Game::SummerPavilion(event)) = &event.game else {
                panic!("{event:?}")
            };
            let Some(Event::Dealt(dealt)) = &event.event else { return None };
            Some(dealt.tiles.unwrap())
        });
        let displays = pb::SummerPavilionDisplays { displays: dealt.collect() };
        pb::Displays { game: Some(pb::displays::Game::SummerPavilion(displays)) }
    }
}

/// How many displays are given.
pub(crate) fn count(displays: &pb::Displays) -> usize {
    match &displays.game {
        Some(pb::displays::Game::Azul(azul)) => azul.displays.len(),
        Some(pb::displays::Game::SummerPavilion(pavilion)) => pavilion.displays.len(),
        None => 0,
    }
}

/// Both sides, two to four players.
pub(crate) fn tables() -> impl Iterator<Item = (Side, PlayerCount)> {
    Side::ALL.into_iter().flat_map(|side| PlayerCount::ALL.map(|players| (side, players)))
}
