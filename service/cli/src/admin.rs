//! `azulejo admin`: tasks of an organiser.

mod lists;
mod remote;
mod store;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::serve::StoreArgs;

/// Administer a server (invite, pause, ban, void, revoke, lists) or its store (token, backup, rebuild).
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
    /// Organiser's token, `aza_…`.
    #[arg(long, env = "AZULEJO_ADMIN_TOKEN", hide_env_values = true)]
    token: String,
}

/// How much of a list is printed.
#[derive(Debug, Args)]
struct Limit {
    /// Print at most this many entries.
    #[arg(long = "limit", default_value_t = lists::USUAL_LIMIT, value_name = "ENTRIES")]
    entries: usize,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Create invitation codes. With each, one owner can register.
    Invite {
        /// Number of codes, 1 to 1,000. They are printed one per line, and cannot be shown again.
        #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1_000))]
        count: u32,
        #[command(flatten)]
        remote: Remote,
    },
    /// Pause a bot: it gets no new matches and cannot challenge until an organiser resumes it. Running
    /// matches continue.
    Pause {
        /// The bot, OWNER/NAME.
        bot: String,
        /// Reason, shown to the owner.
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// Resume a paused bot, also one that an organiser paused.
    Resume {
        /// The bot, OWNER/NAME.
        bot: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// Ban an owner: all their bots resign their matches and cannot connect any more, and the owner can
    /// neither register bots nor create tokens.
    Ban {
        /// The owner.
        owner: String,
        /// Reason, shown to the owner.
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// End the ban of an owner.
    Unban {
        /// The owner.
        owner: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// List owners, with their bots and bans.
    Owners {
        #[command(flatten)]
        limit: Limit,
        #[command(flatten)]
        remote: Remote,
    },
    /// List tokens by their public parts. With an owner's token: those of the owner and the owner's bots.
    Tokens {
        #[command(flatten)]
        limit: Limit,
        #[command(flatten)]
        remote: Remote,
    },
    /// List invitations: when they were created, and whether they were used. Codes are not stored.
    Invitations {
        #[command(flatten)]
        limit: Limit,
        #[command(flatten)]
        remote: Remote,
    },
    /// List what organisers did, the newest first.
    Audit {
        #[command(flatten)]
        limit: Limit,
        #[command(flatten)]
        remote: Remote,
    },
    /// List pairs of bots that may collude: they met far more often than others, or one of them won nearly
    /// all meetings although its results against others do not explain it.
    Pairs {
        /// Only this pool, for example azul-colored-2-blitz. Default: all pools.
        #[arg(long)]
        pool: Option<String>,
        #[command(flatten)]
        remote: Remote,
    },
    /// Void a match. A running match ends without a result, and its secret is revealed. A finished match
    /// loses its result: ratings and standings become those without it.
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
    /// Recompute all matchmaking ratings from the results. Stop the server first, except with --check.
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
                Task::Invite { count, remote } => remote::invite(&remote, count).await,
                Task::Pause { bot, reason, remote } => remote::pause(&remote, bot, reason).await,
                Task::Resume { bot, remote } => remote::resume(&remote, bot).await,
                Task::Ban { owner, reason, remote } => remote::ban(&remote, owner, reason).await,
                Task::Unban { owner, remote } => remote::unban(&remote, owner).await,
                Task::Owners { limit, remote } => lists::owners(&remote, limit.entries).await,
                Task::Tokens { limit, remote } => lists::tokens(&remote, limit.entries).await,
                Task::Invitations { limit, remote } => {
                    lists::invitations(&remote, limit.entries).await
                }
                Task::Audit { limit, remote } => lists::audit(&remote, limit.entries).await,
                Task::Pairs { pool, remote } => lists::pairs(&remote, pool).await,
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
