//! `azulejo export`: the records of all finished matches of a server.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use azulejo_sdk::arena as pb;
use azulejo_sdk::arena::matches_service_client::MatchesServiceClient;
use clap::Args;

use crate::output::create;

/// Records of one page.
const PAGE: u32 = 200;

/// Fetch the records of all finished matches, one a line: `azulejo verify` reads them.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Where to write them.
    file: PathBuf,
    /// The server.
    #[arg(long, env = "AZULEJO_SERVER", default_value = "http://127.0.0.1:7700")]
    server: String,
}

impl Export {
    pub(crate) fn run(&self) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let written = runtime.block_on(self.fetch())?;
        say!("{written} records in {}", self.file.display());
        Ok(())
    }

    async fn fetch(&self) -> Result<usize> {
        let channel = azulejo_sdk::endpoint(&self.server)?.connect().await;
        let channel = channel.with_context(|| format!("{} does not answer", self.server))?;
        let mut client =
            MatchesServiceClient::new(channel).max_decoding_message_size(64 * 1024 * 1024);
        let mut file = std::io::BufWriter::new(create(&self.file)?);
        let (mut page_token, mut written) = (String::new(), 0);
        loop {
            let request = pb::ExportMatchesRequest { page_size: PAGE, page_token };
            let page = client.export_matches(request).await;
            let page = page.map_err(|status| anyhow!("{}", status.message()))?.into_inner();
            for record in &page.records {
                writeln!(file, "{record}")?;
            }
            written += page.records.len();
            if page.next_page_token.is_empty() {
                file.flush()?;
                return Ok(written);
            }
            page_token = page.next_page_token;
        }
    }
}
