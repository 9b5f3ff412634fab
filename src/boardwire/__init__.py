"""boardwire: a board-game server that speaks the wire protocols board-game programs already speak."""

__version__ = "0.1.0"
