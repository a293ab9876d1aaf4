"""The chart: lint, schemas, golden files, refused values. chart_meaning and chart_live test what
schemas cannot."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import jsonschema
import kubernetes_validate
import yaml

import chart_balance
import chart_live
import chart_meaning
import chart_network
import chart_readme
import objects
import tools
from objects import NAMESPACE, RELEASE, VALUE_SETS, each_object, helm, text
from support import CHART, DEPLOY, ROOT, run_tests

GOLDEN = ROOT / "tests" / "deploy" / "golden"

# Values, and what the error message must contain.
REFUSED = [
    (["shape=double"], ["/shape", "single", "scaled"]),
    (["shpae=single"], ["shpae"]),
    (["single.replicas=2"], ["single.replicas is 2", "only one process can own", "shape: scaled"]),
    (["single.replicas=two"], ["/single/replicas", "integer"]),
    (["shape=scaled"], ["arena.database.secretName is missing", "kubectl create secret"]),
    (["shape=scaled", "arena.database.secretName=d", "arena.replicas=2"], ["arena.replicas is 2", "Scale the engine"]),
    (["arena.database.url=postgres://a:b@c/d"], ["/arena/database", "url"]),
    (["arena.registration=closed"], ["/arena/registration", "open", "invite"]),
    (["stop.terminationGracePeriodSeconds=10"], ["stop.terminationGracePeriodSeconds is 10", "need 35"]),
    (["stop.graceMs=20s"], ["/stop/graceMs", "integer"]),
    (["stop.preStopSeconds=0"], ["/stop/preStopSeconds", "1"]),
    (["single.resources.limits.memory=lots"], ["/single/resources/limits/memory"]),
    (["single.storage.size=5GB"], ["/single/storage/size"]),
    (["server.tls.secretName=Not_A_Name"], ["/server/tls/secretName"]),
    (["server.tls.secretName=t", "single.demo=true"], ["single.demo and server.tls"]),
    (["server.tls.secretName=t", "loadTest.enabled=true"], ["server.tls cannot be combined with houseBots and loadTest"]),
    (["houseBots[0].name=a", "houseBots[0].bot=clever", "houseBots[0].tokenSecret.name=t"], ["/houseBots/0/bot"]),
    (["houseBots[0].name=a", "houseBots[0].bot=greedy"], ["/houseBots/0", "tokenSecret"]),
    (["houseBots[0].name=a", "houseBots[0].bot=greedy", "houseBots[0].token=azb_x"], ["token"]),
    (["loadTest.enabled=true", "loadTest.kind=ladder"], ["requires arena.registration=open"]),
    (["loadTest.enabled=true", "loadTest.kind=ladder", "arena.registration=open", "loadTest.bots=5000"],
     ["loadTest.bots is 5000", "4096"]),
    (["gateway.grpc.enabled=true"], ["gateway.parentRefs is missing"]),
    (["gateway.grpc.enabled=true", "gateway.http.enabled=true", "gateway.parentRefs[0].name=g",
      "gateway.grpc.hostnames={a.test}", "gateway.http.hostnames={a.test}"], ["a.test is a host name of both"]),
    (["ingress.http.enabled=true"], ["ingress.http.host is missing"]),
    (["ingress.http.enabled=true", "ingress.grpc.enabled=true", "ingress.http.host=a.test", "ingress.grpc.host=a.test"],
     ["a.test is the host of both"]),
    (["shape=scaled", "arena.database.secretName=d", "engine.autoscaling.minReplicas=20"], ["minReplicas is 20"]),
    (["shape=scaled", "arena.database.secretName=d", "engine.resources.requests.cpu=null"], ["requests.cpu"]),
    (["image.digest=sha256:123"], ["/image/digest"]),
]


def helm_lint_accepts_every_value_set() -> None:
    for values in VALUE_SETS:
        helm("lint", "--strict", CHART, "-f", values)


def every_object_is_what_kubernetes_expects() -> None:
    checked = 0
    for name, each in each_object():
        if schema := custom_schema(each["apiVersion"], each["kind"]):
            problems = [f"{error.json_path}: {error.message}" for error in schema.iter_errors(each)]
            assert not problems, f"{name}: {problems}"
        else:
            try:
                kubernetes_validate.validate(each, KUBERNETES, strict=True)
            except (kubernetes_validate.ValidationError, kubernetes_validate.InvalidSchemaError) as error:
                raise AssertionError(f"{name}: {error}") from error
        checked += 1
    assert checked > 60, f"only {checked} objects"


KUBERNETES = "1.35"


def the_validation_finds_a_field_that_does_not_exist() -> None:
    """For each kind. Otherwise the test above could pass whatever the chart contains."""
    seen = {}
    for _name, each in each_object():
        seen.setdefault(each["kind"], each)
    for kind, each in seen.items():
        wrong = copy.deepcopy(each)
        wrong.setdefault("spec" if kind not in ("ServiceAccount", "ConfigMap") else "metadata", {})["nosuchfield"] = 1
        if schema := custom_schema(each["apiVersion"], kind):
            assert list(schema.iter_errors(wrong)), f"{kind}: a wrong field is not found"
            continue
        try:
            kubernetes_validate.validate(wrong, KUBERNETES, strict=True)
        except kubernetes_validate.ValidationError:
            continue
        raise AssertionError(f"{kind}: a wrong field is not found")


@cache
def custom_schema(version: str, kind: str) -> jsonschema.Draft202012Validator | None:
    """The schema of a custom resource, from the module that defines it; unknown fields are errors."""
    for definition in definitions():
        spec = definition["spec"]
        for each in spec["versions"]:
            if f"{spec['group']}/{each['name']}" == version and spec["names"]["kind"] == kind:
                return jsonschema.Draft202012Validator(strict(each["schema"]["openAPIV3Schema"]))
    assert "." not in version.split("/")[0] or version.split("/")[0].endswith("k8s.io"), f"no schema for {version} {kind}"
    return None


@cache
def definitions() -> list[dict]:
    gateway = tools.module("sigs.k8s.io/gateway-api", tools.GATEWAY) / "config" / "crd" / "standard"
    operator = tools.module("github.com/prometheus-operator/prometheus-operator", tools.OPERATOR)
    crds = operator / "example" / "prometheus-operator-crd"
    files = [gateway / "gateway.networking.k8s.io_grpcroutes.yaml", gateway / "gateway.networking.k8s.io_httproutes.yaml",
             crds / "monitoring.coreos.com_servicemonitors.yaml", crds / "monitoring.coreos.com_prometheusrules.yaml"]
    return [yaml.safe_load(file.read_text()) for file in files]


def strict(schema: dict) -> dict:
    """As the API server prunes: unknown fields are removed. `metadata` is the same for all kinds."""
    schema = dict(schema)
    if "x-kubernetes-int-or-string" in schema:
        schema.pop("type", None)
        schema["type"] = ["integer", "string"]
    if "properties" in schema:
        schema["properties"] = {
            key: {"type": "object"} if key == "metadata" and "kind" in schema["properties"] else strict(value)
            for key, value in schema["properties"].items()
        }
        if not schema.get("x-kubernetes-preserve-unknown-fields"):
            schema.setdefault("additionalProperties", False)
    if isinstance(schema.get("items"), dict):
        schema["items"] = strict(schema["items"])
    if isinstance(schema.get("additionalProperties"), dict):
        schema["additionalProperties"] = strict(schema["additionalProperties"])
    return schema


NOTES = """apiVersion: v1
kind: ConfigMap
metadata: { name: notes }
data: { notes: {{ include (print $.Template.BasePath "/NOTES.txt") . | toJson }} }
"""


def notes(values) -> str:
    """The notes that are printed after an install. Helm renders them only with a cluster, so they are
    rendered into an object of a copy of the chart."""
    with tempfile.TemporaryDirectory() as folder:
        copy_of_chart = Path(folder) / "azulejo"
        shutil.copytree(CHART, copy_of_chart)
        (copy_of_chart / "templates" / "shown.yaml").write_text(NOTES)
        shown = helm("template", RELEASE, copy_of_chart, "-n", NAMESPACE, "-f", values, "-s", "templates/shown.yaml")
    return yaml.safe_load(shown)["data"]["notes"]


def what_is_rendered_is_what_was_looked_at() -> None:
    """The golden files; `tests/deploy/run chart --golden` writes them, `git diff` shows what changed."""
    for values in VALUE_SETS:
        for ending, now in [("yaml", text(values)), ("notes.txt", notes(values))]:
            golden = GOLDEN / f"{values.stem}.{ending}"
            assert golden.exists(), f"{golden.name} is missing: tests/deploy/run chart --golden"
            assert golden.read_text() == now, f"{golden.name} differs from the rendered chart: tests/deploy/run chart --golden"
    left = {file.name for file in GOLDEN.iterdir()} - {
        f"{values.stem}.{ending}" for values in VALUE_SETS for ending in ("yaml", "notes.txt")}
    assert not left, f"no value set renders {left}"


def write_golden() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for file in GOLDEN.iterdir():
        file.unlink()
    for values in VALUE_SETS:
        (GOLDEN / f"{values.stem}.yaml").write_text(text(values))
        (GOLDEN / f"{values.stem}.notes.txt").write_text(notes(values))


def wrong_values_are_refused_with_a_clear_message() -> None:
    for settings, expected in REFUSED:
        words = [word for setting in settings for word in ("--set", setting)]
        command = [tools.helm(), "template", "--kube-version", objects.KUBERNETES, RELEASE, CHART, *words]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode != 0, f"{settings} is accepted"
        missing = [word for word in expected if word not in done.stderr]
        assert not missing, f"{settings}: {missing} is not in: {done.stderr}"


def values_of_a_release_that_knew_of_no_organisers_secret_still_render() -> None:
    for values in (CHART / "ci" / "single.yaml", CHART / "ci" / "scaled.yaml"):
        template = ["template", RELEASE, CHART, "-n", NAMESPACE, "-f", values]
        assert helm(*template, "--set", "arena.organiser=null") == text(values)
        chosen = helm(*template, "--set", "arena.organiser.secretName=o,arena.organiser.secretKey=null")
        assert "--admin-token-file=/etc/azulejo/organiser/token" in chosen
        assert "key: token" in chosen


def values_and_schema_name_the_same_things() -> None:
    schema = json.loads((CHART / "values.schema.json").read_text())

    def compare(path: str, value: object, part: dict) -> None:
        if "$ref" in part:
            part = schema["$defs"][part["$ref"].removeprefix("#/$defs/")]
        if isinstance(value, dict) and part.get("properties"):
            assert part["additionalProperties"] is False, f"{path} takes anything"
            known, there = set(part["properties"]) - {"global"}, set(value)
            if path.endswith(("requests", "limits")):
                known &= there
            assert known == there, f"{path}: {known ^ there} is only in values.yaml or only in the schema"
            for key in there:
                compare(f"{path}.{key}", value[key], part["properties"][key])

    compare("values", yaml.safe_load((CHART / "values.yaml").read_text()), schema)


def the_chart_has_the_version_of_the_program() -> None:
    manifest = (ROOT / "Cargo.toml").read_text()
    version = yaml.safe_load((CHART / "Chart.yaml").read_text())["appVersion"]
    assert f'version = "{version}"' in manifest, f"the workspace has another version than {version}"
    assert f"azulejo:{version}" in (DEPLOY / "docker" / "compose.yaml").read_text()


if __name__ == "__main__":
    if "--golden" in sys.argv:
        write_golden()
    run_tests([
        helm_lint_accepts_every_value_set,
        every_object_is_what_kubernetes_expects,
        the_validation_finds_a_field_that_does_not_exist,
        what_is_rendered_is_what_was_looked_at,
        wrong_values_are_refused_with_a_clear_message,
        values_of_a_release_that_knew_of_no_organisers_secret_still_render,
        values_and_schema_name_the_same_things,
        the_chart_has_the_version_of_the_program,
        *chart_meaning.TESTS,
        *chart_network.TESTS,
        *chart_readme.TESTS,
        *chart_live.TESTS,
        *chart_balance.TESTS,
    ])
