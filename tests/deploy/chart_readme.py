"""The commands of deploy/README.md: what they ask of the chart, it gives."""

from __future__ import annotations

import re
import shlex

import yaml

from objects import helm, name_of
from support import CHART, DEPLOY

README = (DEPLOY / "README.md").read_text()
# Of a release that is there already; here it is made anew.
OF_UPGRADES = {"--reuse-values", "--reset-then-reuse-values", "--create-namespace"}


def helm_commands() -> list[list[str]]:
    """Every install and upgrade that is told, word by word."""
    blocks = re.findall(r"^```sh\n(.*?)^```", README, re.M | re.S) + re.findall(r"`(helm [^`]*)`", README)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    return [shlex.split(line, comments=True) for line in lines if re.match(r"helm (install|upgrade) ", line)]


def objects_of(words: list[str]) -> list[dict]:
    release, chart, *rest = words[2:]
    assert chart == "deploy/helm/azulejo", words
    told = helm("template", release, CHART, *(word for word in rest if word not in OF_UPGRADES))
    return [each for each in yaml.safe_load_all(told) if each]


def every_helm_command_of_the_readme_renders() -> None:
    commands = helm_commands()
    assert len(commands) >= 7, commands
    for words in commands:
        assert objects_of(words), words


def what_the_readme_names_is_what_those_commands_make() -> None:
    made = [each for words in helm_commands() for each in objects_of(words)]
    names = {name_of(each).lower() for each in made}
    wanted = set(re.findall(r"\b(?:deployment|statefulset|service)/[a-z][a-z-]*", README))
    assert len(wanted) >= 3 and wanted <= names, wanted - names
    services = set(re.findall(r"http://([a-z-]+)\.games:7700", README))
    assert services and {f"service/{name}" for name in services} <= names, services
    pods = set(re.findall(r"\b([a-z]+)-0\b", README))
    assert pods and {f"statefulset/{name}" for name in pods} <= names, pods
    components = set(re.findall(r"app\.kubernetes\.io/component=(\w+)", README))
    assert components and components <= {each["metadata"]["labels"]["app.kubernetes.io/component"] for each in made}, components


TESTS = [every_helm_command_of_the_readme_renders, what_the_readme_names_is_what_those_commands_make]
