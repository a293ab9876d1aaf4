"""The steps of deploy/README.md: a backup under load, restored elsewhere, and fully verified."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from database import Postgres, postgres
from support import DEPLOY, PROGRAM, Running, need_program, run_tests, said, server, swarm, swarm_held, until


@contextmanager
def load(folder: Path, url: str) -> Iterator[Running]:
    bots = swarm(folder, url, bots=30, seconds=15, think="20ms")
    try:
        yield bots
    finally:
        bots.end()


def results_of(url: str, folder: Path) -> list[str]:
    """The records of a server, after `azulejo verify` has accepted all of them."""
    file = folder / "export.jsonl"
    said(PROGRAM, "export", file, "--server", url)
    records = file.read_text().splitlines()
    # A defect of any record is an exit code of 1.
    verified = said(PROGRAM, "verify", file).splitlines()
    assert len(verified) == len(records), verified[:3]
    return records


def wait_for_results(count, least: int) -> int:
    return until(f"{least} matches have ended", lambda: (n := count()) >= least and n, 60, 0.2)


def restored_well(folder: Path, store: str, at_dump: int) -> None:
    """Checks a restored store: ratings, records, standings, and new matches."""
    output = said(PROGRAM, "admin", "rebuild", "--check", "--store", store)
    results = int(re.match(r"(\d+) results: ", output)[1])
    assert results >= at_dump > 0, f"{results} results, {at_dump} when the dump began"
    with server(folder, "arena", "--store", store) as (process, url, _admin):
        records = results_of(url, folder)
        assert len(records) >= results, f"{len(records)} records of {results} results"
        fitted = said(PROGRAM, "ladder", "fit", folder / "export.jsonl", "--json").splitlines()
        assert fitted and all(json.loads(line) for line in fitted)
        # The ladder continues: bots connect and play to the end.
        swarm_held(swarm(folder, url, bots=4, seconds=2, think="5ms"))
        assert len(results_of(url, folder)) > len(records), "no new match"
        assert process.stop() == 0, process.text()[-2000:]
    said(PROGRAM, "admin", "rebuild", "--check", "--store", store)


def a_dump_of_postgresql_under_load_is_a_whole_ladder() -> None:
    need_program()
    with tempfile.TemporaryDirectory() as temporary, postgres() as first:
        folder = Path(temporary)
        first.ask("postgres", "CREATE DATABASE azulejo")
        with server(folder, "arena", "--store", first.url("azulejo"), "--max-calls=200", "--max-calls-per-peer=200") as (_process, url, _admin):
            with load(folder, url) as bots:
                at_dump = wait_for_results(lambda: int(first.ask("azulejo", "SELECT count(*) FROM results")), 10)
                dump = folder / "azulejo.dump"
                first.tool("pg_dump", "--format=custom", "--file", dump, first.url("azulejo"))
                bots.check()
                later = int(first.ask("azulejo", "SELECT count(*) FROM results"))
                restore_beside_the_load(folder, first, dump, at_dump)
                swarm_held(bots)
            ended = int(first.ask("azulejo", "SELECT count(*) FROM results"))
            assert ended > later >= at_dump, "no match ended while the dump was made"


def restore_beside_the_load(folder: Path, first: Postgres, dump: Path, at_dump: int) -> None:
    with postgres() as second:
        second.ask("postgres", "CREATE DATABASE azulejo")
        second.tool("pg_restore", "--exit-on-error", "--no-owner", "--dbname", second.url("azulejo"), dump)
        unlike = [table for table in tables(first) if table not in tables(second)]
        assert not unlike, f"not in the dump: {unlike}"
        restored_well(folder, second.url("azulejo"), at_dump)


def tables(database: Postgres) -> list[str]:
    names = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
    found = database.ask("azulejo", names).splitlines()
    assert "results" in found, found
    return found


def a_copy_of_sqlite_under_load_is_a_whole_ladder() -> None:
    need_program()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        store, copies = folder / "azulejo.db", [folder / "verb.db", folder / "sqlite.db"]
        with server(folder, "arena", "--store", store, "--max-calls=200", "--max-calls-per-peer=200") as (_process, url, _admin):
            with load(folder, url) as bots:
                at_dump = wait_for_results(lambda: count(store), 10)
                said(PROGRAM, "admin", "backup", copies[0], "--store", store)
                said("sqlite3", store, f".backup '{copies[1]}'")
                bots.check()
                later = count(store)
                swarm_held(bots)
            assert count(store) > later, "no match ended while the copies were made"
        for copy in copies:
            restored_well(folder, str(copy), at_dump)


def count(store: Path) -> int:
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=10) as reader:
        return reader.execute("SELECT count(*) FROM results").fetchone()[0]


def a_lost_result_and_a_falsified_record_are_found() -> None:
    """The checks can fail: with ratings that do not match the results, and with a falsified record."""
    need_program()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        store = folder / "azulejo.db"
        with server(folder, "arena", "--store", store) as (process, url, _admin):
            swarm_held(swarm(folder, url, bots=4, seconds=2, think="5ms"))
            record = json.loads(results_of(url, folder)[0])
            assert process.stop() == 0
        with sqlite3.connect(store) as writer:
            writer.execute("PRAGMA foreign_keys = OFF")
            writer.execute("DELETE FROM results WHERE rowid = (SELECT max(rowid) FROM results)")
        checked = subprocess.run([PROGRAM, "admin", "rebuild", "--check", "--store", store], capture_output=True, text=True)
        assert checked.returncode == 1 and "run `azulejo admin rebuild`" in checked.stderr, checked
        file = folder / "false.json"
        file.write_text(json.dumps(falsified(record)))
        verified = subprocess.run([PROGRAM, "verify", file], capture_output=True, text=True)
        assert verified.returncode == 1, verified


def falsified(record: dict) -> dict:
    """The same record with a secret that does not match the commitment."""
    text = json.dumps(record)
    secret = re.search(r'"secret": "(.)', text)
    assert secret, f"no secret in {list(record)}"
    other = "A" if secret[1] != "A" else "B"
    return json.loads(text.replace(secret[0], f'"secret": "{other}', 1))


def the_readme_has_the_same_commands() -> None:
    readme = (DEPLOY / "README.md").read_text()
    for command in ("pg_dump --format=custom", "pg_restore --exit-on-error --no-owner", "azulejo admin backup", "admin rebuild --check",
                    "azulejo verify"):
        assert command in readme, f"deploy/README.md does not say {command}"


if __name__ == "__main__":
    if not shutil.which("sqlite3"):
        raise SystemExit("sqlite3 is missing: tests/run installs it")
    run_tests([
        a_dump_of_postgresql_under_load_is_a_whole_ladder,
        a_copy_of_sqlite_under_load_is_a_whole_ladder,
        a_lost_result_and_a_falsified_record_are_found,
        the_readme_has_the_same_commands,
    ])
