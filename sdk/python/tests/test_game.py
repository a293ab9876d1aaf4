"""One game in the process."""

from __future__ import annotations

import copy
import doctest
import io
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
from games import Choices, digest, positions, seeded
from support import SDK

import azulejo

TRANSCRIPTS = json.loads((SDK / "../../service/play/tests/transcripts.json").read_text())


@pytest.mark.parametrize("ruleset", azulejo.RULESETS)
def test_two_hundred_games_have_the_digest_that_all_sdks_expect(ruleset: str) -> None:
    assert digest(ruleset, 200) == TRANSCRIPTS[ruleset]


def test_every_ruleset_has_a_transcript() -> None:
    assert sorted(azulejo.RULESETS) == sorted(TRANSCRIPTS)


def finish(game: azulejo.Game) -> str:
    for _ in positions(game, 5):
        pass
    return game.text()


@pytest.mark.parametrize("chance", ["auto", "seed"])
@pytest.mark.parametrize("ruleset", azulejo.RULESETS)
def test_copies_in_the_middle_of_a_game_continue_with_the_same_deals(
    ruleset: str, chance: azulejo.Chance
) -> None:
    game = azulejo.Game(ruleset, seed=3, chance=chance)
    for number, _ in enumerate(positions(game, 4)):
        if number == 25:
            break
    made: list[Callable[[azulejo.Game], azulejo.Game]] = [
        copy.copy,
        copy.deepcopy,
        azulejo.Game.clone,
        lambda one: pickle.loads(pickle.dumps(one)),
        lambda one: pickle.loads(pickle.dumps([one], protocol=2))[0],
    ]
    copies = [make(game) for make in made]
    assert all(one == game for one in copies)
    end = finish(game)
    assert [finish(one) for one in copies] == [end] * len(copies)
    assert copies[0] == game
    assert seeded(ruleset, 1) != game


def test_explicit_chance_stays_explicit_in_a_copy() -> None:
    game = azulejo.Game("azul-colored-2", chance="explicit")
    again = pickle.loads(pickle.dumps(game))
    assert again.is_chance
    assert again.chance_outcomes() == game.chance_outcomes()


@pytest.mark.parametrize("ruleset", azulejo.RULESETS)
def test_explicit_deals_are_nodes_with_exact_probabilities(ruleset: str) -> None:
    game = azulejo.Game(ruleset, chance="explicit")
    choices, deals = Choices(1), 0
    while not game.is_terminal:
        if game.is_chance:
            deals += 1
            assert game.current_player is None
            assert game.legal_actions() == []
            if deals % 7 == 1:
                outcomes = game.chance_outcomes()
                assert sum(share for _, share in outcomes) == pytest.approx(1)
                game.apply_outcome(outcomes[choices.below(len(outcomes))][0])
            else:
                game.sample_outcome(deals)
        else:
            actions = game.legal_actions()
            game.apply(actions[choices.below(len(actions))])
    assert deals > 5


def test_the_same_seed_gives_the_same_game_and_none_a_random_one() -> None:
    def first(seed: int | str | None, chance: azulejo.Chance) -> str:
        return azulejo.Game("azul-colored-4", seed=seed, chance=chance).text()

    assert first(7, "auto") == first(7, "auto") != first(8, "auto")
    assert first(7, "seed") == first("07" + "00" * 31, "seed") != first(7, "auto")
    for chance in ("auto", "seed"):
        assert first(None, chance) != first(None, chance)


@pytest.mark.parametrize("ruleset", azulejo.RULESETS)
def test_arrays_have_what_bytes_have(ruleset: str) -> None:
    game = azulejo.Game(ruleset, seed=1)
    mask = np.zeros(game.action_count, np.uint8)
    raw = np.zeros(game.observation_size, np.uint8)
    scaled = np.zeros(game.observation_size, np.float32)
    layout = game.layout()
    scales = np.concatenate(
        [np.full(np.prod(part.shape), part.scale) for part in layout.sections]
    ).astype(np.float32)
    for position in positions(game, 1):
        position.mask_into(mask)
        assert mask.tobytes() == position.mask()
        assert np.flatnonzero(mask).tolist() == position.legal_actions()
        for seat in range(position.players):
            position.observe_into(raw, seat)
            position.observe_into(scaled, seat)
            assert raw.tobytes() == position.observe(seat)
            assert np.allclose(scaled, raw / scales)
        assert azulejo.Game.from_observation(ruleset, raw) == position


def test_a_layout_names_the_parts_from_the_first_value_to_the_last() -> None:
    layout = azulejo.Game("summer-pavilion-gray-4").layout()
    at = 0
    for part in layout.sections:
        assert part.offset == at
        at += int(np.prod(part.shape))
    assert (at, layout.version) == (layout.size, "obs1")
    assert layout.hash != azulejo.Game("summer-pavilion-gray-3").layout().hash


def test_an_illegal_move_names_its_rule_and_changes_nothing() -> None:
    game = seeded("azul-colored-2", 1)
    before, legal = game.text(), set(game.legal_actions())
    for action in set(range(game.action_count)) - legal:
        with pytest.raises(azulejo.PlayError) as refused:
            game.apply(action)
        assert (refused.value.reason, refused.value.rule) == ("ILLEGAL_MOVE", "COLOR_ABSENT")
    assert game.text() == before
    again = pickle.loads(pickle.dumps(refused.value))
    assert (again.reason, again.rule, str(again)) == (
        "ILLEGAL_MOVE",
        "COLOR_ABSENT",
        str(refused.value),
    )


READ_ONLY = np.zeros(180, np.uint8)
READ_ONLY.flags.writeable = False
OVER = azulejo.Game("azul-colored-2", seed=1)
OVER.play_out(1)


@pytest.mark.parametrize(
    ("reason", "call"),
    [
        ("NO_SUCH_ACTION", lambda game: game.apply(180)),
        ("NO_SUCH_ACTION", lambda game: game.apply(-1)),
        ("NO_SUCH_ACTION", lambda game: game.apply(10**30)),
        ("NO_SUCH_ACTION", lambda game: game.action_text(180)),
        ("WRONG_TYPE", lambda game: game.apply(1.5)),
        ("WRONG_TYPE", lambda game: game.apply(None)),
        ("BAD_NOTATION", lambda game: game.apply("3Q1")),
        ("BAD_NOTATION", lambda game: game.action_id("r1c1")),
        ("NO_DEAL_DUE", lambda game: game.chance_outcomes()),
        ("NO_DEAL_DUE", lambda game: game.apply_outcome("B2YR")),
        ("NO_SUCH_SEAT", lambda game: game.observe(2)),
        ("NO_SUCH_SEAT", lambda game: game.observe(-1)),
        ("NO_SUCH_VALUE", lambda game: game.returns("rank")),
        ("NO_SUCH_VALUE", lambda game: game.best_move("clever")),
        ("NO_TURN", lambda _: OVER.best_move("greedy")),
        ("OUT_OF_RANGE", lambda game: game.playouts(0)),
        ("OUT_OF_RANGE", lambda game: game.playouts(-1)),
        ("OUT_OF_RANGE", lambda game: game.playouts(10**9)),
        ("OUT_OF_RANGE", lambda game: game.playouts(1, ["random"] * 3)),
        ("WRONG_TYPE", lambda game: game.playouts(1, [1])),
        ("NO_SUCH_RULESET", lambda _: azulejo.Game("chess")),
        ("NO_SUCH_SEAT", lambda _: azulejo.Game("azul-colored-2", start_seat=2)),
        ("NO_SUCH_VALUE", lambda _: azulejo.Game("azul-colored-2", chance=cast("Any", "luck"))),
        ("BAD_SEED", lambda _: azulejo.Game("azul-colored-2", seed=-1)),
        ("BAD_SEED", lambda _: azulejo.Game("azul-colored-2", seed=2**64)),
        ("BAD_SEED", lambda _: azulejo.Game("azul-colored-2", seed="7")),
        ("BAD_SEED", lambda _: azulejo.Game("azul-colored-2", seed="zz", chance="seed")),
        ("BAD_POSITION_TEXT", lambda _: azulejo.Game.parse("azul")),
        ("FIELD_MISSING", lambda _: azulejo.Game.from_state(b"")),
        ("BAD_MESSAGE", lambda _: azulejo.Game.from_state(bytes([255] * 40))),
        ("WRONG_TYPE", lambda _: azulejo.Game.from_state(cast("Any", "state"))),
        ("WRONG_TYPE", lambda _: azulejo.Game.from_state(cast("Any", None))),
        ("BAD_OBSERVATION", lambda _: azulejo.Game.from_observation("azul-colored-2", b"")),
        (
            "BAD_OBSERVATION",
            lambda _: azulejo.Game.from_observation("azul-colored-2", bytes([255] * 171)),
        ),
        ("WRONG_TYPE", lambda _: azulejo.Game.from_observation("azul-colored-2", [256])),
        ("WRONG_TYPE", lambda _: azulejo.Game.from_observation("azul-colored-2", cast("Any", 5))),
        ("WRONG_COUNT", lambda game: game.mask_into(np.zeros(179, np.uint8))),
        ("WRONG_TYPE", lambda game: game.mask_into(np.zeros(180, np.int8))),
        ("WRONG_TYPE", lambda game: game.mask_into(np.zeros((1, 180), np.uint8))),
        ("WRONG_TYPE", lambda game: game.mask_into(bytearray(180))),
        ("READ_ONLY", lambda game: game.mask_into(READ_ONLY)),
        ("NOT_CONTIGUOUS", lambda game: game.mask_into(np.zeros(360, np.uint8)[::2])),
        ("NOT_CONTIGUOUS", lambda game: game.observe_into(np.zeros(342, np.float32)[::2])),
        ("WRONG_COUNT", lambda game: game.observe_into(np.zeros(1, np.float32))),
        ("WRONG_TYPE", lambda game: game.observe_into(np.zeros(171))),
        ("BAD_RECORD", lambda _: azulejo.verify("{}")),
        ("WRONG_TYPE", lambda _: azulejo.verify(cast("Any", 7))),
    ],
)
def test_bad_input_has_a_reason_and_changes_nothing(
    reason: str, call: Callable[[azulejo.Game], object]
) -> None:
    game = azulejo.Game("azul-colored-2", seed=7)
    before = pickle.dumps(game)
    with pytest.raises(azulejo.PlayError) as refused:
        call(game)
    assert refused.value.reason == reason, refused.value
    assert pickle.dumps(game) == before


def test_a_notebook_shows_a_picture_and_print_shows_text() -> None:
    game = azulejo.Game("summer-pavilion-colored-3", seed=7)
    assert game._repr_svg_() == game.svg()
    assert game.svg().startswith("<svg")
    assert "Player 3" in str(game)


def test_greedy_beats_random_and_statistics_do_not_depend_on_the_number_of_threads() -> None:
    played = azulejo.playouts("azul-colored-2", 400, ["greedy", "random"], seed=1, threads=2)
    assert played == azulejo.playouts("azul-colored-2", 400, ["greedy", "random"], seed=1)
    assert (played.games, len(played.scores), len(played.lengths)) == (400, 800, 400)
    assert played.wins[0] > 0.95
    assert sum(played.wins) == pytest.approx(1)
    table = str(played)
    assert "greedy" in table
    assert "400 games" in table
    assert "<pre>" in played._repr_html_()


def test_statistics_are_a_figure_with_three_parts() -> None:
    figure = azulejo.playouts("azul-gray-3", 100, ["greedy", "random"], seed=1).plot()
    assert [axes.get_title() for axes in figure.axes] == ["share of wins, 95 %", "points", "moves"]
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png")
    assert drawn.getvalue().startswith(b"\x89PNG")


def test_playouts_begin_at_the_position_of_a_game() -> None:
    game = azulejo.Game("azul-colored-2", seed=7)
    whole = game.playouts(50, seed=1)
    for _ in range(10):
        game.apply(game.legal_actions()[0])
    rest = game.playouts(50, seed=1)
    assert sum(rest.lengths) < sum(whole.lengths)


EXAMPLES = [
    (f"{owner.__name__}.{name}", value.__doc__)
    for owner in (azulejo.Game, azulejo.Batch, azulejo.Search)
    for name, value in [("", owner), *vars(owner).items()]
    if ">>>" in (getattr(value, "__doc__", "") or "")
] + [("playouts", azulejo.playouts.__doc__)]


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_the_examples_of_the_documentation_are_true(name: str, text: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {"azulejo": azulejo}, name, None, 0)
    assert test.examples
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


def test_everything_that_is_exported_is_documented() -> None:
    for owner in (azulejo.Game, azulejo.Batch, azulejo.Search):
        public = [name for name in vars(owner) if not name.startswith("_")]
        assert len(public) > 8
        for name in public:
            assert vars(owner)[name].__doc__, f"{owner.__name__}.{name}"


WITHOUT_NUMPY = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "numpy":
            raise ImportError("hidden")
sys.meta_path.insert(0, Hidden())
import azulejo
game = azulejo.Game("azul-colored-2", seed=1)
game.apply(game.legal_actions()[0])
game.mask(), game.observe(), game.clone(), azulejo.playouts("azul-gray-2", 10)
for call in (
    lambda: azulejo.Batch("azul-colored-2", 4),
    lambda: azulejo.Search([game]),
    lambda: game.mask_into(bytearray(180)),
    lambda: game.observe_into(bytearray(171)),
):
    try:
        call()
    except ImportError as error:
        assert "pip install numpy" in str(error)
    else:
        raise AssertionError(call)
assert "numpy" not in sys.modules
"""


def test_a_game_works_without_numpy_and_arrays_say_what_to_install() -> None:
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMPY], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
