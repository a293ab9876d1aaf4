//! The arena with an edge for tests: requests are values that can be kept and repeated, and events
//! are the messages that the server sends.

use std::sync::Arc;
use std::time::Duration;

use azulejo_arena::command::{
    Authority, CloseSession, CreateChallenge, CreateToken, CreatedChallenge, Heartbeat, HouseMove,
    OpenSession, Opponent, Organiser, PollEvents, Ready, RegisterBot, RegisteredBot, Resign,
    ResumeBot, RevokeToken, SubmitMove, SubmittedMove, TurnFetched, VoidMatch,
};
use azulejo_arena::event::{MatchStarting, PlayEvent};
use azulejo_arena::grpc::message::{play_event, watch_event};
use azulejo_arena::match_run::Match;
use azulejo_arena::names::{BotId, MatchId, Owner};
use azulejo_arena::pool::{Pool, TimeClass};
use azulejo_arena::record::{Bytes32, Receipt};
use azulejo_arena::state::{ArenaState, Effect, Entropy, Hello, Refusal, Settings};
use azulejo_arena::store::{Saved, Write};
use azulejo_arena::time::{Now, Time};
use azulejo_arena::view::View;
use azulejo_engine::{HouseBot, Move, Table};
use azulejo_wire::game::v1 as game;
use azulejo_wire::served::arena as pb;

/// Which call an answer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ticket(pub(crate) u64);

/// A move as a bot sends it.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Typed(game::Move),
    Id(u32),
    Notation(String),
}

impl Action {
    fn submitted(self) -> SubmittedMove {
        match self {
            Self::Typed(message) => {
                let parsed = Move::read(message);
                SubmittedMove::Typed { text: format!("{message:?}"), parsed }
            }
            Self::Id(id) => SubmittedMove::Id(id),
            Self::Notation(text) => SubmittedMove::Notation(text),
        }
    }
}

/// The commands that the tests use.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    Open {
        bot: BotId,
        key: Bytes32,
        hello: Hello,
    },
    Poll {
        bot: BotId,
        session: u64,
        seen: u64,
        hello: Option<Hello>,
    },
    Closed {
        bot: BotId,
        session: u64,
    },
    Ready {
        bot: BotId,
        id: MatchId,
        nonce: Bytes32,
    },
    Submit {
        bot: BotId,
        id: MatchId,
        turn: u32,
        action: Action,
        received: Time,
    },
    Heartbeat {
        bot: BotId,
        ping: u64,
        ended: Vec<MatchId>,
        received: Time,
    },
    Resign {
        bot: BotId,
        id: MatchId,
    },
    Fetched {
        id: MatchId,
        turn: u32,
        at: Time,
    },
    Thought {
        id: MatchId,
        turn: u32,
        action: Option<Move>,
    },
    Register {
        by: Option<Owner>,
        owner: Owner,
        name: String,
        invitation: Option<Bytes32>,
        request: Option<Bytes32>,
    },
    CreateToken {
        by: Owner,
        bot: BotId,
    },
    Revoke {
        by: Option<Owner>,
        public: String,
    },
    Resume {
        by: Owner,
        bot: BotId,
    },
    Challenge {
        by: BotId,
        ruleset: azulejo_engine::Ruleset,
        time_class: TimeClass,
        opponents: Vec<Opponent>,
        seat: usize,
        request: Option<Bytes32>,
    },
    Void {
        id: MatchId,
        note: String,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Opened { session: u64 },
    Polled,
    Ready,
    Submitted(Receipt),
    Heartbeat(Duration),
    Resigned,
    Registered(RegisteredBot),
    Token(String),
    Done,
    Challenged(Box<pb::Match>),
}

/// What the arena sends.
#[derive(Clone, Debug)]
pub(crate) enum Output {
    Answer(Ticket, Box<Result<Answer, Refusal>>),
    Tell {
        bot: BotId,
        session: u64,
        event: Box<pb::PlayEvent>,
        /// Ends that a snapshot has to contain; they are in the store.
        ended: Vec<MatchId>,
    },
    Close {
        bot: BotId,
        session: u64,
    },
    Watch {
        id: MatchId,
        event: Box<pb::watch_match_response::Event>,
    },
    Think {
        id: MatchId,
        turn: u32,
        #[expect(dead_code, reason = "only printed")]
        bot: HouseBot,
        table: Box<Table>,
    },
    Token,
}

/// The arena, with the answers that wait for the next commit.
pub(crate) struct Edge {
    pub(crate) state: ArenaState,
    /// What readers see.
    pub(crate) view: View,
    answers: Vec<Output>,
}

impl Edge {
    pub(crate) fn new(
        saved: Saved,
        settings: Settings,
        entropy: Box<dyn Entropy>,
        now: Now,
    ) -> Self {
        let state = ArenaState::new(saved, settings, entropy, now);
        Self { view: state.view(), state, answers: Vec::new() }
    }

    pub(crate) fn handle(&mut self, ticket: Option<Ticket>, request: Request, now: Now) {
        let answer = self.answer(request, now);
        if let Some(ticket) = ticket {
            self.answers.push(Output::Answer(ticket, Box::new(answer)));
        }
    }

    pub(crate) fn tick(&mut self, now: Now) {
        self.state.tick(now);
    }

    pub(crate) fn take_writes(&mut self) -> Vec<Write> {
        self.state.take_writes()
    }

    /// What readers see, then effects, then replies, as in the loop.
    pub(crate) fn release(&mut self, now: Now) -> Vec<Output> {
        self.state.publish(now.time);
        self.view = self.state.view();
        let effects = self.state.release(now).into_iter().map(output);
        effects.chain(std::mem::take(&mut self.answers)).collect()
    }

    fn answer(&mut self, request: Request, now: Now) -> Result<Answer, Refusal> {
        let state = &mut self.state;
        match request {
            Request::Open { bot, key, hello } => {
                let session = state.run(OpenSession { bot, key, hello }, now)?;
                Ok(Answer::Opened { session })
            }
            Request::Poll { bot, session, seen, hello } => {
                state.run(PollEvents { bot, session, seen, hello }, now).map(|()| Answer::Polled)
            }
            Request::Closed { bot, session } => {
                state.run(CloseSession { bot, session }, now).map(|()| Answer::Done)
            }
            Request::Ready { bot, id, nonce } => {
                state.run(Ready { bot, id, nonce }, now).map(|()| Answer::Ready)
            }
            Request::Submit { bot, id, turn, action, received } => {
                let action = action.submitted();
                let submitted = SubmitMove { bot, id, turn, action, received };
                state.run(submitted, now).map(Answer::Submitted)
            }
            Request::Heartbeat { bot, ping, ended, received } => {
                let ended = ended.into_iter().collect();
                state.run(Heartbeat { bot, ping, ended, received }, now).map(Answer::Heartbeat)
            }
            Request::Resign { bot, id } => {
                state.run(Resign { bot, id }, now).map(|()| Answer::Resigned)
            }
            Request::Fetched { id, turn, at } => {
                state.run(TurnFetched { id, turn, at }, now).map(|()| Answer::Done)
            }
            Request::Thought { id, turn, action } => {
                state.run(HouseMove { id, turn, action }, now).map(|()| Answer::Done)
            }
            other => self.account(other, now),
        }
    }

    fn account(&mut self, request: Request, now: Now) -> Result<Answer, Refusal> {
        let state = &mut self.state;
        match request {
            Request::Register { by, owner, name, invitation, request } => {
                let bot = BotId::new(&owner, &name).unwrap();
                let register = RegisterBot { by, bot, invitation, request };
                state.run(register, now).map(Answer::Registered)
            }
            Request::CreateToken { by, bot } => {
                state.run(CreateToken { by, bot }, now).map(Answer::Token)
            }
            Request::Revoke { by, public } => {
                let by = by.map_or_else(|| Authority::Organiser(organiser()), Authority::Owner);
                state.run(RevokeToken { by, token: public }, now).map(|()| Answer::Done)
            }
            Request::Resume { by, bot } => {
                let by = Authority::Owner(by);
                state.run(ResumeBot { by, bot }, now).map(|_| Answer::Done)
            }
            Request::Challenge { by, ruleset, time_class, opponents, seat, request } => {
                let pool = Pool { ruleset, time_class };
                let challenge = CreateChallenge { by, pool, opponents, seat, request };
                let message = match state.run(challenge, now)? {
                    CreatedChallenge::Running(run) => match_message(run),
                    CreatedChallenge::Finished(id) => {
                        pb::Match { id: id.to_string(), ..pb::Match::default() }
                    }
                };
                Ok(Answer::Challenged(Box::new(message)))
            }
            Request::Void { id, note } => {
                let by = organiser();
                state.run(VoidMatch { by, id, note }, now).map(|_| Answer::Done)
            }
            other => panic!("{other:?} is answered elsewhere"),
        }
    }
}

/// The message of a match, as in the response to a challenge.
fn match_message(run: Arc<Match>) -> pb::Match {
    let starting = MatchStarting { run, seat: 0, ready_timeout: Duration::ZERO };
    let message = play_event(1, &PlayEvent::MatchStarting(starting));
    match message.event {
        Some(pb::play_event::Event::MatchStarting(starting)) => starting.r#match.unwrap(),
        other => panic!("{other:?}"),
    }
}

fn output(effect: Effect) -> Output {
    match effect {
        Effect::Send { bot, session, seq, event } => {
            let ended = match &event {
                PlayEvent::Snapshot(snapshot) => snapshot.ended.clone(),
                _ => Vec::new(),
            };
            let event = Box::new(play_event(seq, &event));
            Output::Tell { bot, session, event, ended }
        }
        Effect::CloseSession { bot, session } => Output::Close { bot, session },
        Effect::Watch { id, event } => Output::Watch { id, event: Box::new(watch_event(&event)) },
        Effect::Search { id, turn, bot, table, owner: _ } => Output::Think { id, turn, bot, table },
        Effect::AddToken { .. } | Effect::RemoveToken { .. } => Output::Token,
        Effect::ResultVoided => unreachable!("no result is voided here"),
    }
}

fn organiser() -> Organiser {
    Organiser("aza_test".to_owned())
}
