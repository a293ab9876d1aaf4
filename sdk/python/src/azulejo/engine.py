"""Clients for the stateless engine: the rules of both games as calls.

Methods return the responses of the contract (`azulejo.engine.v1`). There are two exceptions:
`batch_apply` returns a list of responses and errors, and `format_position` returns the text. A call
that is refused raises a `RefusedError` with a `reason`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import TypeVar

import grpc
import grpc.aio
from typing_extensions import Self

from . import requests
from .channel import CALL_SECONDS, Address, Headers, TraceParent
from .errors import RefusedError, refusal, refusal_of_status
from .gen.engine.v1 import engine_pb2 as pb
from .gen.engine.v1.engine_pb2_grpc import EngineServiceStub
from .gen.game.v1.chance_pb2 import Displays
from .requests import Action, Policy, RulesetLike, SeedLike, State, Theme

Request = TypeVar("Request")
Response = TypeVar("Response")


def batch_results(response: pb.BatchApplyResponse) -> list[pb.ApplyResponse | RefusedError]:
    return [
        refusal_of_status(result.error) if result.HasField("error") else result.response
        for result in response.results
    ]


class Engine:
    """A blocking client of the engine. Threads can share one."""

    def __init__(
        self,
        server: str | None = None,
        *,
        timeout: float = CALL_SECONDS,
        traceparent: TraceParent = None,
    ) -> None:
        """Connects to `server`. Default: AZULEJO_SERVER, or http://127.0.0.1:7700."""
        self._channel = Address(server).channel()
        self._stub = EngineServiceStub(self._channel)
        self._timeout = timeout
        self._headers = Headers(traceparent=traceparent)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._channel.close()

    def _call(
        self, method: grpc.UnaryUnaryMultiCallable[Request, Response], request: Request
    ) -> Response:
        try:
            return method(request, timeout=self._timeout, metadata=self._headers())
        except grpc.RpcError as error:
            raise refusal(error) from None

    def list_rulesets(self) -> pb.ListRulesetsResponse:
        """Lists all rulesets."""
        return self._call(self._stub.ListRulesets, pb.ListRulesetsRequest())

    def new_game(
        self,
        rules: RulesetLike,
        *,
        seed: SeedLike | None = None,
        displays: Displays | None = None,
        start_seat: int = 0,
    ) -> pb.NewGameResponse:
        """Starts a game, dealt by a seed, by given displays, or by a random seed."""
        return self._call(self._stub.NewGame, requests.new_game(rules, start_seat, seed, displays))

    def legal_moves(self, state: State) -> pb.LegalMovesResponse:
        """Lists all legal moves with their effects, in ascending order of action ids."""
        return self._call(self._stub.LegalMoves, pb.LegalMovesRequest(state=state))

    def apply(
        self,
        state: State,
        action: Action,
        *,
        seed: SeedLike | None = None,
        displays: Displays | None = None,
        include_legal_moves: bool = False,
        include_score: bool = False,
    ) -> pb.ApplyResponse:
        """Carries out a move. Without seed and displays the next state waits for its deal."""
        request = requests.apply(
            state,
            action,
            seed=seed,
            displays=displays,
            include_legal_moves=include_legal_moves,
            include_score=include_score,
        )
        return self._call(self._stub.Apply, request)

    def deal(
        self,
        state: State,
        *,
        seed: SeedLike | None = None,
        displays: Displays | None = None,
        max_displays: int = 0,
    ) -> pb.DealResponse:
        """Fills displays that wait."""
        return self._call(self._stub.Deal, requests.deal(state, seed, displays, max_displays))

    def deal_outcomes(self, state: State) -> pb.DealOutcomesResponse:
        """Lists all outcomes of the next deal with their exact probabilities."""
        return self._call(self._stub.DealOutcomes, pb.DealOutcomesRequest(state=state))

    def score(self, state: State) -> pb.ScoreResponse:
        """Computes the score, item by item, during a game or after it."""
        return self._call(self._stub.Score, pb.ScoreRequest(state=state))

    def expand(self, state: State, *, scores_only: bool = False) -> pb.ExpandResponse:
        """Lists all legal moves with the state and the score that each leads to."""
        return self._call(self._stub.Expand, requests.expand(state, scores_only))

    def batch_apply(
        self, moves: Iterable[pb.ApplyRequest]
    ) -> list[pb.ApplyResponse | RefusedError]:
        """Carries out many requests of `azulejo.apply_request`, at most 1,024.

        Returns a response or an error for each, in the same order.
        """
        request = pb.BatchApplyRequest(requests=moves)
        return batch_results(self._call(self._stub.BatchApply, request))

    def playouts(
        self,
        state: State,
        games: int,
        *,
        policy: Policy = "random",
        seed: SeedLike | None = None,
    ) -> pb.PlayoutsResponse:
        """Plays games from a state to their end and summarizes the results."""
        return self._call(self._stub.Playouts, requests.playouts(state, games, policy, seed))

    def replay(self, record: str) -> pb.ReplayResponse:
        """Verifies the record of a game: every deal, every move, the score."""
        return self._call(self._stub.Replay, pb.ReplayRequest(record=record))

    def render(
        self,
        state: State,
        *,
        text: bool = False,
        color: bool = False,
        theme: Theme = "auto",
        names: Sequence[str] = (),
    ) -> pb.RenderResponse:
        """Draws a state, as SVG or as text."""
        return self._call(self._stub.Render, requests.render(state, text, color, theme, names))

    def format_position(self, state: State) -> str:
        """Writes a state as one line of text."""
        request = pb.FormatPositionRequest(state=state)
        return self._call(self._stub.FormatPosition, request).position

    def parse_position(self, position: str) -> pb.ParsePositionResponse:
        """Reads a state from one line of text."""
        request = pb.ParsePositionRequest(position=position)
        return self._call(self._stub.ParsePosition, request)


class AsyncEngine:
    """A client of the engine for asyncio. Use it within one event loop."""

    def __init__(
        self,
        server: str | None = None,
        *,
        timeout: float = CALL_SECONDS,
        traceparent: TraceParent = None,
    ) -> None:
        """Connects to `server`. Default: AZULEJO_SERVER, or http://127.0.0.1:7700."""
        self._channel = Address(server).aio_channel()
        self._stub = EngineServiceStub(self._channel)
        self._timeout = timeout
        self._headers = Headers(traceparent=traceparent)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._channel.close()

    async def _call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Request, Response], request: Request
    ) -> Response:
        try:
            return await method(request, timeout=self._timeout, metadata=self._headers())
        except grpc.RpcError as error:
            raise refusal(error) from None

    async def list_rulesets(self) -> pb.ListRulesetsResponse:
        """Lists all rulesets."""
        return await self._call(self._stub.ListRulesets, pb.ListRulesetsRequest())

    async def new_game(
        self,
        rules: RulesetLike,
        *,
        seed: SeedLike | None = None,
        displays: Displays | None = None,
        start_seat: int = 0,
    ) -> pb.NewGameResponse:
        """Starts a game, dealt by a seed, by given displays, or by a random seed."""
        return await self._call(
            self._stub.NewGame, requests.new_game(rules, start_seat, seed, displays)
        )

    async def legal_moves(self, state: State) -> pb.LegalMovesResponse:
        """Lists all legal moves with their effects, in ascending order of action ids."""
        return await self._call(self._stub.LegalMoves, pb.LegalMovesRequest(state=state))

    async def apply(
        self,
        state: State,
        action: Action,
        *,
        seed: SeedLike | None = None,
        displays: Displays | None = None,
        include_legal_moves: bool = False,
        include_score: bool = False,
    ) -> pb.ApplyResponse:
        """Carries out a move. Without seed and displays the next state waits for its deal."""
        request = requests.apply(
            state,
            action,
            seed=seed,
            displays=displays,
            include_legal_moves=include_legal_moves,
            include_score=include_score,
        )
        return await self._call(self._stub.Apply, request)

    async def deal(
        self,
        state: State,
        *,
        seed: SeedLike | None = None,
        displays: Displays | None = None,
        max_displays: int = 0,
    ) -> pb.DealResponse:
        """Fills displays that wait."""
        return await self._call(self._stub.Deal, requests.deal(state, seed, displays, max_displays))

    async def deal_outcomes(self, state: State) -> pb.DealOutcomesResponse:
        """Lists all outcomes of the next deal with their exact probabilities."""
        return await self._call(self._stub.DealOutcomes, pb.DealOutcomesRequest(state=state))

    async def score(self, state: State) -> pb.ScoreResponse:
        """Computes the score, item by item, during a game or after it."""
        return await self._call(self._stub.Score, pb.ScoreRequest(state=state))

    async def expand(self, state: State, *, scores_only: bool = False) -> pb.ExpandResponse:
        """Lists all legal moves with the state and the score that each leads to."""
        return await self._call(self._stub.Expand, requests.expand(state, scores_only))

    async def batch_apply(
        self, moves: Iterable[pb.ApplyRequest]
    ) -> list[pb.ApplyResponse | RefusedError]:
        """Carries out many requests of `azulejo.apply_request`, at most 1,024.

        Returns a response or an error for each, in the same order.
        """
        request = pb.BatchApplyRequest(requests=moves)
        return batch_results(await self._call(self._stub.BatchApply, request))

    async def playouts(
        self,
        state: State,
        games: int,
        *,
        policy: Policy = "random",
        seed: SeedLike | None = None,
    ) -> pb.PlayoutsResponse:
        """Plays games from a state to their end and summarizes the results."""
        return await self._call(self._stub.Playouts, requests.playouts(state, games, policy, seed))

    async def replay(self, record: str) -> pb.ReplayResponse:
        """Verifies the record of a game: every deal, every move, the score."""
        return await self._call(self._stub.Replay, pb.ReplayRequest(record=record))

    async def render(
        self,
        state: State,
        *,
        text: bool = False,
        color: bool = False,
        theme: Theme = "auto",
        names: Sequence[str] = (),
    ) -> pb.RenderResponse:
        """Draws a state, as SVG or as text."""
        return await self._call(
            self._stub.Render, requests.render(state, text, color, theme, names)
        )

    async def format_position(self, state: State) -> str:
        """Writes a state as one line of text."""
        request = pb.FormatPositionRequest(state=state)
        return (await self._call(self._stub.FormatPosition, request)).position

    async def parse_position(self, position: str) -> pb.ParsePositionResponse:
        """Reads a state from one line of text."""
        request = pb.ParsePositionRequest(position=position)
        return await self._call(self._stub.ParsePosition, request)
