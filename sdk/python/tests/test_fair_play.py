"""The fair-play check: it passes on real matches, and fails if anything about them is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from bots import Noting
from support import Server, together

import azulejo
from azulejo import arena, fair_play, game
from azulejo.draw import Stock
from azulejo.fair_play import Seen
from azulejo.watch import AZUL_COLORS, PAVILION_COLORS

GAMES = ["azul-colored-2", "azul-gray-3", "summer-pavilion-colored-4", "summer-pavilion-gray-2"]


@dataclass
class Seated:
    """A real match as one seat saw it, to be changed by a test."""

    starting: azulejo.MatchStarting
    started: azulejo.MatchStarted
    moves: list[azulejo.MoveMade]
    turns: list[arena.Turn]
    ended: azulejo.MatchEnded
    nonce: bytes = b""

    def check(self) -> bool:
        seen = Seen(self.starting)
        seen.nonce = self.nonce
        seen.started(self.started)
        for made in self.moves:
            seen.moved(made)
        for turn in self.turns:
            seen.turned(turn)
        return seen.check(self.ended)


@pytest.fixture(scope="session")
def played(server: Server) -> dict[str, Noting]:
    bots = {rules: Noting() for rules in GAMES}
    together(
        *(
            azulejo.run_async(
                bot,
                name=rules,
                server=server.url,
                rulesets=[rules],
                challenge="random",
                matches=1,
            )
            for rules, bot in bots.items()
        )
    )
    return bots


@pytest.fixture(params=GAMES)
def match(played: dict[str, Noting], request: pytest.FixtureRequest) -> Seated:
    return seated(played[request.param])


def seated(bot: Noting) -> Seated:
    assert bot.fair == [True]
    kept = Seated(
        arena.MatchStarting.FromString(bot.starting[0].SerializeToString()),
        arena.MatchStarted.FromString(bot.started[0].SerializeToString()),
        [arena.MoveMade.FromString(made.SerializeToString()) for made in bot.moves],
        [arena.Turn.FromString(turn.message.SerializeToString()) for turn in bot.turns],
        arena.MatchEnded.FromString(bot.ended[0].SerializeToString()),
    )
    kept.nonce = kept.ended.reveal.nonces[kept.ended.seat]
    assert kept.check()
    return kept


def flipped(text: bytes) -> bytes:
    return bytes([text[0] ^ 1]) + text[1:]


def swap(tiles: game.AzulTiles | game.SummerPavilionTiles) -> None:
    """Turns a tile into one of another color."""
    colors = AZUL_COLORS if isinstance(tiles, game.AzulTiles) else PAVILION_COLORS
    taken = next(color for color in colors if getattr(tiles, color))
    given = next(color for color in colors if color != taken)
    setattr(tiles, taken, getattr(tiles, taken) - 1)
    setattr(tiles, given, getattr(tiles, given) + 1)


def table(state: game.GameState) -> game.AzulState | game.SummerPavilionState:
    return state.azul if state.HasField("azul") else state.summer_pavilion


def change_secret(match: Seated) -> None:
    match.ended.reveal.secret = flipped(match.ended.reveal.secret)


def change_commitment(match: Seated) -> None:
    match.starting.match.commitment = flipped(match.starting.match.commitment)


def change_match_id(match: Seated) -> None:
    match.starting.match.id = "a" * 16


def change_own_nonce(match: Seated) -> None:
    match.nonce = flipped(match.nonce)


def drop_own_nonce(match: Seated) -> None:
    match.ended.reveal.nonces[match.ended.seat] = b""


def add_a_nonce(match: Seated) -> None:
    match.ended.reveal.nonces.append(bytes(32))


def change_both_nonces(match: Seated) -> None:
    """The nonce that the arena reports for the seat is not the one that the seat sent."""
    for nonces in (match.ended.reveal.nonces, match.started.nonces):
        nonces[match.ended.seat] = flipped(nonces[match.ended.seat])


def change_seed(match: Seated) -> None:
    """Another secret with a commitment that fits: what an arena would do that chose the deal."""
    match.ended.reveal.secret = bytes(32)
    match.starting.match.commitment = fair_play.commitment(match.starting.match.id, bytes(32))


def change_first_factory(match: Seated) -> None:
    swap(table(match.started.state).factories[-1])


def change_first_bag(match: Seated) -> None:
    swap(table(match.started.state).bag)


def change_first_drawn(match: Seated) -> None:
    table(match.started.state).drawn += 1


def change_shown_bag(match: Seated) -> None:
    swap(table(match.turns[1].state).bag)


def change_last_deal(match: Seated) -> None:
    dealt = [
        event
        for made in match.moves
        for event in made.events
        if event.azul.HasField("dealt") or event.summer_pavilion.HasField("dealt")
    ][-1]
    swap((dealt.azul if dealt.HasField("azul") else dealt.summer_pavilion).dealt.tiles)


def drop_a_deal(match: Seated) -> None:
    for made in match.moves:
        for place, event in enumerate(made.events):
            if event.azul.HasField("dealt") or event.summer_pavilion.HasField("dealt"):
                del made.events[place]
                return


def change_points(match: Seated) -> None:
    match.ended.match.result.score.seats[0].points += 1


def change_total(match: Seated) -> None:
    match.ended.match.result.score.seats[-1].total += 1


def change_winners(match: Seated) -> None:
    match.ended.match.result.score.winners.append(9)


def change_end(match: Seated) -> None:
    match.ended.match.result.score.ClearField("end")


def change_move(match: Seated) -> None:
    """The first move again: its factory display has no tiles until the next round."""
    match.moves[4].move.CopyFrom(match.moves[0].move)


def change_mover(match: Seated) -> None:
    match.moves[2].seat += 1


def change_notation(match: Seated) -> None:
    match.moves[2].move.notation += "1"


def change_shown_board(match: Seated) -> None:
    """The order of the seats, which no deal and no points depend on at the start."""
    table(match.turns[0].state).start_seat += 1


def change_shown_factories(match: Seated) -> None:
    factories: Any = table(match.turns[1].state).factories
    first, last = factories[0], factories[-1]
    kept = type(first)()
    kept.CopyFrom(first)
    first.CopyFrom(last)
    last.CopyFrom(kept)


@pytest.mark.parametrize(
    ("change", "element"),
    [
        (change_winners, "score"),
        (change_end, "score"),
        (change_move, "rules"),
        (change_mover, "rules"),
        (change_notation, "rules"),
        (change_shown_board, "rules"),
        (change_shown_factories, "rules"),
        (change_secret, "commitment"),
        (change_commitment, "commitment"),
        (change_match_id, "commitment"),
        (change_own_nonce, "nonce"),
        (drop_own_nonce, "nonce"),
        (add_a_nonce, "nonce"),
        (change_both_nonces, "nonce"),
        (change_seed, "first deal"),
        (change_first_factory, "first deal"),
        (change_first_bag, "first deal"),
        (change_first_drawn, "first deal"),
        (change_shown_bag, "move"),
        (change_last_deal, "move"),
        (drop_a_deal, "move"),
        (change_points, "score"),
        (change_total, "score"),
    ],
)
def test_whatever_is_changed_is_found(
    match: Seated, change: Callable[[Seated], None], element: str
) -> None:
    change(match)
    with pytest.raises(azulejo.UnfairError) as unfair:
        match.check()
    assert unfair.value.element == element
    assert (unfair.value.turn is not None) == (element in ("move", "rules"))


def test_a_tower_that_holds_other_tiles_is_found(played: dict[str, Noting]) -> None:
    # With four players the bag is empty long before the end.
    match = seated(played["summer-pavilion-colored-4"])
    tipped = [
        event.summer_pavilion.tower_tipped
        for made in match.moves
        for event in made.events
        if event.summer_pavilion.HasField("tower_tipped")
    ]
    swap(tipped[-1].tiles)
    with pytest.raises(azulejo.UnfairError) as unfair:
        match.check()
    assert unfair.value.element == "move"


def test_a_match_that_was_not_seen_whole_is_not_judged_by_its_deals(match: Seated) -> None:
    del match.moves[1]
    assert match.check() is False


def test_commitment_and_seed_are_those_that_others_make() -> None:
    secret = bytes(range(32))
    match_id = "a" * 16
    assert fair_play.commitment(match_id, secret).hex() == (
        "c28edc73da27bc5f47814a5b1d598a8c0baff71af4f4225c7e8c295d162865c4"
    )
    nonces = [b"\x01" * 32, b"", b"\x02" * 32]
    assert fair_play.seed(match_id, secret, nonces).hex() == (
        "7cd3c8fcf20a8d7f80749d8c3b51f8022e3fe9e99b9764cf97042b1749d76914"
    )


def deals(events: Iterator[game.Event]) -> Iterator[tuple[list[int], int]]:
    for event in events:
        if event.azul.HasField("dealt"):
            tiles = event.azul.dealt.tiles
            yield [getattr(tiles, color) for color in AZUL_COLORS], 4


def test_the_engine_deals_what_the_draw_says(engine: azulejo.Engine) -> None:
    for number in range(20):
        answer = engine.new_game("azul-colored-4", seed=number)
        seed = number.to_bytes(8, "little") + bytes(24)
        stock = Stock([20] * 5)
        shown = list(deals(iter(answer.events)))
        assert len(shown) == 9
        assert [tiles for tiles, _ in shown] == [stock.fill(room, seed)[0] for _, room in shown]
