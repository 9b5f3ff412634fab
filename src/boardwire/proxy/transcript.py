r"""Conversations as files, in the format of `boardwire.testing.transcript` with time and bytes.

    # boardwire transcript: tris-lines
    + 1 tris-lines             connection 1 is opened
    ~ 0.012                    so many seconds pass
    < 1 WAIT                   the server says
    > 1 4                      the client says
    < 1 LoginReply {nickname: "server", ...}
    = ac ed 00 05              the bytes of the line before, where the text does not say them
    - 1                        the client closes the connection (-! with a reset)
    x 1                        the server does (x! with a reset)
    # ! server: docs/dialects/tris-lines.md, 5: ...

Rules:

- A text that is a line of the wire stands for its bytes: the text and `\n`.  Everything else has its bytes on `=`
  lines, as hexadecimal digits; where text and bytes differ, the bytes count.
- A finding is a comment after the message that it is about.  A person may write comments and blank lines anywhere.
- A file may end anywhere: what is there is read, and `cut` says what the last line lacks.
- What cannot be read is `Malformed`, with the number of its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final

import msgspec

from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Closed, Opened, Record, Said
from boardwire.errors import Malformed, Unavailable
from boardwire.wire.text import escaped

MAX_PAUSE_SECONDS: Final = 1e9
TITLE: Final = "# boardwire transcript: "
WIDTH: Final = 32
"""Bytes on one line."""

_WAYS: Final = {Side.SERVER: "<", Side.CLIENT: ">"}
_SIDES: Final = {"<": Side.SERVER, ">": Side.CLIENT, "x": Side.SERVER, "-": Side.CLIENT}


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a transcript tells: `data` is None where a side closes, `opens` where a connection begins."""

    line: int
    at: float
    connection: str
    side: Side = Side.CLIENT
    text: str = ""
    data: bytes | None = None
    opens: str = ""
    reset: bool = False
    spelled: bool = False
    """Whether the bytes are given, and not only the text."""


class Transcript(msgspec.Struct, frozen=True):
    """What a file tells: the dialect of its first connection, entries in their order, and how it was cut, if it was."""

    dialect: str
    entries: tuple[Entry, ...]
    cut: str = ""


class Recorder:
    """Writes records to a file as they come, each at once."""

    def __init__(self, file: IO[str], dialect: str) -> None:
        self._file = file
        self._at: float | None = None
        file.write(f"{TITLE}{dialect}\n")

    def write(self, record: Record) -> None:
        """One record more."""
        self._file.write("".join(f"{line}\n" for line in self._lines(record)))
        self._file.flush()

    def _lines(self, record: Record) -> Iterator[str]:
        if isinstance(record, Finding):
            if record.count > 1:  # the first one says what is wrong
                yield f"# ! {record.side}: {record.code}, {record.count} times so far"
                return
            yield escaped(f"# ! {record.side}: {record.section}: {record.rule}: {record.detail}")
            return
        if self._at is not None and record.at - self._at >= 0.0005:
            yield f"~ {record.at - self._at:.3f}"
        self._at = record.at
        match record:
            case Opened(connection=number, dialect=dialect):
                yield f"+ {number} {dialect}"
            case Said(connection=number, side=side, text=text, data=data):
                yield (
                    f"{_WAYS[side]} {number} {escaped(text)}".rstrip() if not _is_plain(text, data) else _plain(record)
                )
                if not _is_plain(text, data):
                    yield from _hexadecimal(data)
            case Closed(connection=number, side=side, reset=reset, rest=rest):
                if rest:
                    yield f"{_WAYS[side]} {number} (unfinished)"
                    yield from _hexadecimal(rest)
                yield f"{'x' if side is Side.SERVER else '-'}{'!' if reset else ''} {number}"


def _plain(said: Said) -> str:
    return f"{_WAYS[said.side]} {said.connection} {said.text}"


def _is_plain(text: str, data: bytes) -> bool:
    """Whether the text says the bytes, also after a person's editor has taken blanks off the end of the line."""
    return text == text.strip() != "" and text == escaped(text) and text.encode(errors="replace") + b"\n" == data


def _hexadecimal(data: bytes) -> Iterator[str]:
    return (f"= {data[at : at + WIDTH].hex(' ')}" for at in range(0, len(data), WIDTH))


def read(path: Path) -> Transcript:
    """The transcript in a file; `Unavailable` if there is none, `Malformed` if it cannot be read."""
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise Unavailable(f"cannot read {path}: {error.strerror}") from None
    return parse(text, str(path))


def parse(text: str, source: str = "the transcript") -> Transcript:
    """The transcript that a text tells."""
    entries: list[Entry] = []
    dialect = ""
    at = 0.0
    cut = ""
    lines = text.split("\n")
    whole = lines.pop() == ""
    if not whole:
        lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        last = not whole and number == len(lines)
        line = line.rstrip("\r")
        if number == 1 and line.startswith(TITLE):
            dialect = line.removeprefix(TITLE).strip()
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            at, entry = _entry(line.strip(), number, at, entries)
        except Malformed as error:
            if last:
                cut = f"{source} is cut in the middle of line {number}: {error}"
                break
            raise Malformed(f"{source}, line {number}: {error}") from None
        if entry is not None:
            entries.append(entry)
            dialect = dialect or entry.opens
        if last:
            cut = f"{source} is cut after line {number}, which may not be whole"
    if not entries and not dialect:
        raise Malformed(f"{source} is no transcript: it has no line that begins with +, < or >")
    return Transcript(dialect, tuple(entries), cut)


def _entry(line: str, number: int, at: float, entries: list[Entry]) -> tuple[float, Entry | None]:
    mark, _, rest = line.partition(" ")
    name, _, text = rest.strip().partition(" ")
    text = text.strip()
    if mark == "=":
        _add_bytes(rest, entries)
        return at, None
    if mark == "~":
        return at + _seconds(name), None
    if mark == "!":
        return at, None  # an event of the journal, which only tests look at
    if not name:
        raise Malformed(f"{line[:40]!r} does not say which connection is meant")
    match mark:
        case "+":
            return at, Entry(line=number, at=at, connection=name, opens=text or "?")
        case "<" | ">":
            data = text.encode() + b"\n"
            return at, Entry(line=number, at=at, connection=name, side=_SIDES[mark], text=text, data=data)
        case "x" | "-" | "x!" | "-!":
            reset = mark.endswith("!")
            return at, Entry(line=number, at=at, connection=name, side=_SIDES[mark[0]], reset=reset)
    raise Malformed(f"a line begins with one of + < > = - x ~ #, not with {mark[:10]!r}")


def _seconds(text: str) -> float:
    """Parse a pause.  Infinity and negative pauses are refused: times in a transcript never go back."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.0 <= seconds <= MAX_PAUSE_SECONDS:
        raise Malformed(f"~ needs a number of seconds from 0 to {MAX_PAUSE_SECONDS:,.0f}, not {text[:20]!r}")
    return seconds


def _add_bytes(digits: str, entries: list[Entry]) -> None:
    if not entries or entries[-1].data is None:
        raise Malformed("= gives the bytes of a message, and there is none before it")
    try:
        data = bytes.fromhex(digits)
    except ValueError:
        raise Malformed(f"{digits[:20]!r} are no bytes: two hexadecimal digits each, with blanks between") from None
    if not data:
        raise Malformed("= gives the bytes of a message, and names none")
    last = entries[-1]
    before = (last.data or b"") if last.spelled else b""
    entries[-1] = msgspec.structs.replace(last, data=before + data, spelled=True)


def lines(records: Iterable[Record], dialect: str) -> Iterator[str]:
    """Records as the lines of a file."""
    from io import StringIO

    file = StringIO()
    recorder = Recorder(file, dialect)
    for record in records:
        recorder.write(record)
    yield from file.getvalue().split("\n")[:-1]


def entry_lines(entry: Entry) -> Iterator[str]:
    """An entry as its lines, without its time."""
    if entry.opens:
        yield escaped(f"+ {entry.connection} {entry.opens}")
    elif entry.data is None:
        yield escaped(f"{'x' if entry.side is Side.SERVER else '-'}{'!' if entry.reset else ''} {entry.connection}")
    else:
        yield escaped(f"{_WAYS[entry.side]} {entry.connection} {entry.text}")
        if not _is_plain(entry.text, entry.data):
            yield from _hexadecimal(entry.data)
