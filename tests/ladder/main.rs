//! The arena as bots and their owners meet it: the real program as a child process with a store of
//! its own, over real sockets. Each test is a policy of the contract in `proto/azulejo/arena/v1`.
//!
//! The program is `target/release/azulejo` of this checkout, or what `AZULEJO_BIN` names.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "figures, for whoever reads the log")]
#![allow(clippy::wildcard_enum_match_arm, reason = "bots leave out events that they do not need")]

mod arena;
mod door;
mod http;
mod load;
mod manners;
#[path = "../server/patience.rs"]
mod patience;
mod puppet;
mod refusals;
mod sturdy;
mod verdict;

mod absences;
mod accounts;
mod challenges;
mod copies;
mod crash;
mod fair;
mod forfeits;
mod hostile;
mod intrusions;
mod keeping;
mod kills;
mod lost_responses;
mod metrics;
mod official;
mod pauses;
mod polls;
mod slow;
mod swarm;
mod watching;
