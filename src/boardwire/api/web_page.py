"""Static files: the web page built by `make web`, the documentation site built by `make docs`, or placeholders.

Files under `assets/` have a hash in their names and never change; all others are revalidated and answered with 304 if
unchanged. A file is read on a reader thread at its first request and then cached, so that the page loads at once even
if the reader threads are busy.

A file may be stored only as `NAME.gz`, like those of the documentation site, which take 1.3 MB of an installation
instead of 5.2 MB.
"""

from __future__ import annotations

import gzip
import mimetypes
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from boardwire.api.endpoint import MIN_COMPRESSED_BYTES, TEXTS

DIRECTORY: Final = Path(__file__).parent / "page"
DOCS_DIRECTORY: Final = Path(__file__).parent / "docs"
"""The documentation site."""
INDEX: Final = "index.html"
IMMUTABLE: Final = "public, max-age=31536000, immutable"
REVALIDATE: Final = "no-cache"
GZIP_SUFFIX: Final = ".gz"
MAX_FILE_NAME_LENGTH: Final = 255
"""Longest file name of common file systems."""

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

DOCS_NOT_BUILT: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>boardwire documentation</title>
<h1>The documentation site has not been built</h1>
<p>Run <code>make docs</code>, and load this address again; <code>boardwire docs</code> prints every document.</p>
</html>
"""

MEDIA: Final = {".js": "text/javascript", ".mjs": "text/javascript", ".webmanifest": "application/manifest+json"}


class File(msgspec.Struct, frozen=True):
    """A file ready to be sent; `packed` is empty if compression does not help."""

    body: bytes
    packed: bytes
    media: str
    tag: str
    cache: str


class Page:
    """The files of a directory, by request path; `placeholder` is its index if it has none."""

    def __init__(self, directory: Path = DIRECTORY, placeholder: str = NOT_BUILT, index: str = INDEX) -> None:
        self._directory = directory
        self._index = index
        self._placeholder = placeholder
        self._files: dict[str, tuple[Path, int, File]] = {}
        """Path, modification time and content of each file that was read."""

    def cached(self, path: str) -> File | None:
        """Return the cached file for `path` if it has not changed on disk."""
        name = path.lstrip("/") or self._index
        entry = self._files.get(name)
        if entry is None:
            return None
        path_on_disk, changed, file = entry
        try:
            return file if path_on_disk.stat().st_mtime_ns == changed else None
        except OSError:
            return None

    def find(self, path: str) -> File | None:
        """Read the file for `path`; `/` is the index, or its placeholder."""
        name = path.lstrip("/") or self._index
        place = self._stored_path(name)
        if place is None:
            return _page_file(self._index, self._placeholder.encode()) if name == self._index else None
        changed = place.stat().st_mtime_ns
        entry = self._files.get(name)
        if entry is None or entry[:2] != (place, changed):
            content = place.read_bytes()
            body = content if place.name == Path(name).name else gzip.decompress(content)
            entry = self._files[name] = place, changed, _page_file(name, body)
        return entry[2]

    def _stored_path(self, name: str) -> Path | None:
        """Return the path at which a file is stored, uncompressed or compressed."""
        if not _is_plain(name):
            return None
        places = (self._directory / name, self._directory / (name + GZIP_SUFFIX))
        return next((place for place in places if place.is_file()), None)


def _is_plain(name: str) -> bool:
    """Return whether a path is in the directory and has no alternative spelling.

    Clients could fill the cache with alternative spellings.
    """
    parts = name.split("/")
    if name.endswith(GZIP_SUFFIX):
        return False
    return len(name) <= MAX_FILE_NAME_LENGTH and "\0" not in name and not any(part in ("", ".", "..") for part in parts)


def _page_file(name: str, body: bytes) -> File:
    media = MEDIA.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    packed = gzip.compress(body, 9, mtime=0) if media.startswith(TEXTS) and len(body) >= MIN_COMPRESSED_BYTES else b""
    cache = IMMUTABLE if name.startswith("assets/") else REVALIDATE
    return File(body, packed, media, f'"{sha256(body).hexdigest()[:20]}"', cache)
