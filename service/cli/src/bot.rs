//! `azulejo bot`: runs a house bot as a client of a server.

mod token_file;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use azulejo_bots::HouseBot;
use azulejo_sdk::arena::{RegisterBotResponse as Registered, TimeClass};
use azulejo_sdk::{House, Options, register};
use azulejo_terminal::options::Clock;
use clap::Args;

/// Run a house bot on a server's ladder, over the network and with a token, like any other bot.
#[derive(Debug, Args)]
#[command(after_help = "Register a bot and play: `azulejo bot greedy --register you/first-bot`")]
pub(crate) struct BotCommand {
    /// `random`, `greedy`, `strong`, `strong:250` (milliseconds per move) or `strong:5000n` (search
    /// iterations per move).
    bot: HouseBot,
    /// Address of the server.
    #[arg(long, env = "AZULEJO_SERVER", default_value = "http://127.0.0.1:7700")]
    server: String,
    /// Token of the bot, azb_…
    #[arg(long, env = "AZULEJO_TOKEN", hide_env_values = true, conflicts_with = "register")]
    token: Option<String>,
    /// Register a new owner and bot first, and print both tokens.
    #[arg(long, value_name = "OWNER/NAME")]
    register: Option<String>,
    /// Store both tokens in this file instead of printing them. If the file already has a token, use
    /// it and do not register.
    #[arg(long, requires = "register", value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Invitation code, if the server requires one.
    #[arg(long, default_value = "", requires = "register")]
    invitation: String,
    /// Version of the bot; each version has its own rating.
    #[arg(long = "as-version", default_value = env!("CARGO_PKG_VERSION"), value_name = "VERSION")]
    version: String,
    /// Maximum number of concurrent matches.
    #[arg(long, default_value = "1", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    games: u32,
    /// Time control to play.
    #[arg(long, value_enum, default_value = "blitz")]
    time: Clock,
}

impl BotCommand {
    pub(crate) fn run(self) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(self.play())
    }

    async fn play(self) -> Result<()> {
        let token = match (&self.token, &self.register, &self.keep) {
            (Some(token), _, _) => token.clone(),
            (None, Some(name), None) => self.register_and_show(name).await?,
            (None, Some(name), Some(file)) => match token_file::read(file)? {
                Some(token) => token,
                None => self.register_and_store(name, file).await?,
            },
            (None, None, _) => {
                bail!("a token is required: pass --token azb_…, or --register you/first-bot")
            }
        };
        let options = Options {
            version: self.version,
            max_concurrent_matches: self.games,
            time_classes: vec![time_class(self.time)],
            ..Options::new(&self.server, &token)
        };
        let stop = options.stop.clone();
        let signal = azulejo_runtime::signal()?;
        tokio::spawn(async move {
            signal.await;
            stop.cancel();
        });
        say!("{} plays at {}. Press Ctrl-C to stop.", self.bot, self.server);
        azulejo_sdk::run(PrintResults(House(self.bot)), options).await?;
        Ok(())
    }

    async fn register_and_show(&self, name: &str) -> Result<String> {
        let registered = self.register(name).await?;
        show(name, &registered);
        Ok(registered.token)
    }

    async fn register_and_store(&self, name: &str, path: &Path) -> Result<String> {
        let file = token_file::create(path)?;
        let registered = self.register(name).await?;
        let written = token_file::write(file, &[&registered.token, &registered.owner_token]);
        if written.is_err() {
            // The name cannot be registered again, so the tokens must not be lost.
            show(name, &registered);
        }
        written.with_context(|| format!("--keep: cannot write {}", path.display()))?;
        say!("Registered {name}. Its tokens are in {}.", path.display());
        Ok(registered.token)
    }

    async fn register(&self, name: &str) -> Result<Registered> {
        let Some((owner, name)) = name.split_once('/') else {
            bail!("--register must be OWNER/NAME, for example you/first-bot");
        };
        Ok(register(&self.server, owner, name, &self.invitation).await?)
    }
}

const fn time_class(clock: Clock) -> TimeClass {
    match clock {
        Clock::Bullet => TimeClass::Bullet,
        Clock::Blitz => TimeClass::Blitz,
        Clock::Rapid => TimeClass::Rapid,
    }
}

fn show(name: &str, registered: &Registered) {
    say!("Registered {name}. Save both tokens, they are not shown again:");
    say!("  Bot token:    {}", registered.token);
    if !registered.owner_token.is_empty() {
        say!("  Owner token:  {}", registered.owner_token);
    }
}

/// Prints the result of each match.
struct PrintResults(House);

impl azulejo_sdk::Bot for PrintResults {
    fn choose(&self, turn: &azulejo_sdk::Turn) -> u32 {
        self.0.choose(turn)
    }

    fn match_ended(
        &self,
        ended: &azulejo_sdk::arena::MatchEnded,
        fair: Option<&Result<(), azulejo_sdk::Unfair>>,
    ) {
        let Some(played) = &ended.r#match else { return };
        let pool = played.pool.as_ref().map(|pool| pool.name.as_str()).unwrap_or_default();
        let seat = ended.seat as usize;
        let own = played.result.as_ref().and_then(|result| result.seats.get(seat));
        let place = own.map_or(0, |own| own.placement);
        let rating = own.and_then(|own| own.rating_before.as_ref()).map(|before| {
            let provisional = if before.provisional { "?" } else { "" };
            format!(", official rating before {:.0}{provisional}", before.rating)
        });
        let rating = rating.unwrap_or_default();
        let fair = match fair {
            Some(Ok(())) => ", deals checked",
            Some(Err(_)) => ", THE DEALS WERE NOT FAIR",
            None => "",
        };
        let seats = played.seats.len();
        say!("{} {pool}: placed {place} of {seats}{rating}{fair}", played.id);
    }
}
