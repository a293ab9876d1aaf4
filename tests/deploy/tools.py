"""Tools that the suites need, with pinned versions, in target/tools."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

from support import TOOLS, Cannot, said

HELM = "3.19.0"
COMPOSE = "2.16.2"
DOCKER_COMPOSE = "2.40.3"
GATEWAY = "1.6.3"
OPERATOR = "0.85.0"


def go_environment(**more: str) -> dict[str, str]:
    return {**os.environ, "GOFLAGS": "-buildvcs=false", "GO111MODULE": "on", **more}


def go(*arguments: object, seconds: float = 1800, **options) -> str:
    # Outside of any module; niced, as other tests may run.
    env = go_environment(**options.pop("env", {}))
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


def built_with_replacements(name: str, package: str, path: str, version: str) -> Path:
    """A Go program of a module with `replace` or `exclude` directives, which `go install` refuses: built
    in a module that requires it and has the same directives. Static, for an image without a C library."""
    program = TOOLS / "bin" / f"{name}-{version}" / name
    if not program.exists():
        manifest = (module(path, version) / "go.mod").read_text()
        replaced = "".join(f"replace {line}\n" for line in re.findall(r"^(?:replace)?\s+(\S.* => \S+ v\S+)", manifest, re.M))
        language = re.search(r"^go (\S+)", manifest, re.M)[1]
        program.parent.mkdir(parents=True, exist_ok=True)
        print(f"building {name} {version}: this takes a while", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "go.mod").write_text(f"module made\n\ngo {language}\n\nrequire {path} v{version}\n\n{replaced}")
            go("build", "-mod=mod", "-p", 2, "-trimpath", "-ldflags=-s -w", "-o", program, package,
               cwd=folder, seconds=5400, env={"CGO_ENABLED": "0"})
    return program


def helm() -> Path:
    return built("helm", "helm.sh/helm/v3/cmd/helm", HELM)


def module(path: str, version: str) -> Path:
    """The folder with the files of a Go module."""
    answer = json.loads(go("mod", "download", "-json", f"{path}@v{version}"))
    return Path(answer["Dir"])


def package(name: str) -> Path:
    """The files of a Debian package, unpacked but not installed: no service is started."""
    folder = TOOLS / "debian" / name
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        for attempt in range(2):
            done = subprocess.run(["apt-get", "download", "-q", name], cwd=folder, capture_output=True, text=True)
            if done.returncode == 0:
                break
            if attempt:
                raise Cannot(f"the Debian package {name} cannot be downloaded: {done.stderr.strip()[-200:]}")
            subprocess.run(["apt-get", "update", "-q"], capture_output=True)
        said("dpkg-deb", "-x", next(folder.glob("*.deb")), folder)
        (folder / "done").touch()
    return folder


def promtool() -> Path:
    return prometheus().with_name("promtool")


def prometheus() -> Path:
    return package("prometheus") / "usr" / "bin" / "prometheus"
