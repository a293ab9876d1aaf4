"""The engine client against a real server."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from bots import Noting
from support import RULESETS, Server, free_port, together

import azulejo
from azulejo import game


def test_there_are_twelve_rulesets_and_each_has_a_name(engine: azulejo.Engine) -> None:
    infos = engine.list_rulesets().rulesets
    assert len(infos) == len(RULESETS) == 12
    for info, name in zip(infos, RULESETS, strict=True):
        assert info.key == name
        dealt = engine.new_game(name, seed=1)
        assert dealt == engine.new_game(info.ruleset, seed=1)
        assert dealt.due.HasField("seat")


def test_a_state_of_the_network_is_a_game_in_the_process(engine: azulejo.Engine) -> None:
    for name in RULESETS:
        state = engine.new_game(name, seed=7).state
        local = azulejo.Game.from_state(state)
        assert local == azulejo.Game(name, seed=7, chance="seed")
        assert local == azulejo.Game.from_state(state.SerializeToString())
        legal = engine.legal_moves(state).moves
        assert [move.action_id for move in legal] == local.legal_actions()


def test_a_move_is_applied_by_any_of_its_names(engine: azulejo.Engine) -> None:
    state = engine.new_game(azulejo.azul(), seed=7).state
    legal = engine.legal_moves(state).moves[3]
    names: list[azulejo.Choice] = [legal, legal.move, legal.action_id, legal.notation]
    answers = [engine.apply(state, name) for name in names]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0].due.seat == 1


def test_a_game_without_a_seed_gets_one(engine: azulejo.Engine) -> None:
    answer = engine.new_game("azul-gray-3")
    assert len(answer.seed.key) == 32
    again = engine.new_game("azul-gray-3", seed=answer.seed)
    assert again.state == answer.state
    assert engine.new_game("azul-gray-3", seed=answer.seed.key).state == answer.state


def test_a_deal_can_be_waited_for_weighed_and_made(engine: azulejo.Engine) -> None:
    nothing = game.Displays(azul=game.AzulDisplays())
    state = engine.new_game("azul-colored-2", displays=nothing).state
    outcomes = engine.deal_outcomes(state)
    assert outcomes.display.factory == 1
    assert len(outcomes.outcomes) == 70
    assert sum(outcome.probability for outcome in outcomes.outcomes) == pytest.approx(1)
    given = outcomes.outcomes[5].displays
    dealt = engine.deal(state, displays=given)
    assert dealt.state.azul.factories[0] == given.azul.displays[0]
    assert engine.deal(state, seed=3, max_displays=2).due.deal.factory == 3
    assert engine.deal(state, seed=3).due.HasField("seat")


def test_expand_tells_what_every_move_leads_to(engine: azulejo.Engine) -> None:
    state = engine.new_game("summer-pavilion-colored-2", seed=1).state
    moves = engine.legal_moves(state).moves
    children = engine.expand(state).children
    assert [child.move for child in children] == list(moves)
    assert children[0].state == engine.apply(state, moves[0]).state
    assert children[0].score == engine.score(children[0].state).score
    assert not engine.expand(state, scores_only=True).children[0].HasField("state")


def test_apply_returns_legal_moves_and_score_if_requested(engine: azulejo.Engine) -> None:
    for rules in ("azul-colored-2", "summer-pavilion-gray-2"):
        state = engine.new_game(rules, seed=7).state
        move = engine.legal_moves(state).moves[0]
        plain = engine.apply(state, move)
        assert not plain.legal_moves
        assert not plain.HasField("score")
        full = engine.apply(state, move, include_legal_moves=True, include_score=True)
        assert list(full.legal_moves) == list(engine.legal_moves(full.state).moves)
        assert full.score == engine.score(full.state).score
        asked = [azulejo.apply_request(state, move, include_legal_moves=True, include_score=True)]
        assert engine.batch_apply(asked) == [full]


def test_a_batch_returns_a_response_or_a_typed_error_for_each_request(
    engine: azulejo.Engine,
) -> None:
    state = engine.new_game("azul-colored-2", seed=7).state
    move = engine.legal_moves(state).moves[0]
    wrong = game.GameState()
    wrong.CopyFrom(state)
    wrong.azul.turn_seat = 2
    asked = [
        azulejo.apply_request(state, move),
        azulejo.apply_request(state, "9Bf"),
        azulejo.apply_request(wrong, move),
    ]
    applied, illegal, bad = engine.batch_apply(asked)
    assert applied == engine.apply(state, move)
    assert isinstance(illegal, azulejo.IllegalMoveError)
    assert (illegal.reason, illegal.rule) == ("ILLEGAL_MOVE", "NO_SUCH_FACTORY")
    assert isinstance(bad, azulejo.BadRequestError)
    assert bad.code is grpc.StatusCode.INVALID_ARGUMENT
    assert bad.reason == "OUT_OF_RANGE"
    assert [violation.field for violation in bad.violations] == ["state.azul.turn_seat"]


def test_errors_of_a_batch_are_those_of_apply(engine: azulejo.Engine) -> None:
    state = engine.new_game("azul-colored-2", seed=7).state
    for action in ("9Bf", "nonsense", 9999):
        (error,) = engine.batch_apply([azulejo.apply_request(state, action)])
        with pytest.raises(azulejo.RefusedError) as alone:
            engine.apply(state, action)
        assert isinstance(error, type(alone.value))
        assert error.violations
        for name in ("code", "message", "reason", "metadata", "violations", "retry_after"):
            assert getattr(error, name) == getattr(alone.value, name)


def test_playouts_are_repeated_by_their_seed(engine: azulejo.Engine) -> None:
    state = engine.new_game("azul-colored-2", seed=7).state
    first = engine.playouts(state, 50, seed=1)
    assert first == engine.playouts(state, 50, seed=1)
    assert sum(seat.wins for seat in first.seats) == pytest.approx(50)
    greedy = engine.playouts(state, 5, policy="greedy", seed=1)
    assert greedy.seats[0].mean_total > first.seats[0].mean_total


def test_the_record_of_a_match_is_replayed(server: Server, engine: azulejo.Engine) -> None:
    bot = Noting()
    together(azulejo.run_async(bot, name="rec", server=server.url, challenge="random", matches=1))
    match = bot.ended[0].match
    record = server.match(match.id).record
    replayed = engine.replay(record)
    assert not replayed.HasField("defect")
    assert replayed.score == match.result.score
    notation = bot.moves[0].move.notation
    assert notation in record
    broken = engine.replay(record.replace(notation, "9Wf", 1))
    assert broken.HasField("defect")


def test_a_board_shows_itself(server: Server, engine: azulejo.Engine) -> None:
    state = engine.new_game("summer-pavilion-gray-2", seed=1).state
    for board in (azulejo.Board(state, engine=engine), azulejo.Board(state, server=server.url)):
        assert board._repr_svg_().startswith("<svg")
        assert "Player 1" in str(board)
    named = azulejo.Board(state, engine=engine, names=["Ada", "Bea"])
    assert "Ada" in named.svg()
    assert engine.render(state, theme="dark").media_type == "image/svg+xml"


def test_the_asyncio_client_answers_the_same(server: Server, engine: azulejo.Engine) -> None:
    async def ask() -> None:
        async with azulejo.AsyncEngine(server.url) as other:
            state = (await other.new_game("azul-colored-2", seed=7)).state
            legal = await other.legal_moves(state)
            assert legal == engine.legal_moves(state)
            move = legal.moves[0]
            assert await other.apply(state, move) == engine.apply(state, move)
            full = await other.apply(state, move, include_legal_moves=True, include_score=True)
            assert list(full.legal_moves) == list(engine.legal_moves(full.state).moves)
            assert full.score == engine.score(full.state).score
            assert await other.score(state) == engine.score(state)
            assert await other.expand(state) == engine.expand(state)
            assert await other.render(state) == engine.render(state)
            assert await other.list_rulesets() == engine.list_rulesets()
            batch = [azulejo.apply_request(state, move)]
            assert await other.batch_apply(batch) == engine.batch_apply(batch)
            position = await other.format_position(state)
            assert position == engine.format_position(state)
            assert await other.parse_position(position) == engine.parse_position(position)
            assert await other.playouts(state, 9, seed=1) == engine.playouts(state, 9, seed=1)
            waiting = engine.new_game(
                azulejo.azul(), displays=game.Displays(azul=game.AzulDisplays())
            ).state
            assert await other.deal(waiting, seed=1) == engine.deal(waiting, seed=1)
            assert await other.deal_outcomes(waiting) == engine.deal_outcomes(waiting)
            with pytest.raises(azulejo.BadRequestError) as wrong:
                await other.replay("no record")
            assert wrong.value.reason == "BAD_RECORD"

    asyncio.run(ask())


def test_an_illegal_move_names_the_rule(engine: azulejo.Engine) -> None:
    state = engine.new_game("azul-colored-2", seed=7).state
    with pytest.raises(azulejo.IllegalMoveError) as illegal:
        engine.apply(state, "9Bf")
    assert illegal.value.reason == "ILLEGAL_MOVE"
    assert illegal.value.rule == "NO_SUCH_FACTORY"
    assert illegal.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert not illegal.value.is_passing


def test_a_wrong_field_is_named(engine: azulejo.Engine) -> None:
    state = engine.new_game("azul-colored-2", seed=7).state
    state.azul.bag.blue += 1
    with pytest.raises(azulejo.BadRequestError) as wrong:
        engine.legal_moves(state)
    assert wrong.value.reason == "TILES_NOT_CONSERVED"
    with pytest.raises(azulejo.BadRequestError) as missing:
        engine.legal_moves(game.GameState())
    assert missing.value.reason == "FIELD_MISSING"
    assert [violation.field for violation in missing.value.violations] == ["state.game"]


def test_a_call_in_the_wrong_phase_is_refused(engine: azulejo.Engine) -> None:
    state = engine.new_game("azul-colored-2", seed=7).state
    with pytest.raises(azulejo.RefusedError) as refused:
        engine.deal(state, seed=1)
    assert refused.value.reason == "NO_DEAL_DUE"
    assert refused.value.code is grpc.StatusCode.FAILED_PRECONDITION


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with (
        azulejo.Engine(f"http://127.0.0.1:{free_port()}") as engine,
        pytest.raises(azulejo.UnavailableError) as absent,
    ):
        engine.list_rulesets()
    assert absent.value.is_passing
    assert absent.value.reason == ""


@pytest.mark.parametrize("name", ["azul", "azul-red-2", "azul-gray-5", "chess-gray-2", ""])
def test_a_ruleset_that_does_not_exist_is_said_so(name: str) -> None:
    with pytest.raises(azulejo.AzulejoError, match="unknown ruleset"):
        azulejo.ruleset(name)


@pytest.mark.parametrize("server", ["127.0.0.1:7700", "ftp://x", "http://"])
def test_an_address_that_is_none_is_said_so(server: str) -> None:
    with pytest.raises(azulejo.AzulejoError, match="not http://host:port"):
        azulejo.Engine(server)
