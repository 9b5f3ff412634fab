"""boardwire: a board-game server that speaks the wire protocols board-game programs already speak.

What `__all__` names here, and in the packages below, is public (docs/library.md); everything else may change at any
time.
"""

__all__ = [
    "__version__",
    "arena",
    "bots",
    "config",
    "dialects",
    "engines",
    "errors",
    "games",
    "node",
    "research",
    "simulation",
    "terminal",
    "testing",
]

__version__ = "0.2.0"
