"""A Docker daemon for the test: Debian's, unpacked but not installed, with its own folder and socket;
and base images made by debootstrap, under the names that the Dockerfile uses."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import tools
from support import DEPLOY, TOOLS, Cannot, Running, said, until

PACKAGES = ("docker.io", "containerd", "runc")
FIREWALL = ("iptables", "libxtables12", "libnftnl11", "libmnl0")
SUITE = "bookworm"
BASE, RUST = "debian:bookworm-slim", "rust:1.95-bookworm"
IMAGES = TOOLS / "docker"


class Docker:
    def __init__(self, program: Path, socket: Path, env: dict[str, str]) -> None:
        self.program, self.socket, self.env = program, socket, env

    def __call__(self, *arguments: object, seconds: float = 120, **options) -> str:
        env = {**self.env, **options.pop("env", {})}
        return said(self.program, "-H", f"unix://{self.socket}", *arguments, seconds=seconds, env=env, **options)

    def inspect(self, thing: str, template: str) -> str:
        return self("inspect", "--format", template, thing).strip()


@contextmanager
def docker(networks: bool = False) -> Iterator[Docker]:
    """A daemon for the duration of the test; with networks of its own if requested."""
    if os.getuid() != 0:
        raise Cannot("dockerd requires root")
    folders = [tools.package(name) for name in PACKAGES]
    path = ":".join(f"{folder}/usr/{part}" for folder in folders for part in ("bin", "sbin")) + ":" + os.environ["PATH"]
    env = {**os.environ, "PATH": path, "DOCKER_BUILDKIT": "1", "DOCKER_CONFIG": "/nonexistent", "BUILDKIT_PROGRESS": "plain"}
    folder = Path(tempfile.mkdtemp(prefix="azulejo-docker-", dir=TOOLS))
    process = None
    try:
        if networks:
            env["PATH"] = f"{firewall(folder / 'firewall')}:{path}"
        for driver in ("overlay2", "vfs"):
            process = start(folders[0] / "usr/sbin/dockerd", folder, driver, env)
            client = Docker(folders[0] / "usr/bin/docker", folder / "socket", env)
            if answers(process, client):
                print(f"dockerd {client('version', '--format', '{{.Server.Version}}').strip()}, {driver}", flush=True)
                break
            process.end()
        else:
            reason = process.text().splitlines() or ["no output"]
            raise Cannot(f"dockerd cannot run here: {reason[-1][-300:]}")
        if networks:
            need_networks(client)
        yield client
    finally:
        if process:
            process.stop(60)
        unmount(folder)
        shutil.rmtree(folder, ignore_errors=True)


def start(dockerd: Path, folder: Path, driver: str, env: dict[str, str]) -> Running:
    # No bridge and no firewall rules: containers use the host's network, or a network that a test
    # creates. Such a network has no route to the outside, and is removed with the test.
    return Running(
        folder / f"dockerd-{driver}.log", dockerd, "--data-root", folder / driver, "--exec-root", folder / "exec",
        "--pidfile", folder / "pid", "--host", f"unix://{folder}/socket", "--storage-driver", driver,
        "--bridge=none", "--iptables=false", "--ip6tables=false", "--ip-forward=false", env=env,
    )


def firewall(folder: Path) -> Path:
    """The folder of `iptables`. The daemon never changes the rules of the host, but a container on a
    network resolves names at 127.0.0.11, which requires rules inside the container."""
    unpacked = [tools.package(name) for name in FIREWALL]
    libraries = ":".join(str(found) for each in unpacked[1:] for found in each.glob("usr/lib/*-linux-gnu"))
    (extensions,) = unpacked[0].glob("usr/lib/*-linux-gnu/xtables")
    folder.mkdir()
    program = folder / "iptables"
    program.write_text(
        f"#!/bin/sh\nexport LD_LIBRARY_PATH={libraries} XTABLES_LIBDIR={extensions}\n"
        f'exec {unpacked[0]}/usr/sbin/iptables-nft "$@"\n')
    program.chmod(0o755)
    return folder


def need_networks(client: Docker) -> None:
    try:
        client("network", "rm", client("network", "create", "try").strip())
    except AssertionError as error:
        raise Cannot(f"containers have no network here: {error}") from error


def answers(process: Running, client: Docker) -> bool:
    def asked() -> bool:
        if process.process.poll() is not None:
            return True
        client("info", seconds=10)
        return True

    try:
        until("dockerd answers", asked, 60, 0.3)
    except AssertionError:
        return False
    return process.process.poll() is None


def unmount(folder: Path) -> None:
    """Removes what a killed daemon leaves behind."""
    mounts = re.findall(rf"^\S+ ({re.escape(str(folder))}\S*)", Path("/proc/mounts").read_text(), re.M)
    for mount in sorted(mounts, reverse=True):
        subprocess.run(["umount", "-l", mount], capture_output=True)


def load_base(docker: Docker) -> None:
    """The base image: Debian packages, installed by debootstrap."""
    docker("import", "--change", 'CMD ["/bin/sh"]', base_archive(), BASE, seconds=300)


RUST_DOCKERFILE = f"""FROM {BASE}
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev binutils ca-certificates
COPY ca-certificates.crt /etc/ssl/certs/
COPY rust /usr/local/rust
ENV PATH=/usr/local/rust/bin:/usr/sbin:/usr/bin:/sbin:/bin CARGO_HOME=/usr/local/cargo
"""


def load_rust(docker: Docker) -> None:
    """The image of the compiler: the base, a C compiler, and Rust of this machine."""
    version = said("rustc", "--version").split()[1]
    if not version.startswith("1.95."):
        raise Cannot(f"the Dockerfile builds with Rust 1.95, and this machine has {version}")
    with scratch() as context:
        (context / "Dockerfile").write_text(RUST_DOCKERFILE)
        # The CAs that this machine trusts, including that of a proxy if there is one.
        shutil.copy("/etc/ssl/certs/ca-certificates.crt", context)
        sysroot = said("rustc", "--print", "sysroot").strip()
        said("cp", "-a", sysroot, context / "rust", seconds=300)
        shutil.rmtree(context / "rust/share/doc", ignore_errors=True)
        docker("build", "--network=host", "-t", RUST, context, seconds=1200)


def base_archive() -> Path:
    archive = IMAGES / f"{SUITE}.tar"
    if not archive.exists():
        with scratch() as root:
            bootstrap(root)
            pack(root, archive)
    return archive


@contextmanager
def scratch() -> Iterator[Path]:
    IMAGES.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="root-", dir=IMAGES))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def bootstrap(root: Path) -> None:
    print("making the base image by debootstrap", flush=True)
    unpacked = tools.package("debootstrap")
    env = {**os.environ, "DEBOOTSTRAP_DIR": str(unpacked / "usr/share/debootstrap")}
    command = ["nice", "sh", unpacked / "usr/sbin/debootstrap", "--variant=minbase", SUITE, root, mirror()]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=env, timeout=1200)
    if done.returncode:
        raise Cannot(f"debootstrap fails here: {(done.stdout + done.stderr).strip().splitlines()[-1]}")
    # apt inside uses the same mirror as apt outside.
    for name in ("sources.list", "sources.list.d", "apt.conf.d"):
        source, target = Path("/etc/apt") / name, root / "etc/apt" / name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy(source, target)
    shutil.rmtree(root / "var/cache/apt/archives", ignore_errors=True)


def mirror() -> str:
    """The Debian mirror of this machine."""
    texts = [file.read_text() for file in Path("/etc/apt").glob("sources.list*") if file.is_file()]
    texts += [file.read_text() for file in Path("/etc/apt/sources.list.d").glob("*.sources")]
    found = re.search(r"^(?:URIs:|deb) *(?:\[.*?\] *)?(\S*debian\S*)", "\n".join(texts), re.M)
    if not found:
        raise Cannot("no source of Debian packages is configured")
    return found[1]


def pack(root: Path, archive: Path) -> None:
    part = archive.with_suffix(".part")
    said("tar", "-cf", part, "--exclude=./dev/*", "--exclude=./proc/*", "--exclude=./sys/*", "-C", root, ".", seconds=600)
    part.rename(archive)


def names_in_the_dockerfile() -> set[str]:
    text = (DEPLOY / "docker" / "Dockerfile").read_text()
    stages = set(re.findall(r"^FROM \S+ AS (\w+)", text, re.M)) | {"scratch", "${BINARY}"}
    return set(re.findall(r"^FROM (\S+)", text, re.M)) - stages
