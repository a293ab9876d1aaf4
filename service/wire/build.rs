//! Generates the messages, clients and servers from `proto/`, without protoc.

use std::path::PathBuf;

use anyhow::{Context, Result};
use prost::Message;

const FILES: [&str; 6] = [
    "azulejo/game/v1/rules.proto",
    "azulejo/game/v1/azul.proto",
    "azulejo/game/v1/summer_pavilion.proto",
    "azulejo/game/v1/chance.proto",
    "azulejo/game/v1/game.proto",
    "azulejo/engine/v1/engine.proto",
];

fn main() -> Result<()> {
    // The generators do not ask for this themselves.
    println!("cargo:rerun-if-changed=../../proto");
    let descriptors = protox::compile(FILES, ["../../proto"])?;
    let out = PathBuf::from(std::env::var_os("OUT_DIR").context("cargo sets OUT_DIR")?);
    std::fs::write(out.join("descriptors.binpb"), descriptors.encode_to_vec())?;
    let grpc = "#[cfg(feature = \"grpc\")]";
    tonic_prost_build::configure()
        .client_mod_attribute(".", grpc)
        .server_mod_attribute(".", grpc)
        .compile_fds(descriptors)?;
    Ok(())
}
