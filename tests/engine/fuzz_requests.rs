//! Good requests of every call, to be broken.

use azulejo_engine::Ruleset;
use azulejo_rules::parts::{PlayerCount, Side};
use azulejo_rules::{azul, pavilion};
use azulejo_tests::{Random, Style, play_game};
use azulejo_wire::engine::v1 as pb;
use azulejo_wire::game::v1 as game;
use pb::apply_request::Action;
use prost::Message;

use crate::call_replay::played;
use crate::caller::{deal_outcomes, format_position, legal_moves, list_rulesets, seed};
use crate::either_game::{OnWire, tables};
use crate::fuzz_calls::Call;

/// By call: the bytes of requests that succeed.
pub(crate) fn good_requests() -> Vec<(Call, Vec<Vec<u8>>)> {
    let mut all = Requests::default();
    all.push(Call::ListRulesets, &pb::ListRulesetsRequest {});
    for info in list_rulesets().rulesets {
        use pb::new_game_request::Chance;
        for chance in [None, Some(Chance::Seed(seed(1)))] {
            all.push(
                Call::NewGame,
                &pb::NewGameRequest { ruleset: info.ruleset, start_seat: 1, chance },
            );
        }
    }
    games::<azul::Position>(&mut all);
    games::<pavilion::Position>(&mut all);
    for (number, (side, players)) in (0..).zip(tables()) {
        all.record(Ruleset::Azul(azul::Rules::new(side, players)), number);
        all.record(Ruleset::SummerPavilion(pavilion::Rules::new(side, players)), number);
    }
    all.0
}

#[derive(Default)]
struct Requests(Vec<(Call, Vec<Vec<u8>>)>);

impl Requests {
    fn push(&mut self, call: Call, request: &impl Message) {
        let bytes = request.encode_to_vec();
        match self.0.iter_mut().find(|(other, _)| *other == call) {
            Some((_, all)) => all.push(bytes),
            None => self.0.push((call, vec![bytes])),
        }
    }

    fn record(&mut self, ruleset: Ruleset, number: u64) {
        let (_, record) = played(ruleset, number);
        let record = serde_json::to_string(&record).unwrap();
        self.push(Call::Replay, &pb::ReplayRequest { record });
    }

    fn about(&mut self, state: &game::GameState, random: &mut Random) {
        let some = || Some(state.clone());
        self.push(Call::LegalMoves, &pb::LegalMovesRequest { state: some() });
        self.push(Call::Score, &pb::ScoreRequest { state: some() });
        self.push(Call::FormatPosition, &pb::FormatPositionRequest { state: some() });
        let position = format_position(state).unwrap().position;
        self.push(Call::ParsePosition, &pb::ParsePositionRequest { position });
        let view = i32::try_from(random.below(3)).unwrap();
        self.push(Call::Expand, &pb::ExpandRequest { state: some(), view });
        let policy = i32::try_from(random.below(3)).unwrap();
        let playouts = pb::PlayoutsRequest { state: some(), games: 1, policy, seed: None };
        self.push(Call::Playouts, &playouts);
        let text = pb::render_request::Format::Text(pb::RenderText { color: true });
        let svg = pb::render_request::Format::Svg(pb::RenderSvg { theme: 2 });
        let format = random.pick(&[None, Some(text), Some(svg)]);
        self.push(Call::Render, &pb::RenderRequest { state: some(), format, names: vec![] });
        self.moves(state, random);
        self.deals(state, random);
    }

    fn moves(&mut self, state: &game::GameState, random: &mut Random) {
        use pb::apply_request::Chance;
        let listed = legal_moves(state).unwrap().moves;
        let mut requests = Vec::new();
        for _ in 0..3.min(listed.len()) {
            let legal = listed[random.below(listed.len())].clone();
            let action = match random.below(4) {
                0 | 1 => Action::Move(legal.r#move.unwrap()),
                2 => Action::ActionId(legal.action_id),
                _ => Action::Notation(legal.notation),
            };
            let chance = (random.below(2) == 0).then(|| Chance::Seed(seed(9)));
            let state = Some(state.clone());
            let request = pb::ApplyRequest {
                state,
                action: Some(action),
                chance,
                include_legal_moves: random.below(2) == 0,
                include_score: random.below(2) == 0,
            };
            self.push(Call::Apply, &request);
            requests.push(request);
        }
        self.push(Call::BatchApply, &pb::BatchApplyRequest { requests });
    }

    fn deals(&mut self, state: &game::GameState, random: &mut Random) {
        use pb::deal_request::Chance;
        let Ok(outcomes) = deal_outcomes(state) else { return };
        self.push(Call::DealOutcomes, &pb::DealOutcomesRequest { state: Some(state.clone()) });
        let displays = outcomes.outcomes[random.below(outcomes.outcomes.len())].displays.clone();
        for chance in [Chance::Seed(seed(8)), Chance::Displays(displays.unwrap())] {
            let (state, chance) = (Some(state.clone()), Some(chance));
            self.push(Call::Deal, &pb::DealRequest { state, chance, max_displays: 0 });
        }
    }
}

fn games<G: OnWire>(all: &mut Requests) {
    for (number, (side, players)) in (0..).zip(tables()) {
        for style in [Style::Uniform, Style::Dear] {
            one_game::<G>(all, side, players, style, number);
        }
        if players == PlayerCount::Four {
            one_game::<G>(all, side, players, Style::Scarce, number);
        }
    }
}

fn one_game<G: OnWire>(
    all: &mut Requests,
    side: Side,
    players: PlayerCount,
    style: Style,
    number: u64,
) {
    play_game::<G>(side, players, style, number, |position, random| {
        if position.is_over() || random.below(8) == 0 {
            all.about(&position.message(), random);
        }
    });
}
