"""The search core of Santorini: states, turns with powers, the search and a small net.

It is compiled with mypyc where possible (`compiled.py`).
"""

from __future__ import annotations

from typing import Final

from boardwire.compiled import prefer_compiled

COMPILED: Final = prefer_compiled("bots/santorini/core", __path__)
"""Whether the core runs compiled in this process."""
