//! The calls of the engine and their messages, without a network.
//!
//! Every request and every response is encoded and decoded. Random tests print their seed when they
//! fail; `AZULEJO_FUZZ_RUNS` sets the number of broken requests that `fuzz` sends.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod azul_table;
mod caller;
mod details;
mod either_game;
mod enums_listed;
mod pavilion_table;
mod playing;
mod quick_reader;
mod spoiled_azul;
mod spoiled_pavilion;

mod call_apply;
mod call_batch_apply;
mod call_deal;
mod call_deal_outcomes;
mod call_expand;
mod call_new_game;
mod call_playouts;
mod call_positions;
mod call_render;
mod call_replay;
mod call_score;
mod complete_states;
mod events_azul;
mod events_pavilion;
mod fields_azul;
mod fields_calls;
mod fields_pavilion;
mod fields_requests;
mod finished_states;
mod fuzz;
mod fuzz_bytes;
mod fuzz_calls;
mod fuzz_requests;
mod fuzz_tree;
mod json_calls;
mod json_messages;
mod json_same;
mod json_texts;
mod reasons_azul;
mod reasons_listed;
mod reasons_pavilion;
mod round_trip;
mod rules_azul;
mod rules_deals;
mod rules_pavilion;
mod waits;
mod whole_games;
