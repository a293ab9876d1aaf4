//! Commands on their way to the loop, each with its own reply channel, and replies that wait until
//! everything is durable.

use tokio::sync::oneshot;

use super::{Arena, CommandError};
use crate::command::Command;
use crate::state::{ArenaState, Refusal};
use crate::time::Now;
use tokio::sync::mpsc::error::TrySendError;

/// Commands that wait; beyond that callers are refused as overloaded.
pub(super) const MAILBOX_CAPACITY: usize = 8_192;

/// A command of any kind.
pub(super) trait Mail: Send {
    /// Runs it; its reply waits among `replies`.
    fn run(self: Box<Self>, state: &mut ArenaState, now: Now, replies: &mut Replies);
}

/// Replies that may be sent after the next commit. Dropping them tells the callers to try again.
#[derive(Default)]
pub(super) struct Replies(Vec<Box<dyn FnOnce() + Send>>);

impl Replies {
    pub(super) fn send(&mut self) {
        for reply in self.0.drain(..) {
            reply();
        }
    }
}

struct Call<C: Command> {
    command: C,
    reply: oneshot::Sender<Result<C::Reply, Refusal>>,
}

impl<C: Command> Mail for Call<C> {
    fn run(self: Box<Self>, state: &mut ArenaState, now: Now, replies: &mut Replies) {
        let Self { command, reply } = *self;
        let result = state.run(command, now);
        replies.0.push(Box::new(move || {
            // The caller may be gone.
            let _gone = reply.send(result);
        }));
    }
}

/// A command whose caller does not wait for a reply.
struct Notice<C: Command>(C);

impl<C: Command> Mail for Notice<C> {
    fn run(self: Box<Self>, state: &mut ArenaState, now: Now, _replies: &mut Replies) {
        let _reply = state.run(self.0, now);
    }
}

impl Arena {
    /// Runs a command and waits for its reply, which comes once its effect is durable.
    pub async fn call<C: Command>(&self, command: C) -> Result<C::Reply, CommandError> {
        let (reply, replied) = oneshot::channel();
        self.mailbox.try_send(Box::new(Call { command, reply })).map_err(
            |unsent| match unsent {
                TrySendError::Full(_) => CommandError::Overloaded,
                // Another arena owns the store, or this one stops: a retry finds out which.
                TrySendError::Closed(_) => CommandError::Restarting,
            },
        )?;
        Ok(replied.await.map_err(|_| CommandError::Restarting)??)
    }

    /// Runs a command, after waiting for room in the mailbox.
    pub(super) async fn deliver<C: Command>(&self, command: C) {
        // Fails only when the arena stops.
        let _stopped = self.mailbox.send(Box::new(Notice(command))).await;
    }

    /// Runs a command without waiting. It is dropped when the mailbox is full.
    pub fn notify<C: Command>(&self, command: C) {
        let _full = self.mailbox.try_send(Box::new(Notice(command)));
    }
}
