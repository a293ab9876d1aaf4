"""Where and how a bot plays."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version

from .channel import TraceParent
from .gen.arena.v1 import play_pb2
from .requests import RulesetLike
from .rulesets import TimeClassName, ruleset, time_class


def _sdk() -> str:
    try:
        return f"python/{version('azulejo-sdk')}"
    except PackageNotFoundError:
        return "python/unpackaged"


@dataclass(frozen=True, kw_only=True)
class Options:
    """Every argument that `run` and `run_async` take by its name."""

    name: str = "first-bot"
    """For registration: `owner/name`, or a name alone, for which an owner is made up."""
    token: str | None = field(default=None, repr=False)
    """The bot's token, `azb_…`; else AZULEJO_TOKEN; else the bot is registered anew."""
    server: str | None = None
    """`http://…` or `https://…`; else AZULEJO_SERVER; else http://127.0.0.1:7700."""
    version: str = "1"
    """Ratings belong to a version: change it when the bot changes."""
    rulesets: Sequence[RulesetLike] = ()
    """Rulesets or their names, for example `azul-colored-2`; none: all of them."""
    time_classes: Sequence[TimeClassName] = ()
    """`bullet`, `blitz`, `rapid`; none: blitz."""
    games_at_once: int = 1
    """Matches at the same time, 1 to 8."""
    accepts_challenges: bool = True
    """Whether others may challenge the bot."""
    off_ladder: bool = False
    """Challenges only."""
    challenge: str | None = None
    """Plays unrated matches against this house bot (`random`, `greedy`, `strong`), nothing else."""
    matches: int | None = None
    """Ends after so many matches; None: plays until it is stopped."""
    invitation: str = ""
    """For registration, where the arena asks for one."""
    owner_token: str | None = field(default=None, repr=False)
    """For registration of another bot of an owner: `azo_…`; else AZULEJO_OWNER_TOKEN."""
    traceparent: TraceParent = None
    """A W3C `traceparent` for every call, or a function that tells it."""

    def __post_init__(self) -> None:
        if not 1 <= self.games_at_once <= 8:
            raise ValueError(f"games_at_once is 1 to 8, not {self.games_at_once}")
        if self.matches is not None and self.matches < 1:
            raise ValueError(f"matches is 1 or more, not {self.matches}")

    def hello(self, games_at_once: int) -> play_pb2.Hello:
        """What the bot says first."""
        offer = play_pb2.Offer(
            rulesets=[ruleset(name) for name in self.rulesets],
            time_classes=[time_class(name) for name in self.time_classes],
            games_at_once=games_at_once,
            accepts_challenges=self.accepts_challenges and self.challenge is None,
            off_ladder=self.off_ladder or self.challenge is not None,
        )
        return play_pb2.Hello(version=self.version, offer=offer, sdk=_sdk())

    def known_token(self) -> str | None:
        return self.token or os.environ.get("AZULEJO_TOKEN")

    def owner_and_name(self) -> tuple[str, str]:
        owner, slash, name = self.name.partition("/")
        return (owner, name) if slash else (f"{owner[:24]}-{secrets.token_hex(3)}", owner)
