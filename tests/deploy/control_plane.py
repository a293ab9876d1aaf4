"""A real Kubernetes API server with a real etcd: no nodes, but it validates every object."""

from __future__ import annotations

import json
import re
import secrets
import ssl
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import tools
from support import TOOLS, Running, free_port, running, said, until

KUBERNETES = "1.35.4"


def kube_apiserver() -> Path:
    """Built from Go modules. The modules of Kubernetes refer to each other by folders that a downloaded
    module does not have; here by version: v1.35.4 of the whole is v0.35.4 of its parts."""
    program = TOOLS / "bin" / f"kube-apiserver-{KUBERNETES}"
    if program.exists():
        return program
    whole = tools.module("k8s.io/kubernetes", KUBERNETES)
    manifest = (whole / "go.mod").read_text()
    parts = re.findall(r"^\s*(k8s\.io/\S+) => \./staging", manifest, re.M)
    assert parts, "go.mod of Kubernetes lists no staging modules"
    replaced = "".join(f"\t{part} => {part} v0.{KUBERNETES.split('.', 1)[1]}\n" for part in parts)
    version = re.search(r"^go (\S+)", manifest, re.M)[1]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "go.mod").write_text(
            f"module apiserver\n\ngo {version}\n\nrequire k8s.io/kubernetes v{KUBERNETES}\n\nreplace (\n{replaced})\n")
        print(f"building kube-apiserver {KUBERNETES}: this takes a while", flush=True)
        program.parent.mkdir(parents=True, exist_ok=True)
        tools.go("build", "-mod=mod", "-p", 2, "-ldflags=-s -w", "-o", program, "k8s.io/kubernetes/cmd/kube-apiserver",
                 cwd=folder, seconds=5400, env={"CGO_ENABLED": "0"})
    return program


class Cluster:
    def __init__(self, port: int, token: str) -> None:
        self.base, self.token = f"https://127.0.0.1:{port}", token
        # Its certificate is new at each start.
        self.trust = ssl._create_unverified_context()
        self.plurals: dict[tuple[str, str], tuple[str, bool]] = {}

    def call(self, method: str, path: str, body: dict | None = None) -> tuple[int, dict, list[str]]:
        """Code, answer, warnings."""
        head = {"authorization": f"Bearer {self.token}", "content-type": "application/json"}
        request = urllib.request.Request(self.base + path, json.dumps(body).encode() if body else None, head, method=method)
        try:
            answer = urllib.request.urlopen(request, timeout=30, context=self.trust)
        except urllib.error.HTTPError as error:
            answer = error
        text = answer.read()
        warnings = answer.headers.get_all("Warning") or []
        return answer.status, json.loads(text) if text.startswith(b"{") else {"text": text.decode()}, warnings

    def path_of(self, each: dict, namespace: str) -> str:
        """The path to create objects of this kind, from discovery."""
        version = each["apiVersion"]
        root = f"/api/{version}" if "/" not in version else f"/apis/{version}"
        if (version, each["kind"]) not in self.plurals:
            code, found, _ = self.call("GET", root)
            assert code == 200, f"{version}: {found}"
            for resource in found["resources"]:
                if "/" not in resource["name"]:
                    self.plurals[version, resource["kind"]] = (resource["name"], resource["namespaced"])
        plural, namespaced = self.plurals[version, each["kind"]]
        return f"{root}/namespaces/{namespace}/{plural}" if namespaced else f"{root}/{plural}"

    def create(self, each: dict, namespace: str = "default", dry: bool = False) -> tuple[int, dict, list[str]]:
        options = "?fieldValidation=Strict" + ("&dryRun=All" if dry else "")
        return self.call("POST", self.path_of(each, namespace) + options, each)


@contextmanager
def cluster() -> Iterator[Cluster]:
    program, etcd = kube_apiserver(), tools.package("etcd-server") / "usr/bin/etcd"
    with tempfile.TemporaryDirectory(prefix="azulejo-cluster-") as temporary:
        folder = Path(temporary)
        at, peer, port = (free_port() for _ in range(3))
        client = f"http://127.0.0.1:{at}"
        with running(
            folder / "etcd.log", etcd, "--data-dir", folder / "etcd", "--listen-client-urls", client,
            "--advertise-client-urls", client, "--listen-peer-urls", f"http://127.0.0.1:{peer}",
            "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}", "--initial-cluster", f"default=http://127.0.0.1:{peer}",
        ) as store, running(folder / "apiserver.log", program, *settings(folder, client, port)) as server:
            found = Cluster(port, (folder / "tokens").read_text().split(",")[0])
            until("the API server is ready", lambda: ready(found, store, server), 120, 0.5)
            yield found


def settings(folder: Path, etcd: str, port: int) -> list[str]:
    said("openssl", "genrsa", "-out", folder / "key.pem", 2048)
    (folder / "tokens").write_text(f"{secrets.token_hex(16)},admin,admin,system:masters\n")
    return [
        f"--etcd-servers={etcd}", "--bind-address=127.0.0.1", f"--secure-port={port}", f"--cert-dir={folder}/certificates",
        "--authorization-mode=RBAC", f"--token-auth-file={folder}/tokens", "--service-cluster-ip-range=10.96.0.0/16",
        "--service-account-issuer=https://kubernetes.default.svc", f"--service-account-key-file={folder}/key.pem",
        f"--service-account-signing-key-file={folder}/key.pem",
        # No controller creates the accounts and classes that these admission plugins wait for.
        "--disable-admission-plugins=ServiceAccount,DefaultStorageClass",
        "--endpoint-reconciler-type=none",
    ]


def ready(found: Cluster, store: Running, server: Running) -> bool:
    store.check()
    server.check()
    return found.call("GET", "/readyz")[0] == 200
