"""The messages of the arena: turns, matches, ratings (`azulejo.arena.v1`)."""

# ruff: noqa: F403
from .gen.arena.v1.admin_pb2 import *
from .gen.arena.v1.arena_pb2 import *
from .gen.arena.v1.bots_pb2 import *
from .gen.arena.v1.challenges_pb2 import *
from .gen.arena.v1.ladder_pb2 import *
from .gen.arena.v1.matches_pb2 import *
from .gen.arena.v1.play_pb2 import *
