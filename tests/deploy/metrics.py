"""Dashboards and alerts against a live server: it has every series that they query."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

import promql_parser
import yaml

import tools
from metrics_live import Watched, samples, watched
from support import DEPLOY, anchors, run_tests, said

RULES = DEPLOY / "prometheus" / "rules.yaml"
DASHBOARDS = sorted((DEPLOY / "grafana").glob("*.json"))

# Added by Prometheus itself.
FROM_PROMETHEUS = {"up"}
LABELS_FROM_PROMETHEUS = {"job", "instance", "le"}
# gRPC status codes: a server without load has not returned all of them.
CODES = {
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
    "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
}
MANY = 40


def queries() -> list[tuple[str, str]]:
    """Every query of every dashboard and alert, with its place."""
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
    return promql_parser.parse(filled_in(query))


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


def filled_in(query: str) -> str:
    """The query after Grafana has replaced its variables."""
    return query.replace("$__rate_interval", "1m").replace("$instance", ".*")


def live() -> Watched:
    return watched(tuple(sorted({filled_in(query) for _, query in queries()})))


def scrape() -> dict[str, list[dict[str, str]]]:
    return samples(live().scrape)


def every_metric_and_label_that_is_asked_for_exists() -> None:
    there_is, missing, asked = scrape(), set(), 0
    for where, query in queries():
        for name, matchers, by in series(parsed(query)):
            if name in FROM_PROMETHEUS:
                continue
            asked += 1
            if name not in there_is:
                missing.add(f"{name} ({where})")
                continue
            there = {label for labels in there_is[name] for label in labels} | LABELS_FROM_PROMETHEUS
            missing |= {f"{name}{{{label}}} ({where})" for label in (by | {m.name for m in matchers}) - there}
            missing |= {f"{name}{{{m.name}={m.value!r}}} ({where})" for m in matchers if not occurs(m, there_is[name])}
    assert asked > MANY, f"only {asked} selectors found"
    assert not missing, "the server has no:\n  " + "\n  ".join(sorted(missing))


def occurs(matcher, live: list[dict[str, str]]) -> bool:
    """Whether a value in a matcher can exist."""
    if matcher.name in LABELS_FROM_PROMETHEUS or not any(matcher.name in labels for labels in live):
        return True
    values = {labels.get(matcher.name, "") for labels in live}
    if matcher.name == "rpc_response_status_code":
        values |= CODES
    # `=` and `=~` name values, each of which must exist; `!=` and `!~` exclude some.
    wanted = matcher.value.split("|") if re.fullmatch(r"[\w|]+", matcher.value) else [matcher.value]
    return all(any(re.fullmatch(word, value) for value in values) for word in wanted)


def the_check_finds_what_does_not_exist() -> None:
    live = {"azulejo_arena_moves_total": [{"by": "bot"}]}
    ((name, matchers, by),) = series(parsed('sum by (pool) (rate(azulejo_arena_moves_total{by="ghost"}[1m]))'))
    assert name in live and by == {"pool"} and not occurs(matchers[0], live[name])
    assert [name for name, _, _ in series(parsed("a / on (x) b > 1 and absent(c)"))] == ["a", "b", "c"]


def every_metric_of_the_server_is_shown_or_watched() -> None:
    """Otherwise a metric would go unnoticed."""
    used = {re.sub(r"_(bucket|sum|count)$", "", name) for _, query in queries() for name, _, _ in series(parsed(query))}
    ours = {re.sub(r"_(bucket|sum|count)$", "", name) for name in scrape() if name.startswith(("azulejo_", "rpc_", "process_"))}
    unseen = {name for name in ours - used if not name.startswith("process_")}
    assert not unseen, f"on no dashboard and in no alert: {sorted(unseen)}"


def a_real_prometheus_answers_every_panel() -> None:
    """No panel is empty on a ladder with some activity."""
    panels = [(where, query) for where, query in queries() if not where.startswith(RULES.name)]
    empty = [where for where, query in panels if not live().answers[filled_in(query)]]
    assert not empty, "empty panels:\n  " + "\n  ".join(empty)
    print(f"{len(panels)} queries of panels answered", flush=True)


def a_real_prometheus_loads_the_rules_and_a_healthy_server_raises_no_alert() -> None:
    (target,) = [each for each in live().targets if each["labels"]["job"] == "azulejo"]
    assert target["health"] == "up", target
    rules = live().rules
    assert {rule["name"] for rule in rules} == {where.split(": ")[1] for where, _ in queries() if where.startswith(RULES.name)}
    wrong = [rule for rule in rules if rule["health"] != "ok" or rule["state"] == "firing"]
    assert not wrong, wrong


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
        a_real_prometheus_answers_every_panel,
        a_real_prometheus_loads_the_rules_and_a_healthy_server_raises_no_alert,
        dashboards_are_what_their_generator_makes,
        panels_do_not_lie_on_each_other,
        each_alert_says_where_the_runbook_tells_of_it,
        promtool_accepts_the_rules_and_their_tests_pass,
    ])
