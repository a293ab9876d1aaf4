"""The package in an empty environment, and the code that the README and the examples show."""

from __future__ import annotations

import pathlib
import re
import signal
import subprocess
import sys
import tarfile
import venv
import zipfile

import pytest
from support import SDK, BotProcess, Server, bot_process, until

from azulejo import arena

EXAMPLES = ["random_bot.py", "greedy_bot.py", "mcts.py", "one_ply.py"]
# These play no matches: test_learning.py and test-torch run them.
LEARNING = ["maskable_ppo.py", "openspiel_mcts.py", "self_play.py"]


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("package")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(SDK)]
    built = subprocess.run(build, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.fixture(scope="session")
def python(package: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The interpreter of an environment that holds the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, with_pip=True)
    program = str(folder / "bin/python")
    (wheel,) = package.glob("*.whl")
    install = [program, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    install += ["-c", str(SDK / "requirements.txt"), f"{wheel}[numpy]"]
    installed = subprocess.run(install, capture_output=True, text=True, check=False)
    assert installed.returncode == 0, installed.stdout + installed.stderr
    return program


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is found but what is installed."""
    monkeypatch.delenv("PYTHONPATH", raising=False)


def code_of_readme(language: str = "python") -> str:
    text = (SDK / "README.md").read_text()
    found = re.search(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
    assert found is not None
    return found[1]


def id_of(bot: BotProcess) -> str:
    return bot.wait_for(r"^registered (\S+);")[1]


def finished(server: Server, bot: str) -> list[arena.Match]:
    """The matches that the bot played to their end."""
    return [
        match
        for match in server.matches(bot)
        if match.status == arena.MATCH_STATUS_ENDED
        and all(seat.end_reason == arena.END_REASON_FINISHED for seat in match.result.seats)
    ]


def test_the_first_bot_of_the_readme_has_at_most_ten_lines() -> None:
    assert len(code_of_readme().splitlines()) <= 10


def test_two_first_bots_of_the_readme_play_a_rated_match_in_an_empty_environment(
    own_server: Server, python: str, tmp_path: pathlib.Path
) -> None:
    script = tmp_path / "first_bot.py"
    script.write_text(code_of_readme())
    command = (python, str(script))
    with (
        bot_process(*command, server=own_server, cwd=tmp_path) as one,
        bot_process(*command, server=own_server, cwd=tmp_path) as two,
    ):
        ids = {id_of(one), id_of(two)}
        bot = sorted(ids)[0]
        (match, *_) = until(lambda: finished(own_server, bot), "a match is finished")
        assert match.rated
        assert {seat.bot for seat in match.seats} == ids
        assert [one.end(), two.end()] == [0, 0]


def test_the_engine_of_the_readme_draws_a_board(server: Server, python: str) -> None:
    code = "import azulejo\n" + code_of_readme("py")
    with bot_process(python, "-c", code, server=server) as script:
        script.wait_for("Player 2")
        assert script.process.wait(20) == 0


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_plays_a_match_to_its_end(
    own_server: Server, python: str, example: str
) -> None:
    opponent = (python, str(SDK / "examples/random_bot.py"))
    with (
        bot_process(python, str(SDK / "examples" / example), server=own_server) as bot,
        bot_process(*opponent, server=own_server),
    ):
        name = id_of(bot)
        until(lambda: finished(own_server, name), f"{example} finishes a match")
        assert bot.end(signal.SIGINT) == 0


def test_no_example_is_forgotten() -> None:
    names = sorted(path.name for path in (SDK / "examples").glob("*.py"))
    assert names == sorted(EXAMPLES + LEARNING)


def test_the_wheel_is_typed_and_holds_nothing_but_the_package(package: pathlib.Path) -> None:
    (wheel,) = package.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "azulejo/py.typed" in names
    assert "azulejo/gen/arena/v1/play_pb2.pyi" in names
    assert {name.split("/")[0] for name in names} == {"azulejo", "azulejo_sdk-0.1.0.dist-info"}
    assert "azulejo/_native.abi3.so" in names
    assert "azulejo/_native.pyi" in names
    (sdist,) = package.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        assert any(name.endswith("examples/one_ply.py") for name in archive.getnames())


def test_the_types_are_seen_by_who_installs_it(python: str, tmp_path: pathlib.Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text("import azulejo\nazulejo.run(azulejo.Bot(), plays_ladder='often')\n")
    check = [sys.executable, "-m", "mypy", "--python-executable", python, str(script)]
    checked = subprocess.run(check, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert 'Argument "plays_ladder"' in checked.stdout
    assert "Found 1 error" in checked.stdout
