//! `azulejo admin`: what an organiser does.

mod remote;
mod store;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::serve::Kept;

/// Organise: invitations, pauses, voided matches over the network; tokens, ratings and backups of the
/// store.
#[derive(Debug, Args)]
pub(crate) struct Admin {
    #[command(subcommand)]
    task: Task,
}

/// How to reach a running server.
#[derive(Debug, Args)]
struct Remote {
    /// The server.
    #[arg(long, env = "AZULEJO_SERVER", default_value = "http://127.0.0.1:7700")]
    server: String,
    /// The organiser's token, aza_…
    #[arg(long, env = "AZULEJO_ADMIN_TOKEN", hide_env_values = true)]
    token: String,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// A code with which one owner may register.
    Invite {
        #[command(flatten)]
        remote: Remote,
    },
    /// Give a bot no more matches; its owner can resume it.
    Pause {
        /// OWNER/NAME.
        bot: String,
        /// What its owner is told.
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// Call a running match off: it gets no result, its secret is revealed.
    Void {
        /// The id of the match.
        match_id: String,
        /// What everyone is told.
        #[arg(long)]
        reason: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// End a token that the store has: a bot's, an owner's, or an organiser's.
    Revoke {
        /// The public part of the token is enough: everything before its second underscore.
        #[arg(value_name = "TOKEN")]
        public: String,
        #[command(flatten)]
        remote: Remote,
    },
    /// A new organiser's token, if the first one is lost. Takes the store: stop the server first.
    Token {
        /// End all others that the store has: one of them has leaked.
        #[arg(long)]
        revoke_others: bool,
        #[command(flatten)]
        kept: Kept,
    },
    /// Copy a store in a file to another file, also beside a running server. PostgreSQL has tools of its
    /// own for that.
    Backup {
        /// A new file.
        #[arg(value_name = "FILE")]
        to: PathBuf,
        #[command(flatten)]
        kept: Kept,
    },
    /// Compute all ratings again from the results. May run beside a server with --check.
    Rebuild {
        /// Only compare them with the stored ones.
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        kept: Kept,
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
                Task::Token { revoke_others, kept } => store::token(&kept, revoke_others).await,
                Task::Backup { to, kept } => store::backup(&kept, &to).await,
                Task::Rebuild { check, kept } => store::rebuild(&kept, check).await,
            }
        })
    }
}
