"""The draw, by the rule of the contract."""

from __future__ import annotations

import struct

from azulejo.draw import Stock, draw, fair_number, key_stream_block


def test_the_key_stream_is_that_of_rfc_8439() -> None:
    # Appendix A.1, test vectors 1 and 2: zero key, zero nonce, blocks 0 and 1.
    first = key_stream_block(bytes(32), 0, 0)
    assert first.hex().startswith(
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
    )
    assert key_stream_block(bytes(32), 0, 1).hex().startswith("9f07e7be5551387a98ba977c732d080d")
    # Section 2.3.2: a key, a nonce and a counter that are not zero.
    nonce = int.from_bytes(bytes.fromhex("000000090000004a00000000"), "little")
    block = key_stream_block(bytes(range(32)), nonce, 1)
    assert block.hex().startswith("10f1e7e4d13b5915500fdd1fa32071c4")
    assert block.hex().endswith("b5129cd1de164eb9cbd083e8a2503c4e")


def test_a_word_beyond_the_largest_multiple_is_refused_for_the_next() -> None:
    words = [0xFFFFFFFF, 7] + [0] * 14
    assert fair_number(struct.pack("<16I", *words), 100) == 7
    assert fair_number(b"\xff" * 64, 100) is None
    assert fair_number(b"\xff" * 64, 64) == 63


def test_the_last_block_of_the_counter_can_be_reached() -> None:
    last = key_stream_block(bytes(32), 0, 2**32 - 1)
    assert last != key_stream_block(bytes(32), 0, 0)
    assert last != key_stream_block(bytes(32), 1, 2**32 - 1)


def test_an_empty_bag_gives_no_tile() -> None:
    assert draw(bytes(32), 0, [0, 0, 0]) is None


def test_every_tile_of_the_bag_comes_once() -> None:
    stock = Stock([2, 0, 3])
    colors = [stock.draw(bytes(32)) for _ in range(5)]
    assert sorted(color for color in colors if color is not None) == [0, 0, 2, 2, 2]
    assert stock.draw(bytes(32)) is None
    assert stock.drawn == 5


def test_the_lid_is_tipped_in_only_when_a_tile_is_needed() -> None:
    stock = Stock([1, 0], [0, 3])
    assert stock.fill(1, bytes(32)) == ([1, 0], None)
    assert stock.discards == [0, 3]
    assert stock.fill(4, bytes(32)) == ([0, 3], [0, 3])
