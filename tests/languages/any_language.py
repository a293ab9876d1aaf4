"""Bots without an SDK: Java with the generated stubs, and bash with curl and jq."""

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
        # Maven does not write the jar if nothing in it has changed.
        jar.touch()
    return ["java", "-jar", jar]


def check_plays(language, command, game, clock):
    """The bot registers, plays against a bot of another owner, and ends by itself."""
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
        expect(len(matches) == MATCHES, f"{len(matches)} matches ended\n{bot.printed()}")
        for match in matches:
            expect(match["pool"]["name"] == pool, f"{match['id']} is in {match['pool']['name']}")
            check_finished(match)
            check_record(server, match)
            check_ladder(server, match)
        seats = {match["seats"][0]["bot"] for match in matches}
        expect(len(seats) == 2, f"only {seats} had the first seat")


@test(*GAMES)
def a_java_bot_with_generated_stubs_finishes_rated_matches_of_CASE(game):
    check_plays("java", java(), game, "blitz")


BASH = [HERE / "bash/bot.sh"]


# A shell starts several processes for every call, so it needs the long clock.
@test(*GAMES)
def a_bash_bot_with_curl_finishes_rated_matches_of_CASE(game):
    check_plays("bash", BASH, game, "rapid")


@test(("java",), ("bash",))
def the_CASE_bot_survives_a_disconnect_a_server_restart_and_its_own_crash(language):
    command = " ".join(str(word) for word in (java() if language == "java" else BASH))
    items = [word for item in ("cut-stream", "restart", "crash") for word in ("--only", item)]
    said = made("check", PROGRAM, "check", command, *items, seconds=120)
    expect("3 passed" in said, said)
