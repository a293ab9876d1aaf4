"""Bots without an SDK: Java from the generated stubs alone, and bash with curl and jq."""

import functools

from server import Server, check_finished, check_ladder, check_record
from testing import PROGRAM, ROOT, TOOLS, Bot, expect, made, test

HERE = ROOT / "tests/languages"
# Both seat rotations of a table for two.
MATCHES = 2
GAMES = (("azul",), ("summer-pavilion",))


@functools.cache
def java():
    jar = TOOLS / "java/bot.jar"
    sources = [path for folder in (HERE / "java", ROOT / "proto") for path in folder.rglob("*")]
    newest = max(path.stat().st_mtime for path in sources)
    if not jar.is_file() or jar.stat().st_mtime < newest:
        made("the Java bot", "mvn", "-q", "-B", "-f", HERE / "java/pom.xml", "package")
        # Also if nothing in it had to change.
        jar.touch()
    return ["java", "-jar", jar]


def check_plays(language, command, game, clock):
    """The bot registers, plays, and ends by itself; a bot of another owner is its opponent."""
    house = [PROGRAM, "bot", "greedy", "--time", clock]
    with Server() as server:
        rival = Bot("rival/greedy", [*house, "--register", "rival/greedy"], server)
        settings = {"AZULEJO_GAME": game, "AZULEJO_MATCHES": str(MATCHES)}
        name = f"{language}/bot"
        bot = Bot(name, command, server, AZULEJO_NAME=name, **settings)
        with rival, bot:
            bot.ends_well(300)
            matches = server.ended(name)
        pool = f"{game}-colored-2-{clock}"
        expect(len(matches) == MATCHES, f"{len(matches)} matches have ended\n{bot.printed()}")
        for match in matches:
            expect(match["pool"]["name"] == pool, f"{match['id']} is of {match['pool']['name']}")
            check_finished(match)
            check_record(server, match)
            check_ladder(server, match)
        seats = {match["seats"][0]["bot"] for match in matches}
        expect(len(seats) == 2, f"both sat in the first seat once: {seats}")


@test(*GAMES)
def a_java_bot_of_nothing_but_generated_stubs_finishes_rated_matches_of_CASE(game):
    check_plays("java", java(), game, "blitz")


BASH = [HERE / "bash/bot.sh"]


# A shell starts a process for every word that it says: by the long clock.
@test(*GAMES)
def a_bot_of_bash_and_curl_finishes_rated_matches_of_CASE(game):
    check_plays("bash", BASH, game, "rapid")


@test(("java",), ("bash",))
def the_CASE_bot_gets_over_a_cut_a_restart_of_the_server_and_a_crash_of_its_own(language):
    command = " ".join(str(word) for word in (java() if language == "java" else BASH))
    items = [word for item in ("cut-stream", "restart", "crash") for word in ("--only", item)]
    said = made("check", PROGRAM, "check", command, *items, seconds=120)
    expect("3 passed" in said, said)
