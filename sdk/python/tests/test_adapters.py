"""PettingZoo, Gymnasium and OpenSpiel: their own checks, and what they do not check."""

from __future__ import annotations

import copy
import pickle
from typing import Any, cast

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, seed_test

import azulejo
import azulejo.gym
import azulejo.openspiel
import azulejo.pettingzoo

pytestmark = pytest.mark.filterwarnings("ignore:.*[Oo]bservation:UserWarning")


@pytest.mark.parametrize("ruleset", azulejo.RULESETS)
def test_pettingzoo_accepts_the_environment(
    ruleset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    api_test(azulejo.pettingzoo.env(ruleset), num_cycles=500)
    api_test(azulejo.pettingzoo.raw_env(ruleset), num_cycles=500)
    assert capsys.readouterr().out.count("Passed API test") == 2
    seed_test(lambda: azulejo.pettingzoo.env(ruleset), num_cycles=500)


def random_moves(env: Any, seed: int, moves: int = 10_000) -> list[float]:
    """Plays random moves; the rewards of the agents at the end."""
    chance = np.random.default_rng(seed)
    for _ in range(moves):
        if all(env.terminations.values()):
            break
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(chance.choice(np.flatnonzero(mask))))
    return [float(reward) for reward in env.rewards.values()]


@pytest.mark.parametrize("ruleset", ["azul-colored-3", "summer-pavilion-gray-2"])
def test_a_pettingzoo_game_ends_with_the_returns_of_the_game(ruleset: str) -> None:
    env = azulejo.pettingzoo.raw_env(ruleset)
    env.reset(seed=1)
    assert env.infos[env.agent_selection]["action_mask"].any()
    rewards = random_moves(env, 1)
    assert rewards == env.game.returns()
    assert sum(rewards) == pytest.approx(0)
    assert max(rewards) > 0
    assert all(env.terminations.values())


def test_a_pettingzoo_game_is_copied_and_pickled_exactly() -> None:
    env = azulejo.pettingzoo.raw_env("azul-gray-2")
    env.reset(seed=3)
    random_moves(env, 1, 25)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    assert all(one.game == env.game for one in copies)
    rewards = random_moves(env, 2)
    for one in copies:
        assert random_moves(one, 2) == rewards
        assert one.game == env.game
    # Also the seeds of the following games.
    for one in (env, *copies):
        one.reset()
    assert all(one.game == env.game for one in copies)


def test_the_wrapper_ends_the_game_after_an_illegal_move_and_the_raw_one_refuses_it() -> None:
    raw = azulejo.pettingzoo.raw_env()
    raw.reset(seed=1)
    illegal = int((raw.observe("player_0")["action_mask"] == 0).argmax())
    before = raw.game.text()
    with pytest.raises(azulejo.PlayError):
        raw.step(illegal)
    assert raw.game.text() == before
    env = azulejo.pettingzoo.env()
    env.reset(seed=1)
    env.step(illegal)
    assert all(env.terminations.values())
    assert env.rewards["player_0"] == -1


@pytest.mark.filterwarnings("ignore:.*:UserWarning")
@pytest.mark.parametrize("ruleset", azulejo.RULESETS)
def test_gymnasium_accepts_the_environment(ruleset: str) -> None:
    env = gymnasium.make("azulejo/Azulejo-v0", ruleset=ruleset, illegal="lose", opponents="random")
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("learner", [0, 1, "rotating", "random"])
def test_only_the_learning_seat_moves_in_a_gymnasium_game(learner: azulejo.gym.Seat) -> None:
    env = azulejo.gym.Env("azul-colored-2", learner=learner, opponents="random")
    seats = []
    for seed in range(8):
        _, info = env.reset(seed=0 if seed == 0 else None)
        ended = False
        while not ended:
            assert env.game.current_player == env.seat == info["seat"]
            action = int(env.action_masks().argmax())
            observation, reward, ended, truncated, info = env.step(action)
            assert not truncated
            assert observation in env.observation_space
        assert reward == env.game.returns()[env.seat]
        seats.append(env.seat)
    assert set(seats) == ({learner} if isinstance(learner, int) else {0, 1})


def test_an_illegal_action_is_refused_or_lost() -> None:
    env = azulejo.gym.Env("azul-colored-2")
    env.reset(seed=1)
    illegal = int((~env.action_masks()).argmax())
    with pytest.raises(azulejo.PlayError):
        env.step(illegal)
    env = azulejo.gym.Env("azul-colored-2", illegal="lose")
    env.reset(seed=1)
    _, reward, ended, _, info = env.step(illegal)
    assert (reward, ended, info["illegal"]) == (-1, True, "COLOR_ABSENT")


@pytest.mark.parametrize(
    ("reason", "options"),
    [
        ("NO_SUCH_VALUE", {"opponents": "clever"}),
        ("NO_SUCH_VALUE", {"learner": "first"}),
        ("NO_SUCH_SEAT", {"learner": 2}),
        ("NO_SUCH_VALUE", {"returns": "rank"}),
        ("NO_SUCH_RULESET", {"ruleset": "chess"}),
    ],
)
def test_what_a_gymnasium_game_cannot_be_is_refused_at_once(
    reason: str, options: dict[str, Any]
) -> None:
    for kind in (azulejo.gym.Env, azulejo.gym.VectorEnv):
        with pytest.raises(azulejo.PlayError) as refused:
            kind(**options)
        assert refused.value.reason == reason


@pytest.mark.parametrize("ruleset", ["azul-colored-2", "summer-pavilion-colored-3"])
def test_a_vector_environment_keeps_its_promises(ruleset: str) -> None:
    env = gymnasium.make_vec("azulejo/Azulejo-v0", num_envs=16, ruleset=ruleset)
    vector: Any = env.unwrapped
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    observations, infos = env.reset(seed=1)
    same, _ = env.reset(seed=1)
    assert (observations == same).all()
    ends = 0
    while ends < 20:
        assert observations in env.observation_space
        assert (infos["action_mask"] == vector.action_masks()).all()
        actions = infos["action_mask"].argmax(axis=1)
        assert actions in env.action_space
        kept = observations.copy()
        following, rewards, terminations, truncations, infos = env.step(actions)
        assert (observations == kept).all()
        observations = following
        assert rewards.shape == terminations.shape == truncations.shape == (16,)
        assert not truncations.any()
        assert (rewards[~terminations] == 0).all()
        ends += int(terminations.sum())
        if terminations.any():
            assert (infos["_final_obs"] == terminations).all()
            for number in np.flatnonzero(terminations):
                last = infos["final_obs"][number]
                assert last in env.single_observation_space
                assert (last != observations[number]).any()
    with pytest.raises(azulejo.PlayError):
        vector.reset(seed=[1] * 16)
    env.close()


def test_the_reward_belongs_to_the_seat_that_learned_in_the_finished_game() -> None:
    """A strong policy against random opponents wins from every seat."""
    env = azulejo.gym.VectorEnv("azul-colored-2", 16, opponents="random", learner="rotating")
    env.reset(seed=1)
    rewards: list[float] = []
    while len(rewards) < 60:
        best = [env.batch.game(number).best_move("greedy", seed=1) for number in range(16)]
        _, reward, ends, _, _ = env.step(np.array(best))
        rewards += reward[ends].tolist()
    assert np.mean(rewards) > 0.8


@pytest.mark.parametrize("ruleset", azulejo.RULESETS)
def test_openspiel_plays_and_serializes_random_games(ruleset: str) -> None:
    game = pyspiel.load_game(f"azulejo(ruleset={ruleset})")
    # The outcomes of a supply of ten tiles make Summer Pavilion slow here.
    games = 3 if ruleset.startswith("azul") else 1
    pyspiel.random_sim_test(game, num_sims=games, serialize=True, verbose=False)


def test_openspiel_copies_and_pickles_in_the_middle_of_a_game() -> None:
    game = pyspiel.load_game("azulejo(ruleset=azul-gray-3)")
    chance = np.random.default_rng(1)
    state = game.new_initial_state()
    for _ in range(40):
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[chance.integers(len(outcomes))][0])
        else:
            state.apply_action(int(chance.choice(state.legal_actions())))
    for one in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert str(one) == str(state)
        assert one.history() == state.history()
        if not one.is_chance_node():
            one.apply_action(one.legal_actions()[0])
            assert str(one) != str(state)
    again = pickle.loads(pickle.dumps(game))
    assert again.get_parameters()["ruleset"] == "azul-gray-3"
    assert str(game.new_initial_state(str(state))) == str(state)


def test_openspiel_observations_are_defined_everywhere_and_rotate_unless_told() -> None:
    seat = pyspiel.load_game("azulejo")
    table = pyspiel.load_game("azulejo(view=table)")
    for state, rotates in ((seat.new_initial_state(), True), (table.new_initial_state(), False)):
        rng = np.random.default_rng(2)
        differs = False
        while not state.is_terminal():
            first, second = (np.array(state.observation_tensor(player)) for player in (0, 1))
            differs |= bool((first != second).any())
            if state.is_chance_node():
                state.apply_action(int(rng.integers(len(state.chance_outcomes()))))
            else:
                state.apply_action(int(rng.choice(state.legal_actions())))
        assert len(state.observation_tensor(0)) == 171
        assert differs == rotates


@pytest.mark.parametrize("parameters", ["ruleset=chess", "view=mine"])
def test_openspiel_parameters_that_do_not_exist_are_refused(parameters: str) -> None:
    with pytest.raises(azulejo.PlayError):
        pyspiel.load_game(f"azulejo({parameters})")


@pytest.mark.parametrize("kind", ["win", "points"])
def test_an_illegal_action_is_never_better_than_a_loss(kind: Any) -> None:
    env = azulejo.gym.Env("azul-colored-4", illegal="lose", returns=kind, opponents="random")
    losses: list[float] = []
    for seed in range(40):
        env.reset(seed=seed)
        ended = False
        while not ended:
            _, reward, ended, _, _ = env.step(int(env.action_masks().argmax()))
        losses.append(reward)
    env.reset(seed=1)
    _, reward, _, _, _ = env.step(int((~env.action_masks()).argmax()))
    assert reward <= min(losses)


def test_an_illegal_action_with_margins_costs_what_the_caller_says() -> None:
    with pytest.raises(azulejo.PlayError, match="illegal_reward") as refused:
        azulejo.gym.Env(illegal="lose", returns="margin")
    assert refused.value.reason == "NO_SUCH_VALUE"
    env = azulejo.gym.Env(illegal="lose", returns="margin", illegal_reward=-100)
    env.reset(seed=1)
    _, reward, ended, _, info = env.step(int((~env.action_masks()).argmax()))
    assert (reward, ended, info["illegal"]) == (-100, True, "COLOR_ABSENT")


@pytest.mark.parametrize(
    ("reason", "action"),
    [("WRONG_TYPE", 1.7), ("WRONG_TYPE", None), ("NO_SUCH_ACTION", 180), ("NO_SUCH_ACTION", -1)],
)
def test_what_is_not_an_action_is_refused_and_not_lost(reason: str, action: Any) -> None:
    env = azulejo.gym.Env(illegal="lose")
    env.reset(seed=1)
    before = env.game.text()
    with pytest.raises(azulejo.PlayError) as refused:
        env.step(action)
    assert refused.value.reason == reason
    assert env.game.text() == before
    with pytest.raises(azulejo.PlayError) as refused:
        azulejo.gym.Env(illegal=cast("Any", "ignore"))
    assert refused.value.reason == "NO_SUCH_VALUE"


@pytest.mark.parametrize("kind", [float, bool, object, complex])
def test_actions_of_a_vector_environment_are_not_rounded(kind: type) -> None:
    env = azulejo.gym.VectorEnv("azul-colored-2", 4)
    env.reset(seed=1)
    legal: Any = env.action_masks().argmax(axis=1)
    before = env.batch.obs.copy()
    with pytest.raises(azulejo.PlayError) as refused:
        env.step(legal.astype(kind) if kind is not float else legal + 0.7)
    assert refused.value.reason == "WRONG_TYPE"
    assert (env.batch.obs == before).all()
    env.step(legal.astype(np.uint8 if legal.max() < 256 else np.uint16))


def ended_with(winners: int, players: int) -> azulejo.Game:
    """A finished game with this number of winners."""
    for seed in range(20_000):
        game = azulejo.Game(f"azul-colored-{players}", seed=seed)
        game.play_out(seed)
        if game.ranks().count(1) == winners:
            return game
    raise AssertionError(f"no game with {winners} winners")


@pytest.mark.parametrize(("winners", "players"), [(1, 2), (2, 2), (1, 4), (2, 4), (2, 3)])
def test_the_openspiel_evaluator_is_the_mean_of_the_returns(winners: int, players: int) -> None:
    game = pyspiel.load_game(f"azulejo(ruleset=azul-colored-{players})")
    state = game.new_initial_state(ended_with(winners, players).text())
    values = azulejo.openspiel.Evaluator(3).evaluate(state)
    assert values.tolist() == pytest.approx(state.returns())


def test_the_openspiel_evaluator_repeats_itself_with_a_seed() -> None:
    state = pyspiel.load_game("azulejo(ruleset=azul-colored-4)").new_initial_state()

    def values(seed: int | None) -> list[list[float]]:
        evaluator = azulejo.openspiel.Evaluator(2, seed=seed)
        return [evaluator.evaluate(state).tolist() for _ in range(10)]

    first = values(1)
    assert first == values(1)
    assert first != values(2)
    assert values(None) != values(None)
    assert any(one != first[0] for one in first)


def test_openspiel_refuses_a_position_of_another_ruleset() -> None:
    game = pyspiel.load_game("azulejo(ruleset=azul-colored-2)")
    for other in ("azul-colored-3", "azul-gray-2", "summer-pavilion-colored-2"):
        with pytest.raises(azulejo.PlayError) as refused:
            game.new_initial_state(azulejo.Game(other, seed=1).text())
        assert refused.value.reason == "OTHER_GAME"
