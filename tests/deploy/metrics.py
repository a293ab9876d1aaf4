"""Dashboards and alerts against a live server: whatever they ask for, it has."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import urllib.request
from functools import cache
from pathlib import Path

import promql_parser
import yaml

import tools
from support import DEPLOY, PROGRAM, Running, anchors, fetch, need_program, run_tests, said, server, until

RULES = DEPLOY / "prometheus" / "rules.yaml"
DASHBOARDS = sorted((DEPLOY / "grafana").glob("*.json"))

# Prometheus itself makes these.
FROM_PROMETHEUS = {"up"}
LABELS_FROM_PROMETHEUS = {"job", "instance", "le"}
# The names of gRPC's codes: a quiet server has not answered with all of them.
CODES = {
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
    "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
}
MANY = 40


def queries() -> list[tuple[str, str]]:
    """Every query of every dashboard and alert, with where it stands."""
    found = []
    for file in DASHBOARDS:
        board = json.loads(file.read_text())
        found += [(f"{file.name}: {panel['title']}", target["expr"]) for panel in board["panels"] for target in panel["targets"]]
        for variable in (each for each in board["templating"]["list"] if each["type"] == "query"):
            metric, label = re.fullmatch(r"label_values\((\w+), (\w+)\)", variable["query"]["query"]).groups()
            found.append((f"{file.name}: ${variable['name']}", f"count by ({label}) ({metric})"))
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        found += [(f"{RULES.name}: {rule['alert']}", rule["expr"]) for rule in group["rules"]]
    return found


def parsed(query: str):
    # Grafana fills these in.
    return promql_parser.parse(query.replace("$__rate_interval", "1m").replace("$instance", ".*"))


def series(node) -> list[tuple[str, list, set[str]]]:
    """Each selector of a query: the name, its matchers, and the labels that it is summed by."""
    kind = type(node).__name__
    if kind == "VectorSelector":
        return [(node.name, list(node.matchers.matchers), set())]
    if kind == "MatrixSelector":
        return series(node.vector_selector)
    if kind in ("ParenExpr", "UnaryExpr", "SubqueryExpr"):
        return series(node.expr)
    if kind == "AggregateExpr":
        by = set(node.modifier.labels) if node.modifier else set()
        return [(name, matchers, labels | by) for name, matchers, labels in series(node.expr)]
    if kind == "BinaryExpr":
        return series(node.lhs) + series(node.rhs)
    if kind == "Call":
        return [found for argument in node.args for found in series(argument)]
    assert kind in ("NumberLiteral", "StringLiteral"), f"the tests do not know {kind}"
    return []


@cache
def scrape() -> dict[str, list[dict[str, str]]]:
    """What a server of the demo has, after bots and callers were there: name -> labels of each."""
    need_program()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with server(folder, "serve", "--demo", "--store", folder / "azulejo.db") as (process, url, admin):
            said(PROGRAM, "load", "engine", "--server", url, "--seconds", 3, "--connections", 1)
            call_a_match_off(process, url)
            try:
                until("matches have ended and standings are fitted", lambda: (process.check(), happened(admin))[1], 60, 1)
            except AssertionError:
                # What is missing is told below, by name.
                process.check()
            return samples(fetch(f"{admin}/metrics"))


def call_a_match_off(process: Running, url: str) -> None:
    """As an organiser, with the token that the first start shows."""
    token = until("the organiser's token", lambda: re.search(r"aza_[\w-]+", process.text()))[0]

    def called_off() -> bool:
        running = asked(url, "MatchesService/ListMatches", status="MATCH_STATUS_PLAYING").get("matches", [])
        words = ("admin", "void", running[0]["id"], "--reason", "a test", "--server", url, "--token", token) if running else ()
        return bool(words) and subprocess.run([PROGRAM, *words], capture_output=True, timeout=30).returncode == 0

    until("a match is called off", called_off, 60, 0.5)


def asked(url: str, method: str, **message) -> dict:
    head = {"content-type": "application/json"}
    call = urllib.request.Request(f"{url}/azulejo.arena.v1.{method}", json.dumps(message).encode(), head)
    return json.load(urllib.request.urlopen(call, timeout=10))


def happened(admin: str) -> bool:
    """What takes a while: a match played to its end, and standings of it."""
    live = samples(fetch(f"{admin}/metrics"))
    ended = live.get("azulejo_arena_matches_ended_total", [])
    return any(labels.get("how") == "finished" for labels in ended) and "azulejo_ladder_fit_seconds" in live


def samples(text: str) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for line in text.splitlines():
        if sample := re.match(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$", line):
            labels = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', sample[2] or ""))
            found.setdefault(sample[1], []).append(labels)
    return found


def every_metric_and_label_that_is_asked_for_exists() -> None:
    live, missing, asked = scrape(), set(), 0
    for where, query in queries():
        for name, matchers, by in series(parsed(query)):
            if name in FROM_PROMETHEUS:
                continue
            asked += 1
            if name not in live:
                missing.add(f"{name} ({where})")
                continue
            there = {label for labels in live[name] for label in labels} | LABELS_FROM_PROMETHEUS
            missing |= {f"{name}{{{label}}} ({where})" for label in (by | {m.name for m in matchers}) - there}
            missing |= {f"{name}{{{m.name}={m.value!r}}} ({where})" for m in matchers if not occurs(m, live[name])}
    assert asked > MANY, f"only {asked} selectors found"
    assert not missing, "the server has no:\n  " + "\n  ".join(sorted(missing))


def occurs(matcher, live: list[dict[str, str]]) -> bool:
    """Whether a value that is asked for can be there at all."""
    if matcher.name in LABELS_FROM_PROMETHEUS or not any(matcher.name in labels for labels in live):
        return True
    values = {labels.get(matcher.name, "") for labels in live}
    if matcher.name == "rpc_response_status_code":
        values |= CODES
    # `=` and `=~` name values, each of which has to exist; `!=` and `!~` leave some out.
    wanted = matcher.value.split("|") if re.fullmatch(r"[\w|]+", matcher.value) else [matcher.value]
    return all(any(re.fullmatch(word, value) for value in values) for word in wanted)


def the_check_finds_what_does_not_exist() -> None:
    live = {"azulejo_arena_moves_total": [{"by": "bot"}]}
    ((name, matchers, by),) = series(parsed('sum by (pool) (rate(azulejo_arena_moves_total{by="ghost"}[1m]))'))
    assert name in live and by == {"pool"} and not occurs(matchers[0], live[name])
    assert [name for name, _, _ in series(parsed("a / on (x) b > 1 and absent(c)"))] == ["a", "b", "c"]


def every_metric_of_the_server_is_shown_or_watched() -> None:
    """Otherwise nobody would notice what it says."""
    used = {re.sub(r"_(bucket|sum|count)$", "", name) for _, query in queries() for name, _, _ in series(parsed(query))}
    ours = {re.sub(r"_(bucket|sum|count)$", "", name) for name in scrape() if name.startswith(("azulejo_", "rpc_", "process_"))}
    unseen = {name for name in ours - used if not name.startswith("process_")}
    assert not unseen, f"on no dashboard and in no alert: {sorted(unseen)}"


def dashboards_are_what_their_generator_makes() -> None:
    with tempfile.TemporaryDirectory() as folder:
        said("python3", DEPLOY / "grafana" / "generate", folder)
        for file in DASHBOARDS:
            assert (Path(folder) / file.name).read_text() == file.read_text(), f"{file.name}: run deploy/grafana/generate"
        assert len(list(Path(folder).iterdir())) == len(DASHBOARDS) == 3


def panels_do_not_lie_on_each_other() -> None:
    for file in DASHBOARDS:
        panels = json.loads(file.read_text())["panels"]
        taken = set()
        for place in (panel["gridPos"] for panel in panels):
            columns, rows = range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"])
            cells = {(x, y) for x in columns for y in rows}
            assert not cells & taken and place["x"] + place["w"] <= 24, f"{file.name}: {place}"
            taken |= cells
        assert len({panel["id"] for panel in panels}) == len(panels)


def each_alert_says_where_the_runbook_tells_of_it() -> None:
    heads = anchors((DEPLOY / "README.md").read_text())
    alerts = [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]
    for rule in alerts:
        file, anchor = rule["annotations"]["runbook_url"].split("#")
        assert file == "deploy/README.md" and anchor in heads, f"{rule['alert']}: no heading {anchor}"
        assert anchor == rule["alert"].lower() and rule["labels"]["severity"] in ("page", "ticket")
    tested = {check["alertname"] for test in yaml.safe_load(RULES.with_name("rules.test.yaml").read_text())["tests"]
              for check in test["alert_rule_test"] if check["exp_alerts"]}
    assert tested == {rule["alert"] for rule in alerts}, f"not tested: {tested ^ {rule['alert'] for rule in alerts}}"


def promtool_accepts_the_rules_and_their_tests_pass() -> None:
    promtool = tools.promtool()
    said(promtool, "check", "rules", "--lint-fatal", RULES)
    said(promtool, "test", "rules", RULES.with_name("rules.test.yaml"), cwd=RULES.parent)
    config = (RULES.with_name("prometheus.yaml")).read_text().replace("/etc/prometheus/", f"{RULES.parent}/")
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(config)
        file.flush()
        said(promtool, "check", "config", file.name)


if __name__ == "__main__":
    run_tests([
        every_metric_and_label_that_is_asked_for_exists,
        the_check_finds_what_does_not_exist,
        every_metric_of_the_server_is_shown_or_watched,
        dashboards_are_what_their_generator_makes,
        panels_do_not_lie_on_each_other,
        each_alert_says_where_the_runbook_tells_of_it,
        promtool_accepts_the_rules_and_their_tests_pass,
    ])
