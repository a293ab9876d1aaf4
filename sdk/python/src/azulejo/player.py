"""Handles the events of one bot: answers them and counts its matches."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Coroutine
from typing import Any

from . import hooks
from .bot import Bot, Turn, answer
from .errors import AzulejoError, RefusedError, ReplacedError
from .fair_play import Seen, UnfairError
from .gen.arena.v1 import arena_pb2, challenges_pb2, play_pb2
from .link import Link, backoff
from .options import Options
from .rulesets import azul, players, ruleset, time_class

log = logging.getLogger("azulejo")


class Player:
    """Plays one bot over one link. `done` is set after its last match."""

    def __init__(self, bot: Bot, options: Options, link: Link) -> None:
        self.bot = bot
        self.options = options
        self.link = link
        self.done = asyncio.Event()
        self.failure: AzulejoError | None = None
        self.hooks = hooks.Hooks()
        self._seen: dict[str, Seen] = {}
        self._running: set[str] = set()
        self._ended: set[str] = set()
        self._played = 0
        self._thinking: dict[tuple[str, int, int], asyncio.Task[None]] = {}
        self._sending: set[asyncio.Task[None]] = set()
        self._challenging: asyncio.Task[None] | None = None

    def offer(self) -> int:
        """The number of concurrent matches to offer now. 0: no new matches."""
        most = self.options.max_concurrent_matches
        if self.options.matches is None or self.options.challenge is not None:
            return most
        left = self._left()
        return min(most, len(self._running) + left) if left > 0 else 0

    def _left(self) -> int:
        """Number of matches that still have to start."""
        if self.options.matches is None:
            return self.options.max_concurrent_matches
        return self.options.matches - self._played - len(self._running)

    def take(self, event: play_pb2.PlayEvent) -> None:
        """Handles an event. Raises ReplacedError."""
        kind = event.WhichOneof("event")
        if kind == "snapshot":
            self._catch_up(event.snapshot)
        elif kind == "match_starting":
            self._get_ready(event.match_starting)
        elif kind == "match_started":
            if event.match_started.match_id in self._seen:
                self._seen[event.match_started.match_id].started(event.match_started)
            self.hooks.add(self.bot.match_started, event.match_started)
        elif kind == "turn":
            self._decide(event.turn)
        elif kind == "move_made":
            if event.move_made.match_id in self._seen:
                self._seen[event.move_made.match_id].moved(event.move_made)
            self.hooks.add(self.bot.move_made, event.move_made)
        elif kind == "match_ended":
            self._over(event.match_ended)
            self._send(self.link.acknowledge([event.match_ended.match.id]))
        elif kind == "ping":
            self._send(self.link.pong(event.ping.number))
        elif kind == "replaced":
            raise ReplacedError
        elif kind == "paused":
            self._pause(event.paused)
        # going_away: the stream will end by itself. Unknown events of later versions are ignored.

    def _catch_up(self, snapshot: play_pb2.Snapshot) -> None:
        self.link.back()
        if snapshot.HasField("paused"):
            self._pause(snapshot.paused)
        running = {seating.match.id for seating in snapshot.seatings}
        self._running |= running
        for ended in snapshot.ended:
            self._over(ended)
        if snapshot.ended:
            # Also those that were handled before: their acknowledgement got lost.
            self._send(self.link.acknowledge([ended.match.id for ended in snapshot.ended]))
        # A match that is not in the snapshot is over, also if another process received its end.
        self._running = running
        self._seen = {
            match_id: seen for match_id, seen in self._seen.items() if match_id in running
        }
        for seating in snapshot.seatings:
            if seating.HasField("starting"):
                self._get_ready(seating.starting)
            if seating.HasField("turn"):
                self._decide(seating.turn)
        self._go_on()

    def _get_ready(self, starting: play_pb2.MatchStarting) -> None:
        match_id = starting.match.id
        self._running.add(match_id)
        if match_id not in self._seen:
            self._seen[match_id] = Seen(starting)
            self.hooks.add(self.bot.match_starting, starting)
        # Repeated after an interruption: the nonce must be the same.
        self._send(self.link.ready(match_id, self._seen[match_id].nonce))

    def _decide(self, message: play_pb2.Turn) -> None:
        if message.match_id in self._seen:
            self._seen[message.match_id].turned(message)
        key = (message.match_id, message.turn, message.illegal_tries)
        if key in self._thinking:
            # Repeated after an interruption: `choose` is running, or its answer is being sent.
            return
        task = asyncio.create_task(self._think(Turn(message, self.options.server)))
        self._thinking[key] = task
        task.add_done_callback(lambda _: self._thinking.pop(key, None))

    async def _think(self, turn: Turn) -> None:
        try:
            request = answer(turn, await hooks.call(self.bot.choose, turn))
        except Exception:
            where = (turn.match_id, turn.number)
            log.exception("choose failed in match %s, turn %d; no move is sent", *where)
            return
        # Stopping the bot does not cancel a call that was started.
        await asyncio.shield(self._send(self.link.submit(request)))

    def _over(self, ended: play_pb2.MatchEnded) -> None:
        match_id = ended.match.id
        if match_id in self._ended:
            return
        self._ended.add(match_id)
        if match_id in self._running and ended.match.status == arena_pb2.MATCH_STATUS_ENDED:
            self._played += 1
        self._running.discard(match_id)
        self.hooks.add(self.bot.match_ended, ended, self._fair(ended))
        self._go_on()

    def _fair(self, ended: play_pb2.MatchEnded) -> bool | None:
        seen = self._seen.pop(ended.match.id, None)
        try:
            return True if seen is not None and seen.check(ended) else None
        except UnfairError as unfair:
            log.error("the fair-play check failed: %s", unfair)
            self.hooks.add(self.bot.unfair, ended, unfair)
            return False

    def _pause(self, paused: play_pb2.Paused) -> None:
        match = f" after match {paused.match_id}" if paused.match_id else ""
        log.warning("the bot was paused%s: %s; its owner can resume it", match, paused.note)
        self.hooks.add(self.bot.paused, paused)

    def _go_on(self) -> None:
        """Stops after the last match; otherwise challenges the house bot, if there is one."""
        enough = self.options.matches is not None and self._played >= self.options.matches
        busy = self._challenging is not None and not self._challenging.done()
        if enough and not self._running:
            self.done.set()
        elif self.options.challenge is not None and not busy:
            self._challenging = asyncio.create_task(self._challenge_house(self.options.challenge))

    async def _challenge_house(self, house: str) -> None:
        rules = ruleset(self.options.rulesets[0]) if self.options.rulesets else azul()
        request = challenges_pb2.CreateChallengeRequest(
            ruleset=rules,
            time_class=time_class(next(iter(self.options.time_classes), "blitz")),
            opponents=[challenges_pb2.Opponent(house=house)] * (players(rules) - 1),
            request_id=str(uuid.uuid4()),
        )
        attempt = 0
        while self._left() > 0 and len(self._running) < self.options.max_concurrent_matches:
            try:
                called = await self.link.challenge(request)
                if called.match.id not in self._ended:
                    self._running.add(called.match.id)
                # A retry keeps the id, so that a lost response does not lead to a second match.
                request.request_id = str(uuid.uuid4())
                attempt = 0
            except RefusedError as error:
                # NOT_THERE: the arena has not noticed yet that a match ended.
                if not error.is_passing and error.reason != "NOT_THERE":
                    self.failure = error
                    self.done.set()
                    return
                attempt += 1
                await asyncio.sleep(backoff(attempt, error))

    def _send(self, call: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(call)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
        return task

    async def close(self, seconds: float) -> None:
        """Completes calls that were started, and drops decisions that are not made yet."""
        for task in self._thinking.values():
            task.cancel()
        if self._challenging is not None:
            self._challenging.cancel()
        if self._sending:
            await asyncio.wait(self._sending, timeout=seconds)
        for task in self._sending:
            task.cancel()
        await self.hooks.close(seconds)
