"""The engine as a client: the rules of both games as calls.

Every method returns the response of the contract (`azulejo.engine.v1`), so nothing that the engine
tells is lost. A refusal is a `RefusedError` with a `reason`.
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
from .errors import refusal
from .gen.engine.v1 import engine_pb2 as pb
from .gen.engine.v1.engine_pb2_grpc import EngineServiceStub
from .gen.game.v1.chance_pb2 import Displays
from .requests import Action, Policy, RulesetLike, SeedLike, State, Theme

Request = TypeVar("Request")
Response = TypeVar("Response")


class Engine:
    """The engine, by calls that block. Threads may share one."""

    def __init__(
        self,
        server: str | None = None,
        *,
        timeout: float = CALL_SECONDS,
        traceparent: TraceParent = None,
    ) -> None:
        """Connects to `server`, else AZULEJO_SERVER, else http://127.0.0.1:7700."""
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
        """Every ruleset that can be played."""
        return self._call(self._stub.ListRulesets, pb.ListRulesetsRequest())

    def new_game(
        self,
        rules: RulesetLike,
        *,
        seed: SeedLike | None = None,
        displays: Displays | None = None,
        start: int = 0,
    ) -> pb.NewGameResponse:
        """A new game, dealt by a seed, by given displays, or by a seed that the engine makes."""
        return self._call(self._stub.NewGame, requests.new_game(rules, start, seed, displays))

    def legal_moves(self, state: State) -> pb.LegalMovesResponse:
        """Every legal move, in ascending order of action ids."""
        return self._call(self._stub.LegalMoves, pb.LegalMovesRequest(state=state))

    def apply(
        self,
        state: State,
        action: Action,
        *,
        seed: SeedLike | None = None,
        displays: Displays | None = None,
    ) -> pb.ApplyResponse:
        """Carries out a move. Without a seed or displays the next state waits for its deal."""
        return self._call(
            self._stub.Apply, requests.apply(state, action, seed=seed, displays=displays)
        )

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
        """Every outcome of the next deal with its exact probability."""
        return self._call(self._stub.DealOutcomes, pb.DealOutcomesRequest(state=state))

    def score(self, state: State) -> pb.ScoreResponse:
        """The score, item by item, in the middle of a game or after its end."""
        return self._call(self._stub.Score, pb.ScoreRequest(state=state))

    def expand(self, state: State, *, scores_only: bool = False) -> pb.ExpandResponse:
        """Every legal move with the position and the score it leads to."""
        return self._call(self._stub.Expand, requests.expand(state, scores_only))

    def batch_apply(self, moves: Iterable[pb.ApplyRequest]) -> pb.BatchApplyResponse:
        """Many moves at once, made by `azulejo.apply_request`; each answers for itself."""
        return self._call(self._stub.BatchApply, pb.BatchApplyRequest(requests=moves))

    def playouts(
        self,
        state: State,
        games: int,
        *,
        policy: Policy = "random",
        seed: SeedLike | None = None,
    ) -> pb.PlayoutsResponse:
        """Plays games from a position to their end and sums up the results."""
        return self._call(self._stub.Playouts, requests.playouts(state, games, policy, seed))

    def replay(self, record: str) -> pb.ReplayResponse:
        """Checks the record of a game: every deal, every move, the score."""
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
        """Draws a position, as SVG or as text."""
        return self._call(self._stub.Render, requests.render(state, text, color, theme, names))


class AsyncEngine:
    """The engine for asyncio. Use it within one event loop."""

    def __init__(
        self,
        server: str | None = None,
        *,
        timeout: float = CALL_SECONDS,
        traceparent: TraceParent = None,
    ) -> None:
        """Connects to `server`, else AZULEJO_SERVER, else http://127.0.0.1:7700."""
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
        """Every ruleset that can be played."""
        return await self._call(self._stub.ListRulesets, pb.ListRulesetsRequest())

    async def new_game(
        self,
        rules: RulesetLike,
        *,
        seed: SeedLike | None = None,
        displays: Displays | None = None,
        start: int = 0,
    ) -> pb.NewGameResponse:
        """A new game, dealt by a seed, by given displays, or by a seed that the engine makes."""
        return await self._call(self._stub.NewGame, requests.new_game(rules, start, seed, displays))

    async def legal_moves(self, state: State) -> pb.LegalMovesResponse:
        """Every legal move, in ascending order of action ids."""
        return await self._call(self._stub.LegalMoves, pb.LegalMovesRequest(state=state))

    async def apply(
        self,
        state: State,
        action: Action,
        *,
        seed: SeedLike | None = None,
        displays: Displays | None = None,
    ) -> pb.ApplyResponse:
        """Carries out a move. Without a seed or displays the next state waits for its deal."""
        return await self._call(
            self._stub.Apply, requests.apply(state, action, seed=seed, displays=displays)
        )

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
        """Every outcome of the next deal with its exact probability."""
        return await self._call(self._stub.DealOutcomes, pb.DealOutcomesRequest(state=state))

    async def score(self, state: State) -> pb.ScoreResponse:
        """The score, item by item, in the middle of a game or after its end."""
        return await self._call(self._stub.Score, pb.ScoreRequest(state=state))

    async def expand(self, state: State, *, scores_only: bool = False) -> pb.ExpandResponse:
        """Every legal move with the position and the score it leads to."""
        return await self._call(self._stub.Expand, requests.expand(state, scores_only))

    async def batch_apply(self, moves: Iterable[pb.ApplyRequest]) -> pb.BatchApplyResponse:
        """Many moves at once, made by `azulejo.apply_request`; each answers for itself."""
        return await self._call(self._stub.BatchApply, pb.BatchApplyRequest(requests=moves))

    async def playouts(
        self,
        state: State,
        games: int,
        *,
        policy: Policy = "random",
        seed: SeedLike | None = None,
    ) -> pb.PlayoutsResponse:
        """Plays games from a position to their end and sums up the results."""
        return await self._call(self._stub.Playouts, requests.playouts(state, games, policy, seed))

    async def replay(self, record: str) -> pb.ReplayResponse:
        """Checks the record of a game: every deal, every move, the score."""
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
        """Draws a position, as SVG or as text."""
        return await self._call(
            self._stub.Render, requests.render(state, text, color, theme, names)
        )
