//! What every service of Azulejo stands on: one public port for gRPC and Connect, an admin port for
//! health and metrics, limits that hold, and a stop that ends.
//!
//! The way of a call, from outside to inside:
//!
//! | file | what |
//! |---|---|
//! | `server`, `tls`, `certificate` | listens, keeps alive, stops |
//! | `front`, `call` | the order of everything below |
//! | `connect` | HTTP with JSON or binary becomes a gRPC call, streams included |
//! | `cors` | pages in browsers may call too |
//! | `observe` | trace context, span, duration |
//! | `admission` | how many calls and streams at once; the rest is refused at once |
//! | `deadline` | the caller's time, capped |
//! | `direct` | the service that is called most, without the router |
//! | `explain` | panics and errors that the transport made get a reason |
//!
//! Work that takes milliseconds goes to the [`Workshop`].

mod admin;
mod admission;
mod call;
mod certificate;
mod connect;
mod cors;
mod deadline;
mod direct;
mod explain;
mod front;
mod health;
mod methods;
mod metrics;
mod observe;
mod options;
mod refusal;
mod server;
mod stop;
mod telemetry;
mod tls;
mod workshop;

pub use prometheus::Registry;

pub use deadline::Deadline;
pub use direct::Direct;
pub use options::{LogFormat, ServerOptions};
pub use refusal::{DOMAIN, overloaded};
pub use server::{App, Bound, bind};
pub use stop::signal;
pub use telemetry::Telemetry;
pub use workshop::{Overloaded, Workshop};

/// A request and a response as the transport hands them over.
pub(crate) type Request = http::Request<tonic::body::Body>;
pub(crate) type Response = http::Response<tonic::body::Body>;
