"""Writes `golden/draw.json`: what the draw must give, for every engine and SDK to check itself."""

import hashlib
import json
import struct
from pathlib import Path

import azul
import draw
import pavilion
import tiles

GOLDEN = Path(__file__).parent.parent / "golden" / "draw.json"
GAMES = [azul, pavilion]
LAST_COUNTER = 2**32 - 1
NUMBERS_DRAWN = [0, 1, 2, 19, 20, 99, 131, 255, 256, 65_535, 65_536, 2**31, LAST_COUNTER]


def numbers(label: str) -> bytes:
    """Bytes that look random and are the same on every machine."""
    return hashlib.sha256(label.encode()).digest()


def seeds() -> list[bytes]:
    plain = [bytes(32), bytes([255]) * 32, bytes(range(32)), (1).to_bytes(32, "little")]
    return plain + [numbers(f"azulejo draw {index}") for index in range(4)]


def bags(colors: int, per_color: int, label: str) -> list[list[int]]:
    full = [per_color] * colors
    single = [[int(color == only) for color in range(colors)] for only in range(colors)]
    one_color = [[per_color * count for count in bag] for bag in (single[0], single[-1])]
    mixed = [[byte % (per_color + 1) for byte in numbers(f"{label} {index}")] for index in range(8)]
    return [full] + single + one_color + [bag[:colors] for bag in mixed if any(bag[:colors])]


def draw_vectors(game) -> list[dict]:
    all_bags = bags(len(game.COLORS), game.TILES_PER_COLOR, game.NAME)
    vectors = []
    for number, seed in enumerate(seeds()):
        for index, drawn in enumerate(NUMBERS_DRAWN):
            # The full bag for every seed and counter, the others in turn.
            turn = number * len(NUMBERS_DRAWN) + index
            for bag in (all_bags[0], all_bags[1 + turn % (len(all_bags) - 1)]):
                color = game.COLORS[draw.draw(seed, drawn, bag)]
                vector = {"game": game.NAME, "seed": seed.hex(), "drawn": drawn, "bag": bag}
                vectors.append(vector | {"color": color})
    return vectors


def deal_vector(game, players: int, seed: bytes) -> dict:
    header = f"{game.NAME} colored {players}" + (" limit 50" if game is azul else "") + " start 0"
    position, displays = game.new_game(header), []
    while position.awaited_display() is not None:
        dealt = draw.deal(seed, position.drawn, *position.stock(), position.room())
        displays.append(tiles.show(dealt))
        position.deal(dealt)
    return {"game": game.NAME, "players": players, "seed": seed.hex(), "displays": displays}


def check_block_function() -> None:
    """RFC 8439, section 2.3.2."""
    block = draw.chacha20_block(bytes(range(32)), 1, bytes.fromhex("000000090000004a00000000"))
    expected = (
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )
    assert struct.pack("<16I", *block).hex() == expected


def check_refusals() -> None:
    """No seed is known that refuses a whole block, so the block function stands in for one."""

    def block(_seed: bytes, _counter: int, nonce: bytes) -> list[int]:
        return [LAST_COUNTER] * 16 if nonce == bytes(12) else [LAST_COUNTER, 2] + [0] * 14

    assert draw.draw(bytes(32), 0, [1, 1, 1], block) == 2


def main() -> None:
    check_block_function()
    check_refusals()
    draws = [vector for game in GAMES for vector in draw_vectors(game)]
    deals = [
        deal_vector(game, players, seed)
        for game in GAMES
        for players in (2, 3, 4)
        for seed in seeds()
    ]
    lines = [",\n".join("  " + json.dumps(vector) for vector in group) for group in (draws, deals)]
    text = f'{{"draws": [\n{lines[0]}\n], "deals": [\n{lines[1]}\n]}}\n'
    json.loads(text)
    GOLDEN.parent.mkdir(exist_ok=True)
    GOLDEN.write_text(text, encoding="utf-8")
    print(f"{len(draws)} draws, {len(deals)} deals")


if __name__ == "__main__":
    main()
