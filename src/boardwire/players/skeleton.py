"""Skeletons of names: two names with the same skeleton look alike (UTS #39, section 4).

- The table is generated from Unicode's own (`scripts/confusables.py`). The libraries `confusables` (2021) and
  `confusable_homoglyphs` (2024) compute no skeleton, and bring 3.4 MB and 1 MB of data where 20 KB suffice.
- Look-alikes are replaced before the case is folded: a Greek capital may look like a Latin one although their small
  letters differ. Then the folded name is treated in the same way.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

from boardwire.players.account import fold_name

TABLE: Final = Path(__file__).with_name("confusables.tsv")
VERSION: Final = "1"
"""Version of the table and the rules; stored skeletons of another version are computed anew."""


@cache
def _table() -> dict[int, str]:
    lines = TABLE.read_text("utf-8").splitlines()
    return {ord(line[0]): line[2:] for line in lines if not line.startswith("#")}


def skeleton(name: str) -> str:
    """Return the skeleton of a name, prefixed with the version of the rules."""
    like = name
    for _ in range(2):
        plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", like))
        like = fold_name(plain.translate(_table()))
    return f"{VERSION}:{like}"
