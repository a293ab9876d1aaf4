//! What the examples share: where they play comes from the environment, and they end when told.

use azulejo_sdk::{Bot, Ended, Options, run};

/// Plays at `AZULEJO_SERVER` with `AZULEJO_TOKEN`, until Ctrl-C.
#[allow(clippy::disallowed_methods, reason = "an example is configured here, and nowhere else")]
pub(crate) async fn play(bot: impl Bot) -> Result<(), Ended> {
    let server =
        std::env::var("AZULEJO_SERVER").unwrap_or_else(|_| "http://127.0.0.1:7700".to_owned());
    let token = std::env::var("AZULEJO_TOKEN").unwrap_or_default();
    let options = Options { games_at_once: 4, ..Options::new(&server, &token) };
    let stop = options.stop.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.cancel();
        }
    });
    run(bot, options).await
}
