//! Reading what organisers list.

use sqlx::SqliteConnection;

use crate::names::Owner;
use crate::store::failure::failed;
use crate::store::lists;
use crate::store::{AuditEntry, ListedInvitation, ListedOwner, ListedToken, StoreError};

pub(super) async fn owners(
    store: &mut SqliteConnection,
    after: i64,
    most: u32,
) -> Result<Vec<ListedOwner>, StoreError> {
    let page = sqlx::query_as(lists::OWNERS).bind(after).bind(i64::from(most));
    lists::owners(page.fetch_all(store).await.map_err(failed)?)
}

pub(super) async fn tokens(
    store: &mut SqliteConnection,
    of: Option<&Owner>,
    after: i64,
    most: u32,
) -> Result<Vec<ListedToken>, StoreError> {
    let most = i64::from(most);
    let page = match of {
        None => sqlx::query_as(lists::TOKENS).bind(after).bind(most),
        Some(owner) => {
            sqlx::query_as(lists::TOKENS_OF_AN_OWNER).bind(after).bind(owner.to_string()).bind(most)
        }
    };
    lists::tokens(page.fetch_all(store).await.map_err(failed)?)
}

pub(super) async fn invitations(
    store: &mut SqliteConnection,
    after: i64,
    most: u32,
) -> Result<Vec<ListedInvitation>, StoreError> {
    let page = sqlx::query_as(lists::INVITATIONS).bind(after).bind(i64::from(most));
    Ok(lists::invitations(page.fetch_all(store).await.map_err(failed)?))
}

pub(super) async fn audit(
    store: &mut SqliteConnection,
    before: Option<i64>,
    most: u32,
) -> Result<Vec<(i64, AuditEntry)>, StoreError> {
    let page = sqlx::query_as(lists::AUDIT).bind(before.unwrap_or(i64::MAX)).bind(i64::from(most));
    lists::audit(page.fetch_all(store).await.map_err(failed)?)
}
