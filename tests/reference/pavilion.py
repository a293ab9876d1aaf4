"""A second, naive engine of Azul: Summer Pavilion, written from the rulebook alone."""

import tiles
from tiles import Heap, Words

NAME = "summer-pavilion"
# The outer stars stand clockwise in the same order; the center star is the seventh.
COLORS = "ORBYGP"
STARS = "ORBYGPC"
CENTER = 6
SPACES = range(1, 7)
WILD_COLORS = "PGOYBR"
FACTORIES = {2: 5, 3: 7, 4: 9}
TILES_PER_FACTORY = 4
TILES_PER_COLOR = 22
SUPPLY_SPACES = 10
CORNERS = 4
ROUNDS = 6
STAR_BONUS = {"R": 14, "B": 15, "Y": 16, "O": 17, "G": 18, "P": 20}
MIXED_STAR_BONUS = 12
NUMBER_BONUS = {1: 4, 2: 8, 3: 12, 4: 16}

Place = tuple[int, int]


def features() -> list[tuple[int, list[Place]]]:
    """Pillars, statues and windows: bonus tiles, and the spaces around."""
    found: list[tuple[int, list[Place]]] = []
    for star in range(6):
        following = (star + 1) % 6
        centers = [(CENTER, (star + 5) % 6 + 1), (CENTER, star + 1)]
        found.append((1, [(star, 2), (star, 3)] + centers))
        found.append((2, [(star, 1), (star, 2), (following, 3), (following, 4)]))
        found.append((3, [(star, 5), (star, 6)]))
    return found


FEATURES = features()


def cost(side: str, star: int, space: int) -> int:
    if side == "colored":
        return space
    return 3 if star == CENTER else [3, 2, 1, 4, 5, 6][space - 1]


class Board:
    def __init__(self) -> None:
        self.points = 5
        self.hand: Heap = tiles.empty(COLORS)
        self.stars = [["."] * 6 for _ in STARS]

    def at(self, place: Place) -> str:
        star, space = place
        return self.stars[star][space - 1]

    def lose(self, points: int) -> None:
        """The track has no space below 1."""
        self.points = max(1, self.points - points)

    def colors_for(self, side: str, star: int) -> list[str]:
        """The colors that this star takes now."""
        if side == "colored" and star != CENTER:
            return [COLORS[star]]
        laid = [color for color in self.stars[star] if color != "."]
        if side == "gray" and len(laid) < 2:
            return list(COLORS)
        if side == "gray" and laid[0] == laid[1]:
            return [laid[0]]
        return [color for color in COLORS if color not in laid]

    def group(self, place: Place) -> int:
        """Size of the piece of the star, a ring of six spaces, that holds this tile."""
        star, space = place
        tile = self.stars[star]
        ring = [tile[(space - 1 + step) % 6] != "." for step in range(6)]
        if all(ring):
            return 6
        clockwise = ring.index(False)
        return clockwise + ring[::-1].index(False)

    def bonus_tiles(self, place: Place) -> int:
        """Bonus tiles of the features that the tile just laid here has closed."""
        around = [(bonus, spaces) for bonus, spaces in FEATURES if place in spaces]
        return sum(bonus for bonus, spaces in around if all(self.at(s) != "." for s in spaces))

    def star_bonus(self, star: int) -> int:
        laid = self.stars[star]
        if "." in laid:
            return 0
        return STAR_BONUS[laid[0]] if len(set(laid)) == 1 else MIXED_STAR_BONUS

    def number_bonus(self, side: str, number: int) -> int:
        places = [(star, space) for star in range(7) for space in SPACES]
        wanted = [place for place in places if cost(side, *place) == number]
        return NUMBER_BONUS[number] if all(self.at(place) != "." for place in wanted) else 0

    def total(self, side: str) -> int:
        stars = sum(self.star_bonus(star) for star in range(7))
        numbers = sum(self.number_bonus(side, number) for number in NUMBER_BONUS)
        return max(1, self.points + stars + numbers - tiles.total(self.hand))

    def show(self) -> str:
        stars = "/".join("".join(star) for star in self.stars)
        return f"seat points {self.points} hand {tiles.show(self.hand)} stars {stars}"


def read_board(words: Words) -> Board:
    board = Board()
    words.next()
    board.points = int(words.after("points"))
    board.hand = tiles.read(words.after("hand"), COLORS)
    board.stars = [list(star) for star in words.after("stars").split("/")]
    return board


class Game:
    def __init__(self, side: str, players: int, start: int) -> None:
        self.side, self.players = side, players
        self.round, self.phase = 1, "deal"
        self.turn = self.start = start
        self.token: int | None = None
        self.passed: list[int] = []
        self.drawn = 0
        self.bag: Heap = {color: TILES_PER_COLOR for color in COLORS}
        self.tower: Heap = tiles.empty(COLORS)
        self.supply: Heap = tiles.empty(COLORS)
        self.center: Heap = tiles.empty(COLORS)
        self.factories = [tiles.empty(COLORS) for _ in range(FACTORIES[players])]
        self.boards = [Board() for _ in range(players)]

    def wild(self) -> str:
        return WILD_COLORS[self.round - 1]

    # Deals

    def stock(self) -> tuple[Heap, Heap]:
        return self.bag, self.tower

    def nothing_to_draw(self) -> bool:
        return tiles.total(self.bag) + tiles.total(self.tower) == 0

    def supply_is_short(self) -> bool:
        return tiles.total(self.supply) < SUPPLY_SPACES

    def awaited_display(self) -> str | None:
        if self.phase not in ("deal", "top-up"):
            return None
        if self.supply_is_short():
            return "supply"
        return f"factory {[tiles.total(factory) for factory in self.factories].index(0)}"

    def room(self) -> int:
        if self.awaited_display() == "supply":
            return SUPPLY_SPACES - tiles.total(self.supply)
        return TILES_PER_FACTORY

    def deal(self, dealt: Heap) -> None:
        display = self.awaited_display()
        at_hand = tiles.total(self.bag) + tiles.total(self.tower)
        if display is None or tiles.total(dealt) != min(self.room(), at_hand):
            raise ValueError("a deal that no display waits for")
        tiles.deal_from(self.bag, self.tower, dealt)
        tiles.add(self.display(display), dealt)
        self.drawn += tiles.total(dealt)
        if self.phase == "top-up":
            self.phase = "play"
        else:
            self.go_on_dealing()

    def display(self, name: str) -> Heap:
        return self.supply if name == "supply" else self.factories[int(name.split()[1])]

    def go_on_dealing(self) -> None:
        """Deals while a display has room and there are tiles; then the offer, if there is one."""
        filled = all(tiles.total(factory) for factory in self.factories)
        if self.nothing_to_draw() or (filled and not self.supply_is_short()):
            self.phase = "acquire" if self.tiles_on_offer() else "play"

    # Phase 1: acquire tiles

    def tiles_on_offer(self) -> int:
        return tiles.total(self.center) + sum(tiles.total(factory) for factory in self.factories)

    def source(self, source: int) -> Heap:
        return self.center if source == 0 else self.factories[source - 1]

    def takes(self) -> list[str]:
        moves = []
        for source in range(len(self.factories) + 1):
            there = [color for color, count in self.source(source).items() if count]
            name = "c" if source == 0 else str(source)
            only_wild = there == [self.wild()]
            moves += [name + color for color in there if color != self.wild() or only_wild]
        return moves

    def take(self, source: int, color: str) -> None:
        heap, board = self.source(source), self.boards[self.turn]
        taken = tiles.empty(COLORS)
        if color != self.wild():
            taken[color] = heap[color]
        taken[self.wild()] = min(1, heap[self.wild()])
        tiles.remove(heap, taken)
        tiles.add(board.hand, taken)
        if source > 0:
            tiles.move_all(heap, self.center)
        elif self.token is None:
            self.token = self.turn
            board.lose(tiles.total(taken))
        if self.tiles_on_offer():
            self.turn = (self.turn + 1) % self.players
        else:
            self.phase, self.turn = "play", self.token_holder()

    def token_holder(self) -> int:
        return self.start if self.token is None else self.token

    # Phase 2: play tiles

    def legal_moves(self) -> list[str]:
        hand = self.boards[self.turn].hand
        if self.phase == "acquire":
            return self.takes()
        if self.phase == "play":
            return ["pass"] + self.places()
        if self.phase == "keep":
            return choices("=", hand, CORNERS)
        if self.phase.startswith("bonus:"):
            return choices("+", self.supply, int(self.phase[-1]))
        return []

    def places(self) -> list[str]:
        board, moves = self.boards[self.turn], []
        for star in range(7):
            for space in SPACES:
                if board.at((star, space)) == ".":
                    price = cost(self.side, star, space)
                    for color in board.colors_for(self.side, star):
                        counts = self.naturals(color, price)
                        moves += [f"{STARS[star]}{space}:{color}{count}" for count in counts]
        return moves

    def naturals(self, color: str, price: int) -> list[int]:
        """With how many tiles of the color itself the hand can pay."""
        hand = self.boards[self.turn].hand
        if hand[color] == 0:
            return []
        wilds = 0 if color == self.wild() else hand[self.wild()]
        return [n for n in range(1, price + 1) if n <= hand[color] and price - n <= wilds]

    def play(self, move: str) -> None:
        """Carries out one of the legal moves."""
        if self.phase == "acquire":
            self.take(0 if move[0] == "c" else int(move[0]), move[1])
        elif move == "pass":
            self.pass_on()
        elif self.phase == "play":
            self.place((STARS.index(move[0]), int(move[1])), move[3], int(move[4]))
        elif self.phase == "keep":
            self.keep(tiles.read(move[1:], COLORS))
        else:
            self.take_bonus(tiles.read(move[1:], COLORS))

    def place(self, place: Place, color: str, naturals: int) -> None:
        board = self.boards[self.turn]
        paid = tiles.empty(COLORS)
        paid[color] += naturals
        paid[self.wild()] += cost(self.side, *place) - naturals
        tiles.remove(board.hand, paid)
        board.stars[place[0]][place[1] - 1] = color
        paid[color] -= 1
        tiles.add(self.tower, paid)
        board.points += board.group(place)
        due = min(board.bonus_tiles(place), tiles.total(self.supply))
        if due:
            self.phase = f"bonus:{due}"
        else:
            self.end_turn()

    def take_bonus(self, bonus: Heap) -> None:
        tiles.remove(self.supply, bonus)
        tiles.add(self.boards[self.turn].hand, bonus)
        self.end_turn()

    def pass_on(self) -> None:
        hand = self.boards[self.turn].hand
        size = min(CORNERS, tiles.total(hand))
        kept = [part for part in MULTISETS[size] if tiles.within(part, hand)]
        if len(kept) > 1:
            self.phase = "keep"
        else:
            self.keep(dict(kept[0]))

    def keep(self, kept: Heap) -> None:
        board = self.boards[self.turn]
        tiles.remove(board.hand, kept)
        board.lose(tiles.total(board.hand))
        tiles.move_all(board.hand, self.tower)
        board.hand = kept
        # Who must still choose what to keep is not yet written among those who passed.
        self.passed = sorted(self.passed + [self.turn])
        self.end_turn()

    def end_turn(self) -> None:
        if len(self.passed) == self.players:
            return self.end_round()
        self.turn = (self.turn + 1) % self.players
        while self.turn in self.passed:
            self.turn = (self.turn + 1) % self.players
        short = self.supply_is_short() and not self.nothing_to_draw()
        self.phase = "top-up" if short else "play"

    # Phase 3: the next round, and the end of the game

    def end_round(self) -> None:
        self.start = self.turn = self.token_holder()
        self.token = None
        self.passed = []
        if self.round == ROUNDS:
            self.phase = "over"
            return
        self.round += 1
        self.phase = "deal"
        self.go_on_dealing()

    def score(self) -> tuple[list[int], list[int], list[int]]:
        """Totals, ranks and winners if the game ended now."""
        totals = [board.total(self.side) for board in self.boards]
        return totals, *tiles.rank([(points,) for points in totals])

    def show(self) -> str:
        head = f"{NAME} {self.side} {self.players} round {self.round} {self.phase}"
        seats = f"turn {self.turn} start {self.start} token {tiles.show_seat(self.token)}"
        passed = "passed " + ("".join(str(seat) for seat in self.passed) or "-")
        stock = f"drawn {self.drawn} bag {tiles.show(self.bag)} tower {tiles.show(self.tower)}"
        factories = "/".join(tiles.show(factory) for factory in self.factories)
        offer = f"supply {tiles.show(self.supply)} center {tiles.show(self.center)}"
        words = [head, seats, passed, stock, offer, f"factories {factories}"]
        return " ".join(words + [board.show() for board in self.boards])


MULTISETS = {size: tiles.multisets(COLORS, size) for size in range(CORNERS + 1)}


def choices(sign: str, heap: Heap, size: int) -> list[str]:
    """Every way to choose this many tiles of a heap."""
    chosen = [part for part in MULTISETS[size] if tiles.within(part, heap)]
    return [sign + tiles.show(part) for part in chosen]


def new_game(record: str) -> Game:
    """`summer-pavilion colored 2 start 0 …`"""
    words = Words(record)
    side, players = words.after(NAME), int(words.next())
    return Game(side, players, int(words.after("start")))


def read_position(text: str) -> Game:
    words = Words(text)
    side, players = words.after(NAME), int(words.next())
    round_number, phase = int(words.after("round")), words.next()
    turn = int(words.after("turn"))
    game = Game(side, players, int(words.after("start")))
    game.round, game.phase, game.turn = round_number, phase, turn
    game.token = tiles.read_seat(words.after("token"))
    game.passed = [int(seat) for seat in words.after("passed").replace("-", "")]
    game.drawn = int(words.after("drawn"))
    game.bag = tiles.read(words.after("bag"), COLORS)
    game.tower = tiles.read(words.after("tower"), COLORS)
    game.supply = tiles.read(words.after("supply"), COLORS)
    game.center = tiles.read(words.after("center"), COLORS)
    displays = words.after("factories").split("/")
    game.factories = [tiles.read(display, COLORS) for display in displays]
    game.boards = [read_board(words) for _ in range(players)]
    return game
