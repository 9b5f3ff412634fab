"""The search core of Eriantys: the match as a list of numbers, its rules, the evaluation and the search.

It is compiled with mypyc where possible (`compiled.py`).
"""

from __future__ import annotations

from typing import Final

from boardwire.compiled import prefer_compiled

COMPILED: Final = prefer_compiled("bots/eriantys/core", __path__)
"""Whether the core runs compiled in this process."""
