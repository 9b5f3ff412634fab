"""Generator of `players/confusables.tsv` from Unicode's confusables.txt: `python -m scripts.confusables FILE`.

The file is at https://www.unicode.org/Public/security/latest/confusables.txt (UTS #39). The table has the letters,
digits and marks that normalisation does not change, each with a prototype that the table does not change further.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from pathlib import Path

from boardwire.players.skeleton import TABLE

_FOLDS = 5
"""Number of rounds after which every prototype of Unicode 13 to 17 is stable."""


def table(text: str) -> str:
    """Return the table for the text of confusables.txt."""
    letters: dict[str, str] = {}
    version = re.search(r"# Version: (\S+)", text)
    for line in text.splitlines():
        fields = [field.strip() for field in line.lstrip("\ufeff").partition("#")[0].split(";")]
        if len(fields) == 3:
            letters[_decode(fields[0])] = _decode(fields[1])
    lines = [
        f"# Letters that look alike, from Unicode's confusables.txt, version {version[1] if version else 'unknown'}",
        "# (c) Unicode, Inc.; terms of use: https://www.unicode.org/terms_of_use.html; made by scripts/confusables.py",
    ]
    for letter in sorted(letters):
        if unicodedata.category(letter)[0] in "LNM" and _plain(letter) == letter:
            like = letters[letter]
            for _ in range(_FOLDS):
                like = _plain("".join(letters.get(character, character) for character in _plain(like)))
            if like != letter:
                lines.append(f"{letter}\t{like}")
    return "\n".join(lines) + "\n"


def _decode(codes: str) -> str:
    return "".join(chr(int(code, 16)) for code in codes.split())


def _plain(text: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))


if __name__ == "__main__":
    TABLE.write_text(table(Path(sys.argv[1]).read_text("utf-8")), "utf-8")
