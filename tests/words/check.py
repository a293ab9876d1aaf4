#!/usr/bin/env python3
"""Finds words that readers stumble over, in the prose and the names of the project.

    tests/words/check.py            the whole repository
    tests/words/check.py PATH …     these files and folders only

Prints file:line, the word, and what to write instead. Exit code 1 if it finds any.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from words import WORDS

ROOT = Path(__file__).resolve().parents[2]

READ = (
    *(".rs", ".go", ".ts", ".js", ".mjs", ".py", ".java", ".proto", ".sql", ".awk", ".sh", ".css"),
    *(".md", ".html", ".toml", ".yaml", ".tpl", ".txt", ".schema.json"),
)
# Programs without a suffix.
PROGRAMS = ("run", "test", "generate", "install", "install-tools", "plot", "strength", "Dockerfile", "bash")

# Folders and files that other people or programs write, or that name the words.
SKIPPED = (
    *("sdk/go/gen", "sdk/js/gen", "sdk/python/src/azulejo/gen", "proto/google"),
    *("sdk/js/src/local/wasm.ts", "tests/golden", "tests/deploy/golden", "tests/words"),
)

class Allowed(NamedTuple):
    """A word that has to stay in a file."""

    path: str
    word: str
    reason: str


ALLOWED = [
    Allowed(
        "service/arena/migrations/postgres/0001_arena.sql",
        "whoever",
        "databases remember the checksum of a migration: it cannot change any more",
    ),
]


class Finding(NamedTuple):
    """A banned word at its place."""

    path: str
    line: int
    word: str
    instead: str


# Marks of comments at the start of a line, so that a phrase is found across a line break.
MARKS = re.compile(r"^[ \t]*(?://[/!]?|#+!?|/?\*+|--)(?=\s)", re.MULTILINE)


def plain(text: str) -> str:
    """The text with the same offsets, names split at underscores, and comments without marks."""
    unmarked = MARKS.sub(lambda mark: " " * len(mark[0]), text)
    return unmarked.replace("_", " ")


def findings(path: str, text: str) -> Iterator[Finding]:
    """The banned words of a text, in order."""
    found = []
    for word in WORDS:
        if not path.endswith(word.suffix):
            continue
        # Names keep their underscores, and are looked for as they are.
        searched = text if word.suffix else plain(text)
        for match in word.pattern.finditer(searched):
            start = match.end() - len(match[0].lstrip())
            line = text.count("\n", 0, start) + 1
            found.append(Finding(path, line, " ".join(match[0].split()), word.instead))
    return iter(sorted(found, key=lambda finding: finding.line))


def within(path: str, places: tuple[str, ...]) -> bool:
    """Whether the path is one of these files, or in one of these folders."""
    return any(path == place or path.startswith(place + "/") for place in places)


def is_read(path: str) -> bool:
    """Whether the check reads this file."""
    if within(path, SKIPPED):
        return False
    return path.endswith(READ) or path.rsplit("/", 1)[-1] in PROGRAMS


def files(places: list[str]) -> list[str]:
    """Every file of the repository that the check reads, new ones included."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *places]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return sorted({path for path in listed.splitlines() if is_read(path) and (ROOT / path).is_file()})


def judge(found: list[Finding], allowed: list[Allowed]) -> list[str]:
    """What to print: findings without an allowance, and allowances without a finding."""
    excused = {(allowance.path, allowance.word) for allowance in allowed}
    seen = {(finding.path, finding.word.lower()) for finding in found}
    problems = [
        f"{finding.path}:{finding.line}: \"{finding.word}\"; write instead: {finding.instead}"
        for finding in found
        if (finding.path, finding.word.lower()) not in excused
    ]
    stale = [allowance for allowance in allowed if (allowance.path, allowance.word) not in seen]
    return problems + [f"{path}: \"{word}\" is allowed, but is not there" for path, word, _ in stale]


def main(places: list[str]) -> int:
    """Reads, prints, and returns the exit code."""
    paths = files(places)
    if not paths:
        print("there is nothing to read")
        return 1
    found = [
        finding
        for path in paths
        for finding in findings(path, (ROOT / path).read_text(encoding="utf-8"))
    ]
    allowed = [allowance for allowance in ALLOWED if not places or allowance.path in paths]
    problems = judge(found, allowed)
    print(*problems, f"{len(paths)} files, {len(problems)} findings", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
