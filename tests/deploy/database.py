"""PostgreSQL servers for a test: own folder, free port, stopped at the end."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support import Cannot, free_port, said


class Postgres:
    def __init__(self, programs: Path, folder: Path, port: int) -> None:
        self.programs, self.folder, self.port = programs, folder, port

    def url(self, database: str) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/{database}"

    def tool(self, name: str, *arguments: object, **options) -> str:
        return said(self.programs / name, *arguments, **options)

    def ask(self, database: str, statement: str) -> str:
        return self.tool("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", statement, self.url(database)).strip()


def as_server(*command: object) -> list[object]:
    """PostgreSQL refuses to run as root."""
    return ["runuser", "-u", "postgres", "--", *command] if os.getuid() == 0 else list(command)


@contextmanager
def postgres() -> Iterator[Postgres]:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    if not found:
        raise Cannot("PostgreSQL is not installed: tests/run installs it")
    programs = found[-1].parent
    folder = Path(tempfile.mkdtemp(prefix="azulejo-postgres-"))
    data = folder / "data"
    port = free_port()
    control = as_server(programs / "pg_ctl", "-s", "-D", data)
    try:
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        said(*as_server(programs / "initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale", "-D", data), cwd="/")
        with (data / "postgresql.conf").open("a") as settings:
            settings.write(f"listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = '{folder}'\n")
        said(*control, "start", "-w", "-l", folder / "log", cwd="/")
        try:
            yield Postgres(programs, folder, port)
        finally:
            said(*control, "stop", "-m", "fast", cwd="/")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
