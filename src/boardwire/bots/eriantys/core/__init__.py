"""The search core of Eriantys: the match as a list of numbers, its rules, what it is worth, and the search.

It is compiled where that was possible (`compiled.py`).
"""

from __future__ import annotations

from typing import Final

from boardwire.compiled import prefer_compiled

COMPILED: Final = prefer_compiled("bots/eriantys/core", __path__)
"""Whether the core runs compiled in this process."""
