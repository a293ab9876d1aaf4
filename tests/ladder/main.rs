//! The arena as bots and their owners use it: the real program as a child process with its own
//! store, over real sockets. Each test is a rule of the API in `proto/azulejo/arena/v1`.
//!
//! The program is `target/release/azulejo` of this checkout, or the one in `AZULEJO_BIN`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "figures for the log")]
#![allow(clippy::wildcard_enum_match_arm, reason = "bots ignore events that they do not need")]

mod arena;
mod http;
mod load;
mod proxy;
mod reconnecting_bot;
mod results;
mod scripted_bot;
mod strategies;

mod absences;
mod accounts;
mod backup;
mod challenges;
mod crash;
mod damaged;
mod fair_deals;
mod first_token;
mod forfeits;
mod hostile;
mod intrusions;
mod kept_tokens;
mod kills;
mod lost_responses;
mod metrics;
mod no_shows;
mod official_standings;
mod old_stores;
mod organisers;
mod outages;
mod pauses;
mod polling;
mod private_files;
mod quotas;
mod retention;
mod second_server;
mod secret_opponents;
mod slow_reader;
mod standstill;
mod swarm;
mod unread_ends;
mod voided_results;
mod watch;
