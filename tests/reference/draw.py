"""The draw: a pure function of the seed, the number of tiles drawn so far, and the bag."""

import struct
from collections.abc import Callable
from functools import cache

import tiles
from tiles import Heap

MASK = 0xFFFFFFFF


def rotate(word: int, bits: int) -> int:
    return (word << bits | word >> (32 - bits)) & MASK


def quarter_round(x: list[int], a: int, b: int, c: int, d: int) -> None:
    x[a] = (x[a] + x[b]) & MASK
    x[d] = rotate(x[d] ^ x[a], 16)
    x[c] = (x[c] + x[d]) & MASK
    x[b] = rotate(x[b] ^ x[c], 12)
    x[a] = (x[a] + x[b]) & MASK
    x[d] = rotate(x[d] ^ x[a], 8)
    x[c] = (x[c] + x[d]) & MASK
    x[b] = rotate(x[b] ^ x[c], 7)


# Cached because many games are dealt by the same seed.
@cache
def chacha20_block(key: bytes, counter: int, nonce: bytes) -> list[int]:
    """The block function of RFC 8439, section 2.3, as sixteen little-endian words."""
    start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    start += struct.unpack("<8I", key)
    start += [counter]
    start += struct.unpack("<3I", nonce)
    x = list(start)
    for _ in range(10):
        for column in range(4):
            quarter_round(x, column, column + 4, column + 8, column + 12)
        quarter_round(x, 0, 5, 10, 15)
        quarter_round(x, 1, 6, 11, 12)
        quarter_round(x, 2, 7, 8, 13)
        quarter_round(x, 3, 4, 9, 14)
    return [(one + other) & MASK for one, other in zip(x, start)]


Block = Callable[[bytes, int, bytes], list[int]]


def draw(seed: bytes, drawn: int, counts: list[int], block: Block = chacha20_block) -> int:
    """The color of tile number `drawn`, counted from 0, out of a bag that is not empty."""
    in_bag = sum(counts)
    bound = 2**32 // in_bag * in_bag
    nonce = 0
    while True:
        for word in block(seed, drawn, nonce.to_bytes(12, "little")):
            if word < bound:
                return color_at(word % in_bag, counts)
        nonce += 1


def color_at(number: int, counts: list[int]) -> int:
    """The color of this tile when the bag is laid out by color."""
    for color, count in enumerate(counts):
        if number < count:
            return color
        number -= count
    raise AssertionError("the number of a tile is below the number of tiles")


def deal(seed: bytes, drawn: int, bag: Heap, discards: Heap, room: int) -> Heap:
    """What fills a display with this much room. Bag and discards stay as they are."""
    bag, discards = dict(bag), dict(discards)
    display = tiles.empty("".join(bag))
    for place in range(room):
        if tiles.total(bag) == 0:
            tiles.move_all(discards, bag)
        if tiles.total(bag) == 0:
            break
        color = list(bag)[draw(seed, drawn + place, list(bag.values()))]
        bag[color] -= 1
        display[color] += 1
    return display
