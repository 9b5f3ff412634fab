"""Build the documentation site into the package: `python -m scripts.site` (`make docs`).

- The pages are the documents of the repository. They are copied to a scratch folder, where links are adapted to the new
  paths and Mermaid diagrams are replaced by drawings (`diagrams.py`).
- The HTTP and WebSocket references are generated from the server's OpenAPI and AsyncAPI documents (`reference.py`).
- Sphinx's warnings are errors: a broken link, a missing anchor or a page that no index lists fails the build.
- The server's content security policy permits no inline scripts or styles, so those of the theme become files.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from scripts.page import ROOT

from boardwire.api.web_page import GZIP_SUFFIX
from scripts import diagrams, reference

OUTPUT: Final = ROOT / "src" / "boardwire" / "api" / "docs"
STAMP: Final = OUTPUT / ".sources"
PROJECT_PAGES: Final = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "CHANGELOG.md": "project/changelog.md",
    "bench/README.md": "project/bench.md",
}
"""Paths in the site of the documents outside `docs/`."""
STAND_INS: Final = {"README.md": "start.md", "docs/dialects": "index.md", "docs/games": "index.md"}
"""Pages of the site to which links to other files and folders lead."""
ASSETS: Final = (".png", ".svg", ".css")
TEXT_SUFFIXES: Final = (".html", ".js", ".css", ".svg", ".txt")
"""Files that are stored compressed."""

_LINK: Final = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^)\s]+)\)")
_FENCE: Final = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_MERMAID: Final = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE: Final = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


def pages() -> dict[Path, Path]:
    """Return the path in the site of every document, by its path in the repository."""
    published = {
        path.relative_to(ROOT): path.relative_to(ROOT / "docs") for path in sorted((ROOT / "docs").rglob("*.md"))
    }
    return published | {Path(name): Path(place) for name, place in PROJECT_PAGES.items()}


def digest() -> str:
    """Return a hash of all sources of the site."""
    total = hashlib.sha256()
    sources = [ROOT / path for path in pages()]
    sources += [path for path in (ROOT / "docs").rglob("*") if path.suffix in (*ASSETS, ".py")]
    sources += [*(ROOT / "scripts").glob("*.py"), *(ROOT / "src").rglob("*.py")]
    for path in sorted({path for path in sources if "_built" not in path.parts}):
        total.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def rewrite_links(text: str, path: Path, places: dict[Path, Path]) -> str:
    """Return a document with its links adapted to its path in the site.

    A link to a file that is not part of the site becomes plain text: the site may be read without the repository.
    """

    def link(matched: re.Match[str]) -> str:
        label, target = matched[1], matched[2]
        if re.match(r"[a-z]+:|#|/", target):
            return matched[0]
        name, _, anchor = target.partition("#")
        wanted = Path(os.path.normpath(path.parent / name))
        wanted = Path("docs", STAND_INS[wanted.as_posix()]) if wanted.as_posix() in STAND_INS else wanted
        if wanted in places:
            relative = os.path.relpath(places[wanted], places[path].parent)
            return f"{label}({relative}{'#' if anchor else ''}{anchor})"
        if wanted.suffix in ASSETS and wanted.is_relative_to("docs"):
            relative = os.path.relpath(wanted.relative_to("docs"), places[path].parent)
            return f"{label}({relative})"
        return label[1:-1]

    fences = [(fence.start(), fence.end()) for fence in _FENCE.finditer(text)]

    def outside(matched: re.Match[str]) -> str:
        return matched[0] if any(start <= matched.start() < end for start, end in fences) else link(matched)

    return _LINK.sub(outside, text)


def draw(texts: dict[Path, str]) -> dict[Path, str]:
    """Return the documents with their Mermaid diagrams as SVG."""
    sources = [diagram[1] for text in texts.values() for diagram in _MERMAID.finditer(text)]
    graphs = [dot for source in sources if (dot := diagrams.dot(source)) is not None]
    command = ["node", "diagrams.mjs"]
    done = subprocess.run(
        command, cwd=ROOT / "web", input=json.dumps(graphs), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"cannot lay out the diagrams (`make web` installs the requirements): {done.stderr[-500:]}")
    drawn = iter(json.loads(done.stdout))

    def drawing(matched: re.Match[str]) -> str:
        kind = matched[1].split(maxsplit=1)[0]
        title = {"flowchart": "Flow chart", "sequenceDiagram": "Sequence diagram"}.get(kind, "State diagram")
        dot = diagrams.dot(matched[1])
        svg = diagrams.sequence(matched[1], title) if dot is None else diagrams.inline(next(drawn), title)
        return f'<div class="drawing">{" ".join(svg.split())}</div>'

    return {path: _MERMAID.sub(drawing, text) for path, text in texts.items()}


def assemble(folder: Path) -> None:
    """Write the sources of the site to a folder."""
    places = pages()
    texts = {path: rewrite_links((ROOT / path).read_text("utf-8"), path, places) for path in places}
    for path, text in draw(texts).items():
        _write(folder / places[path], text)
    for asset in (ROOT / "docs").rglob("*"):
        if asset.suffix in ASSETS or asset.name == "conf.py":
            _write(folder / asset.relative_to(ROOT / "docs"), asset.read_bytes())
    _write(folder / "reference" / "http.md", reference.http())
    _write(folder / "reference" / "websocket.md", reference.websocket())


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def extract_inline(folder: Path) -> None:
    """Move inline scripts and styles of the pages to files in `_static`."""
    for page in folder.rglob("*.html"):
        up = "../" * len(page.relative_to(folder).parent.parts)

        def write_file(matched: re.Match[str], up: str = up) -> str:
            name = f"_static/{hashlib.sha256(matched[2].encode()).hexdigest()[:12]}"
            name += ".js" if matched[1] == "script" else ".css"
            (folder / name).write_text(matched[2], "utf-8")
            if matched[1] == "script":
                return f'<script src="{up}{name}"></script>'
            return f'<link rel="stylesheet" href="{up}{name}">'

        page.write_text(_INLINE.sub(write_file, page.read_text("utf-8")), "utf-8")


def compress_texts(folder: Path) -> None:
    """Replace the text files of the site by compressed ones, which the server sends unchanged."""
    for path in [path for path in folder.rglob("*") if path.suffix in TEXT_SUFFIXES]:
        packed = gzip.compress(path.read_bytes(), 9, mtime=0)
        path.with_name(path.name + GZIP_SUFFIX).write_bytes(packed)
        path.unlink()


def build() -> None:
    """Build the site unless it is up to date."""
    before = digest()
    if STAMP.exists() and STAMP.read_text() == before:
        return
    print("building the documentation site ...", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        source, html = Path(scratch, "source"), Path(scratch, "html")
        assemble(source)
        command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(source), str(html)]
        if subprocess.run(command, check=False).returncode != 0:
            raise SystemExit("the documentation site has warnings; see above")
        extract_inline(html)
        for path in (html / ".buildinfo", html / "objects.inv", *html.rglob("*.map")):
            path.unlink(missing_ok=True)
        for folder in (".doctrees", "_sources"):
            shutil.rmtree(html / folder, ignore_errors=True)
        compress_texts(html)
        shutil.rmtree(OUTPUT, ignore_errors=True)
        shutil.copytree(html, OUTPUT)
    STAMP.write_text(before)


if __name__ == "__main__":
    build()
