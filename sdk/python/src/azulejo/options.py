"""Settings of a bot."""

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
    """The keyword arguments of `run` and `run_async`."""

    name: str = "first-bot"
    """For registration: `owner/name`, or only a name; the owner is then a random one."""
    token: str | None = field(default=None, repr=False)
    """The bot's token, `azb_…`. Default: AZULEJO_TOKEN. Without one, a new bot is registered."""
    server: str | None = None
    """`http://…` or `https://…`. Default: AZULEJO_SERVER, or http://127.0.0.1:7700."""
    version: str = "1"
    """Ratings belong to a version: change it when the bot changes."""
    rulesets: Sequence[RulesetLike] = ()
    """Rulesets or their names, for example `azul-colored-2`. Default: all."""
    time_classes: Sequence[TimeClassName] = ()
    """`bullet`, `blitz` or `rapid`. Default: blitz."""
    max_concurrent_matches: int = 1
    """Maximum number of matches at the same time, 1 to 8."""
    accepts_challenges: bool = True
    """Whether bots of other owners may challenge it."""
    plays_ladder: bool = True
    """Whether it plays on the ladder. False: challenges only."""
    challenge: str | None = None
    """Plays only unrated matches against this house bot: `random`, `greedy` or `strong`."""
    matches: int | None = None
    """Stops after this number of matches. Default: plays until it is stopped."""
    invitation: str = ""
    """For registration, if the arena requires an invitation."""
    owner_token: str | None = field(default=None, repr=False)
    """For registering another bot of an owner: `azo_…`. Default: AZULEJO_OWNER_TOKEN."""
    traceparent: TraceParent = None
    """A W3C `traceparent` for every call, or a function that returns it."""

    def __post_init__(self) -> None:
        most = self.max_concurrent_matches
        if not 1 <= most <= 8:
            raise ValueError(f"max_concurrent_matches must be 1 to 8, not {most}")
        if self.matches is not None and self.matches < 1:
            raise ValueError(f"matches must be 1 or more, not {self.matches}")

    def hello(self, max_concurrent_matches: int) -> play_pb2.Hello:
        """The first message of a stream: the version and what the bot wants to play."""
        offer = play_pb2.Offer(
            rulesets=[ruleset(name) for name in self.rulesets],
            time_classes=[time_class(name) for name in self.time_classes],
            max_concurrent_matches=max_concurrent_matches,
            accepts_challenges=self.accepts_challenges and self.challenge is None,
            plays_ladder=self.plays_ladder and self.challenge is None,
        )
        return play_pb2.Hello(version=self.version, offer=offer, sdk=_sdk())

    def known_token(self) -> str | None:
        return self.token or os.environ.get("AZULEJO_TOKEN")

    def owner_and_name(self) -> tuple[str, str]:
        owner, slash, name = self.name.partition("/")
        return (owner, name) if slash else (f"{owner[:24]}-{secrets.token_hex(3)}", owner)
