//! Tasks that open the store directly.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Error, Result, anyhow, bail};
use azulejo_arena::arena_loop::ArenaLoop;
use azulejo_arena::rating::{FORMULA, Ladder};
use azulejo_arena::state::Settings;
use azulejo_arena::store::{Store, StoreLock};

use crate::serve::StoreArgs;

/// Results per read.
const PAGE_SIZE: u32 = 1_000;
/// A holder of the store that was active more recently is considered running.
const HOLDER_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) async fn token(args: &StoreArgs, revoke_others: bool) -> Result<()> {
    let _lock = lock_existing(args)?;
    let store = open_existing(args).await?;
    if let Some((holder, ago)) = store.holder().await?
        && ago < HOLDER_TIMEOUT
    {
        bail!("an arena ({holder}) is using this store; stop it first");
    }
    let mut arena = ArenaLoop::open(store, Settings::default()).await?;
    let token = if revoke_others { arena.only_admin().await? } else { arena.new_admin().await? };
    say!("{token}");
    arena.close().await;
    Ok(())
}

/// Copies a store, which may be in use.
pub(super) async fn backup(args: &StoreArgs, to: &Path) -> Result<()> {
    let Some(file) = args.address.file() else {
        bail!(
            "{} is not an SQLite file; for PostgreSQL, create a backup with \
             `pg_dump --format=custom --file {} \"$AZULEJO_STORE\"`",
            args.address,
            to.display()
        );
    };
    if !file.exists() {
        return Err(no_store_at(args));
    }
    azulejo_arena::store::copy(&file, to).await?;
    let to = to.display();
    say!("Copied to {to}. Check it with `azulejo admin rebuild --check --store {to}`.");
    Ok(())
}

/// Compares the stored ratings with a recomputation from the results, and replaces them.
pub(super) async fn rebuild(args: &StoreArgs, check: bool) -> Result<()> {
    // A check only reads, so a server may be running.
    let _lock = if check { None } else { lock_existing(args)? };
    let store = open_existing(args).await?;
    let mut outcomes = Vec::new();
    loop {
        let after = outcomes.last().map_or(0, |last: &azulejo_arena::store::Outcome| last.seq);
        let page = store.outcomes(after, PAGE_SIZE).await?;
        if page.is_empty() {
            break;
        }
        outcomes.extend(page);
    }
    let ladder = Ladder::fold(&outcomes);
    let mut stored = Ladder::default();
    let saved = store.load().await?;
    if check && saved.rating_formula != FORMULA {
        let results = outcomes.len();
        say!(
            "{results} results: their ratings are recomputed with a new formula at the next start"
        );
        return Ok(());
    }
    for (pool, player, standing) in saved.standings {
        stored.set(pool, player, standing);
    }
    let (results, agree) = (outcomes.len(), ladder == stored);
    if agree {
        say!("{results} results: stored matchmaking ratings match a recomputation");
        return Ok(());
    }
    if check {
        bail!(
            "{results} results: stored matchmaking ratings do NOT match a recomputation; run `azulejo admin rebuild`"
        );
    }
    let mut arena = ArenaLoop::open(store, Settings::default()).await?;
    arena.replace_ladder(&ladder).await?;
    say!("{results} results: matchmaking ratings recomputed and stored");
    arena.close().await;
    Ok(())
}

fn lock_existing(args: &StoreArgs) -> Result<Option<StoreLock>> {
    if args.address.file().is_some_and(|path| !path.exists()) {
        return Err(no_store_at(args));
    }
    args.lock()
}

async fn open_existing(args: &StoreArgs) -> Result<Arc<dyn Store>> {
    if args.address.file().is_some_and(|path| !path.exists()) {
        return Err(no_store_at(args));
    }
    let store = args.open().await?;
    // A PostgreSQL database may exist but contain no store.
    if store.holder().await?.is_none() {
        return Err(no_store_at(args));
    }
    Ok(store)
}

fn no_store_at(args: &StoreArgs) -> Error {
    anyhow!("there is no store {}; pass its location with --store", args.address)
}
