//! What can be asked of the arena: one file for each command, with its input, its reply and its
//! effect. Queries are not here: they read the [`View`](crate::view::View).

mod ban_owner;
mod close_session;
mod create_challenge;
mod create_invitations;
mod create_token;
mod heartbeat;
mod house_move;
mod open_session;
mod pause_bot;
mod poll_events;
mod ready;
mod register_bot;
mod resign;
mod resume_bot;
mod revoke_token;
mod submit_move;
mod turn_fetched;
mod unban_owner;
mod void_match;
mod void_result;

use crate::names::Owner;
use crate::state::{ArenaState, Refusal};
use crate::time::Now;

pub use ban_owner::BanOwner;
pub use close_session::CloseSession;
pub use create_challenge::{CreateChallenge, CreatedChallenge, Opponent};
pub use create_invitations::CreateInvitations;
pub use create_token::CreateToken;
pub use heartbeat::Heartbeat;
pub use house_move::HouseMove;
pub use open_session::OpenSession;
pub use pause_bot::PauseBot;
pub use poll_events::PollEvents;
pub use ready::Ready;
pub use register_bot::{RegisterBot, RegisteredBot};
pub use resign::Resign;
pub use resume_bot::ResumeBot;
pub use revoke_token::RevokeToken;
pub use submit_move::{SubmitMove, SubmittedMove};
pub use turn_fetched::TurnFetched;
pub use unban_owner::UnbanOwner;
pub use void_match::{VoidMatch, VoidedMatch};
pub use void_result::VoidResult;

/// A command whose caller has been authenticated.
pub trait Command: Send + 'static {
    type Reply: Send + 'static;

    /// Changes the state. The reply is sent once the change is durable.
    fn run(self, arena: &mut ArenaState, now: Now) -> Result<Self::Reply, Refusal>;
}

/// An organiser, as the audit log names them: by the public part of the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Organiser(pub String);

impl Organiser {
    /// Someone who has access to the store, and needs no token.
    #[must_use]
    pub fn with_store() -> Self {
        Self("store".to_owned())
    }
}

/// Who gives a command that owners and organisers may give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Authority {
    Owner(Owner),
    Organiser(Organiser),
}
