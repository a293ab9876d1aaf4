"""The draw: which tile comes out of the bag. proto/azulejo/game/v1/chance.proto defines it.

A bag is a list of counts by color, in the order of the color enum.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import count

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

_BLOCK = 64


def key_stream_block(seed: bytes, nonce: int, block: int) -> bytes:
    """Block number `block` of ChaCha20 (RFC 8439); the nonce is a little-endian number."""
    start = struct.pack("<I", block) + nonce.to_bytes(12, "little")
    return Cipher(ChaCha20(seed, start), mode=None).encryptor().update(bytes(_BLOCK))


def fair_number(block: bytes, n: int) -> int | None:
    """A uniform number below `n`; None if all words are rejected."""
    limit = 2**32 // n * n
    for word in struct.unpack("<16I", block):
        if word < limit:
            return int(word % n)
    return None


def draw(seed: bytes, drawn: int, bag: Sequence[int]) -> int | None:
    """The index of the color of tile number `drawn`; None if the bag is empty."""
    tiles = sum(bag)
    if tiles == 0:
        return None
    number = next(
        number
        for nonce in count()
        if (number := fair_number(key_stream_block(seed, nonce, drawn), tiles)) is not None
    )
    for color, held in enumerate(bag):
        if number < held:
            return color
        number -= held
    raise AssertionError("a number below the sum lies in one of the colors")


class Stock:
    """The bag, the discarded tiles (lid or tower), and the number of tiles drawn."""

    def __init__(self, bag: Sequence[int], discards: Sequence[int] = (), drawn: int = 0) -> None:
        self.bag = list(bag)
        self.discards = list(discards) or [0] * len(self.bag)
        self.drawn = drawn

    def draw(self, seed: bytes) -> int | None:
        """Draws one tile. If the bag is empty, the discards are returned to it first."""
        if not any(self.bag):
            self.bag, self.discards = self.discards, [0] * len(self.bag)
        color = draw(seed, self.drawn, self.bag)
        if color is not None:
            self.bag[color] -= 1
            self.drawn += 1
        return color

    def fill(self, room: int, seed: bytes) -> tuple[list[int], list[int] | None]:
        """The tiles for a display with this room, and the discards if they were returned."""
        tiles = [0] * len(self.bag)
        tipped = None
        for _ in range(room):
            if not any(self.bag) and any(self.discards):
                tipped = list(self.discards)
            color = self.draw(seed)
            if color is None:
                break
            tiles[color] += 1
        return tiles, tipped
