"""The messages of the games: rules, states, moves, events, scores (`azulejo.game.v1`)."""

# ruff: noqa: F403
from .gen.game.v1.azul_pb2 import *
from .gen.game.v1.chance_pb2 import *
from .gen.game.v1.game_pb2 import *
from .gen.game.v1.rules_pb2 import *
from .gen.game.v1.summer_pavilion_pb2 import *
