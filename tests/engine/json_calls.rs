//! Requests and answers of every call as JSON, over random games of all rulesets.

use std::cell::Cell;

use azulejo_engine::{EngineError, calls};
use prost::Message;

use crate::caller::made;
use crate::fuzz_calls::Call;
use crate::fuzz_requests::good_requests;
use crate::json_same::Both;

fn encoded<Q: Message + Default, A: Message>(
    bytes: &[u8],
    call: impl FnOnce(Q) -> Result<A, EngineError>,
) -> Vec<u8> {
    call(Q::decode(bytes).unwrap()).unwrap().encode_to_vec()
}

fn answer(call: Call, bytes: &[u8]) -> Vec<u8> {
    match call {
        Call::ListRulesets => encoded(bytes, |request| Ok(calls::list_rulesets(request))),
        Call::NewGame => encoded(bytes, |request| calls::new_game(request, made)),
        Call::LegalMoves => encoded(bytes, calls::legal_moves),
        Call::Apply => encoded(bytes, calls::apply),
        Call::Deal => encoded(bytes, calls::deal),
        Call::DealOutcomes => encoded(bytes, calls::deal_outcomes),
        Call::Score => encoded(bytes, calls::score),
        Call::Expand => encoded(bytes, calls::expand),
        Call::BatchApply => encoded(bytes, calls::batch_apply),
        Call::Playouts => {
            let left = Cell::new(2);
            let in_time = || left.replace(left.get() - 1) > 1;
            encoded(bytes, |request| calls::playouts(request, made, in_time))
        }
        Call::Replay => encoded(bytes, calls::replay),
        Call::Render => encoded(bytes, calls::render),
        Call::FormatPosition => encoded(bytes, calls::format_position),
        Call::ParsePosition => encoded(bytes, calls::parse_position),
    }
}

#[test]
fn all_calls_have_the_same_json_by_both_ways() {
    for (call, requests) in good_requests() {
        let both = |kind: &str| Both::named(&format!("azulejo.engine.v1.{call:?}{kind}"));
        let (request_json, answer_json) = (both("Request"), both("Response"));
        for request in requests {
            request_json.round_trip(&request);
            answer_json.round_trip(&answer(call, &request));
        }
    }
}
