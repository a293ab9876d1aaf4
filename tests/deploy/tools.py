"""Tools that the suites need, each pinned, below target/tools."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from support import TOOLS, Cannot, said

HELM = "3.19.0"
COMPOSE = "2.16.2"
GATEWAY = "1.6.3"
OPERATOR = "0.85.0"


def go(*arguments: object, seconds: float = 1800, **options) -> str:
    # Outside of any module; half of the machine is enough.
    env = {**os.environ, "GOFLAGS": "-buildvcs=false", "GO111MODULE": "on", **options.pop("env", {})}
    return said("nice", "go", *arguments, seconds=seconds, cwd=options.pop("cwd", "/"), env=env, **options)


def built(name: str, package: str, version: str) -> Path:
    """A Go program at a version; built once."""
    folder = TOOLS / "bin" / f"{name}-{version}"
    program = folder / name
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        print(f"building {name} {version}", flush=True)
        go("install", f"{package}@v{version}", env={"GOBIN": str(folder)})
        made = next(folder.iterdir())
        if made != program:
            made.rename(program)
    return program


def helm() -> Path:
    return built("helm", "helm.sh/helm/v3/cmd/helm", HELM)


def module(path: str, version: str) -> Path:
    """Where the files of a Go module lie."""
    answer = json.loads(go("mod", "download", "-json", f"{path}@v{version}"))
    return Path(answer["Dir"])


def package(name: str) -> Path:
    """The files of a Debian package, unpacked and not installed: nothing of it is started."""
    folder = TOOLS / "debian" / name
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        for attempt in range(2):
            done = subprocess.run(["apt-get", "download", "-q", name], cwd=folder, capture_output=True, text=True)
            if done.returncode == 0:
                break
            if attempt:
                raise Cannot(f"the Debian package {name} cannot be had here: {done.stderr.strip()[-200:]}")
            subprocess.run(["apt-get", "update", "-q"], capture_output=True)
        said("dpkg-deb", "-x", next(folder.glob("*.deb")), folder)
        (folder / "done").touch()
    return folder


def promtool() -> Path:
    return prometheus().with_name("promtool")


def prometheus() -> Path:
    return package("prometheus") / "usr" / "bin" / "prometheus"
