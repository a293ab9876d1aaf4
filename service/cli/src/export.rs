//! `azulejo export`: downloads the records of all finished matches of a server.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use azulejo_sdk::arena as pb;
use azulejo_sdk::arena::matches_service_client::MatchesServiceClient;
use azulejo_terminal::output::create;
use clap::Args;

/// Records per page.
const PAGE_SIZE: u32 = 200;

/// Download the records of all finished matches, one per line, for `azulejo verify` and `azulejo
/// ladder fit`.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// File to write.
    file: PathBuf,
    /// Address of the server.
    #[arg(long, env = "AZULEJO_SERVER", default_value = "http://127.0.0.1:7700")]
    server: String,
}

impl Export {
    pub(crate) fn run(&self) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let written = runtime.block_on(self.fetch())?;
        say!("Wrote {written} records to {}.", self.file.display());
        Ok(())
    }

    async fn fetch(&self) -> Result<usize> {
        let channel = azulejo_sdk::connect(azulejo_sdk::endpoint(&self.server)?).await;
        let channel = channel.with_context(|| format!("cannot connect to {}", self.server))?;
        let mut client =
            MatchesServiceClient::new(channel).max_decoding_message_size(64 * 1024 * 1024);
        let mut file = std::io::BufWriter::new(create(&self.file)?);
        let (mut page_token, mut written) = (String::new(), 0);
        loop {
            let request = pb::ExportMatchesRequest { page_size: PAGE_SIZE, page_token };
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
