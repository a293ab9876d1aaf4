//! Tokens. Only their hashes are stored.

use super::{AfterCommit, ArenaState, Effect};
use crate::command::Organiser;
use crate::names::{letters, public_part};
use crate::record::Bytes32;
use crate::store::{Act, Holder, Token, Write};
use crate::time::Now;

impl ArenaState {
    /// A new token of an organiser, created by someone who has access to the store.
    pub fn create_admin_token(&mut self, now: Now) -> String {
        let token = self.create_token("aza", Holder::Admin, now);
        let public = public_part(&token).to_owned();
        self.audit(Organiser::with_store(), Act::CreateToken, public, String::new(), now);
        token
    }

    /// Whether an organiser's token exists.
    #[must_use]
    pub fn has_admin(&self) -> bool {
        self.tokens.values().any(|token| token.holder == Holder::Admin)
    }

    /// Revokes every stored token of an organiser.
    pub fn revoke_admin_tokens(&mut self, now: Now) {
        let admins = self.tokens.values().filter(|token| token.holder == Holder::Admin);
        let admins: Vec<String> = admins.map(|token| token.public.clone()).collect();
        for public in admins {
            self.revoke(&public);
            self.audit(Organiser::with_store(), Act::Revoke, public, String::new(), now);
        }
    }

    /// The valid tokens by hash.
    #[must_use]
    pub fn token_holders(&self) -> Vec<(Bytes32, Holder)> {
        self.tokens.values().map(|token| (token.hash, token.holder.clone())).collect()
    }

    pub(crate) fn create_token(&mut self, prefix: &str, holder: Holder, now: Now) -> String {
        let (token, stored) = self.random_token(prefix, holder, now);
        let Token { public, hash, holder, created: _ } = stored.clone();
        self.tokens.insert(public, stored.clone());
        self.writes.push(Write::Token(stored));
        self.after_commit(AfterCommit::Effect(Effect::AddToken { hash, holder }));
        token
    }

    /// A token, and what is stored of it.
    pub(super) fn random_token(
        &mut self,
        prefix: &str,
        holder: Holder,
        now: Now,
    ) -> (String, Token) {
        let public = format!("{prefix}_{}", letters(&self.random::<8>()));
        let token = format!("{public}_{}", letters(&self.random::<32>()));
        let hash = Bytes32::hash_of(token.as_bytes());
        (token, Token { public, hash, holder, created: Some(now.wall) })
    }

    /// Revokes a token, and ends the session that it opened.
    pub(crate) fn revoke(&mut self, public: &str) {
        let Some(Token { public, hash, holder, created: _ }) = self.tokens.remove(public) else {
            return;
        };
        self.writes.push(Write::Revoked { public });
        self.after_commit(AfterCommit::Effect(Effect::RemoveToken { hash }));
        self.revoked.insert(hash);
        if let Holder::Bot(bot) = holder
            && let Some(opened) = self.sessions.get(&bot).filter(|session| session.key == hash)
        {
            let session = opened.number;
            self.stop_listening(&bot, session);
            self.close_outbox(&bot, session);
        }
    }
}
