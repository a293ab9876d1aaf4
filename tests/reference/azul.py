"""A second, naive engine of Azul, written from the rulebook alone."""

import tiles
from tiles import Heap, Words

NAME = "azul"
COLORS = "BYRKW"
FACTORIES = {2: 5, 3: 7, 4: 9}
TILES_PER_FACTORY = 4
TILES_PER_COLOR = 20
FLOOR_SPACES = 7
PENALTIES = [0, 1, 2, 4, 6, 8, 11, 14]
ROWS = range(5)
COLUMNS = range(5)


class Board:
    def __init__(self) -> None:
        self.points = 0
        self.wall = [["."] * 5 for _ in ROWS]
        # A pattern line is its color and its number of tiles; an empty one has no color.
        self.lines: list[tuple[str, int]] = [("", 0)] * 5
        self.floor: Heap = tiles.empty(COLORS)

    def takes(self, row: int, color: str) -> bool:
        held, count = self.lines[row]
        return held in ("", color) and count < row + 1 and color not in self.wall[row]

    def is_full(self, row: int) -> bool:
        return self.lines[row][1] == row + 1

    def lay(self, row: int, column: int, color: str) -> None:
        self.wall[row][column] = color
        self.points += self.tile_points(row, column)

    def tile_points(self, row: int, column: int) -> int:
        across = run([self.wall[row][c] for c in COLUMNS], column)
        down = run([self.wall[r][column] for r in ROWS], row)
        points = (across if across >= 2 else 0) + (down if down >= 2 else 0)
        return points or 1

    def gray_columns(self, row: int, color: str) -> list[int]:
        """Where the gray wall takes a tile: a free cell, the color not yet in its column."""
        free = [column for column in COLUMNS if self.wall[row][column] == "."]
        return [c for c in free if all(self.wall[other][c] != color for other in ROWS)]

    def full_rows(self) -> int:
        return sum("." not in row for row in self.wall)

    def bonuses(self) -> int:
        columns = sum(all(self.wall[row][column] != "." for row in ROWS) for column in COLUMNS)
        laid = [cell for row in self.wall for cell in row]
        colors = sum(laid.count(color) == 5 for color in COLORS)
        return 2 * self.full_rows() + 7 * columns + 10 * colors

    def show(self) -> str:
        wall = "/".join("".join(row) for row in self.wall)
        lines = "/".join(f"{color}{count}" if count else "-" for color, count in self.lines)
        return f"seat points {self.points} wall {wall} lines {lines} floor {tiles.show(self.floor)}"


def run(cells: list[str], at: int) -> int:
    """How many tiles stand in one piece around this place."""
    first = last = at
    while first > 0 and cells[first - 1] != ".":
        first -= 1
    while last < 4 and cells[last + 1] != ".":
        last += 1
    return last - first + 1


def read_line(word: str) -> tuple[str, int]:
    return ("", 0) if word == "-" else (word[0], int(word[1:]))


def read_board(words: Words) -> Board:
    board = Board()
    words.next()
    board.points = int(words.after("points"))
    board.wall = [list(row) for row in words.after("wall").split("/")]
    board.lines = [read_line(line) for line in words.after("lines").split("/")]
    board.floor = tiles.read(words.after("floor"), COLORS)
    return board


class Game:
    def __init__(self, side: str, players: int, limit: int, start: int) -> None:
        self.side, self.players, self.limit = side, players, limit
        self.round, self.phase = 1, "deal"
        self.turn = self.start = start
        self.marker: int | None = None
        self.drawn = 0
        self.bag: Heap = {color: TILES_PER_COLOR for color in COLORS}
        self.lid: Heap = tiles.empty(COLORS)
        self.center: Heap = tiles.empty(COLORS)
        self.factories = [tiles.empty(COLORS) for _ in range(FACTORIES[players])]
        self.boards = [Board() for _ in range(players)]

    # Deals

    def stock(self) -> tuple[Heap, Heap]:
        return self.bag, self.lid

    def awaited_display(self) -> str | None:
        if self.phase != "deal":
            return None
        return f"factory {[tiles.total(factory) for factory in self.factories].index(0)}"

    def room(self) -> int:
        return TILES_PER_FACTORY

    def deal(self, dealt: Heap) -> None:
        at_hand = tiles.total(self.bag) + tiles.total(self.lid)
        if tiles.total(dealt) != min(TILES_PER_FACTORY, at_hand):
            raise ValueError("a deal of another size than the display wants")
        empty = next(factory for factory in self.factories if not tiles.total(factory))
        tiles.deal_from(self.bag, self.lid, dealt)
        tiles.add(empty, dealt)
        self.drawn += tiles.total(dealt)
        if self.all_dealt():
            self.phase = "offer"

    def all_dealt(self) -> bool:
        nothing_left = tiles.total(self.bag) + tiles.total(self.lid) == 0
        return nothing_left or all(tiles.total(factory) for factory in self.factories)

    # Factory offer

    def legal_moves(self) -> list[str]:
        if self.phase == "offer":
            return [move for source in range(len(self.factories) + 1) for move in self.takes(source)]
        if self.phase == "tiling":
            board = self.boards[self.turn]
            row = next(row for row in ROWS if board.is_full(row))
            columns = board.gray_columns(row, board.lines[row][0])
            return [f"r{row + 1}c{column + 1}" for column in columns]
        return []

    def takes(self, source: int) -> list[str]:
        board, moves = self.boards[self.turn], []
        for color in COLORS:
            if self.source(source)[color]:
                lines = [str(row + 1) for row in ROWS if board.takes(row, color)]
                name = "c" if source == 0 else str(source)
                moves += [name + color + destination for destination in lines + ["f"]]
        return moves

    def source(self, source: int) -> Heap:
        return self.center if source == 0 else self.factories[source - 1]

    def play(self, move: str) -> None:
        """Carries out one of the legal moves."""
        if self.phase == "tiling":
            self.place_tile(int(move[1]) - 1, int(move[3]) - 1)
        else:
            self.take(0 if move[0] == "c" else int(move[0]), move[1], move[2])

    def take(self, source: int, color: str, destination: str) -> None:
        heap = self.source(source)
        count, heap[color] = heap[color], 0
        if source > 0:
            tiles.move_all(heap, self.center)
        elif self.marker is None:
            # Before the tiles are laid: it stands on the leftmost free space of the floor line.
            self.marker = self.turn
        if destination != "f":
            count = self.fill_line(int(destination) - 1, color, count)
        self.drop(self.turn, color, count)
        if tiles.total(self.center) or any(tiles.total(factory) for factory in self.factories):
            self.turn = (self.turn + 1) % self.players
        else:
            self.tile_walls(self.first_to_tile())

    def fill_line(self, row: int, color: str, count: int) -> int:
        """Lays tiles on a pattern line and returns how many find no room."""
        board = self.boards[self.turn]
        laid = min(count, row + 1 - board.lines[row][1])
        board.lines[row] = (color, board.lines[row][1] + laid)
        return count - laid

    def drop(self, seat: int, color: str, count: int) -> None:
        """Tiles to the floor line; those beyond its last space go to the lid."""
        floor = self.boards[seat].floor
        taken = tiles.total(floor) + (self.marker == seat)
        dropped = min(count, max(0, FLOOR_SPACES - taken))
        floor[color] += dropped
        self.lid[color] += count - dropped

    # Wall tiling

    def first_to_tile(self) -> int:
        return self.start if self.marker is None else self.marker

    def tile_walls(self, seat: int) -> None:
        """From this seat on, until a seat must choose or the round is over."""
        while True:
            if not self.tile_wall(seat):
                self.turn, self.phase = seat, "tiling"
                return
            self.clear_floor(seat)
            seat = (seat + 1) % self.players
            if seat == self.first_to_tile():
                return self.end_round()

    def tile_wall(self, seat: int) -> bool:
        """Tiles the complete lines from top to bottom; false when a choice stops it."""
        board = self.boards[seat]
        for row in ROWS:
            if not board.is_full(row):
                continue
            color = board.lines[row][0]
            if self.side == "colored":
                self.move_tile(seat, row, (COLORS.index(color) + row) % 5)
            elif board.gray_columns(row, color):
                return False
            else:
                board.lines[row] = ("", 0)
                self.drop(seat, color, row + 1)
        return True

    def place_tile(self, row: int, column: int) -> None:
        self.move_tile(self.turn, row, column)
        self.tile_walls(self.turn)

    def move_tile(self, seat: int, row: int, column: int) -> None:
        board = self.boards[seat]
        color = board.lines[row][0]
        board.lay(row, column, color)
        board.lines[row] = ("", 0)
        self.lid[color] += row

    def clear_floor(self, seat: int) -> None:
        board = self.boards[seat]
        covered = min(FLOOR_SPACES, tiles.total(board.floor) + (self.marker == seat))
        board.points = max(0, board.points - PENALTIES[covered])
        tiles.move_all(board.floor, self.lid)

    # Next round and end of the game

    def end_round(self) -> None:
        self.start = self.turn = self.first_to_tile()
        self.marker = None
        if any(board.full_rows() for board in self.boards):
            self.phase = "over:row"
        elif self.round == self.limit:
            self.phase = "over:limit"
        elif tiles.total(self.bag) + tiles.total(self.lid) == 0:
            self.phase = "over:tiles"
        else:
            self.phase = "deal"
            self.round += 1

    def score(self) -> tuple[list[int], list[int], list[int]]:
        """Totals, ranks and winners if the game ended now."""
        totals = [board.points + board.bonuses() for board in self.boards]
        keys = [(points, board.full_rows()) for points, board in zip(totals, self.boards)]
        return totals, *tiles.rank(keys)

    def show(self) -> str:
        head = f"{NAME} {self.side} {self.players} round {self.round}/{self.limit} {self.phase}"
        seats = f"turn {self.turn} start {self.start} marker {tiles.show_seat(self.marker)}"
        stock = f"drawn {self.drawn} bag {tiles.show(self.bag)} lid {tiles.show(self.lid)}"
        factories = "/".join(tiles.show(factory) for factory in self.factories)
        offer = f"center {tiles.show(self.center)} factories {factories}"
        return " ".join([head, seats, stock, offer] + [board.show() for board in self.boards])


def new_game(record: str) -> Game:
    """`azul colored 2 limit 50 start 0 …`"""
    words = Words(record)
    side, players = words.after(NAME), int(words.next())
    return Game(side, players, int(words.after("limit")), int(words.after("start")))


def read_position(text: str) -> Game:
    words = Words(text)
    side, players = words.after(NAME), int(words.next())
    round_number, limit = words.after("round").split("/")
    phase = words.next()
    turn = int(words.after("turn"))
    game = Game(side, players, int(limit), int(words.after("start")))
    game.round, game.phase, game.turn = int(round_number), phase, turn
    game.marker = tiles.read_seat(words.after("marker"))
    game.drawn = int(words.after("drawn"))
    game.bag = tiles.read(words.after("bag"), COLORS)
    game.lid = tiles.read(words.after("lid"), COLORS)
    game.center = tiles.read(words.after("center"), COLORS)
    displays = words.after("factories").split("/")
    game.factories = [tiles.read(display, COLORS) for display in displays]
    game.boards = [read_board(words) for _ in range(players)]
    return game
