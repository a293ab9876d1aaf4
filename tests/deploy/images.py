"""The images that compose.yaml names, built here under the same names, as none can be pulled. Each
behaves like the published one: the same user, entry point, folders and signals."""

from __future__ import annotations

import shutil
import tempfile
from hashlib import sha256
from pathlib import Path

import yaml

import daemon
import tools
from support import DEPLOY, PROGRAM, TOOLS, Cannot, need_program, said

COMPOSE = DEPLOY / "docker" / "compose.yaml"
COLLECTOR = DEPLOY / "docker" / "collector.yaml"
ENTRYPOINT = Path(__file__).with_name("postgres.sh")

POSTGRES_DOCKERFILE = f"""FROM {daemon.BASE}
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-VERSION \\
    && rm -rf /var/lib/postgresql/VERSION /var/lib/apt/lists/*
ENV PATH=/usr/lib/postgresql/VERSION/bin:/usr/sbin:/usr/bin:/sbin:/bin PGDATA=/var/lib/postgresql/data
RUN install -d -o postgres -g postgres -m 700 $PGDATA && install -d -o postgres -g postgres /var/run/postgresql
COPY {ENTRYPOINT.name} /entrypoint.sh
VOLUME /var/lib/postgresql/data
STOPSIGNAL SIGINT
ENTRYPOINT ["/bin/sh", "/entrypoint.sh"]
"""

PROMETHEUS_DOCKERFILE = f"""FROM {daemon.BASE}
COPY prometheus /bin/prometheus
RUN install -d -o 65534 -g 65534 /prometheus
USER 65534:65534
VOLUME /prometheus
WORKDIR /prometheus
ENTRYPOINT ["/bin/prometheus"]
CMD ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]
"""

COLLECTOR_DOCKERFILE = """FROM scratch
COPY otelcol-contrib /otelcol-contrib
USER 10001:10001
ENTRYPOINT ["/otelcol-contrib"]
CMD ["--config", "/etc/otelcol-contrib/config.yaml"]
"""

# The Go modules that a collector is built from.
CORE, CONTRIB = "go.opentelemetry.io/collector", "github.com/open-telemetry/opentelemetry-collector-contrib"
IN_CONTRIB = {"prometheus"}


def named(service: str) -> tuple[str, str]:
    """The image of a service, and the version in its name."""
    image = yaml.safe_load(COMPOSE.read_text())["services"][service]["image"]
    return image, image.rpartition(":")[2].lstrip("v")


def programs() -> None:
    """The programs that must be built first."""
    for program in (compose, prometheus, collector):
        try:
            program()
        except (AssertionError, OSError) as error:
            raise Cannot(f"{program.__name__} cannot be built here: {str(error).strip()[-600:]}") from error


def load(docker: daemon.Docker) -> None:
    """All images but Grafana's, which needs more than Go modules."""
    daemon.load_base(docker)
    load_azulejo(docker)
    load_postgres(docker)
    load_program(docker, "prometheus", PROMETHEUS_DOCKERFILE, prometheus())
    load_program(docker, "collector", COLLECTOR_DOCKERFILE, collector())


def load_azulejo(docker: daemon.Docker) -> None:
    need_program()
    with daemon.scratch() as context:
        said("strip", "-o", context / "azulejo", PROGRAM)
        file, image = DEPLOY / "docker" / "Dockerfile", named("server")[0]
        docker("build", "--network=host", "-f", file, "-t", image, "--build-arg", "BINARY=given", context, seconds=900)


def load_postgres(docker: daemon.Docker) -> None:
    image, version = named("postgres")
    text = POSTGRES_DOCKERFILE.replace("VERSION", version.partition("-")[0])
    key = sha256((image + text + ENTRYPOINT.read_text()).encode()).hexdigest()[:12]
    archive = daemon.IMAGES / f"postgres-{key}.tar"
    if archive.exists():
        docker("load", "-i", archive, seconds=300)
        return
    print(f"making {image}", flush=True)
    with daemon.scratch() as context:
        (context / "Dockerfile").write_text(text)
        shutil.copy(ENTRYPOINT, context)
        docker("build", "--network=host", "-t", image, context, seconds=900)
    part = archive.with_suffix(".part")
    docker("save", "-o", part, image, seconds=300)
    part.rename(archive)


def load_program(docker: daemon.Docker, service: str, dockerfile: str, program: Path) -> None:
    with daemon.scratch() as context:
        (context / "Dockerfile").write_text(dockerfile)
        shutil.copy(program, context)
        docker("build", "--network=host", "-t", named(service)[0], context, seconds=300)


def prometheus() -> Path:
    """Version 3.5.0 is 0.305.0 as a module. Without the web UI, which is not in the module."""
    major, minor, patch = named("prometheus")[1].split(".")
    path = "github.com/prometheus/prometheus"
    return tools.built_with_replacements("prometheus", f"{path}/cmd/prometheus", path, f"0.{major}{int(minor):02}.{patch}")


def collector() -> Path:
    """With only the components that collector.yaml uses."""
    version = named("collector")[1]
    manifest = collector_manifest(version)
    key = sha256(manifest.encode()).hexdigest()[:12]
    program = TOOLS / "bin" / f"otelcol-{version}-{key}" / "otelcol-contrib"
    if not program.exists():
        builder = tools.built("builder", f"{CORE}/cmd/builder", version)
        print(f"building the collector {version}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "manifest.yaml").write_text(manifest)
            said("nice", builder, "--config=manifest.yaml", cwd=folder, seconds=3600, env=tools.go_environment(CGO_ENABLED="0"))
            program.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(Path(folder, "made", program.name), program)
    return program


def collector_manifest(version: str) -> str:
    """The configuration of the collector builder."""
    config = yaml.safe_load(COLLECTOR.read_text())
    parts: dict[str, object] = {"dist": {
        "name": "otelcol-contrib", "module": "made", "version": version, "output_path": "made"}}
    for kind in ("receivers", "processors", "exporters"):
        names = sorted({name.partition("/")[0] for name in config[kind]})
        parts[kind] = [{"gomod": f"{where(name)}/{kind[:-1]}/{name.replace('_', '')}{kind[:-1]} v{version}"} for name in names]
    return yaml.safe_dump(parts, sort_keys=False)


def where(name: str) -> str:
    return CONTRIB if name in IN_CONTRIB else CORE


def compose() -> Path:
    """Docker's own `compose`, version 2, which still supports daemons as old as Debian's."""
    path = "github.com/docker/compose/v2"
    return tools.built_with_replacements("docker-compose", f"{path}/cmd", path, tools.DOCKER_COMPOSE)
