//! The `azulejo` command line. Each subcommand is a module here or a crate of its own.

#[macro_use]
extern crate azulejo_terminal;

mod admin;
mod bot;
mod export;
mod ladder;
mod perft;
mod position;
mod replay;
mod serve;
mod verify;

use std::process::ExitCode;

use azulejo_author::{Check, MatchCommand, New, Play};
use azulejo_bench::{Bench, PlayoutsCommand};
use azulejo_load::Load;
use clap::{Parser, Subcommand};

/// Faster than the system allocator for many small allocations on many threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Engine and bot arena for the board games Azul and Azul: Summer Pavilion.
#[derive(Debug, Parser)]
#[command(name = "azulejo", version, arg_required_else_help = true)]
#[command(
    after_help = "Play a game: `azulejo play human greedy`. Watch one: `azulejo play strong greedy`.\n\
                  Write a bot: `azulejo new python mybot`, then `azulejo play ./mybot greedy`,\n\
                  `azulejo match ./mybot greedy --games 20` and `azulejo check ./mybot`.\n\
                  Start a server with a ladder and demo bots: `azulejo serve --demo`."
)]
struct Azulejo {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Play(Play),
    Match(MatchCommand),
    New(New),
    Check(Check),
    Replay(replay::Replay),
    Verify(verify::Verify),
    Position(position::Position),
    Perft(perft::Perft),
    Playouts(PlayoutsCommand),
    Bench(Bench),
    Serve(serve::Serve),
    Engine(serve::Engine),
    Arena(serve::Arena),
    Bot(bot::BotCommand),
    Export(export::Export),
    Ladder(ladder::Ladder),
    Admin(admin::Admin),
    Load(Load),
}

fn main() -> ExitCode {
    let outcome = match Azulejo::parse().command {
        Command::Play(play) => play.run(),
        Command::Replay(replay) => replay.run(),
        Command::Match(command) => command.run(),
        Command::New(new) => new.run(),
        Command::Check(check) => check.run(),
        Command::Verify(verify) => verify.run(),
        Command::Position(position) => position.run(),
        Command::Perft(perft) => perft.run(),
        Command::Playouts(playouts) => playouts.run(),
        Command::Bench(bench) => bench.run(),
        Command::Serve(serve) => serve.run(),
        Command::Engine(engine) => engine.run(),
        Command::Arena(arena) => arena.run(),
        Command::Bot(bot) => bot.run(),
        Command::Export(export) => export.run(),
        Command::Ladder(ladder) => ladder.run(),
        Command::Admin(admin) => admin.run(),
        Command::Load(load) => load.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
