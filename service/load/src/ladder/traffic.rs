//! Numbers and sizes of the messages between bots and server, for the yardstick.

use azulejo_sdk::Accepted;
use azulejo_sdk::arena::{
    HeartbeatRequest, HeartbeatResponse, MatchEnded, MatchStarted, MatchStarting, MoveMade, Ping,
    ReadyRequest, SubmitMoveRequest, SubmitMoveResponse, Turn, submit_move_request,
};
use prost::{Message, length_delimiter_len};

use super::yardstick::{CallMix, EventMix, MessageMix};

/// Bytes of a nonce.
const NONCE: usize = 32;
/// The round trip time in a Heartbeat response: any below a millisecond has this size.
const ROUND_TRIP_NANOS: i32 = 500_000;

/// Messages of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Messages {
    count: u64,
    bytes: u64,
}

impl Messages {
    fn add(&mut self, bytes: usize) {
        self.count += 1;
        self.bytes += bytes as u64;
    }

    const fn since(self, earlier: Self) -> Self {
        Self { count: self.count - earlier.count, bytes: self.bytes - earlier.bytes }
    }

    fn mean_bytes(self) -> usize {
        self.bytes.checked_div(self.count).unwrap_or_default() as usize
    }

    fn per(self, moves: u64) -> f64 {
        self.count as f64 / moves.max(1) as f64
    }
}

/// Messages of the whole swarm. The SDK reports neither pings nor MatchStarted: the server's metrics
/// count the former, and the latter is reconstructed from the first turn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traffic {
    submit_requests: Messages,
    submit_responses: Messages,
    ready_requests: Messages,
    turns: Messages,
    moves_made: Messages,
    matches_starting: Messages,
    matches_started: Messages,
    matches_ended: Messages,
}

impl Traffic {
    pub(super) fn accepted(&mut self, accepted: &Accepted) {
        let request = SubmitMoveRequest {
            match_id: accepted.match_id.clone(),
            turn: Some(accepted.turn),
            action: Some(submit_move_request::Action::ActionId(accepted.action_id)),
        };
        self.submit_requests.add(request.encoded_len());
        let response = SubmitMoveResponse { receipt: Some(accepted.receipt) };
        self.submit_responses.add(response.encoded_len());
    }

    pub(super) fn turn(&mut self, turn: &Turn) {
        self.turns.add(pushed(turn));
    }

    pub(super) fn match_started(&mut self, started: &MatchStarted) {
        self.matches_started.add(pushed(started));
    }

    pub(super) fn move_made(&mut self, made: &MoveMade) {
        self.moves_made.add(pushed(made));
    }

    pub(super) fn match_starting(&mut self, starting: &MatchStarting) {
        self.matches_starting.add(pushed(starting));
        let match_id = starting.r#match.as_ref().map(|called| called.id.clone());
        let request =
            ReadyRequest { match_id: match_id.unwrap_or_default(), nonce: vec![0; NONCE] };
        self.ready_requests.add(request.encoded_len());
    }

    pub(super) fn match_ended(&mut self, ended: &MatchEnded) {
        self.matches_ended.add(pushed(ended));
    }

    pub(super) fn since(&self, earlier: &Self) -> Self {
        Self {
            submit_requests: self.submit_requests.since(earlier.submit_requests),
            submit_responses: self.submit_responses.since(earlier.submit_responses),
            ready_requests: self.ready_requests.since(earlier.ready_requests),
            turns: self.turns.since(earlier.turns),
            moves_made: self.moves_made.since(earlier.moves_made),
            matches_starting: self.matches_starting.since(earlier.matches_starting),
            matches_started: self.matches_started.since(earlier.matches_started),
            matches_ended: self.matches_ended.since(earlier.matches_ended),
        }
    }

    /// The same messages per acknowledged move, for the yardstick.
    pub(super) fn mix(&self, heartbeats: u64) -> MessageMix {
        let moves = self.submit_requests.count;
        let submit = CallMix {
            per_move: 1.0,
            request_bytes: self.submit_requests.mean_bytes(),
            response_bytes: self.submit_responses.mean_bytes(),
        };
        let ready = CallMix {
            per_move: self.ready_requests.per(moves),
            request_bytes: self.ready_requests.mean_bytes(),
            response_bytes: 0,
        };
        let event = |event: &'static str, messages: Messages| EventMix {
            event: event.to_owned(),
            per_move: messages.per(moves),
            bytes: messages.mean_bytes(),
        };
        let events = vec![
            event("move_made", self.moves_made),
            event("match_ended", self.matches_ended),
            event("match_starting", self.matches_starting),
            event("match_started", self.matches_started),
            event("turn", self.turns),
        ];
        let heartbeat = self.heartbeat(heartbeats, moves);
        MessageMix { submit, ready, heartbeat, events, ping_bytes: pushed(&Ping { number: 200 }) }
    }

    fn heartbeat(&self, heartbeats: u64, moves: u64) -> CallMix {
        // Ends of matches are acknowledged with the next heartbeat; their ids are in Ready as well.
        let id = self.ready_requests.mean_bytes().saturating_sub(NONCE + 2) as f64;
        let ended = self.matches_ended.per(heartbeats) * id;
        let request = HeartbeatRequest { ping: 200, ended_match_ids: Vec::new() };
        let mut round_trip_time = HeartbeatResponse::default();
        round_trip_time.round_trip_time.get_or_insert_default().nanos = ROUND_TRIP_NANOS;
        CallMix {
            per_move: heartbeats as f64 / moves.max(1) as f64,
            request_bytes: request.encoded_len() + ended as usize,
            response_bytes: round_trip_time.encoded_len(),
        }
    }
}

/// The size of an event as it is sent: in a PlayEvent in a PlayResponse.
fn pushed(event: &impl Message) -> usize {
    /// The event's number: a tag and two bytes, from the 128th event on.
    const SEQ: usize = 3;
    let nested = |bytes: usize| 1 + length_delimiter_len(bytes) + bytes;
    nested(SEQ + nested(event.encoded_len()))
}

#[cfg(test)]
mod tests {
    use azulejo_sdk::arena::{PlayEvent, PlayResponse, play_event};
    use prost::Message as _;

    use super::*;

    #[test]
    fn the_size_of_an_event_is_that_of_the_whole_message() {
        let made = MoveMade { match_id: "m".repeat(300), turn: 17, ..MoveMade::default() };
        let event = play_event::Event::MoveMade(made.clone());
        let response = PlayResponse { event: Some(PlayEvent { seq: 1_000, event: Some(event) }) };

        assert_eq!(pushed(&made), response.encoded_len());
    }

    #[test]
    fn messages_are_counted_per_acknowledged_move() {
        let mut traffic = Traffic::default();
        let before = traffic;
        let accepted = Accepted {
            match_id: "match".to_owned(),
            turn: 1,
            action_id: 2,
            thought: std::time::Duration::ZERO,
            answered_in: std::time::Duration::ZERO,
            receipt: azulejo_sdk::arena::Receipt::default(),
        };
        for _ in 0..4 {
            traffic.accepted(&accepted);
            traffic.move_made(&MoveMade::default());
            traffic.move_made(&MoveMade::default());
        }
        traffic.turn(&Turn::default());
        traffic.match_started(&MatchStarted::default());
        traffic.match_started(&MatchStarted::default());

        let mix = traffic.since(&before).mix(1);
        let per_move: Vec<f64> = mix.events.iter().map(|event| event.per_move).collect();
        assert_eq!(per_move, [2.0, 0.0, 0.0, 0.5, 0.25]);
        assert!((mix.heartbeat.per_move - 0.25).abs() < 1e-9);
        assert!(mix.submit.request_bytes > 5);
    }
}
