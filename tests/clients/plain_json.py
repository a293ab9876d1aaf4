"""Random games of every ruleset with nothing but urllib and json.

Answers are plain dictionaries, and no key is guarded: every field of every state, move, effect,
event and score is read, so that a missing key or a short list fails. Facts that hold in every state
are checked too, for example that no tile gets lost.
"""

import json
import os
import random
import sys
import urllib.request

GAMES = 9
"""Of each ruleset."""
URL = f"{os.environ['URL']}/azulejo.engine.v1.EngineService"
COLORS = {
    "azul": ("blue", "yellow", "red", "black", "white"),
    "summerPavilion": ("orange", "red", "blue", "yellow", "green", "purple"),
}
TILES = {"azul": 20, "summerPavilion": 22}
HEAPS = {"azul": ("bag", "lid", "center"), "summerPavilion": ("bag", "tower", "supply", "center")}
FACTORIES = {2: 5, 3: 7, 4: 9}
# Every event: its simple fields, its heaps of tiles, and how many oneofs it has.
EVENTS = {
    "azul": {
        "took": ("seat color tiles", "", 1),
        "markerTaken": ("seat", "", 0),
        "laidOnLine": ("seat row color tiles", "", 0),
        "fellToFloor": ("seat color tiles", "", 0),
        "fellToLid": ("seat color tiles", "", 0),
        "tilePlaced": ("seat row column color points", "", 0),
        "lineDropped": ("seat row color tiles", "", 0),
        "floorCleared": ("seat penalty lost", "", 0),
        "roundBegan": ("round startSeat", "", 0),
        "lidTipped": ("", "tiles", 0),
        "dealt": ("factory", "tiles", 0),
        "bonus": ("seat rows columns colors points", "", 0),
        "gameEnded": ("end", "", 0),
    },
    "summerPavilion": {
        "took": ("seat color tiles wilds", "", 1),
        "tokenTaken": ("seat lost", "", 0),
        "placingBegan": ("seat", "", 0),
        "placed": ("seat star space color wilds points", "", 0),
        "bonusEarned": ("seat tiles", "", 0),
        "bonusTaken": ("seat", "tiles", 0),
        "passed": ("seat lost", "kept discarded", 0),
        "roundBegan": ("round startSeat wild", "", 0),
        "towerTipped": ("", "tiles", 0),
        "dealt": ("", "tiles", 1),
        "finalScore": ("seat stars numbers lost", "", 0),
        "gameEnded": ("", "", 0),
    },
}


def expect(condition, text):
    if not condition:
        print(f"FAILED  plain JSON: {text}", flush=True)
        sys.exit(1)


def call(method, **body):
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(f"{URL}/{method}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def heap(tiles, game):
    return [tiles[color] for color in COLORS[game]]


def cells(names, game):
    """The number of tiles of each color, from names like AZUL_COLOR_BLUE."""
    colors = [name.rsplit("_", 1)[1].lower() for name in names]
    free = colors.count("unspecified")
    counts = [colors.count(color) for color in COLORS[game]]
    expect(free + sum(counts) == len(colors), f"unknown colors: {names}")
    return counts


def azul_board(board):
    """The heaps of tiles on a board, and whether it has the marker."""
    expect(board["points"] >= 0, "points")
    expect(len(board["wall"]) == 25, "a wall has 25 spaces")
    expect(len(board["lines"]) == 5, "a board has five lines")
    heaps = [heap(board["floor"], "azul"), cells(board["wall"], "azul")]
    for number, line in enumerate(board["lines"], 1):
        expect(line["tiles"] <= number, "a line is not longer than its number")
        color = cells([line["color"]], "azul")
        expect(sum(color) == min(line["tiles"], 1), "only an empty line has no color")
        heaps.append([line["tiles"] * one for one in color])
    return heaps, board["hasMarker"]


def pavilion_board(board):
    """The heaps of tiles on a board, and whether it has the token."""
    expect(board["points"] >= 1, "points")
    expect(len(board["spaces"]) == 42, "a board has 42 spaces")
    heaps = [heap(board["hand"], "summerPavilion"), cells(board["spaces"], "summerPavilion")]
    return heaps, board["hasToken"]


def read_state(table, game):
    rules = table["rules"]
    players = rules["players"]
    expect(rules["version"] == 1, "version")
    expect(not rules["side"].endswith("UNSPECIFIED"), "side")
    expect(not table["phase"].endswith("UNSPECIFIED"), "phase")
    expect(table["round"] >= 1, "round")
    expect(table["drawn"] >= 4 * FACTORIES[players], "drawn")
    expect(max(table["turnSeat"], table["startSeat"]) < players, "turnSeat and startSeat")
    expect(len(table["factories"]) == FACTORIES[players], "factories")
    expect(len(table["boards"]) == players, "boards")
    if game == "azul":
        expect(rules["roundLimit"] == 50, "roundLimit")
        running = table["end"] == "AZUL_GAME_END_UNSPECIFIED"
        expect(running == (table["phase"] != "AZUL_PHASE_OVER"), "end")
        boards = [azul_board(board) for board in table["boards"]]
    else:
        choosing = table["phase"] == "SUMMER_PAVILION_PHASE_BONUS"
        expect((table["bonusDue"] > 0) == choosing, "bonusDue")
        expect(table["passedSeats"] == sorted(set(table["passedSeats"])), "passedSeats")
        boards = [pavilion_board(board) for board in table["boards"]]
    expect([holds for _, holds in boards].count(True) <= 1, "hasMarker or hasToken")
    heaps = [heap(table[name], game) for name in HEAPS[game]]
    heaps += [heap(tiles, game) for tiles in table["factories"]]
    heaps += [tiles for board, _ in boards for tiles in board]
    counts = [sum(color) for color in zip(*heaps)]
    expect(counts == [TILES[game]] * len(COLORS[game]), f"tiles by color: {counts}")


def read_azul_effect(kind, effect):
    places = effect["tilesToLine"] + effect["tilesToFloor"] + effect["tilesToLid"]
    expect(effect["tilesTaken"] == places, "every tile goes to the line, the floor or the lid")
    take = kind == "take"
    expect((places > 0) == take, "tilesTaken")
    expect(effect["takesMarker"] <= take, "takesMarker")
    expect(effect["completesLine"] <= take, "completesLine")
    expect(effect["wallPoints"] >= (not take), "wallPoints")
    expect(effect["floorPenalty"] <= 14 * take, "floorPenalty")


def read_pavilion_effect(kind, effect):
    place = kind == "place"
    expect((effect["tilesTaken"] > 0) == (kind == "take" or kind == "takeBonus"), "tilesTaken")
    expect(effect["wildsTaken"] <= effect["tilesTaken"], "wildsTaken")
    expect(effect["takesToken"] <= (kind == "take"), "takesToken")
    expect((effect["cost"] > 0) == place, "cost")
    expect(effect["wildsPaid"] < effect["cost"] or not place, "wildsPaid")
    expect((effect["points"] > 0) == place, "points")
    expect(effect["bonusTiles"] <= 3 * place, "bonusTiles")
    expect(effect["tilesDiscarded"] == 0 or kind == "pass" or kind == "keep", "tilesDiscarded")
    expect(effect["pointsLost"] == 0 or not place, "pointsLost")


def read_moves(moves, game):
    ids = [move["actionId"] for move in moves]
    expect(ids == sorted(set(ids)), "action ids ascend")
    for move in moves:
        (kind,) = move["move"][game]
        expect(move["notation"] != "", "notation")
        if game == "azul":
            read_azul_effect(kind, move["azulEffect"])
        else:
            read_pavilion_effect(kind, move["summerPavilionEffect"])


def read_events(events, game):
    for event in events:
        ((kind, body),) = event[game].items()
        fields, heaps, oneofs = EVENTS[game][kind]
        read = [body[name] for name in fields.split()]
        read += [heap(body[name], game) for name in heaps.split()]
        expect(len(body) == len(read) + oneofs, f"{kind} has the keys {list(body)}")


def read_score(score, game, players):
    expect(len(score["seats"]) == players, "seats of the score")
    for seat in score["seats"]:
        bonuses = seat[game]
        if game == "azul":
            bonus = 2 * bonuses["rows"] + 7 * bonuses["columns"] + 10 * bonuses["colors"]
        else:
            stars, numbers = bonuses["stars"], bonuses["numbers"]
            bonus = sum(heap(stars, game)) + stars["center"]
            bonus += numbers["ones"] + numbers["twos"] + numbers["threes"] + numbers["fours"]
        expect(seat["total"] == seat["points"] + bonus - seat["penalty"], "total")
        expect(1 <= seat["rank"] <= players, "rank")
    first = [place for place, seat in enumerate(score["seats"]) if seat["rank"] == 1]
    expect(score["winners"] == first, "winners")
    return score["end"]


def play(ruleset, game, dice):
    """Plays a game to its end; returns the number of moves."""
    players = ruleset[game]["players"]
    seed = {"number": str(dice.getrandbits(32))}
    answer = call("NewGame", ruleset=ruleset, startSeat=dice.randrange(players), seed=seed)
    moves = call("LegalMoves", state=answer["state"])["moves"]
    steps, end = 0, "GAME_END_UNSPECIFIED"
    while True:
        state, due = answer["state"], answer["due"]
        read_state(state[game], game)
        read_events(answer["events"], game)
        read_moves(moves, game)
        if "gameOver" in due:
            break
        expect(due["seat"] == state[game]["turnSeat"], "due")
        expect(end == "GAME_END_UNSPECIFIED", "end of the score")
        action = {"actionId": dice.choice(moves)["actionId"], "seed": seed}
        full = {"includeLegalMoves": True, "includeScore": True}
        answer = call("Apply", state=state, **action, **full)
        moves, steps = answer["legalMoves"], steps + 1
        end = read_score(answer["score"], game, players)
    expect(moves == [] and end != "GAME_END_UNSPECIFIED", "a finished game has no legal moves")
    position = call("FormatPosition", state=state)["position"]
    expect(call("ParsePosition", position=position)["state"] == state, "the parsed position")
    return steps


def main():
    dice = random.Random(1)
    infos = call("ListRulesets")["rulesets"]
    expect(len(infos) == 12, "there are twelve rulesets")
    for info in infos:
        ruleset = info["ruleset"]
        game = "azul" if "azul" in ruleset else "summerPavilion"
        moves = sum(play(ruleset, game, dice) for _ in range(GAMES))
        print(f"ok      plain JSON: {info['key']}: games: {GAMES}, moves: {moves}", flush=True)


sys.exit(main())
