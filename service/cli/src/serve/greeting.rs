//! The text that a server prints at its start: its addresses, and what to try first.

use std::fmt::Write as _;
use std::net::SocketAddr;

use azulejo_arena::store::Address;
use azulejo_runtime::ServerOptions;
use azulejo_terminal::output::try_print;

use super::organiser::Organiser;

pub(super) struct Greeting<'a> {
    pub(super) options: &'a ServerOptions,
    pub(super) public: SocketAddr,
    pub(super) admin: SocketAddr,
    pub(super) store: Option<Address>,
    pub(super) organiser: Option<Organiser>,
    pub(super) demo: bool,
}

impl Greeting<'_> {
    pub(super) fn print(&self) {
        let scheme = if self.options.tls_cert.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://{}", self.public);
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _written = self.write(&mut text, &url);
        try_print(&text);
    }

    fn write(&self, text: &mut String, url: &str) -> std::fmt::Result {
        writeln!(text, "Azulejo is running.")?;
        if self.store.is_some() {
            writeln!(text, "  Web UI:              {url}/")?;
        }
        writeln!(text, "  gRPC and HTTP/JSON:  {url}")?;
        writeln!(text, "  Health and metrics:  http://{}/metrics", self.admin)?;
        if let Some(store) = &self.store {
            writeln!(text, "  Data:                {store}")?;
        }
        match &self.organiser {
            Some(Organiser::Created(file)) => {
                writeln!(text, "  Organiser's token:   in {}", file.display())?;
            }
            Some(Organiser::Missing) => writeln!(
                text,
                "  Organiser's token:   none; provide one with --admin-token-file, or create one \
                 with --first-admin-token-file"
            )?,
            Some(Organiser::Existing) | None => {}
        }
        if self.demo {
            writeln!(text, "\nDemo bots are playing. The first results appear within seconds.")?;
        }
        writeln!(text, "\nTry in another terminal:")?;
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
        writeln!(text, "\nPress Ctrl-C to stop.")
    }
}
