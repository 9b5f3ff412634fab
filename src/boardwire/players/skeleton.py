"""Names that look alike: two names with the same skeleton cannot be told apart (UTS #39, section 4).

- The table is made from Unicode's own (`scripts/confusables.py`). Of the libraries, `confusables` (2021) and
  `confusable_homoglyphs` (2024) have no skeleton and bring 3.4 MB and 1 MB of data for the 20 KB that are needed here.
- Looks are compared before case: a Greek capital looks like a Latin one whose small letter it does not resemble. The
  skeleton is then folded as names are, and taken again for the small letters.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

from boardwire.players.account import folded

TABLE: Final = Path(__file__).with_name("confusables.tsv")
VERSION: Final = "1"
"""Grows with the table and the rules; stored skeletons of another version are made again."""


@cache
def _table() -> dict[int, str]:
    lines = TABLE.read_text("utf-8").splitlines()
    return {ord(line[0]): line[2:] for line in lines if not line.startswith("#")}


def skeleton(name: str) -> str:
    """Return the form of a name by which its looks are compared, with the version of the rules before it."""
    like = name
    for _ in range(2):
        plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", like))
        like = folded(plain.translate(_table()))
    return f"{VERSION}:{like}"
