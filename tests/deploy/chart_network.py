"""Connections that the network policies of a release allow: a small model of Kubernetes' rules."""

from __future__ import annotations

from objects import VALUE_SETS, WORKLOADS, containers, labels_of, name_of, of_kind, rendered, selects, servers

PUBLIC, ADMIN = 7700, 7701
# Pods that are not ours, with the labels of their namespaces.
NAMESPACE = {"kubernetes.io/metadata.name": "games"}
GATEWAY = ({"app": "gateway"}, {"kubernetes.io/metadata.name": "gateway"})
MONITORING = ({"app": "prometheus"}, {"kubernetes.io/metadata.name": "monitoring"})
STRANGER = ({"app": "stranger"}, {"kubernetes.io/metadata.name": "elsewhere"})


def policies(objects: list[dict], labels: dict, direction: str) -> list[dict]:
    return [each["spec"] for each in of_kind(objects, "NetworkPolicy")
            if direction in each["spec"]["policyTypes"] and selects(each["spec"]["podSelector"], labels)]


def is_peer(peer: dict, labels: dict, namespace: dict) -> bool:
    if "ipBlock" in peer:
        return False
    if "namespaceSelector" in peer and not selects(peer["namespaceSelector"], namespace):
        return False
    if "namespaceSelector" not in peer and namespace != NAMESPACE:
        return False
    return selects(peer.get("podSelector", {}), labels)


def may(objects: list[dict], labels: dict, direction: str, port: object, other: tuple[dict, dict] | None) -> bool:
    """Whether a pod may be called on a port (Ingress), or call it (Egress). `None`: from anywhere."""
    chosen = policies(objects, labels, direction)
    ends = "from" if direction == "Ingress" else "to"
    for rule in (rule for policy in chosen for rule in policy.get(direction.lower()) or []):
        if port not in [each["port"] for each in rule.get("ports", [])]:
            continue
        if ends not in rule or (other and any(is_peer(peer, *other) for peer in rule[ends])):
            return True
    return not chosen


def sets_with_policies():
    for values in VALUE_SETS:
        if of_kind(rendered(values), "NetworkPolicy"):
            yield values.stem, rendered(values)


def every_pod_is_shut_unless_something_opens_it() -> None:
    for name, objects in sets_with_policies():
        for each in of_kind(objects, *WORKLOADS):
            for direction in ("Ingress", "Egress"):
                assert policies(objects, labels_of(each), direction), f"{name}: {name_of(each)}: {direction}"
                assert not may(objects, labels_of(each), direction, 22, STRANGER)


def the_ports_of_servers_are_open_to_those_who_need_them() -> None:
    for name, objects in sets_with_policies():
        clients = [each for each in of_kind(objects, *WORKLOADS)
                   if labels_of(each)["app.kubernetes.io/component"] in ("house-bot", "load-test", "smoke-test")]
        for each in servers(objects):
            labels = labels_of(each)
            assert {port["containerPort"] for port in containers(each)[0]["ports"]} == {PUBLIC, ADMIN}
            assert may(objects, labels, "Ingress", ADMIN, MONITORING), f"{name}: Prometheus cannot scrape {name_of(each)}"
            assert not may(objects, labels, "Ingress", ADMIN, None), f"{name}: the admin port is open to the world"
            for client in clients:
                us = (labels_of(client), NAMESPACE)
                assert may(objects, labels, "Ingress", PUBLIC, us), f"{name}: {name_of(client)} cannot connect"
                assert may(objects, us[0], "Egress", PUBLIC, (labels, NAMESPACE)), f"{name}: {name_of(client)} cannot call"
                assert may(objects, us[0], "Egress", 53, None), f"{name}: {name_of(client)} cannot resolve names"


def what_the_values_narrow_is_narrow() -> None:
    objects = dict(sets_with_policies())
    full, tls, plain = objects["scaled-full"], objects["single-tls"], objects["scaled"]
    for each in servers(full):
        labels, verb = labels_of(each), containers(each)[0]["args"][0]
        assert may(full, labels, "Ingress", PUBLIC, GATEWAY) and not may(full, labels, "Ingress", PUBLIC, STRANGER)
        assert not may(full, labels, "Ingress", ADMIN, STRANGER)
        assert may(full, labels, "Egress", 4317, MONITORING) and not may(full, labels, "Egress", 4317, STRANGER)
        database = ({"app": "postgres"}, NAMESPACE)
        assert may(full, labels, "Egress", 5432, database) == (verb == "arena"), verb
        assert not may(full, labels, "Egress", 5432, STRANGER)
    for each in servers(tls):
        assert not may(tls, labels_of(each), "Ingress", PUBLIC, GATEWAY)
        assert not may(tls, labels_of(each), "Egress", 53, None), "a single server makes no calls"
    for each in servers(plain):
        verb = containers(each)[0]["args"][0]
        assert may(plain, labels_of(each), "Ingress", PUBLIC, STRANGER)
        assert may(plain, labels_of(each), "Egress", 5432, None) == (verb == "arena")
        assert not may(plain, labels_of(each), "Egress", 4317, None)


TESTS = [
    every_pod_is_shut_unless_something_opens_it,
    the_ports_of_servers_are_open_to_those_who_need_them,
    what_the_values_narrow_is_narrow,
]
