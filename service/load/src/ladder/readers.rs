//! Clients that read bots, matches, ladders and pages without pause.

use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use azulejo_sdk::arena::{
    GetLadderRequest, GetStandingsRequest, ListBotsRequest, ListMatchesRequest,
};
use bytes::Bytes;
use prost::Message as _;

use super::disturbance::{Activity, Disturbance};
use super::swarm::Swarm;
use crate::raw::Caller;
use crate::raw::http::{HttpConnection, OK};

const LIST_BOTS: &str = "/azulejo.arena.v1.BotsService/ListBots";
const LIST_MATCHES: &str = "/azulejo.arena.v1.MatchesService/ListMatches";
const GET_LADDER: &str = "/azulejo.arena.v1.LadderService/GetLadder";
const GET_STANDINGS: &str = "/azulejo.arena.v1.LadderService/GetStandings";

/// Connects them: each has a connection for calls and one for pages.
pub(super) async fn connect(
    count: u32,
    url: &str,
    pools: &[String],
    swarm: &Arc<Swarm>,
) -> Result<Disturbance> {
    let mut readers = Disturbance::new()?;
    for number in 0..count {
        let pool = pools[number as usize % pools.len()].clone();
        let reader = Reader::connect(url.to_owned(), pool, Arc::clone(swarm), number);
        readers.add(reader, Reader::read_while_active).await?;
    }
    Ok(readers)
}

fn calls(caller: &Caller, pool: &str) -> [(Caller, Bytes); 4] {
    let ladder = GetLadderRequest { pool: pool.to_owned(), ..GetLadderRequest::default() };
    let standings = GetStandingsRequest { pool: pool.to_owned(), ..GetStandingsRequest::default() };
    [
        (caller.clone(), ListBotsRequest::default().encode_to_vec().into()),
        (caller.method(LIST_MATCHES), ListMatchesRequest::default().encode_to_vec().into()),
        (caller.method(GET_LADDER), ladder.encode_to_vec().into()),
        (caller.method(GET_STANDINGS), standings.encode_to_vec().into()),
    ]
}

struct Reader {
    url: String,
    calls: [(Caller, Bytes); 4],
    /// `None` after a failure: the next page connects again.
    pages: Option<HttpConnection>,
    swarm: Arc<Swarm>,
    step: usize,
}

impl Reader {
    async fn connect(url: String, pool: String, swarm: Arc<Swarm>, number: u32) -> Result<Self> {
        let calls = calls(&Caller::connect(&url, LIST_BOTS).await?, &pool);
        let pages = Some(HttpConnection::connect(&url).await?);
        Ok(Self { url, calls, pages, swarm, step: number as usize })
    }

    async fn read_while_active(mut self, mut activity: Activity) {
        while activity.begin().await {
            match self.read().await {
                Ok(()) => activity.tally.answer(),
                Err(refusal) => activity.refused(&refusal).await,
            }
        }
    }

    /// Calls and pages in turn.
    async fn read(&mut self) -> Result<()> {
        /// The front page, a bot, a match.
        const PAGES: usize = 3;
        self.step += 1;
        let kind = self.step % (self.calls.len() + PAGES);
        if let Some((caller, message)) = self.calls.get_mut(kind) {
            caller.call(message.clone()).await.map(drop).context("a call was refused")
        } else {
            let path = self.path(kind - self.calls.len());
            self.page(&path).await
        }
    }

    /// The path of a page. Bots and matches differ every time.
    fn path(&self, kind: usize) -> String {
        let observed = self.swarm.observed();
        let journal = &observed.journal;
        let spread = self.step.wrapping_mul(7919);
        match kind {
            1 => format!("/bot/{}", journal.bots[spread % journal.bots.len()].bot),
            2 if journal.matches.len() > 0 => {
                format!("/match/{}", journal.matches.text((spread % journal.matches.len()) as u32))
            }
            _ => "/".to_owned(),
        }
    }

    async fn page(&mut self, path: &str) -> Result<()> {
        let mut pages = match self.pages.take() {
            Some(pages) => pages,
            None => HttpConnection::connect(&self.url).await?,
        };
        let (status, _) = pages.get(path).await?;
        self.pages = Some(pages);
        if status != OK {
            bail!("{path}: HTTP status {status}");
        }
        Ok(())
    }
}
