//! Shared by the examples: they read their settings from the environment and end on Ctrl-C.

use azulejo_sdk::{Bot, Ended, Options, run};

/// Plays at `AZULEJO_SERVER` with `AZULEJO_TOKEN`, until Ctrl-C.
pub(crate) async fn play(bot: impl Bot) -> Result<(), Ended> {
    let options = Options { max_concurrent_matches: 4, ..Options::from_env() };
    let stop = options.stop.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.cancel();
        }
    });
    run(bot, options).await
}
