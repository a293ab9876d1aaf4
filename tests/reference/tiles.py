"""Heaps of tiles: how many of each color, and how they are written."""

import re

Heap = dict[str, int]


def empty(colors: str) -> Heap:
    return {color: 0 for color in colors}


def total(heap: Heap) -> int:
    return sum(heap.values())


def add(heap: Heap, other: Heap) -> None:
    for color, count in other.items():
        heap[color] += count


def remove(heap: Heap, other: Heap) -> None:
    for color, count in other.items():
        heap[color] -= count
        if heap[color] < 0:
            raise ValueError(f"not enough tiles of color {color}")


def move_all(source: Heap, target: Heap) -> None:
    add(target, source)
    for color in source:
        source[color] = 0


def show(heap: Heap) -> str:
    """`B2YR`: a letter with its count, which is left out when it is 1; `-` for nothing."""
    words = [color + (str(count) if count > 1 else "") for color, count in heap.items() if count]
    return "".join(words) or "-"


def read(text: str, colors: str) -> Heap:
    heap = empty(colors)
    if text != "-":
        for color, count in re.findall(r"([A-Z])(\d*)", text):
            heap[color] += int(count or 1)
    return heap


def multisets(colors: str, size: int) -> list[Heap]:
    """All heaps of this many tiles; those with most of the first color come first."""
    if len(colors) == 1:
        return [{colors: size}]
    heaps = []
    for count in range(size, -1, -1):
        heaps += [{colors[0]: count} | rest for rest in multisets(colors[1:], size - count)]
    return heaps


def within(part: Heap, whole: Heap) -> bool:
    return all(count <= whole[color] for color, count in part.items())


def deal_from(bag: Heap, discards: Heap, tiles: Heap) -> None:
    """Takes these tiles out of the bag; the discards are tipped in only when it is empty."""
    wanted = dict(tiles)
    if total(wanted) > total(bag):
        # The old bag comes out to the last tile before anything else does.
        remove(wanted, bag)
        for color in bag:
            bag[color] = 0
        move_all(discards, bag)
    remove(bag, wanted)


class Words:
    """The words of a position, one after the other."""

    def __init__(self, text: str) -> None:
        self.rest = text.split(" ")

    def next(self) -> str:
        return self.rest.pop(0)

    def after(self, name: str) -> str:
        found = self.next()
        if found != name:
            raise ValueError(f"{name} expected, {found} found")
        return self.next()


def read_seat(word: str) -> int | None:
    return None if word == "center" else int(word)


def show_seat(seat: int | None) -> str:
    return "center" if seat is None else str(seat)


def rank(keys: list[tuple[int, ...]]) -> tuple[list[int], list[int]]:
    """Ranks from 1, equal for equal keys, and the seats that share the first."""
    ranks = [1 + sum(other > key for other in keys) for key in keys]
    return ranks, [seat for seat, place in enumerate(ranks) if place == 1]
