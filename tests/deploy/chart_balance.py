"""Calls are balanced over engines: with the SDKs' default settings, against two real engines.

The JavaScript SDK balances calls itself, and has its own test (sdk/js/tests/balance.test.ts)."""

from __future__ import annotations

import ast
import json
import re
import tempfile
from pathlib import Path

import grpc

from support import PROGRAM, ROOT, fetch, free_port, need_program, running, until

CALLS = 20
METHOD = "azulejo.engine.v1.EngineService/ListRulesets"


def python_config() -> dict:
    tree = ast.parse((ROOT / "sdk/python/src/azulejo/channel.py").read_text())
    found = [node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "_SERVICE_CONFIG"]
    return ast.literal_eval(found[0])


def go_config() -> dict:
    return json.loads(re.search(r"const engineConfig = `(.*?)`", (ROOT / "sdk/go/link.go").read_text(), re.S)[1])


def calls_by_the_defaults_of_the_sdks_go_round_all_engines() -> None:
    need_program()
    for config in (python_config(), go_config()):
        assert spread(config) == [CALLS // 2, CALLS // 2]
    # Without them, one engine would get all calls.
    assert sorted(spread({})) == [0, CALLS]


def spread(config: dict) -> list[int]:
    """The number of calls over one channel that each of two engines answers."""
    port, admins = free_port(), [free_port(), free_port()]
    with tempfile.TemporaryDirectory() as temporary:
        logs = [Path(temporary) / "one", Path(temporary) / "two"]
        hosts = ["127.0.0.1", "127.0.0.2"]
        commands = [
            (PROGRAM, "engine", f"--listen={host}:{port}", f"--admin-listen=127.0.0.1:{admin}")
            for host, admin in zip(hosts, admins, strict=True)
        ]
        with running(logs[0], *commands[0]) as one, running(logs[1], *commands[1]) as two:
            for process, admin in ((one, admins[0]), (two, admins[1])):
                until("an engine answers", lambda p=process, a=admin: (p.check(), fetch(f"http://127.0.0.1:{a}/version"))[1])
            options = [("grpc.service_config", json.dumps(config)), ("grpc.default_authority", "engine.test"),
                       ("grpc.enable_http_proxy", 0)]
            with grpc.insecure_channel(f"ipv4:127.0.0.1:{port},127.0.0.2:{port}", options) as channel:
                call = channel.unary_unary(f"/{METHOD}")
                connect(call, admins if config else [])
                before = [answered(admin) for admin in admins]
                for _ in range(CALLS):
                    call(b"", timeout=5, wait_for_ready=True)
            return [answered(admin) - had for admin, had in zip(admins, before, strict=True)]


def connect(call: grpc.UnaryUnaryMultiCallable, admins: list[int]) -> None:
    """Makes calls until all connections are open: the first calls go to the first open connection."""
    until("all engines were called", lambda: (call(b"", timeout=5, wait_for_ready=True), all(map(answered, admins)))[1])


def answered(admin: int) -> int:
    text = fetch(f"http://127.0.0.1:{admin}/metrics")
    counts = re.findall(rf'_count\{{rpc_method="{re.escape(METHOD)}",.*\}} (\d+)', text)
    return sum(map(int, counts))


TESTS = [calls_by_the_defaults_of_the_sdks_go_round_all_engines]
