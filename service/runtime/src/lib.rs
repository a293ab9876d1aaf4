//! The server of every Azulejo service: one public port for gRPC, Connect and pages, an admin port
//! for health and metrics, limits, deadlines, and a graceful stop.
//!
//! The path of a request, from outside to inside:
//!
//! | file | what |
//! |---|---|
//! | `server`, `tls`, `certificate` | listens, keeps alive, stops |
//! | `connections`, `connection`, `activity` | how many connections, and when they end |
//! | `front` | the order of everything below |
//! | `route` | what a request is: gRPC, Connect, preflight or page |
//! | `connect` | HTTP with JSON or binary becomes a gRPC call, streams included |
//! | `json` | messages as JSON, and back |
//! | `cors` | calls from pages of other origins |
//! | `call`, `page` | a call or a page: measured, admitted, in time |
//! | `observe` | trace context, span, duration |
//! | `caller`, `admission`, `budget` | how many calls and streams at once, by class and by caller |
//! | `sent` | holds the place of a call until its response is sent |
//! | `stream_end` | ends streams at their deadline and when the server stops |
//! | `deadline`, `within` | deadlines and panics |
//! | `background` | reads and pages run on threads of low priority |
//! | `fast_path` | the service that is called most, without the router |
//! | `explain` | gives errors of the transport a reason |
//!
//! Work that takes milliseconds runs in the [`CpuPool`].

mod activity;
mod admin;
mod admission;
mod background;
mod budget;
mod call;
mod caller;
mod certificate;
mod connect;
mod connection;
mod connections;
mod cors;
mod cpu_pool;
mod deadline;
mod error;
mod explain;
mod fast_path;
mod front;
mod health;
pub mod json;
mod methods;
mod metrics;
mod observe;
mod options;
mod page;
mod process_metrics;
mod refusal;
mod route;
mod sent;
mod server;
mod stop;
mod stream_end;
mod telemetry;
mod tls;
mod within;

pub use prometheus::Registry;

pub use background::{at_low_priority, lower_priority};
pub use caller::{Caller, Identify, Share};
pub use cpu_pool::{CpuPool, Overloaded};
pub use deadline::Deadline;
pub use error::ServerError;
pub use fast_path::FastPath;
pub use options::{LogFormat, ServerOptions};
pub use refusal::{DOMAIN, internal, overloaded};
pub use server::{App, Bound, always_ready, bind};
pub use stop::signal;
pub use telemetry::Telemetry;

/// A request and a response as the transport passes them on.
pub(crate) type Request = http::Request<tonic::body::Body>;
pub(crate) type Response = http::Response<tonic::body::Body>;
