//! The messages of `proto/`, and the only conversions between them and the rules.
//!
//! Incoming messages are checked: an invalid number, enum value or list is a [`BadField`] with the path
//! of the field. The rules then decide whether the position itself is valid.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "ordinals of seats, colors, rows and displays: none exceeds 42"
)]

mod azul;
#[cfg(feature = "grpc")]
mod bounds;
mod bytes;
#[cfg(feature = "grpc")]
pub mod codec;
mod field;
mod pavilion;
mod seed;
mod shared;
mod state;

#[allow(clippy::pedantic, clippy::restriction, missing_debug_implementations, reason = "generated")]
pub mod game {
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/azulejo.game.v1.rs"));
    }
}

#[allow(
    clippy::pedantic,
    clippy::restriction,
    clippy::large_enum_variant,
    missing_debug_implementations,
    reason = "generated"
)]
pub mod engine {
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/azulejo.engine.v1.rs"));
    }
}

#[allow(
    clippy::pedantic,
    clippy::restriction,
    clippy::large_enum_variant,
    missing_debug_implementations,
    reason = "generated"
)]
pub mod arena {
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/azulejo.arena.v1.rs"));
    }
}

/// Errors as messages.
#[allow(clippy::pedantic, clippy::restriction, missing_debug_implementations, reason = "generated")]
pub mod google {
    pub mod rpc {
        include!(concat!(env!("OUT_DIR"), "/google.rpc.rs"));
    }
}

/// The messages of the services for servers: the same bytes as [`engine::v1`] and [`arena::v1`], but a
/// state stays encoded, as a [`State`].
#[allow(
    clippy::pedantic,
    clippy::restriction,
    clippy::large_enum_variant,
    missing_debug_implementations,
    reason = "generated"
)]
pub mod served {
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/served/azulejo.engine.v1.rs"));
    }
    pub mod arena {
        include!(concat!(env!("OUT_DIR"), "/served/azulejo.arena.v1.rs"));
    }
}

/// The descriptors of every message and service: a `google.protobuf.FileDescriptorSet`.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/all.binpb"));

/// The descriptors of the engine only.
pub const ENGINE_DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/engine.binpb"));

/// The descriptors of the arena only.
pub const ARENA_DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/arena.binpb"));

/// The version of the rules that this engine implements.
pub const RULES_VERSION: u32 = 1;

pub use azul::{azul_displays, azul_path};
pub use field::{BadField, Problem};
pub use pavilion::{pavilion_displays, pavilion_path};
pub use shared::seat;
pub use state::{Position, State};
