"""The commands of the README, from a fresh clone to the first finished game.

The environment has an empty home and only a PATH, so the times include all downloads. Exceptions:
the module and build caches of Go are kept in target/tools/languages, and Rust and the engine inside
the Python SDK, which take minutes, are those of this checkout, compiled into target/author.
"""

import contextlib
import os
import pathlib
import re
import shutil
import tempfile
import time

from testing import PROGRAM, ROOT, TOOLS, expect, made, test

MOST_COMMANDS = 3
MOST_LINES = 10
HEADING = "## A bot of your own, in a minute"
MAIN_FILES = {"python": "bot.py", "go": "main.go", "js": "bot.js", "rust": "src/main.rs"}
COMPILED = ("python", "rust")
CASES = tuple((language,) for language in MAIN_FILES)


def commands(readme, language):
    """The commands up to the first game, in this language."""
    section = readme.split(HEADING, 1)[1]
    lines = section.split("```sh\n", 1)[1].split("```", 1)[0].splitlines()
    expect("or go, js, rust" in lines[0], f"the README does not name every language: {lines[0]}")
    found = []
    for line in lines:
        found.append(line.split("#")[0].strip().replace("new python", f"new {language}"))
        if found[-1].startswith("azulejo play"):
            return found
    raise AssertionError(f"no game in {lines}")


def first_bot(folder, language):
    """The first code block in this language in the README of the SDK."""
    readme = (folder / "sdk" / language / "README.md").read_text()
    return re.search(rf"^```{language}\b[^\n]*\n(.*?)^```", readme, re.M | re.S)[1]


@contextlib.contextmanager
def clean_environment(language):
    """A folder with a clone, and an environment with only a PATH and an empty home."""
    place = pathlib.Path(tempfile.mkdtemp(prefix="azulejo-first-"))
    try:
        (place / "bin").mkdir()
        (place / "home").mkdir()
        (place / "bin/azulejo").symlink_to(PROGRAM)
        path = f"{place / 'bin'}:{os.environ['PATH']}"
        environment = {"PATH": path, "HOME": str(place / "home")}
        folder = place / "azulejo"
        if language in COMPILED:
            folder.mkdir()
            for name in ("README.md", "sdk"):
                (folder / name).symlink_to(ROOT / name)
        else:
            made("the clone", "git", "clone", "-q", "--depth", "1", f"file://{ROOT}", folder)
        yield folder, environment | caches(language)
    finally:
        shutil.rmtree(place)


def caches(language):
    """The caches of a compiler."""
    if language == "go":
        return {"GOCACHE": str(TOOLS / "go/build"), "GOMODCACHE": str(TOOLS / "go/modules")}
    if language in COMPILED:
        usual = {"CARGO_HOME": "~/.cargo", "RUSTUP_HOME": "~/.rustup"}
        homes = {name: os.environ.get(name, os.path.expanduser(usual[name])) for name in usual}
        return {**homes, "CARGO_TARGET_DIR": str(ROOT / "target/author")}
    return {}


def timed(command, folder, environment):
    began = time.monotonic()
    said = made(command, "sh", "-c", command, folder=folder, environment=environment, seconds=900)
    print(f"  {time.monotonic() - began:6.1f} s  {command}", flush=True)
    return said


@test(*CASES)
def from_a_fresh_clone_to_the_first_game_in_CASE_it_takes_at_most_three_commands(language):
    with clean_environment(language) as (folder, environment):
        wanted = commands((folder / "README.md").read_text(), language)
        expect(len(wanted) <= MOST_COMMANDS, f"{len(wanted)} commands: {wanted}")
        for command in wanted:
            said = timed(command, folder, environment)
        expect("The game is over" in said, said)
        expect("forfeits" not in said, said)

        # The same with the bot of the SDK's README.
        bot = first_bot(folder, language)
        lines = len(bot.splitlines())
        expect(lines <= MOST_LINES, f"the bot has {lines} lines:\n{bot}")
        (folder / "mybot" / MAIN_FILES[language]).write_text(bot)
        said = timed(wanted[-1], folder, environment)
        expect("The game is over" in said, said)
        expect("forfeits" not in said, said)
        print(f"            with the bot of sdk/{language}/README.md, {lines} lines")
