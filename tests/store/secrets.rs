//! Secrets do not appear in errors and debug output.

use azulejo_arena::store::{Holder, Token, Write};

use azulejo_arena::time::Wall;

use crate::backends::Fresh;
use crate::fixtures::*;

pub(crate) async fn nothing_secret_is_ever_shown(store: Fresh) {
    let epoch = with_alice_and_bob(&*store).await;
    let hash = bytes("secret");
    let token = Write::Token(Token {
        public: "tok_1".to_owned(),
        hash,
        holder: Holder::Admin,
        created: None,
    });
    let spec = spec(1, azulejo_arena::record::Origin::Ladder, vec![remote(ALICE), remote(BOB)]);
    let call = Write::Match { spec, secret: hash };
    let writes = [token, Write::Invitation { hash, created: Wall(4) }, call];
    store.commit(epoch, &writes).await.unwrap();
    let mut said = format!("{:?} {:?} {writes:?}", &*store, store.load().await.unwrap());
    let again = [&writes[..], &[Write::Invited { hash: bytes("other") }]].concat();
    for write in again {
        let problem = store.commit(epoch, &[write]).await.unwrap_err();
        said.extend([problem.to_string(), format!("{problem:?}")]);
    }
    for secret in [hash, bytes("other")] {
        assert!(!said.contains(&secret.to_string()[..8]), "{said}");
        assert!(!said.contains(&format!("{:?}", &secret.0[..4])), "{said}");
    }
}
