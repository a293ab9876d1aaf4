//! Where to look, and what to try first.

use std::fmt::Write as _;
use std::net::SocketAddr;

use azulejo_arena::store::Address;
use azulejo_runtime::ServerOptions;

use crate::output::mention;

pub(super) struct Greeting<'a> {
    pub(super) options: &'a ServerOptions,
    pub(super) public: SocketAddr,
    pub(super) admin: SocketAddr,
    pub(super) store: Option<Address>,
    pub(super) first_token: Option<String>,
    pub(super) demo: bool,
}

impl Greeting<'_> {
    pub(super) fn print(&self) {
        let scheme = if self.options.tls_cert.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://{}", self.public);
        let mut text = String::new();
        // Writing to a text cannot fail.
        let _written = self.write(&mut text, &url);
        mention(&text);
    }

    fn write(&self, text: &mut String, url: &str) -> std::fmt::Result {
        writeln!(text, "Azulejo listens.")?;
        if self.store.is_some() {
            writeln!(text, "  the ladder, to look at     {url}/")?;
        }
        writeln!(text, "  gRPC, and HTTP with JSON   {url}")?;
        writeln!(text, "  health and metrics         http://{}/metrics", self.admin)?;
        if let Some(store) = &self.store {
            writeln!(text, "  everything is kept in      {store}")?;
        }
        if let Some(token) = &self.first_token {
            writeln!(text, "\nThe organiser's token, shown this once:\n  {token}")?;
        }
        if self.demo {
            writeln!(text, "\nHouse bots are playing: the first results are there in seconds.")?;
        }
        writeln!(text, "\nTry, in another terminal:")?;
        if self.store.is_some() {
            writeln!(text, "  azulejo bot greedy --register you/first-bot --server {url}")?;
        } else {
            writeln!(text, "  curl -H 'content-type: application/json' \\")?;
            writeln!(
                text,
                "    -d '{{\"ruleset\":{{\"azul\":{{\"side\":\"BOARD_SIDE_COLORED\",\"players\":2}}}}}}' \\"
            )?;
            writeln!(text, "    {url}/azulejo.engine.v1.EngineService/NewGame")?;
        }
        writeln!(text, "\nCtrl-C stops it.")
    }
}
