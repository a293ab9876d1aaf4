"""The commands of deploy/README.md match the chart."""

from __future__ import annotations

import re
import shlex

import yaml

from objects import helm, name_of
from support import CHART, DEPLOY, PROGRAM, need_program, said

README = (DEPLOY / "README.md").read_text()
# For an existing release; here the release is new.
OF_UPGRADES = {"--reuse-values", "--reset-then-reuse-values", "--create-namespace"}


def commands() -> list[str]:
    """Every line of a code block, and all inline code."""
    blocks = re.findall(r"^```sh\n(.*?)^```", README, re.M | re.S)
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", README, flags=re.M | re.S))
    return "\n".join(blocks + inline).replace("\\\n", " ").splitlines()


def helm_commands() -> list[list[str]]:
    """Every install and upgrade in the README, split into words."""
    return [shlex.split(line, comments=True) for line in commands() if re.match(r"helm (install|upgrade) ", line)]


def objects_of(words: list[str]) -> list[dict]:
    release, chart, *rest = words[2:]
    assert chart == "deploy/helm/azulejo", words
    called = helm("template", release, CHART, *(word for word in rest if word not in OF_UPGRADES))
    return [each for each in yaml.safe_load_all(called) if each]


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


def the_program_knows_every_verb_and_flag_of_the_readme() -> None:
    need_program()
    # Also commands of jobs: {azulejo,admin,token}.
    called = [each.replace(",", " ") for line in commands() for each in re.findall(r"\bazulejo[ ,][^}\"|&#;]*", line)]
    called = [words for each in called if re.match(r"[a-z]+$", (words := each.split())[1])]
    assert len(called) >= 10, called
    for words in called:
        verbs = [word for word in words[1:3] if re.fullmatch(r"[a-z]+", word)]
        verbs = verbs if verbs[0] in ("admin", "load", "ladder") else verbs[:1]
        help_text = said(PROGRAM, *verbs, "--help")
        unknown = [word for word in words if word.startswith("--") and word.split("=")[0] not in help_text]
        assert not unknown, f"{' '.join(words)}: {unknown}"


TESTS = [
    every_helm_command_of_the_readme_renders,
    what_the_readme_names_is_what_those_commands_make,
    the_program_knows_every_verb_and_flag_of_the_readme,
]
