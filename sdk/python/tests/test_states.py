"""States, positions as text, and effects of moves, against a real server."""

from __future__ import annotations

import pytest
from support import RULESETS

import azulejo


@pytest.mark.parametrize("rules", RULESETS)
def test_a_position_that_is_formatted_and_parsed_is_the_same_state(
    engine: azulejo.Engine, rules: str
) -> None:
    answer = engine.new_game(rules, seed=7)
    state, due, turns = answer.state, answer.due, 0
    while not due.HasField("game_over"):
        position = engine.format_position(state)
        assert len(position.splitlines()) == 1
        parsed = engine.parse_position(position)
        assert parsed.state == state
        assert parsed.due == due
        moves = engine.legal_moves(state).moves
        applied = engine.apply(state, moves[turns % len(moves)], seed=7)
        state, due, turns = applied.state, applied.due, turns + 1
    assert engine.parse_position(engine.format_position(state)).state == state


def test_a_text_that_is_not_a_position_is_refused(engine: azulejo.Engine) -> None:
    with pytest.raises(azulejo.BadRequestError) as wrong:
        engine.parse_position("not a position")
    assert wrong.value.reason == "BAD_POSITION_TEXT"
    assert [violation.field for violation in wrong.value.violations] == ["position"]


@pytest.mark.parametrize("rules", RULESETS)
def test_every_board_of_a_fresh_state_is_complete(engine: azulejo.Engine, rules: str) -> None:
    state = engine.new_game(rules, seed=7).state
    if state.HasField("azul"):
        assert all(state.azul.HasField(heap) for heap in ("bag", "lid", "center"))
        assert [len(board.lines) for board in state.azul.boards] == [5] * int(rules[-1])
        assert [len(board.wall) for board in state.azul.boards] == [25] * int(rules[-1])
        assert all(board.HasField("floor") for board in state.azul.boards)
        assert not any(board.has_marker for board in state.azul.boards)
    else:
        table = state.summer_pavilion
        assert all(table.HasField(heap) for heap in ("bag", "tower", "supply", "center"))
        assert [len(board.spaces) for board in table.boards] == [42] * int(rules[-1])
        assert all(board.HasField("hand") for board in table.boards)
        assert not any(board.has_token for board in table.boards)


def test_every_legal_move_has_an_effect(engine: azulejo.Engine) -> None:
    azul = engine.new_game("azul-gray-2", seed=7).state
    for move in engine.legal_moves(azul).moves:
        effect = move.azul_effect
        placed = effect.tiles_to_line + effect.tiles_to_floor + effect.tiles_to_lid
        assert 1 <= effect.tiles_taken == placed
    pavilion = engine.new_game("summer-pavilion-gray-2", seed=7).state
    for move in engine.legal_moves(pavilion).moves:
        assert move.summer_pavilion_effect.tiles_taken >= 1
