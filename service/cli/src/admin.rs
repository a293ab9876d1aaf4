//! `azulejo admin`: tasks of an organiser.

mod remote;
mod store;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::serve::StoreArgs;

/// Administer a server (invite, pause, void, revoke) or its store (token, backup, rebuild).
#[derive(Debug, Args)]
pub(crate) struct Admin {
    #[command(subcommand)]
    task: Task,
}

/// How to reach a running server.
#[derive(Debug, Args)]
struct Remote {
    /// Address of the server.
    #[arg(long, env = "AZULEJO_SERVER", default_value = "http://127.0.0.1:7700")]
    server: String,
    /// Organiser's token, aza_…
    #[arg(long, env = "AZULEJO_ADMIN_TOKEN", hide_env_values = true)]
    token: String,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Create an invitation code, with which one owner can register.
    Invite {
        #[command(flatten)]
        remote: Remote,
    },
    /// Pause a bot: it gets no new matches until an organiser resumes it.
    Pause {
        /// The bot, OWNER/NAME.
        bot: String,
        /// Reason, shown to the owner.
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// Void a running match: it ends without a result, and its secret is revealed.
    Void {
        /// Id of the match.
        match_id: String,
        /// Reason, shown publicly.
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// Revoke a token of a bot, an owner or an organiser.
    Revoke {
        /// The token, or its public part: everything before the second underscore.
        #[arg(value_name = "TOKEN")]
        public: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// Create an organiser's token, for example if the first one is lost. Stop the server first.
    Token {
        /// Revoke all other organiser's tokens in the store, for example if one has leaked.
        #[arg(long)]
        revoke_others: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Copy an SQLite store to a new file; the server may be running. For PostgreSQL use `pg_dump`.
    Backup {
        /// File to create.
        #[arg(value_name = "FILE")]
        to: PathBuf,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Recompute all ratings from the results. Stop the server first, except with --check.
    Rebuild {
        /// Only compare the stored ratings with a recomputation; exit code 1 if they differ.
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
}

impl Admin {
    pub(crate) fn run(self) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            match self.task {
                Task::Invite { remote } => remote::invite(&remote).await,
                Task::Pause { bot, reason, remote } => remote::pause(&remote, bot, reason).await,
                Task::Void { match_id, reason, remote } => {
                    remote::void(&remote, match_id, reason).await
                }
                Task::Revoke { public, remote } => remote::revoke(&remote, &public).await,
                Task::Token { revoke_others, store } => store::token(&store, revoke_others).await,
                Task::Backup { to, store } => store::backup(&store, &to).await,
                Task::Rebuild { check, store } => store::rebuild(&store, check).await,
            }
        })
    }
}
