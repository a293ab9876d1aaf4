//! The `azulejo` command: one file per verb.

#[macro_use]
mod output;

mod admin;
mod author;
mod bench;
mod bot;
mod check;
mod export;
mod ladder;
mod load;
mod new;
mod options;
mod perft;
mod play;
mod position;
mod replay;
mod seats;
mod seed;
mod serve;
mod tournament;
mod verify;
mod view;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A server makes and drops many small things from many threads; this allocator is made for that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Azul and Azul: Summer Pavilion: play them, watch them, let bots meet, serve the rules.
#[derive(Debug, Parser)]
#[command(name = "azulejo", version, arg_required_else_help = true)]
#[command(
    after_help = "Start with `azulejo play human greedy`, or watch `azulejo play strong greedy`.\n\
                  A bot of your own: `azulejo new python mybot`, then `azulejo play ./mybot greedy`,\n\
                  `azulejo match ./mybot greedy --games 20` and `azulejo check ./mybot`.\n\
                  `azulejo serve --demo` opens an arena with a ladder on which bots meet."
)]
struct Azulejo {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Play(play::Play),
    Match(tournament::Match),
    New(new::New),
    Check(check::Check),
    Replay(replay::Replay),
    Verify(verify::Verify),
    Position(position::Position),
    Perft(perft::Perft),
    Bench(bench::Bench),
    Serve(serve::Serve),
    Engine(serve::Engine),
    Arena(serve::Arena),
    Bot(bot::BotCommand),
    Export(export::Export),
    Ladder(ladder::Ladder),
    Admin(admin::Admin),
    Load(load::Load),
}

fn main() -> ExitCode {
    let outcome = match Azulejo::parse().verb {
        Verb::Play(play) => play.run(),
        Verb::Replay(replay) => replay.run(),
        Verb::Match(tournament) => tournament.run(),
        Verb::New(new) => new.run(),
        Verb::Check(check) => check.run(),
        Verb::Verify(verify) => verify.run(),
        Verb::Position(position) => position.run(),
        Verb::Perft(perft) => perft.run(),
        Verb::Bench(bench) => bench.run(),
        Verb::Serve(serve) => serve.run(),
        Verb::Engine(engine) => engine.run(),
        Verb::Arena(arena) => arena.run(),
        Verb::Bot(bot) => bot.run(),
        Verb::Export(export) => export.run(),
        Verb::Ladder(ladder) => ladder.run(),
        Verb::Admin(admin) => admin.run(),
        Verb::Load(load) => load.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
