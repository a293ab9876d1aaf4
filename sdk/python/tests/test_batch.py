"""Batches and searches: the same games as one by one, and whatever is wrong has a reason."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import azulejo


@pytest.mark.parametrize("ruleset", azulejo.RULESETS)
def test_a_batch_shows_what_its_games_show(ruleset: str) -> None:
    batch = azulejo.Batch(ruleset, 8, seed=3, raw=True)
    ends = 0
    while ends < 8:
        games = [batch.game(number) for number in range(len(batch))]
        for number, game in enumerate(games):
            assert batch.obs[number].tobytes() == game.observe()
            assert batch.mask[number].tobytes() == game.mask()
            assert batch.seat[number] == game.current_player
        actions = batch.sample().copy()
        batch.step(actions)
        for number, (game, action) in enumerate(zip(games, actions, strict=True)):
            game.apply(action)
            assert batch.done[number] == game.is_terminal
            assert batch.reward[number].tolist() == pytest.approx(game.returns())
            if game.is_terminal:
                ends += 1
            else:
                assert batch.game(number) == game


def test_scaled_observations_are_raw_ones_divided() -> None:
    raw = azulejo.Batch("azul-gray-3", 16, seed=3, raw=True)
    scaled = azulejo.Batch("azul-gray-3", 16, seed=3)
    assert (raw.obs.dtype.name, scaled.obs.dtype.name) == ("uint8", "float32")
    parts = raw.layout().sections
    scales = np.concatenate([np.full(int(np.prod(part.shape)), part.scale) for part in parts])
    for _ in range(100):
        assert np.allclose(scaled.obs, raw.obs / scales)
        actions = raw.sample()
        raw.step(actions)
        scaled.step(actions)


def test_arrays_are_the_same_ones_after_every_step() -> None:
    batch = azulejo.Batch("azul-colored-2", 4, seed=1, final_obs=True)
    arrays = (batch.obs, batch.mask, batch.seat, batch.reward, batch.done, batch.final_obs)
    for _ in range(300):
        batch.step(batch.sample())
    later = (batch.obs, batch.mask, batch.seat, batch.reward, batch.done, batch.final_obs)
    assert all(one is other for one, other in zip(arrays, later, strict=True))
    assert batch.final_obs is not None
    assert batch.final_obs.any()


def test_the_same_seed_gives_the_same_games_after_a_reset() -> None:
    batch = azulejo.Batch("summer-pavilion-colored-2", 8, seed=5)
    first = batch.obs.copy()
    for _ in range(50):
        batch.step(batch.sample())
    batch.reset(5)
    assert (batch.obs == first).all()
    batch.reset(6)
    assert (batch.obs != first).any()


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint16])
def test_actions_can_have_several_types(kind: type) -> None:
    batch = azulejo.Batch("azul-colored-2", 4, seed=5)
    batch.step(batch.mask.argmax(axis=1).astype(kind))


def test_only_the_learning_seat_moves_and_opponents_play_the_others() -> None:
    batch = azulejo.Batch("azul-colored-3", 32, seed=5, learner=1, opponents="greedy")
    wins: list[float] = []
    for _ in range(200):
        assert (batch.seat == 1).all()
        batch.step(batch.sample())
        wins += batch.reward[batch.done, 1].tolist()
    assert len(wins) > 50
    assert sum(win > 0 for win in wins) < len(wins) / 10


READ_ONLY = np.zeros(4, np.int64)
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize(
    ("reason", "call"),
    [
        ("NO_SUCH_RULESET", lambda _: azulejo.Batch("go", 4)),
        ("OUT_OF_RANGE", lambda _: azulejo.Batch("azul-colored-2", 0)),
        ("OUT_OF_RANGE", lambda _: azulejo.Batch("azul-colored-2", -1)),
        ("OUT_OF_RANGE", lambda _: azulejo.Batch("azul-colored-2", 10**9)),
        ("NO_SUCH_VALUE", lambda _: azulejo.Batch("azul-colored-2", 4, opponents="me")),
        ("NO_SUCH_SEAT", lambda _: azulejo.Batch("azul-colored-2", 4, start=2)),
        ("NO_SUCH_SEAT", lambda _: azulejo.Batch("azul-colored-2", 4, learner=-1)),
        ("WRONG_TYPE", lambda _: azulejo.Batch("azul-colored-2", 4, start=cast("Any", 1.5))),
        ("BAD_SEED", lambda batch: batch.reset(-1)),
        ("WRONG_TYPE", lambda batch: batch.step([0] * 4)),
        ("WRONG_TYPE", lambda batch: batch.step(np.zeros(4))),
        ("WRONG_TYPE", lambda batch: batch.step(np.zeros((4, 1), np.int64))),
        ("WRONG_COUNT", lambda batch: batch.step(np.zeros(3, np.int64))),
        ("NOT_CONTIGUOUS", lambda batch: batch.step(np.zeros(8, np.int64)[::2])),
        ("NO_SUCH_ACTION", lambda batch: batch.step(np.full(4, -1))),
        ("NO_SUCH_ACTION", lambda batch: batch.step(np.full(4, 2**40))),
        ("OUT_OF_RANGE", lambda batch: batch.game(4)),
        ("OUT_OF_RANGE", lambda batch: batch.game(-1)),
    ],
)
def test_bad_input_has_a_reason_and_changes_no_game(
    reason: str, call: Callable[[azulejo.Batch], object]
) -> None:
    batch = azulejo.Batch("azul-colored-2", 4, seed=5)
    before = [batch.game(number).text() for number in range(4)]
    with pytest.raises(azulejo.PlayError) as refused:
        call(batch)
    assert refused.value.reason == reason, refused.value
    assert [batch.game(number).text() for number in range(4)] == before


def test_one_illegal_move_refuses_the_whole_step() -> None:
    batch = azulejo.Batch("azul-colored-2", 4, seed=5)
    actions = batch.sample().copy()
    actions[3] = int((~batch.mask[3]).argmax())
    before = batch.obs.copy()
    with pytest.raises(azulejo.PlayError, match="game 3") as refused:
        batch.step(actions)
    assert refused.value.reason == "ILLEGAL_MOVE"
    assert (batch.obs == before).all()


def test_a_mask_that_the_caller_overwrites_harms_only_the_sample() -> None:
    batch = azulejo.Batch("azul-colored-2", 4, seed=5)
    batch.mask.view(np.uint8)[:] = 255
    batch.sample()
    batch.mask[:] = False
    assert (batch.sample() == 0).all()
    batch.step(np.array([batch.game(number).legal_actions()[0] for number in range(4)]))


def test_a_batch_in_two_threads_at_once_is_refused_and_not_harmed() -> None:
    batch = azulejo.Batch("azul-colored-2", 4096, seed=5)
    refused: list[str] = []
    stop = threading.Event()

    def disturb() -> None:
        while not stop.is_set():
            try:
                batch.sample()
            except azulejo.PlayError as error:
                refused.append(error.reason)

    other = threading.Thread(target=disturb)
    other.start()
    done = 0
    while done < 300 and not refused:
        try:
            batch.reset(done)
        except azulejo.PlayError as error:
            refused.append(error.reason)
        done += 1
    stop.set()
    other.join()
    assert set(refused) == {"IN_USE"}
    batch.reset(1)
    batch.step(batch.sample())


def search_of(count: int, **options: Any) -> azulejo.Search:
    games = [azulejo.Game("azul-colored-2", seed=seed) for seed in range(count)]
    return azulejo.Search(games, seed=1, **options)


def test_a_search_counts_its_visits_and_finds_what_the_network_prefers() -> None:
    search = search_of(4)
    logits = np.zeros(search.mask.shape, np.float32)
    logits[:, 7] = 6
    for _ in range(65):
        assert search.request() == 4
        assert search.ready.all()
        search.submit(logits, np.zeros((4, 2), np.float32))
    visits = search.visits()
    assert visits.sum(axis=1).tolist() == [64] * 4
    legal = [azulejo.Game("azul-colored-2", seed=seed).mask()[7] for seed in range(4)]
    assert [row.argmax() == 7 for row in visits] == [bool(one) for one in legal]
    assert (search.values() == 0).all()


def test_leaves_are_evaluated_by_playouts_instead_of_a_network() -> None:
    search = search_of(2)
    logits = np.zeros(search.mask.shape, np.float32)
    values = np.zeros((2, 2), np.float32)
    chance = random.Random(1)
    for _ in range(100):
        search.request()
        for tree in range(2):
            leaf = search.leaf(tree)
            assert leaf is not None
            seat = leaf.current_player
            assert seat is not None
            leaf.play_out(chance.randrange(2**32))
            returns = leaf.returns()
            values[tree] = returns[seat:] + returns[:seat]
        search.submit(logits, values)
    assert np.abs(search.values().sum(axis=1)).max() < 1e-5
    assert search.leaf(2) is None
    assert search.leaf(-1) is None


@pytest.mark.parametrize(
    ("reason", "call"),
    [
        ("OUT_OF_RANGE", lambda _: azulejo.Search([])),
        ("WRONG_TYPE", lambda _: azulejo.Search(cast("Any", [1]))),
        ("WRONG_TYPE", lambda _: azulejo.Search(cast("Any", 1))),
        ("NOT_FINITE", lambda _: search_of(1, exploration=float("nan"))),
        ("NO_SUCH_VALUE", lambda _: search_of(1, noise=2.0)),
        ("OUT_OF_RANGE", lambda _: search_of(1, outcomes=-1)),
        (
            "OTHER_GAME",
            lambda _: azulejo.Search(
                [azulejo.Game("azul-colored-2"), azulejo.Game("azul-colored-3")]
            ),
        ),
        ("NO_TURN", lambda _: azulejo.Search([azulejo.Game("azul-gray-2", chance="explicit")])),
        ("OUT_OF_RANGE", lambda one: one.restart(2, azulejo.Game("azul-colored-2"))),
        ("OUT_OF_RANGE", lambda one: one.restart(-1, azulejo.Game("azul-colored-2"))),
        ("WRONG_COUNT", lambda one: one.submit(np.zeros((2, 9), "f4"), np.zeros((2, 2), "f4"))),
        ("WRONG_COUNT", lambda one: one.submit(np.zeros((2, 180), "f4"), np.zeros((1, 2), "f4"))),
        ("WRONG_TYPE", lambda one: one.submit(np.zeros((2, 180)), np.zeros((2, 2), "f4"))),
        ("WRONG_TYPE", lambda one: one.submit([[0.0]], np.zeros((2, 2), "f4"))),
        (
            "NOT_FINITE",
            lambda one: one.submit(np.full((2, 180), np.nan, "f4"), np.zeros((2, 2), "f4")),
        ),
        (
            "NOT_CONTIGUOUS",
            lambda one: one.submit(np.zeros((180, 2), "f4").T, np.zeros((2, 2), "f4")),
        ),
    ],
)
def test_bad_input_of_a_search_has_a_reason(
    reason: str, call: Callable[[azulejo.Search], object]
) -> None:
    search = search_of(2)
    search.request()
    with pytest.raises(azulejo.PlayError) as refused:
        call(search)
    assert refused.value.reason == reason, refused.value
    search.submit(np.zeros((2, 180), np.float32), np.zeros((2, 2), np.float32))
    assert search.request() == 2
