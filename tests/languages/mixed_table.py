"""Bots of the Python, Go, JavaScript and Rust SDKs in the same match for four."""

import contextlib
import functools
import os
import venv

from server import Server, check_finished, check_ladder, check_record
from testing import ROOT, SHARED, TOOLS, Bot, expect, made, test, until

SDK = ROOT / "sdk"
LANGUAGES = ("python", "go", "js", "rust")
# The examples play every ruleset, so there are matches for two and three as well.
LONGEST = 150


def python():
    folder, wanted = TOOLS / "python", (SDK / "python/pyproject.toml").read_bytes()
    installed = folder / "pyproject.toml"
    if not installed.is_file() or installed.read_bytes() != wanted:
        venv.create(folder, clear=True, with_pip=True)
        install = ["-m", "pip", "install", "-q", "--disable-pip-version-check", SDK / "python"]
        made("the Python SDK", folder / "bin/python", *install)
        installed.write_bytes(wanted)
    # The bot finds its modules in sdk/python/src first.
    made("the extension of the Python SDK", SDK / "python/develop")
    return [folder / "bin/python", "-u", SDK / "python/examples/greedy_bot.py"]


def go():
    program = TOOLS / "greedy-go"
    made("the Go SDK", "go", "build", "-o", program, "./examples/greedy", folder=SDK / "go")
    return [program]


def js():
    made("the packages of the JavaScript SDK", SDK / "js/install")
    tsc = SDK / "js/node_modules/.bin/tsc"
    made("the JavaScript SDK", tsc, "--project", SDK / "js/tsconfig.json")
    return ["node", SDK / "js/examples/greedy.js"]


def rust():
    usual = ROOT / "target/proof/examples/greedy"
    program = os.environ.get("AZULEJO_RUST_BOT", str(usual)).split()
    missing = f"{program[0]} is missing: build it, or set AZULEJO_RUST_BOT"
    expect(os.path.isfile(program[0]), missing)
    return program


@functools.cache
def tables():
    """The server, and the matches of all four bots, by game."""
    commands = {"python": python(), "go": go(), "js": js(), "rust": rust()}
    playing = []
    server = SHARED.enter_context(Server())
    with contextlib.ExitStack() as bots:
        for language in LANGUAGES:
            settings = {"AZULEJO_TOKEN": server.register(language, "greedy")}
            if language == "python":
                settings["PYTHONPATH"] = str(SDK / "python/src")
            bot = Bot(f"{language}/greedy", commands[language], server, **settings)
            playing.append(bots.enter_context(bot))
        what = "a match for four of both games"
        return server, until(what, lambda: both(server, playing), LONGEST)


def both(server, playing):
    for bot in playing:
        expect(bot.process.poll() is None, f"{bot.name} has ended\n{bot.printed()}")
    found = {"azul": [], "summerPavilion": []}
    for match in server.ended("js/greedy"):
        if len(match["seats"]) == len(LANGUAGES):
            (game,) = match["pool"]["ruleset"]
            found[game].append(match)
    return all(found.values()) and found


@test(("azul",), ("summer-pavilion",))
def bots_in_python_go_javascript_and_rust_finish_a_rated_match_of_CASE_together(game):
    server, found = tables()
    matches = found["azul" if game == "azul" else "summerPavilion"]
    for match in matches:
        bots = sorted(seat["bot"] for seat in match["seats"])
        expect(bots == sorted(f"{language}/greedy" for language in LANGUAGES), bots)
        check_finished(match)
        check_record(server, match)
        check_ladder(server, match)
        seats = zip(match["seats"], match["result"]["seats"], strict=True)
        places = (f"{seat['bot']} {result['placement']}." for seat, result in seats)
        print(f"  {match['pool']['name']} {match['id']}: {', '.join(places)}")
