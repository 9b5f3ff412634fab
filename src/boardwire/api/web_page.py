"""The web page: the files that `make web` has built, or a plain page that says so.

Files under `assets/` have a hash in their names and never change; everything else is asked for again each time, and
answered with 304 if it is the same.  A file is read when it is first wanted, on a reader thread, and then kept: the
page comes at once, however busy the readers are.
"""

from __future__ import annotations

import gzip
import mimetypes
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from boardwire.api.endpoint import SMALL, TEXTS

DIRECTORY: Final = Path(__file__).parent / "page"
INDEX: Final = "index.html"
FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
LONGEST: Final = 255
"""The longest name of a file; no file system has longer ones."""

NOT_BUILT: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>boardwire</title>
<h1>boardwire is running</h1>
<p>The page to play on has not been built. Run <code>make web</code>, and load this address again.</p>
<p>Programs can play already: see <a href="/api/games">the games</a>, <a href="/api/tables">the tables</a>,
<a href="/openapi.json">the HTTP interface</a> and <a href="/asyncapi.json">the WebSocket's messages</a>.</p>
</html>
"""

MEDIA: Final = {".js": "text/javascript", ".mjs": "text/javascript", ".webmanifest": "application/manifest+json"}


class File(msgspec.Struct, frozen=True):
    """One file, ready to be sent; `packed` is empty where compressing does not help."""

    body: bytes
    packed: bytes
    media: str
    tag: str
    cache: str


class Page:
    """The files of a directory, by the path they are asked for."""

    def __init__(self, directory: Path = DIRECTORY) -> None:
        self._directory = directory
        self._files: dict[str, tuple[int, File]] = {}

    def kept(self, path: str) -> File | None:
        """The file for `path` if it was wanted before and has not changed: no more than a look at its time."""
        name = path.lstrip("/") or INDEX
        changed, file = self._files.get(name, (0, None))
        try:
            return file if file is not None and (self._directory / name).stat().st_mtime_ns == changed else None
        except OSError:
            return None

    def find(self, path: str) -> File | None:
        """The file for `path`; `/` is the page itself, built or not."""
        name = path.lstrip("/") or INDEX
        place = self._directory / name
        if not _is_plain(name) or not place.is_file():
            return _file(INDEX, NOT_BUILT.encode()) if name == INDEX else None
        changed = place.stat().st_mtime_ns
        known = self._files.get(name)
        if known is None or known[0] != changed:
            known = self._files[name] = changed, _file(name, place.read_bytes())
        return known[1]


def _is_plain(name: str) -> bool:
    """Whether a name leads downwards and is the only one of its file: files are kept by their names, and must not be
    kept under as many as somebody can think of."""
    parts = name.split("/")
    return len(name) <= LONGEST and "\0" not in name and not any(part in ("", ".", "..") for part in parts)


def _file(name: str, body: bytes) -> File:
    media = MEDIA.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    packed = gzip.compress(body, 9, mtime=0) if media.startswith(TEXTS) and len(body) >= SMALL else b""
    cache = FOR_EVER if name.startswith("assets/") else ASK_AGAIN
    return File(body, packed, media, f'"{sha256(body).hexdigest()[:20]}"', cache)
