"""What the check looks for. Short on purpose: every entry must be wrong nearly everywhere."""

import re
from typing import NamedTuple


class Word(NamedTuple):
    """A banned word or phrase."""

    pattern: re.Pattern[str]
    # What to write instead.
    instead: str
    # Only in files whose name ends like this; empty: in all of them.
    suffix: str = ""


def prose(pattern: str, instead: str) -> Word:
    """A phrase in any file, in any case. A space also matches a line break."""
    return Word(re.compile(rf"\b(?:{pattern})\b".replace(" ", r"\s+"), re.IGNORECASE), instead)


def name(pattern: str, instead: str) -> Word:
    """A name in Rust code, in this case only."""
    return Word(re.compile(rf"\b(?:{pattern})\b"), instead, ".rs")


# "There is no filter" and "is no longer" are fine; "x is no filter" is not.
NO_FOR_NOT_A = re.compile(
    r"(?<!\bthere)(?<!\s)\s+(?:is|are)\s+no\s+"
    r"(?!longer|more|less|fewer|different|better|worse|larger|smaller|one\b|such\b)[a-z]+",
    re.IGNORECASE,
)

WORDS = [
    prose("whoever|whomever", "the bot, the client or the caller that …"),
    prose("somebody|nobody|anybody|everybody", "who it is: the client, no bot, every caller"),
    prose("anew", "again"),
    prose("be had|is had|are had", "available, published"),
    prose("(?:is|are|was|were|be|been) told", "receives, is notified, is reported, is passed"),
    prose("(?:told|tell|tells) apart", "distinguish, distinguishable"),
    prose("such as it is", "as it is, or nothing"),
    prose("so long as|for so long", "while, for this long"),
    Word(NO_FOR_NOT_A, "is not a …"),
    prose(r"one an? (?:core|bot|match|seat|connection|replica|pod)", "one per …"),
    prose("(?:how|as|where) (?:things|it|they) stands?|what stands", "the state, the features, now"),
    prose("map of the house", "repository layout"),
    prose("(?:gets?|got) over what", "survives"),
    prose("next to (?:no|nothing)", "very little, almost none"),
    prose("shall", "must, will"),
    prose("for ever", "forever"),
    name("Hall|hall(?=::)", "ArenaState"),
    name("Desk|desk(?=::)", "ArenaLoop"),
    name("Letter|LETTERS", "Command, MAILBOX_CAPACITY"),
    name("Workshop|workshop", "CpuPool"),
    name("Puppet|puppet(?=::)", "ScriptedBot"),
    name("Manners|manners(?=::)", "strategies"),
    name("Mischief", "FaultInjector"),
]
