//! `azulejo load engine --json-calls`: the server's cost of a call as JSON over HTTP/1.1, compared
//! with the same call over gRPC, in one run.

use anyhow::{Context, Result};
use azulejo_engine::{Ruleset, Table, calls};
use azulejo_rules::parts::{PlayerCount, Seat, Seed, Side};
use azulejo_rules::{azul, pavilion};
use azulejo_wire::served::v1 as pb;
use bytes::Bytes;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, SerializeOptions};
use serde::Serialize;

use azulejo_terminal::output::{print_json, print_table, progress};

use crate::clients::{Clients, Concurrency};
use crate::contender::{Contender, SLICE};
use crate::server::ServerProcess;

const APPLY: &str = "/azulejo.engine.v1.EngineService/Apply";
const LEGAL_MOVES: &str = "/azulejo.engine.v1.EngineService/LegalMoves";
/// Positions, each from a game of its own.
const GAMES: u64 = 8;
/// Rounds of slices that do not count.
const WARM_UP: u64 = 1;

#[derive(Debug, Serialize)]
struct JsonReport {
    calls: Vec<CallReport>,
}

#[derive(Debug, Serialize)]
struct CallReport {
    ruleset: String,
    call: &'static str,
    /// Mean number of legal moves of the positions.
    moves: f64,
    /// Mean sizes of the messages, in binary and as JSON.
    request_bytes: usize,
    request_json_bytes: usize,
    response_bytes: usize,
    response_json_bytes: usize,
    /// Processor time of the server per call.
    grpc_cpu_us: f64,
    json_cpu_us: f64,
    json_to_grpc: f64,
}

/// A kind of call, both ways.
struct Pair {
    work: Prepared,
    grpc: Contender,
    json: Contender,
}

pub(super) async fn run(concurrency: Concurrency, seconds: u64, is_json: bool) -> Result<()> {
    let engine = ServerProcess::engine().await?;
    let mut pairs = Vec::new();
    for work in Prepared::all()? {
        let Prepared { path, messages, texts, .. } = &work;
        let grpc = Clients::connect(&engine.url, path, concurrency, messages.clone()).await?;
        let json = Clients::connect_http(&engine.url, path, concurrency, texts.clone()).await?;
        pairs.push(Pair { grpc: Contender::new(grpc)?, json: Contender::new(json)?, work });
    }
    let rounds = seconds * 1000 / (2 * pairs.len() as u64 * SLICE.as_millis() as u64);
    let rounds = rounds.max(WARM_UP + 2);
    let bar = progress(rounds, "calling");
    for round in 0..rounds {
        for Pair { grpc, json, .. } in &mut pairs {
            grpc.take_turn(Some(&engine)).await?;
            json.take_turn(Some(&engine)).await?;
            if round == WARM_UP {
                grpc.reset()?;
                json.reset()?;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let calls = pairs.iter().map(CallReport::of).collect::<Result<_>>()?;
    let report = JsonReport { calls };
    if is_json {
        return print_json(&report);
    }
    report.print();
    Ok(())
}

impl CallReport {
    fn of(pair: &Pair) -> Result<Self> {
        let Pair { work, grpc, json } = pair;
        let unknown = "the system does not report processor time";
        let (grpc, json) = (grpc.cpu_us().context(unknown)?, json.cpu_us().context(unknown)?);
        let mean = |all: &[Bytes]| all.iter().map(Bytes::len).sum::<usize>() / all.len();
        Ok(Self {
            ruleset: work.ruleset.title(),
            call: work.path.rsplit('/').next().unwrap_or_default(),
            moves: work.moves,
            request_bytes: mean(&work.messages),
            request_json_bytes: mean(&work.texts),
            response_bytes: mean(&work.answers),
            response_json_bytes: mean(&work.answer_texts),
            grpc_cpu_us: grpc,
            json_cpu_us: json,
            json_to_grpc: json / grpc,
        })
    }
}

impl JsonReport {
    fn print(&self) {
        let rows = self.calls.iter().map(|call| {
            vec![
                call.ruleset.clone(),
                call.call.to_owned(),
                format!("{:.0}", call.moves),
                format!("{} / {}", call.request_bytes, call.response_bytes),
                format!("{} / {}", call.request_json_bytes, call.response_json_bytes),
                format!("{:.1} us", call.grpc_cpu_us),
                format!("{:.1} us", call.json_cpu_us),
                format!("{:.2}", call.json_to_grpc),
            ]
        });
        say!("Processor time of the server per call; bytes of requests / responses");
        let heads = ["", "call", "moves", "bytes", "JSON bytes", "gRPC", "JSON", "JSON to gRPC"];
        print_table(&heads, rows);
    }
}

/// The messages of one kind of call, prepared before the measurement.
struct Prepared {
    ruleset: Ruleset,
    path: &'static str,
    moves: f64,
    messages: Vec<Bytes>,
    texts: Vec<Bytes>,
    answers: Vec<Bytes>,
    answer_texts: Vec<Bytes>,
}

impl Prepared {
    fn all() -> Result<Vec<Self>> {
        let pool = DescriptorPool::decode(azulejo_wire::ENGINE_DESCRIPTORS)?;
        let azul = azul::Rules::new(Side::Colored, PlayerCount::Two);
        let pavilion = pavilion::Rules::new(Side::Colored, PlayerCount::Four);
        let mut all = Vec::new();
        for ruleset in [Ruleset::Azul(azul), Ruleset::SummerPavilion(pavilion)] {
            let tables =
                (0..GAMES).map(|game| widest(ruleset, game)).collect::<Result<Vec<_>>>()?;
            all.push(Self::of(ruleset, APPLY, &tables, &pool, |table| {
                let call = apply(table)?;
                Ok((call.encode_to_vec(), calls::apply(call)?.encode_to_vec()))
            })?);
            all.push(Self::of(ruleset, LEGAL_MOVES, &tables, &pool, |table| {
                let call = pb::LegalMovesRequest { state: Some(table.state()) };
                Ok((call.encode_to_vec(), calls::legal_moves(call)?.encode_to_vec()))
            })?);
        }
        Ok(all)
    }

    fn of(
        ruleset: Ruleset,
        path: &'static str,
        tables: &[Table],
        pool: &DescriptorPool,
        call: impl Fn(&Table) -> Result<(Vec<u8>, Vec<u8>)>,
    ) -> Result<Self> {
        let method = pool.services().flat_map(|service| service.methods().collect::<Vec<_>>());
        let mut named = method.filter(|method| path.ends_with(&format!("/{}", method.name())));
        let method = named.next().context("the engine has no such method")?;
        let moves: usize = tables.iter().map(|table| table.legal_moves().len()).sum();
        let mut work = Self {
            ruleset,
            path,
            moves: moves as f64 / tables.len() as f64,
            messages: Vec::new(),
            texts: Vec::new(),
            answers: Vec::new(),
            answer_texts: Vec::new(),
        };
        for table in tables {
            let (request, answer) = call(table)?;
            work.texts.push(json(method.input(), &request)?);
            work.answer_texts.push(json(method.output(), &answer)?);
            work.messages.push(request.into());
            work.answers.push(answer.into());
        }
        Ok(work)
    }
}

fn json(kind: MessageDescriptor, bytes: &[u8]) -> Result<Bytes> {
    let mut text = serde_json::Serializer::new(Vec::new());
    let options = SerializeOptions::new().skip_default_fields(false);
    DynamicMessage::decode(kind, bytes)?.serialize_with_options(&mut text, &options)?;
    Ok(text.into_inner().into())
}

fn apply(table: &Table) -> Result<pb::ApplyRequest> {
    let legal = table.legal_moves();
    let action = legal.get(legal.len() / 2).context("the position has no moves")?;
    Ok(pb::ApplyRequest {
        state: Some(table.state()),
        action: Some(pb::apply_request::Action::Move(action.message())),
        chance: None,
        include_legal_moves: false,
        include_score: false,
    })
}

/// The position with the most moves in a random game; in Azul this is an opening.
fn widest(ruleset: Ruleset, game: u64) -> Result<Table> {
    let mut table = Table::new(ruleset, Seat::First);
    let seed = Seed::from_number(game);
    let (mut widest, mut most, mut step) = (table, 0, 0);
    while !table.is_over() {
        while table.awaits_deal() {
            table.deal(&seed);
        }
        let legal = table.legal_moves();
        if legal.len() > most {
            (widest, most) = (table, legal.len());
        }
        // Any spread over the moves will do, as long as it is the same every time.
        let Some(&action) = legal.get((step * 7 + 3) % legal.len().max(1)) else { break };
        table.play(action)?;
        step += 1;
    }
    Ok(widest)
}
