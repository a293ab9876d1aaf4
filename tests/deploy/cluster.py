"""Every object of every value set, applied to a real API server, in a namespace with the restricted profile."""

from __future__ import annotations

import copy

import chart
from control_plane import KUBERNETES, Cluster, cluster
from objects import VALUE_SETS, WORKLOADS, each_object, name_of, of_kind, pod_of, rendered
from support import if_possible, run_tests, until

NAMESPACE = "restricted"


class World:
    cluster: Cluster


def prepare(found: Cluster) -> None:
    levels = {f"pod-security.kubernetes.io/{mode}": "restricted" for mode in ("enforce", "warn", "audit")}
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE, "labels": levels}}
    code, answer, _ = found.create(namespace)
    assert code == 201, answer
    for definition in chart.definitions():
        code, answer, _ = found.create(definition)
        assert code == 201, answer
    for definition in chart.definitions():
        spec = definition["spec"]
        path = f"/apis/{spec['group']}/{spec['versions'][0]['name']}/{spec['names']['plural']}"
        until(f"{path} is served", lambda path=path: found.call("GET", path)[0] == 200, 60)


def every_object_is_accepted_without_a_warning() -> None:
    count = 0
    for name, each in each_object():
        code, answer, warnings = World.cluster.create(each, NAMESPACE, dry=True)
        assert code == 201, f"{name}: {code} {answer.get('message')}"
        assert not warnings, f"{name}: {warnings}"
        count += 1
    print(f"{count} objects of {len(VALUE_SETS)} value sets, Kubernetes {KUBERNETES}", flush=True)


def every_pod_that_a_workload_makes_is_admitted() -> None:
    """The API server only warns about workloads; the profile is enforced on pods."""
    count = 0
    for values in VALUE_SETS:
        for each in of_kind(rendered(values), *WORKLOADS):
            pod = copy.deepcopy(pod_of(each))
            pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {**pod["metadata"], "name": "one"}, "spec": pod["spec"]}
            claim_of_the_set(each, pod)
            code, answer, warnings = World.cluster.create(pod, NAMESPACE, dry=True)
            assert code == 201 and not warnings, f"{values.stem}: {name_of(each)}: {answer.get('message')} {warnings}"
            count += 1
    print(f"{count} pods", flush=True)


def claim_of_the_set(workload: dict, pod: dict) -> None:
    """The controller adds a volume for each template of a claim."""
    for template in workload["spec"].get("volumeClaimTemplates", []):
        name = template["metadata"]["name"]
        pod["spec"].setdefault("volumes", []).append({"name": name, "persistentVolumeClaim": {"claimName": f"{name}-0"}})


def the_server_refuses_what_it_should() -> None:
    """Otherwise the tests above would prove nothing."""
    engine = next(each for _, each in each_object() if each["kind"] == "Deployment")
    root = copy.deepcopy(engine)
    pod_of(root)["spec"]["securityContext"]["runAsNonRoot"] = False
    pod_of(root)["spec"]["containers"][0]["securityContext"]["allowPrivilegeEscalation"] = True
    code, _, warnings = World.cluster.create(root, NAMESPACE, dry=True)
    assert code == 201 and any("would violate PodSecurity" in word for word in warnings), (code, warnings)
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one"}, "spec": pod_of(root)["spec"]}
    code, answer, _ = World.cluster.create(pod, NAMESPACE, dry=True)
    assert code == 403 and "violates PodSecurity" in answer["message"], answer
    typo = copy.deepcopy(engine)
    typo["spec"]["strategi"] = {}
    code, answer, _ = World.cluster.create(typo, NAMESPACE, dry=True)
    assert code == 400 and "strategi" in answer["message"], answer


def a_release_can_be_created_whole() -> None:
    """Not only one by one with dry run: all objects of a value set together."""
    for values in VALUE_SETS:
        if values.stem not in ("single-full", "scaled-full"):
            continue
        for each in rendered(values):
            code, answer, warnings = World.cluster.create(each, NAMESPACE)
            assert code == 201 and not warnings, f"{values.stem}: {name_of(each)}: {answer.get('message')} {warnings}"


if __name__ == "__main__":
    with if_possible(), cluster() as World.cluster:
        prepare(World.cluster)
        run_tests([
            every_object_is_accepted_without_a_warning,
            every_pod_that_a_workload_makes_is_admitted,
            the_server_refuses_what_it_should,
            a_release_can_be_created_whole,
        ])
