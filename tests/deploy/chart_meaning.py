"""What schemas cannot check: the objects of a release fit together."""

from __future__ import annotations

import json
import re

import yaml

from objects import (
    VALUE_SETS, WORKLOADS, argument, containers, labels_of, name_of, of_kind, pod_of, rendered, selects, servers,
)
from support import DEPLOY, ROOT

README = DEPLOY / "README.md"


def each_set():
    for values in VALUE_SETS:
        yield values, rendered(values)


def a_workload_selects_its_own_pods_and_no_others() -> None:
    for values, objects in each_set():
        workloads = of_kind(objects, *WORKLOADS)
        for each in of_kind(workloads, "Deployment", "StatefulSet"):
            chosen = [name_of(other) for other in workloads if selects(each["spec"]["selector"], labels_of(other))]
            assert chosen == [name_of(each)], f"{values.stem}: {name_of(each)} selects {chosen}"


def a_service_leads_to_one_workload_and_to_ports_that_it_names() -> None:
    for values, objects in each_set():
        for service in of_kind(objects, "Service"):
            behind = [each for each in of_kind(objects, *WORKLOADS)
                      if selects({"matchLabels": service["spec"]["selector"]}, labels_of(each))]
            assert len(behind) == 1, f"{values.stem}: {name_of(service)} selects {list(map(name_of, behind))}"
            named = {port["name"] for port in containers(behind[0])[0]["ports"]}
            wanted = {port["targetPort"] for port in service["spec"]["ports"]}
            assert wanted <= named, f"{values.stem}: {name_of(service)}: no port {wanted - named}"
            encrypted = any("--tls-cert" in word for word in containers(behind[0])[0]["args"])
            spoken = {port.get("appProtocol") for port in service["spec"]["ports"] if port["name"] == "grpc"}
            assert spoken == {"https" if encrypted else "kubernetes.io/h2c"}, f"{values.stem}: {spoken}"
        names = {each["metadata"]["name"] for each in of_kind(objects, "Service")}
        for each in of_kind(objects, "StatefulSet"):
            assert each["spec"]["serviceName"] in names


def the_autoscaler_alone_decides_how_many() -> None:
    for values, objects in each_set():
        deployments = {each["metadata"]["name"]: each for each in of_kind(objects, "Deployment")}
        for scaler in of_kind(objects, "HorizontalPodAutoscaler"):
            target = deployments[scaler["spec"]["scaleTargetRef"]["name"]]
            assert "replicas" not in target["spec"], f"{values.stem}: each upgrade would undo the autoscaler"
            for container in containers(target):
                assert container["resources"]["requests"]["cpu"]


def fewest(objects: list[dict], workload: dict) -> int:
    for scaler in of_kind(objects, "HorizontalPodAutoscaler"):
        if scaler["spec"]["scaleTargetRef"]["name"] == workload["metadata"]["name"]:
            return scaler["spec"]["minReplicas"]
    return workload["spec"].get("replicas", 1)


def a_budget_lets_one_pod_go_and_keeps_one() -> None:
    seen = 0
    for values, objects in each_set():
        budgets = of_kind(objects, "PodDisruptionBudget")
        enabled = (yaml.safe_load(values.read_text()) or {}).get("podDisruptionBudget", {}).get("enabled", True)
        for each in of_kind(objects, "Deployment", "StatefulSet"):
            mine = [b for b in budgets if selects(b["spec"]["selector"], labels_of(each))]
            pods = fewest(objects, each)
            assert len(mine) == (1 if pods > 1 and enabled else 0), f"{values.stem}: {name_of(each)}, {pods} pods: {mine}"
            for budget in mine:
                assert "minAvailable" not in budget["spec"]
                assert 1 <= budget["spec"]["maxUnavailable"] < pods, f"{values.stem}: {budget['spec']} of {pods}"
                seen += 1
        assert all(any(selects(b["spec"]["selector"], labels_of(w)) for w in of_kind(objects, *WORKLOADS)) for b in budgets)
    assert seen


def one_arena_at_a_time() -> None:
    for values, objects in each_set():
        arenas = [each for each in servers(objects) if containers(each)[0]["args"][0] in ("arena", "serve")]
        assert len(arenas) == 1, f"{values.stem}: {len(arenas)} arenas"
        spec = arenas[0]["spec"]
        # The maintenance job owns the store.
        assert spec["replicas"] == (0 if values.stem.endswith("maintenance") else 1), values.stem
        assert arenas[0]["kind"] == "StatefulSet" or spec["strategy"]["type"] == "Recreate"


def a_pod_has_the_time_that_its_stop_takes() -> None:
    for values, objects in each_set():
        for each in servers(objects):
            spec, container = pod_of(each)["spec"], containers(each)[0]
            sleep = container["lifecycle"]["preStop"]["sleep"]["seconds"]
            needed = (int(argument(container, "drain")) + int(argument(container, "grace"))) / 1000
            assert spec["terminationGracePeriodSeconds"] > sleep + needed, f"{values.stem}: {name_of(each)}"
            # Longer than it takes until an unready pod gets no more calls.
            probe = container["readinessProbe"]
            assert sleep >= probe["periodSeconds"] * probe["failureThreshold"]


def pods_may_do_nothing_that_the_restricted_profile_forbids() -> None:
    for values, objects in each_set():
        for each in of_kind(objects, *WORKLOADS):
            spec, where = pod_of(each)["spec"], f"{values.stem}: {name_of(each)}"
            assert spec["securityContext"]["runAsNonRoot"] is True and spec["securityContext"]["runAsUser"] == 65532, where
            assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, where
            assert spec["automountServiceAccountToken"] is False, where
            assert not {"hostNetwork", "hostPID", "hostIPC"} & set(spec), where
            allowed = {"emptyDir", "secret", "persistentVolumeClaim"}
            for volume in spec.get("volumes", []):
                assert set(volume) - {"name"} <= allowed, f"{where}: {volume}"
            for container in spec["containers"]:
                context = container["securityContext"]
                assert context["capabilities"] == {"drop": ["ALL"]}, where
                assert context["allowPrivilegeEscalation"] is False and context["readOnlyRootFilesystem"] is True, where
                limits, requests = container["resources"]["limits"], container["resources"]["requests"]
                assert "memory" in limits and "cpu" not in limits and {"cpu", "memory"} <= set(requests), where


def pods_are_spread_per_revision() -> None:
    for values, objects in each_set():
        for each in servers(objects):
            rules = pod_of(each)["spec"].get("topologySpreadConstraints", [])
            if containers(each)[0]["args"][0] == "engine":
                assert {rule["topologyKey"] for rule in rules} == {"topology.kubernetes.io/zone", "kubernetes.io/hostname"}
            for rule in rules:
                assert selects(rule["labelSelector"], labels_of(each)), f"{values.stem}: {name_of(each)}"
                assert rule["matchLabelKeys"] == ["pod-template-hash"] and each["kind"] == "Deployment"


def each_secret_key_is_explained_in_the_readme() -> None:
    table = documented_keys()
    for values, objects in each_set():
        chosen = chosen_keys(yaml.safe_load(values.read_text()) or {})
        assert not of_kind(objects, "Secret"), f"{values.stem}: the chart must not contain secrets"
        for name, key in (ref for each in of_kind(objects, *WORKLOADS) for ref in secret_keys(each)):
            assert key in table.values() or chosen.get(key) in table, f"{values.stem}: {name}, {key}: not in {README.name}"


def documented_keys() -> dict[str, str]:
    """The value that names a secret, or a key of it -> the key, from the table of secrets."""
    rows = re.findall(r"^\| `([\w.\[\]]+)` \| `([\w.-]+)`", README.read_text(), re.M)
    assert rows, "the table of secrets is missing"
    return dict(rows) | {f"{value} {key}": key for value, key in rows}


def chosen_keys(values: dict, path: str = "") -> dict[str, str]:
    """Keys that a value set overrides -> the value that does it."""
    found = {}
    for key, value in values.items():
        here = f"{path}.{key}".lstrip(".")
        if isinstance(value, dict):
            found |= chosen_keys(value, here)
        elif isinstance(value, list):
            for item in filter(lambda item: isinstance(item, dict), value):
                found |= chosen_keys(item, f"{here}[]")
        elif key in ("secretKey", "key"):
            found[value] = here
    return found


def secret_keys(workload: dict):
    """Every (secret, key) that a pod reads."""
    spec = pod_of(workload)["spec"]
    for container in spec["containers"]:
        for variable in container.get("env", []):
            ref = variable["valueFrom"]["secretKeyRef"]
            yield ref["name"], ref["key"]
        for word in container.get("args", []):
            for volume in (v for v in spec.get("volumes", []) if "secret" in v):
                for mount in (m for m in container.get("volumeMounts", []) if m["name"] == volume["name"]):
                    if f"={mount['mountPath']}/" in word:
                        yield volume["secret"]["secretName"], word.rsplit("/", 1)[1]
    for volume in (v for v in spec.get("volumes", []) if "secret" in v):
        for item in volume["secret"].get("items", []):
            yield volume["secret"]["secretName"], item["key"]


def rules_and_dashboards_are_those_of_prometheus_and_grafana() -> None:
    source = yaml.safe_load((DEPLOY / "prometheus" / "rules.yaml").read_text())
    seen = 0
    for values, objects in each_set():
        url = (yaml.safe_load(values.read_text()) or {}).get("prometheusRule", {}).get("runbookUrl", "deploy/README.md")
        for each in of_kind(objects, "PrometheusRule"):
            expected = json.loads(json.dumps(source).replace("deploy/README.md#", f"{url}#"))
            assert each["spec"] == expected, f"{values.stem}: the rules are not those of deploy/prometheus"
            seen += 1
        maps = of_kind(objects, "ConfigMap")
        for each in maps:
            ((name, content),) = each["data"].items()
            file = DEPLOY / "grafana" / name.removeprefix("azulejo-")
            assert json.loads(content) == json.loads(file.read_text()), f"{values.stem}: {name}"
        assert len(maps) in (0, len(list((DEPLOY / "grafana").glob("*.json"))))
        seen += len(maps)
    assert seen >= 4


def monitors_find_each_pod_once_under_the_name_that_alerts_use() -> None:
    seen = 0
    job = re.search(r'up\{job="(\w+)"\}', (DEPLOY / "prometheus" / "rules.yaml").read_text())[1]
    for values, objects in each_set():
        for monitor in of_kind(objects, "ServiceMonitor"):
            spec = monitor["spec"]
            services = [s for s in of_kind(objects, "Service") if selects(spec["selector"], s["metadata"]["labels"])]
            behind = [name_of(w) for s in services for w in servers(objects)
                      if selects({"matchLabels": s["spec"]["selector"]}, labels_of(w))]
            assert sorted(behind) == sorted(map(name_of, servers(objects))), f"{values.stem}: {behind}"
            for service in services:
                assert service["metadata"]["labels"][spec["jobLabel"]] == job
                assert spec["endpoints"][0]["port"] in {port["name"] for port in service["spec"]["ports"]}
            seen += 1
    assert seen


def routes_lead_to_services_that_exist_and_calls_that_exist() -> None:
    contract = (ROOT / "proto/azulejo/engine/v1/engine.proto").read_text()
    called = re.search(r"^package ([\w.]+);", contract, re.M)[1] + "." + re.search(r"^service (\w+)", contract, re.M)[1]
    seen = 0
    for values, objects in each_set():
        ports = {(s["metadata"]["name"], p["port"]) for s in of_kind(objects, "Service") for p in s["spec"]["ports"]}
        names = {(s["metadata"]["name"], p["name"]) for s in of_kind(objects, "Service") for p in s["spec"]["ports"]}
        engine = "azulejo-engine" if len(servers(objects)) > 1 else None
        for route in of_kind(objects, "GRPCRoute", "HTTPRoute"):
            first, last = route["spec"]["rules"]
            match = first["matches"][0]
            assert called in (match.get("method", {}).get("service"), match.get("path", {}).get("value", "")[1:])
            assert engine in (first["backendRefs"][0]["name"], None)
            for ref in (*first["backendRefs"], *last["backendRefs"]):
                assert (ref["name"], ref["port"]) in ports, f"{values.stem}: {name_of(route)}: {ref}"
            seen += 1
        for ingress in of_kind(objects, "Ingress"):
            for path in ingress["spec"]["rules"][0]["http"]["paths"]:
                service = path["backend"]["service"]
                assert path["path"] in ("/", f"/{called}")
                assert (service["name"], service["port"]["name"]) in names, f"{values.stem}: {service}"
            seen += 1
    assert seen >= 4


TESTS = [
    a_workload_selects_its_own_pods_and_no_others,
    a_service_leads_to_one_workload_and_to_ports_that_it_names,
    the_autoscaler_alone_decides_how_many,
    a_budget_lets_one_pod_go_and_keeps_one,
    one_arena_at_a_time,
    a_pod_has_the_time_that_its_stop_takes,
    pods_may_do_nothing_that_the_restricted_profile_forbids,
    pods_are_spread_per_revision,
    each_secret_key_is_explained_in_the_readme,
    rules_and_dashboards_are_those_of_prometheus_and_grafana,
    monitors_find_each_pod_once_under_the_name_that_alerts_use,
    routes_lead_to_services_that_exist_and_calls_that_exist,
]
