//! The server over the network: the real program as a child process, over real sockets.
//!
//! The program is `target/release/azulejo` of this checkout, or the one in `AZULEJO_BIN`.

#![allow(clippy::print_stdout, reason = "figures for the log")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod collector;
mod grpc;
mod http1;
mod http2;
mod http_stream;
mod overload;
mod process;
mod processor;
mod requests;

mod batches;
mod bounds;
mod classes;
mod connection_age;
mod connections;
mod deadlines;
mod deadlines_slow;
mod heavy;
mod hostile_bytes;
mod hostile_frames;
mod hostile_http;
mod hostile_json;
mod json_errors;
mod json_streams;
mod json_streams_play;
mod limits_calls;
mod limits_sizes;
mod start;
mod stateless;
mod stateless_seeds;
mod stop;
mod stop_streams;
mod telemetry_logs;
mod telemetry_metrics;
mod telemetry_spans;
mod tls;
mod unread;
