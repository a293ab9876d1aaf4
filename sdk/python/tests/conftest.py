"""Servers for the tests: one that all share, and one for tests that harm it."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest
from support import Server

import azulejo


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("server"))
    yield made
    made.stop()


@pytest.fixture
def own_server(tmp_path: pathlib.Path) -> Iterator[Server]:
    made = Server(tmp_path)
    yield made
    made.stop()


@pytest.fixture(scope="session")
def engine(server: Server) -> Iterator[azulejo.Engine]:
    with azulejo.Engine(server.url) as made:
        yield made
