//! `azulejo bot`: a house bot as a real remote bot.

mod kept;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use azulejo_bots::HouseBot;
use azulejo_sdk::arena::RegisterBotResponse as Registered;
use azulejo_sdk::{House, Options, register};
use clap::Args;

use crate::options::Class;

/// Let a house bot play on a server's ladder, as any bot does: over the network, with a token.
#[derive(Debug, Args)]
#[command(after_help = "Without a token: `azulejo bot greedy --register you/first-bot`")]
pub(crate) struct BotCommand {
    /// `random`, `greedy`, `strong`, `strong:250` (milliseconds), `strong:5000n` (lines of play).
    bot: HouseBot,
    /// The server.
    #[arg(long, env = "AZULEJO_SERVER", default_value = "http://127.0.0.1:7700")]
    server: String,
    /// The bot's token, azb_…
    #[arg(long, env = "AZULEJO_TOKEN", hide_env_values = true, conflicts_with = "register")]
    token: Option<String>,
    /// Registers a new owner with a bot first, and shows both tokens: OWNER/NAME.
    #[arg(long, value_name = "OWNER/NAME")]
    register: Option<String>,
    /// Keeps both tokens in this file instead of showing them. A later start finds them there, and
    /// registers nothing.
    #[arg(long, requires = "register", value_name = "FILE")]
    keep: Option<PathBuf>,
    /// The code of an invitation, where the arena asks for one.
    #[arg(long, default_value = "", requires = "register")]
    invitation: String,
    /// Ratings belong to a version.
    #[arg(long = "as-version", default_value = env!("CARGO_PKG_VERSION"), value_name = "VERSION")]
    version: String,
    /// Matches at the same time.
    #[arg(long, default_value = "1", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    games: u32,
    /// Which clock.
    #[arg(long, value_enum, default_value = "blitz")]
    time: Class,
}

impl BotCommand {
    pub(crate) fn run(self) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(self.play())
    }

    async fn play(self) -> Result<()> {
        let token = match (&self.token, &self.register, &self.keep) {
            (Some(token), _, _) => token.clone(),
            (None, Some(name), None) => self.sign_up(name).await?,
            (None, Some(name), Some(file)) => match kept::find(file)? {
                Some(token) => token,
                None => self.sign_up_and_keep(name, file).await?,
            },
            (None, None, _) => {
                bail!("a token is needed: --token azb_…, or --register you/first-bot")
            }
        };
        let options = Options {
            version: self.version,
            max_concurrent_matches: self.games,
            time_classes: vec![self.time.into()],
            ..Options::new(&self.server, &token)
        };
        let stop = options.stop.clone();
        let told = azulejo_runtime::signal()?;
        tokio::spawn(async move {
            told.await;
            stop.cancel();
        });
        say!("{} plays at {}; Ctrl-C stops it.", self.bot, self.server);
        azulejo_sdk::run(Spoken(House(self.bot)), options).await?;
        Ok(())
    }

    async fn sign_up(&self, name: &str) -> Result<String> {
        let registered = self.register(name).await?;
        show(name, &registered);
        Ok(registered.token)
    }

    async fn sign_up_and_keep(&self, name: &str, path: &Path) -> Result<String> {
        let file = kept::make(path)?;
        let registered = self.register(name).await?;
        let kept = kept::keep(file, &[&registered.token, &registered.owner_token]);
        if kept.is_err() {
            // A name is registered once: what cannot be kept shall not be lost.
            show(name, &registered);
        }
        kept.with_context(|| format!("--keep: cannot write {}", path.display()))?;
        say!("Registered {name}. Its tokens are in {}.", path.display());
        Ok(registered.token)
    }

    async fn register(&self, name: &str) -> Result<Registered> {
        let Some((owner, name)) = name.split_once('/') else {
            bail!("--register takes OWNER/NAME, for example you/first-bot");
        };
        Ok(register(&self.server, owner, name, &self.invitation).await?)
    }
}

fn show(name: &str, registered: &Registered) {
    say!("Registered {name}. Keep both, they are shown this once:");
    say!("  the bot's token     {}", registered.token);
    if !registered.owner_token.is_empty() {
        say!("  the owner's token   {}", registered.owner_token);
    }
}

/// Says how each match ended.
struct Spoken(House);

impl azulejo_sdk::Bot for Spoken {
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
        let rating = own.and_then(|own| own.rating_after.as_ref());
        let rating =
            rating.map_or_else(String::new, |after| format!(", rating {:.0}", after.rating));
        let fair = match fair {
            Some(Ok(())) => ", deals checked",
            Some(Err(_)) => ", THE DEALS WERE NOT FAIR",
            None => "",
        };
        let seats = played.seats.len();
        say!("{} {pool}: placed {place} of {seats}{rating}{fair}", played.id);
    }
}
