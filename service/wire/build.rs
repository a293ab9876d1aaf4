//! Generates the messages, clients and servers from `proto/`, without protoc.

use std::path::PathBuf;

use anyhow::{Context, Result};
use prost::Message;

const GAME: [&str; 5] = [
    "azulejo/game/v1/rules.proto",
    "azulejo/game/v1/azul.proto",
    "azulejo/game/v1/summer_pavilion.proto",
    "azulejo/game/v1/chance.proto",
    "azulejo/game/v1/game.proto",
];
const ENGINE: [&str; 1] = ["azulejo/engine/v1/engine.proto"];
const ERRORS: [&str; 2] = ["google/rpc/status.proto", "google/rpc/error_details.proto"];
const ARENA: [&str; 7] = [
    "azulejo/arena/v1/arena.proto",
    "azulejo/arena/v1/bots.proto",
    "azulejo/arena/v1/play.proto",
    "azulejo/arena/v1/ladder.proto",
    "azulejo/arena/v1/matches.proto",
    "azulejo/arena/v1/challenges.proto",
    "azulejo/arena/v1/admin.proto",
];

fn main() -> Result<()> {
    // The generators do not print this themselves.
    println!("cargo:rerun-if-changed=proto");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").context("cargo sets OUT_DIR")?);
    let compile = |files: &[&[&str]]| protox::compile(files.concat(), ["proto"]);
    let descriptors = compile(&[&GAME, &ENGINE, &ARENA, &ERRORS])?;
    // Reflection lists only what is served.
    let (engine, arena) = (compile(&[&GAME, &ENGINE, &ERRORS])?, compile(&[&GAME, &ARENA])?);
    for (name, set) in [("all", &descriptors), ("engine", &engine), ("arena", &arena)] {
        std::fs::write(out.join(format!("{name}.binpb")), set.encode_to_vec())?;
    }
    let configure = |codec: &str| {
        let grpc = "#[cfg(feature = \"grpc\")]";
        tonic_prost_build::configure()
            .client_mod_attribute(".", grpc)
            .server_mod_attribute(".", grpc)
            .codec_path(codec)
            .extern_path(".google.rpc", "crate::google::rpc")
    };
    tonic_prost_build::configure().compile_fds(compile(&[&ERRORS])?)?;
    configure("crate::codec::SliceCodec").build_server(false).compile_fds(descriptors.clone())?;
    // For servers: the same messages, in which a state stays encoded.
    let served = out.join("served");
    std::fs::create_dir_all(&served)?;
    // The codec of servers looks up the bounds of a request by its name.
    let mut named = tonic_prost_build::Config::new();
    named.enable_type_names();
    configure("crate::codec::ServedCodec")
        .build_client(false)
        .extern_path(".azulejo.game.v1.GameState", "crate::State")
        .extern_path(".azulejo.game.v1", "crate::game::v1")
        .out_dir(served)
        .compile_fds_with_config(descriptors, named)?;
    Ok(())
}
