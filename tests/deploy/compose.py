"""compose.yaml, started with everything but Grafana, from `up` to `down` and `up` again."""

from __future__ import annotations

import re
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import yaml

import daemon
import images
from backup import results_of
from metrics import RULES
from stack import SLOW, Stack
from support import fetch, if_possible, run_tests, said, until

DEMO = {"random": "demo-random/random", "greedy": "demo-greedy/greedy", "strong": "demo-strong/strong"}

SCRAPES = 'sum(count_over_time(up{job="azulejo"}[1d]))'


class World:
    """Shared by the tests: the daemon, the compose project, and files of this run."""

    docker: daemon.Docker
    stack: Stack
    folder: Path
    bots: list[str]
    results: set[str]
    scrapes: float


def the_collector_accepts_its_settings() -> None:
    said(images.collector(), "validate", "--config", images.COLLECTOR)


def everything_gets_up_and_healthy_at_the_first_try() -> None:
    World.stack.up()
    everything_runs()


def everything_runs() -> None:
    found = World.stack.containers()
    assert set(found) == World.stack.services() >= {"server", "postgres", "prometheus", "collector", *DEMO}, set(found)
    for service, each in found.items():
        state = each["State"]
        assert state["Status"] == "running" and not each["RestartCount"], \
            f"{service}: {state['Status']}, restarted {each['RestartCount']} times\n{World.stack.log(service)[-2000:]}"
    for service in ("server", "postgres"):
        health = found[service]["State"].get("Health", {}).get("Status")
        assert health == "healthy", f"{service}: {health}"


def nothing_has_more_rights_than_it_needs() -> None:
    for service in ("server", *DEMO):
        assert World.stack("exec", "-T", service, "id", "-u").strip() == "65532", service
        output = World.stack("exec", "-T", service, "sh", "-c", "touch /try 2>&1 || echo refused; grep CapEff /proc/1/status")
        assert "refused" in output and int(output.split()[-1], 16) == 0, f"{service}: {output}"
        assert World.stack("exec", "-T", service, "sh", "-c", "touch try && rm try && pwd").strip() == "/var/lib/azulejo"
    for service, each in World.stack.containers().items():
        for bound in (one for ports in each["NetworkSettings"]["Ports"].values() for one in ports or []):
            assert bound["HostIp"] == "127.0.0.1", f"{service} listens at {bound}"


def the_page_answers_on_the_published_port() -> None:
    assert "<title" in fetch(f"{World.stack.page}/")


def the_first_start_writes_the_token_of_the_organiser_to_a_private_file() -> None:
    assert not World.stack.token_shown(), "the organiser's token is printed"
    assert World.stack.token().startswith("aza_")
    assert World.stack("exec", "-T", "server", "stat", "-c", "%a", "admin-token").strip() == "600"


def the_demo_bots_play_rated_matches() -> None:
    for bot in DEMO.values():
        until(f"{bot} has finished a rated match", lambda: has_played(bot), 120, 0.5)
        assert bot in fetch(f"{World.stack.page}/"), f"the page does not show {bot}"
    for service in DEMO:
        said_so = re.compile(r"placed \d of \d.*deals checked")
        until(f"{service} prints its result", lambda: said_so.search(World.stack.log(service)), 60, 1)
        assert "azb_" not in World.stack.log(service), f"the log of {service} has its token"


def has_played(bot: str, but: set[str] = frozenset()) -> bool:
    """Whether it has finished a rated match that is not one of these."""
    return any(match.get("rated") and match["id"] not in but for match in World.stack.matches("ENDED", bot=bot))


def results_are_in_postgresql() -> None:
    until("10 results", lambda: len(World.stack.results()) >= 10, 240, 1)


def prometheus_watches_the_server_and_the_collector() -> None:
    def targets() -> dict[str, str]:
        return {each["labels"]["job"]: each["health"] for each in World.stack.query("targets")["activeTargets"]}

    until("both targets are up", lambda: targets() == {"azulejo": "up", "collector": "up"}, 60, 1)
    until("moves are counted", lambda: value("sum(azulejo_arena_moves_total)") > 0, 60, 1)


def value(question: str) -> float:
    found = World.stack.query(f"query?query={quote(question)}")["result"]
    return float(found[0]["value"][1]) if found else 0


def prometheus_knows_every_alert() -> None:
    wanted = {rule["alert"] for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]}

    def judged() -> bool:
        rules = [rule for group in World.stack.query("rules")["groups"] for rule in group["rules"]]
        assert {rule["name"] for rule in rules} == wanted, rules
        return all(rule["health"] == "ok" for rule in rules)

    until("each was evaluated", judged, 60, 1)
    firing = [each["labels"]["alertname"] for each in World.stack.query("alerts")["alerts"] if each["state"] == "firing"]
    assert not firing, firing


def the_collector_gets_spans_and_metrics_of_the_server() -> None:
    until("spans", lambda: re.search(r'"spans": [1-9]', World.stack.log("collector")), 60, 1)
    # The server exports its metrics once a minute.
    moves = re.compile(r'rpc_server_call_duration_seconds_count\{[^}]*rpc_method="[^"]*SubmitMove"')
    until("metrics", lambda: moves.search(World.stack.inside("collector", 8889)), 120, 2)
    until("and Prometheus has them", lambda: value('sum(rpc_server_call_duration_seconds_count{job="collector"})') > 0, 60, 1)


def a_restart_of_the_server_in_mid_match_loses_nothing() -> None:
    before = World.stack.results()
    for _ in range(5):
        match = until("a long match has started", just_begun, 120)
        began = time.time()
        World.stack("restart", "server")
        assert World.stack.ended_since(began) == {"server": 0}, World.stack.log("server")[-2000:]
        again = World.stack.containers()["server"]["State"]["StartedAt"]
        until("it has ended", lambda: World.stack.match(match["id"]).get("endTime"), 120, 0.5)
        ended = World.stack.match(match["id"])
        reasons = {seat["endReason"] for seat in ended["result"]["seats"]}
        assert ended["status"] == "MATCH_STATUS_ENDED" and ended["rated"] and reasons == {"END_REASON_FINISHED"}, ended
        if ended["endTime"] > again:
            print(f"match {ended['id']} was interrupted at move {match['turns']} and ended at move {ended['turns']}", flush=True)
            break
    else:
        raise AssertionError("every match ended before the server was killed")
    assert before < World.stack.results() and not World.stack.matches("VOIDED"), World.stack.matches("VOIDED")
    until("the server is healthy again", lambda: everything_runs() is None, 60, 1)


def just_begun() -> dict | None:
    return next((match for match in World.stack.matches("PLAYING")
                 if 0 < match.get("turns", 0) < 10 and any(seat["bot"].split("/")[1] in SLOW for seat in match["seats"])), None)


def records_are_valid_and_ratings_match_the_results() -> None:
    records = results_of(World.stack.page, World.folder)
    World.stack("stop", "server")
    assert '"ERROR"' not in World.stack.log("server"), World.stack.log("server")[-2000:]
    output = World.stack("run", "--rm", "--no-deps", "-T", "server", "admin", "rebuild", "--check")
    results = int(re.match(r"(\d+) results: ", output)[1])
    print(f"{len(records)} valid records, {results} results that match their ratings", flush=True)
    assert results >= len(records) >= 10
    World.stack.up()


def a_bot_that_starts_again_is_the_same_bot() -> None:
    known, played, began = World.stack.bots(), World.stack.results(), time.time()
    World.stack("restart", "greedy")
    assert World.stack.ended_since(began) == {"greedy": 0}
    until("it plays again", lambda: has_played(DEMO["greedy"], but=played), 120, 0.5)
    assert World.stack.bots() == known, f"{known}\n{World.stack.bots()}"


def down_ends_everything_well_and_in_time() -> None:
    services = World.stack.services()
    World.bots, World.results, World.scrapes = World.stack.bots(), World.stack.results(), value(SCRAPES)
    began = time.time()
    World.stack("down")
    codes = World.stack.ended_since(began)
    # A container that outlives its grace period is killed, and exits with 137.
    assert codes == dict.fromkeys(services, 0), codes
    order = list(codes)
    assert all(order.index("server") > order.index(bot) for bot in DEMO), f"the server stopped before the bots: {order}"
    assert all(order.index("server") < order.index(it) for it in ("postgres", "collector")), f"the server stopped too late: {order}"
    assert not World.docker("ps", "--all", "--quiet").split() and not World.stack.containers()
    kept = set(World.docker("volume", "ls", "--quiet").split())
    assert kept == {"azulejo_postgres", "azulejo_prometheus", "azulejo_bots"}, f"down leaves {kept}"


def up_again_goes_on_where_down_ended() -> None:
    known, played = World.bots, World.results
    World.stack.up()
    everything_runs()
    assert World.stack.bots() == known and World.stack.results() >= played
    for bot in DEMO.values():
        until(f"{bot} plays again", lambda: has_played(bot, but=played), 120, 0.5)
    assert World.stack.bots() == known, "a bot has registered again"
    assert value(SCRAPES) >= World.scrapes > 0, "Prometheus has lost its data"
    assert not World.stack.token_shown(), "the organiser's token is printed"


def main() -> None:
    with if_possible(), tempfile.TemporaryDirectory(prefix="azulejo-compose-test-") as folder:
        World.folder = Path(folder)
        images.programs()
        with daemon.docker(networks=True) as World.docker:
            images.load(World.docker)
            World.stack = Stack(World.docker, World.folder)
            print("Grafana is skipped: its image cannot be built here", flush=True)
            try:
                run_tests([
                    the_collector_accepts_its_settings,
                    everything_gets_up_and_healthy_at_the_first_try,
                    nothing_has_more_rights_than_it_needs,
                    the_page_answers_on_the_published_port,
                    the_first_start_writes_the_token_of_the_organiser_to_a_private_file,
                    the_demo_bots_play_rated_matches,
                    results_are_in_postgresql,
                    prometheus_watches_the_server_and_the_collector,
                    prometheus_knows_every_alert,
                    the_collector_gets_spans_and_metrics_of_the_server,
                    a_restart_of_the_server_in_mid_match_loses_nothing,
                    records_are_valid_and_ratings_match_the_results,
                    a_bot_that_starts_again_is_the_same_bot,
                    down_ends_everything_well_and_in_time,
                    up_again_goes_on_where_down_ended,
                ])
            finally:
                World.stack("down", "--volumes", "--timeout=5")


if __name__ == "__main__":
    main()
