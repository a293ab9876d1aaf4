//! Tasks on the store itself.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Error, Result, anyhow, bail};
use azulejo_arena::desk::Desk;
use azulejo_arena::hall::Settings;
use azulejo_arena::rating::Ladder;
use azulejo_arena::store::Store;

use crate::serve::Kept;

/// Results that are read at once.
const PAGE: u32 = 1_000;
/// A holder that was heard of more recently is at work.
const AT_WORK: Duration = Duration::from_secs(10);

pub(super) async fn token(kept: &Kept, revoke_others: bool) -> Result<()> {
    let store = open_existing(kept).await?;
    if let Some((holder, ago)) = store.holder().await?
        && ago < AT_WORK
    {
        bail!("an arena ({holder}) works with this store; stop it first");
    }
    let mut desk = Desk::open(store, Settings::default()).await?;
    let token = if revoke_others { desk.only_admin().await? } else { desk.new_admin().await? };
    say!("{token}");
    desk.close().await;
    Ok(())
}

/// A copy of the store, beside whoever works with it.
pub(super) async fn backup(kept: &Kept, to: &Path) -> Result<()> {
    let Some(file) = kept.store.file() else {
        bail!(
            "this copies a store in a file, and {} is none; of PostgreSQL make a backup with \
             `pg_dump --format=custom --file {} \"$AZULEJO_STORE\"`",
            kept.store,
            to.display()
        );
    };
    if !file.exists() {
        return Err(nothing_at(kept));
    }
    azulejo_arena::store::copy(&file, to).await?;
    let to = to.display();
    say!("{to} is a copy; `azulejo admin rebuild --check --store {to}` tries it");
    Ok(())
}

/// Compares the ladder with the fold of the results.
pub(super) async fn rebuild(kept: &Kept, check: bool) -> Result<()> {
    let store = open_existing(kept).await?;
    let mut outcomes = Vec::new();
    loop {
        let after = outcomes.last().map_or(0, |last: &azulejo_arena::store::Outcome| last.seq);
        let page = store.outcomes(after, PAGE).await?;
        if page.is_empty() {
            break;
        }
        outcomes.extend(page);
    }
    let ladder = Ladder::fold(&outcomes);
    let mut stored = Ladder::default();
    for (pool, player, standing) in store.load().await?.standings {
        stored.set(pool, player, standing);
    }
    let (results, agree) = (outcomes.len(), ladder == stored);
    if agree {
        say!("{results} results: the ratings are their fold");
        return Ok(());
    }
    if check {
        bail!("{results} results: the ratings are NOT their fold; run `azulejo admin rebuild`");
    }
    let mut desk = Desk::open(store, Settings::default()).await?;
    desk.replace_ladder(&ladder).await?;
    say!("{results} results: the ratings are computed again");
    desk.close().await;
    Ok(())
}

async fn open_existing(kept: &Kept) -> Result<Arc<dyn Store>> {
    if kept.store.file().is_some_and(|path| !path.exists()) {
        return Err(nothing_at(kept));
    }
    let store = kept.open().await?;
    // A database is there before anything is kept in it.
    if store.holder().await?.is_none() {
        return Err(nothing_at(kept));
    }
    Ok(store)
}

fn nothing_at(kept: &Kept) -> Error {
    anyhow!("there is no store {}; name it with --store", kept.store)
}
