"""Replays games of the engine with the reference engines and stops at the first difference.

Standard input has one game a line, as JSON; see `check_game`.
"""

import json
import sys

import azul
import draw
import pavilion
import tiles

Game = azul.Game | pavilion.Game


class Difference(Exception):
    def __init__(self, what: str, expected: object, got: object) -> None:
        super().__init__(f"{what}\n  expected {expected}\n  got      {got}")


def compare(what: str, expected: object, got: object) -> None:
    """`expected` is what the reference says, `got` what the engine said."""
    if expected != got:
        raise Difference(what, expected, got)


def first_position(game: dict) -> Game:
    module = azul if game["start"].startswith("azul ") else pavilion
    if game["record"] is None:
        return module.read_position(game["start"])
    return module.new_game(game["record"])


def steps_of_record(record: str) -> list[str]:
    words = record.split(" ")
    return words[words.index("start") + 2 :]


def check_step(position: Game, step: dict, seed: bytes | None) -> None:
    compare("position", position.show(), step["position"])
    moves = position.legal_moves()
    compare("legal moves", moves, step["moves"])
    is_deal = step["step"].startswith("[")
    compare("awaits a deal", position.awaited_display() is not None, is_deal)
    if not is_deal:
        compare("move that is legal", True, step["step"] in moves)
        position.play(step["step"])
        return
    if seed is not None:
        dealt = draw.deal(seed, position.drawn, *position.stock(), position.room())
        compare(f"deal to {position.awaited_display()}", f"[{tiles.show(dealt)}]", step["step"])
    position.deal(tiles.read(step["step"].strip("[]"), "".join(position.bag)))


def check_end(position: Game, game: dict) -> None:
    compare("final position", position.show(), game["final"])
    compare("legal moves at the end", position.legal_moves(), [])
    compare("awaits a deal at the end", position.awaited_display(), None)
    totals, ranks, winners = position.score()
    compare("totals", totals, game["totals"])
    compare("ranks", ranks, game["ranks"])
    compare("winners", winners, game["winners"])


def check_game(game: dict) -> int:
    """Replays one game and returns how many steps it has.

    `record` is the text of the record, or null for a game from a crafted position; `start` and
    `final` are positions; `seed` is null if the deals were chosen; each of `steps` has the
    position before the step, its legal moves and the step itself.
    """
    number = 0
    try:
        position = first_position(game)
        compare("first position", position.show(), game["start"])
        if game["record"] is not None:
            written = [step["step"] for step in game["steps"]]
            compare("steps of the record", written, steps_of_record(game["record"]))
        seed = None if game["seed"] is None else bytes.fromhex(game["seed"])
        for number, step in enumerate(game["steps"], start=1):
            check_step(position, step, seed)
        number += 1
        check_end(position, game)
    except (Difference, ValueError, IndexError, KeyError, StopIteration) as problem:
        here = game["steps"][number - 1 : number] or [{"position": game["final"], "step": "none"}]
        where = f"  in {here[0]['position']}\n  next step {here[0]['step']}"
        raise SystemExit(f"step {number}: {type(problem).__name__}: {problem}\n{where}")
    return len(game["steps"])


def main() -> None:
    games = steps = 0
    for line in sys.stdin:
        games += 1
        game = json.loads(line)
        try:
            steps += check_game(game)
        except SystemExit as difference:
            print(f"reference: game {games} ({game.get('name')}), {difference}")
            sys.exit(1)
    print(f"reference: {games} games, {steps} steps agree")


if __name__ == "__main__":
    main()
