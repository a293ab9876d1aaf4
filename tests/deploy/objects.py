"""The rendered chart: every value set, and helpers to walk through the objects."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

import tools
from support import CHART, said

VALUE_SETS = sorted((CHART / "ci").glob("*.yaml"))
RELEASE, NAMESPACE = "azulejo", "games"
WORKLOADS = ("Deployment", "StatefulSet", "Job", "Pod")


# A helm built from Go modules does not know its Kubernetes version.
KUBERNETES = "1.35.0"


def helm(verb: str, *arguments: object) -> str:
    return said(tools.helm(), verb, "--kube-version", KUBERNETES, *arguments)


@cache
def text(values: Path) -> str:
    return helm("template", RELEASE, CHART, "-n", NAMESPACE, "-f", values)


@cache
def rendered(values: Path) -> list[dict]:
    return [each for each in yaml.safe_load_all(text(values)) if each]


def each_object() -> list[tuple[str, dict]]:
    """Every object of every value set, with a name for messages."""
    return [(f"{values.stem}: {name_of(each)}", each) for values in VALUE_SETS for each in rendered(values)]


def name_of(each: dict) -> str:
    return f"{each['kind']}/{each['metadata']['name']}"


def of_kind(objects: list[dict], *kinds: str) -> list[dict]:
    return [each for each in objects if each["kind"] in kinds]


def pod_of(workload: dict) -> dict:
    """The pod template of a workload: metadata and spec."""
    return workload if workload["kind"] == "Pod" else workload["spec"]["template"]


def labels_of(workload: dict) -> dict:
    return pod_of(workload)["metadata"]["labels"]


def containers(workload: dict) -> list[dict]:
    return pod_of(workload)["spec"]["containers"]


def selects(selector: dict, labels: dict) -> bool:
    """A LabelSelector on labels."""
    if any(labels.get(key) != value for key, value in selector.get("matchLabels", {}).items()):
        return False
    for rule in selector.get("matchExpressions", []):
        assert rule["operator"] == "In", f"{rule}: the tests only support `In`"
        if labels.get(rule["key"]) not in rule["values"]:
            return False
    return True


def is_server(workload: dict) -> bool:
    return labels_of(workload)["app.kubernetes.io/component"] in ("server", "engine", "arena")


def servers(objects: list[dict]) -> list[dict]:
    return [each for each in of_kind(objects, *WORKLOADS) if is_server(each)]


def argument(container: dict, name: str) -> str | None:
    found = [word.split("=", 1)[1] for word in container["args"] if word.startswith(f"--{name}=")]
    return found[0] if found else None
