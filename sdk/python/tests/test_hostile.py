"""What a caller must not be able to do: stop the process, write over memory, or hang."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import azulejo


class Endless:
    """A list that says that it is short."""

    def __len__(self) -> int:
        return 1

    def __getitem__(self, index: int) -> Any:
        return self.element

    def __init__(self, element: Any) -> None:
        self.element = element


@pytest.mark.parametrize("values", [range(2**46), range(1151), Endless(0)])
def test_an_observation_that_is_too_long_is_not_read(values: Any) -> None:
    with pytest.raises(azulejo.PlayError) as refused:
        azulejo.Game.from_observation("azul-colored-2", values)
    assert refused.value.reason == "BAD_OBSERVATION"


@pytest.mark.parametrize("bots", [range(2**42), range(3), Endless("random")])
def test_more_bots_than_seats_are_not_read(bots: Any) -> None:
    with pytest.raises(azulejo.PlayError, match="bots must be 1 to 2") as refused:
        azulejo.playouts("azul-colored-2", 1, bots)
    assert refused.value.reason == "OUT_OF_RANGE"


def run(code: str, seconds: float = 60) -> str:
    """What a Python of its own prints, which ends in peace."""
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=seconds
    )
    assert ended.returncode == 0, (ended.returncode, ended.stderr)
    return ended.stdout


WITHOUT_MEMORY = """
import resource, numpy, azulejo
one = azulejo.Batch("summer-pavilion-gray-4", 1)
game = one.game(0)
azulejo.Search([game]).visits()
def fails(room, call):
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (room << 20), resource.RLIM_INFINITY))
    try:
        call()
    except MemoryError:
        return "MemoryError"
    except azulejo.PlayError as error:
        return error.reason
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
for room in (8, 16, 32, 64, 128, 256, 512, 768):
    print(fails(room, lambda: azulejo.Batch("summer-pavilion-gray-4", 1 << 18)))
search = azulejo.Search([game] * 30_000)
for call in (lambda: azulejo.Search([game] * 30_000), search.visits):
    print(fails(64, call))
"""


def test_without_memory_arrays_are_refused_and_the_process_lives() -> None:
    said = run(WITHOUT_MEMORY).split()
    assert len(said) == 10
    assert set(said) <= {"MemoryError", "OUT_OF_MEMORY"}
    assert said[7:] == ["MemoryError"] * 3


def legal(batch: azulejo.Batch) -> Any:
    return np.array([batch.game(number).legal_actions()[0] for number in range(len(batch))])


def test_nothing_that_python_does_to_an_array_changes_where_a_batch_writes() -> None:
    batch = azulejo.Batch("azul-colored-2", 4, seed=5, final_obs=True)
    other = azulejo.Batch("azul-colored-2", 4, seed=5, final_obs=True)
    for name in ("obs", "mask", "seat", "reward", "done", "final_obs"):
        array: Any = getattr(batch, name)
        assert not isinstance(array.base, np.ndarray), name
        assert not hasattr(array.base, "__setstate__")
        with pytest.raises(ValueError, match="own"):
            array.resize((1,), refcheck=False)
        with pytest.raises((AttributeError, TypeError)):
            array.base.dtype = "u1"
        array.flags.writeable = False
        array.__setstate__((1, (1,), np.dtype("u1"), False, b"1"))
    for _ in range(100):
        batch.step(legal(batch))
        other.step(legal(other))
    assert [batch.game(number) == other.game(number) for number in range(4)] == [True] * 4


def test_arrays_live_longer_than_their_batch() -> None:
    batch = azulejo.Batch("azul-gray-4", 512, seed=5)
    batch.step(batch.sample())
    arrays = (batch.obs, batch.mask, batch.reward)
    copies = [array.copy() for array in arrays]
    del batch
    gc.collect()
    kept = [azulejo.Batch("azul-gray-4", 512, seed=seed) for seed in range(4)]
    assert all((array == copy).all() for array, copy in zip(arrays, copies, strict=True))
    assert len(kept) == 4


CALLS: list[Callable[[azulejo.Batch], object]] = [
    lambda batch: batch.obs,
    lambda batch: batch.mask,
    lambda batch: batch.final_obs,
    lambda batch: batch.players,
    len,
    repr,
    lambda batch: batch.layout(),
    lambda batch: batch.game(0),
    lambda batch: batch.sample(),
]


def test_a_batch_at_work_in_another_thread_is_in_use() -> None:
    # Opponents who think: the first moves of all games take long.
    batch = azulejo.Batch(
        "azul-colored-2", 16, seed=1, start=1, learner=0, opponents="strong:1000n"
    )
    refused: dict[int, str] = {}
    work = threading.Thread(target=batch.reset)
    work.start()
    while work.is_alive():
        for number, call in enumerate(CALLS):
            try:
                call(batch)
            except azulejo.PlayError as error:
                refused[number] = error.reason
    work.join()
    assert refused == dict.fromkeys(range(len(CALLS)), "IN_USE")
    batch.step(batch.sample())


def test_a_game_can_go_on_while_a_bot_thinks_about_it() -> None:
    game = azulejo.Game("azul-colored-2", seed=7)
    before = game.legal_actions()
    chosen: list[int] = []
    thinking = threading.Thread(target=lambda: chosen.append(game.best_move("strong:600", seed=1)))
    thinking.start()
    time.sleep(0.2)
    game.apply(before[0])
    assert thinking.is_alive()
    assert game.current_player == 1
    thinking.join()
    assert chosen[0] in before


def test_an_action_that_plays_a_move_itself_is_played_after_it() -> None:
    class Sly:
        def __index__(self) -> int:
            game.apply(game.legal_actions()[0])
            return game.legal_actions()[0]

    game = azulejo.Game("azul-colored-2", seed=7)
    game.apply(Sly())
    assert game.current_player == 0


LEGAL = 84


def misaligned(kind: str, *shape: int) -> Any:
    kind_of = np.dtype(kind)
    count = int(np.prod(shape))
    values = np.frombuffer(bytearray(count * kind_of.itemsize + 1), kind_of, count, 1)
    # A legal move of all games of the test.
    values[:] = LEGAL
    return values.reshape(shape)


@pytest.mark.parametrize(
    "call",
    [
        lambda batch, _, array: batch.step(array("i8", 4)),
        lambda batch, _, array: batch.step(array("i4", 4)),
        lambda _, search, array: search.submit(array("f4", 1, 180), np.zeros((1, 2), "f4")),
        lambda _, search, array: search.submit(np.zeros((1, 180), "f4"), array("f4", 1, 2)),
        lambda batch, _, array: batch.game(0).observe_into(array("f4", 171)),
    ],
)
def test_arrays_that_are_not_aligned_are_refused_and_their_copies_are_not(
    call: Callable[[azulejo.Batch, azulejo.Search, Callable[..., Any]], object],
) -> None:
    batch = azulejo.Batch("azul-colored-2", 4, seed=1)
    search = azulejo.Search([batch.game(0)])
    search.request()
    with pytest.raises(azulejo.PlayError, match=r"copy\(\)") as refused:
        call(batch, search, misaligned)
    assert refused.value.reason == "NOT_ALIGNED"
    call(batch, search, lambda *shape: misaligned(*shape).copy())


@pytest.mark.parametrize("seat", [-1, -(2**63), -(2**70), 2, 2**63, 2**64])
@pytest.mark.parametrize(
    "call",
    [
        lambda seat: azulejo.Game("azul-colored-2", start_seat=seat),
        lambda seat: azulejo.Game("azul-colored-2").observe(seat),
        lambda seat: azulejo.Game("azul-colored-2").observe_into(np.zeros(171, "f4"), seat),
        lambda seat: azulejo.Batch("azul-colored-2", 1, start=seat),
        lambda seat: azulejo.Batch("azul-colored-2", 1, learner=seat),
    ],
)
def test_a_seat_that_does_not_exist_is_named_as_given(
    call: Callable[[int], object], seat: int
) -> None:
    with pytest.raises(azulejo.PlayError, match=f"^seat {seat} does not exist") as refused:
        call(seat)
    assert refused.value.reason == "NO_SUCH_SEAT"


GAME = azulejo.Game("azul-colored-2", seed=1)


@pytest.mark.parametrize(
    ("reason", "call"),
    [
        ("WRONG_TYPE", lambda wrong: GAME.apply(wrong)),
        ("WRONG_TYPE", lambda wrong: GAME.apply(cast("Any", []))),
        ("WRONG_TYPE", lambda wrong: GAME.apply(cast("Any", b"1B2"))),
        ("BAD_NOTATION", lambda wrong: GAME.apply("\ud800")),
        ("WRONG_TYPE", lambda wrong: GAME.action_text(cast("Any", "1B2"))),
        ("WRONG_TYPE", lambda wrong: GAME.observe(cast("Any", "0"))),
        ("WRONG_TYPE", lambda wrong: azulejo.Game("azul-colored-2", start_seat=wrong)),
        ("WRONG_TYPE", lambda wrong: azulejo.Batch("azul-colored-2", wrong)),
        ("OUT_OF_RANGE", lambda wrong: azulejo.Batch("azul-colored-2", 2**70)),
        ("OUT_OF_RANGE", lambda wrong: GAME.playouts(2**70)),
        ("OUT_OF_RANGE", lambda wrong: GAME.playouts(1, threads=-1)),
        ("OUT_OF_RANGE", lambda wrong: azulejo.Search([GAME]).restart(-1, GAME)),
        ("WRONG_TYPE", lambda wrong: azulejo.Search([GAME]).restart(0, wrong)),
        ("OUT_OF_RANGE", lambda wrong: GAME.best_move("strong:60001")),
        ("OUT_OF_RANGE", lambda wrong: GAME.best_move("strong:3600000")),
        ("OUT_OF_RANGE", lambda wrong: GAME.best_move("strong:1000001n")),
        ("OUT_OF_RANGE", lambda wrong: GAME.playouts(1, "strong:3600000")),
        ("NO_SUCH_VALUE", lambda wrong: GAME.best_move("strong:18446744073709551615n")),
    ],
)
def test_numbers_and_moves_that_cannot_be_have_a_reason(
    reason: str, call: Callable[[Any], object]
) -> None:
    with pytest.raises(azulejo.PlayError) as refused:
        call(cast("Any", 1.5))
    assert refused.value.reason == reason, refused.value


INTERRUPTED = """
import signal, azulejo
signal.signal(signal.SIGALRM, signal.default_int_handler)
for bots, threads in (("random", 1), ("random", 8), ("greedy", 1), ("strong:20n", 2)):
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        azulejo.playouts("summer-pavilion-gray-4", 10**8, bots, threads=threads)
    except KeyboardInterrupt:
        print("interrupted")
"""


def test_playouts_can_be_interrupted() -> None:
    assert run(INTERRUPTED).split() == ["interrupted"] * 4


@pytest.mark.parametrize(("games", "bots"), [(9_000, "random"), (7, ["strong:5n", "random"])])
def test_playouts_in_slices_are_those_of_one_call(games: int, bots: str | list[str]) -> None:
    whole = azulejo.playouts("azul-colored-2", games, bots, seed=1)
    assert whole == azulejo.playouts("azul-colored-2", games, bots, seed=1, threads=3)
    assert whole.lengths[:5] == azulejo.playouts("azul-colored-2", 5, bots, seed=1).lengths
    # No slice repeats another.
    assert len(set(zip(whole.lengths, whole.scores[::2], whole.scores[1::2], strict=True))) > (
        games // 4
    )
