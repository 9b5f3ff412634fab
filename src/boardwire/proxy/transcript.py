r"""Transcript files: recorded conversations, in the format of `boardwire.testing.transcript` with times and bytes.

    # boardwire transcript: tris-lines
    + 1 tris-lines             connection 1 is opened
    ~ 0.012                    0.012 seconds pass
    < 1 WAIT                   message from the server
    > 1 4                      message from the client
    < 1 LoginReply {nickname: "server", ...}
    = ac ed 00 05              the bytes of the message, if they do not follow from the text
    - 1                        the client closes the connection (-! with a reset)
    x 1                        the server does (x! with a reset)
    # ! server: docs/dialects/tris-lines.md, 5: ...

Rules:

- A message that is a line of text has no `=` lines: its bytes are the text and `\n`. Every other message has its bytes
  on `=` lines, in hexadecimal. If text and bytes differ, the bytes are used.
- A finding is a comment after its message. Comments and blank lines may be added anywhere.
- A file may be truncated anywhere: the part before is read, and `cut` is a sentence with the position.
- For an invalid line, `Malformed` is raised with its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final

import msgspec

from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Closed, MessageRecord, Opened, Record
from boardwire.errors import Malformed, Unavailable
from boardwire.wire.text import escaped

MAX_PAUSE_SECONDS: Final = 1e9
TITLE: Final = "# boardwire transcript: "
BYTES_PER_LINE: Final = 32

_MARKS: Final = {Side.SERVER: "<", Side.CLIENT: ">"}
_SIDES: Final = {"<": Side.SERVER, ">": Side.CLIENT, "x": Side.SERVER, "-": Side.CLIENT}


class TranscriptEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry: a new connection if it `opens` one, the end of a side if `data` is None, otherwise a message."""

    line: int
    at: float
    connection: str
    side: Side = Side.CLIENT
    text: str = ""
    data: bytes | None = None
    opens: str = ""
    reset: bool = False
    spelled: bool = False
    """Whether the bytes are given on `=` lines."""


class Transcript(msgspec.Struct, frozen=True):
    """A conversation: the dialect of its first connection, its entries, and a sentence if the file was truncated."""

    dialect: str
    entries: tuple[TranscriptEntry, ...]
    cut: str = ""


class Recorder:
    """Writer of records to a file; every record is flushed."""

    def __init__(self, file: IO[str], dialect: str) -> None:
        self._file = file
        self._at: float | None = None
        file.write(f"{TITLE}{dialect}\n")

    def write(self, record: Record) -> None:
        """Write a record."""
        self._file.write("".join(f"{line}\n" for line in self._lines(record)))
        self._file.flush()

    def _lines(self, record: Record) -> Iterator[str]:
        """Yield the lines of a record, after its distance in time from the last one."""
        if isinstance(record, Finding):
            if record.count > 1:  # the first one has the details
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
            case MessageRecord(connection=number, side=side, text=text, data=data):
                yield (
                    f"{_MARKS[side]} {number} {escaped(text)}".rstrip() if not _is_plain(text, data) else _plain(record)
                )
                if not _is_plain(text, data):
                    yield from _hexadecimal(data)
            case Closed(connection=number, side=side, reset=reset, rest=rest):
                if rest:
                    yield f"{_MARKS[side]} {number} (unfinished)"
                    yield from _hexadecimal(rest)
                yield f"{'x' if side is Side.SERVER else '-'}{'!' if reset else ''} {number}"


def _plain(record: MessageRecord) -> str:
    return f"{_MARKS[record.side]} {record.connection} {record.text}"


def _is_plain(text: str, data: bytes) -> bool:
    """Return whether the bytes follow from the text, even if an editor strips trailing spaces."""
    return text == text.strip() != "" and text == escaped(text) and text.encode(errors="replace") + b"\n" == data


def _hexadecimal(data: bytes) -> Iterator[str]:
    return (f"= {data[at : at + BYTES_PER_LINE].hex(' ')}" for at in range(0, len(data), BYTES_PER_LINE))


def read(path: Path) -> Transcript:
    """Read a transcript; raise `Unavailable` if the file cannot be read, `Malformed` for an invalid line."""
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise Unavailable(f"cannot read {path}: {error.strerror}") from None
    return parse(text, str(path))


def parse(text: str, source: str = "the transcript") -> Transcript:
    """Parse the text of a transcript."""
    entries: list[TranscriptEntry] = []
    dialect = ""
    at = 0.0
    cut = ""
    lines = text.split("\n")
    is_whole = lines.pop() == ""
    if not is_whole:
        lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        last = not is_whole and number == len(lines)
        line = line.rstrip("\r")
        if number == 1 and line.startswith(TITLE):
            dialect = line.removeprefix(TITLE).strip()
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            at, entry = _entry(line.strip(), number, at, entries)
        except Malformed as error:
            if last:
                cut = f"{source} is truncated in line {number}: {error}"
                break
            raise Malformed(f"{source}, line {number}: {error}") from None
        if entry is not None:
            entries.append(entry)
            dialect = dialect or entry.opens
        if last:
            cut = f"{source} is truncated after line {number}, which may be incomplete"
    if not entries and not dialect:
        raise Malformed(f"{source} is not a transcript: no line starts with +, < or >")
    return Transcript(dialect, tuple(entries), cut)


def _entry(line: str, number: int, at: float, entries: list[TranscriptEntry]) -> tuple[float, TranscriptEntry | None]:
    """Parse a line at the time `at`; return the time after it, and its entry or None.

    Bytes (`=`) are added to the last of the `entries` so far.
    """
    mark, _, rest = line.partition(" ")
    name, _, text = rest.strip().partition(" ")
    text = text.strip()
    if mark == "=":
        _add_bytes(rest, entries)
        return at, None
    if mark == "~":
        return at + _seconds(name), None
    if mark == "!":
        return at, None  # an event of the journal, for tests only
    if not name:
        raise Malformed(f"{line[:40]!r} does not name a connection")
    match mark:
        case "+":
            return at, TranscriptEntry(line=number, at=at, connection=name, opens=text or "?")
        case "<" | ">":
            data = text.encode() + b"\n"
            return at, TranscriptEntry(line=number, at=at, connection=name, side=_SIDES[mark], text=text, data=data)
        case "x" | "-" | "x!" | "-!":
            reset = mark.endswith("!")
            return at, TranscriptEntry(line=number, at=at, connection=name, side=_SIDES[mark[0]], reset=reset)
    raise Malformed(f"a line must start with one of + < > = - x ~ #, not with {mark[:10]!r}")


def _seconds(text: str) -> float:
    """Parse a pause; raise `Malformed` for a negative or infinite one."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.0 <= seconds <= MAX_PAUSE_SECONDS:
        raise Malformed(f"~ needs a number of seconds from 0 to {MAX_PAUSE_SECONDS:,.0f}, not {text[:20]!r}")
    return seconds


def _add_bytes(digits: str, entries: list[TranscriptEntry]) -> None:
    """Add the bytes of a line that begins with `=` to the last message."""
    if not entries or entries[-1].data is None:
        raise Malformed("= must follow the message whose bytes it gives")
    try:
        data = bytes.fromhex(digits)
    except ValueError:
        raise Malformed(f"{digits[:20]!r} is not hexadecimal: write two digits per byte, separated by spaces") from None
    if not data:
        raise Malformed("= must have at least one byte")
    last = entries[-1]
    before = (last.data or b"") if last.spelled else b""
    entries[-1] = msgspec.structs.replace(last, data=before + data, spelled=True)


def lines(records: Iterable[Record], dialect: str) -> Iterator[str]:
    """Yield the lines of a transcript with these records."""
    from io import StringIO

    file = StringIO()
    recorder = Recorder(file, dialect)
    for record in records:
        recorder.write(record)
    yield from file.getvalue().split("\n")[:-1]


def entry_lines(entry: TranscriptEntry) -> Iterator[str]:
    """Yield the lines of an entry, without its time."""
    if entry.opens:
        yield escaped(f"+ {entry.connection} {entry.opens}")
    elif entry.data is None:
        yield escaped(f"{'x' if entry.side is Side.SERVER else '-'}{'!' if entry.reset else ''} {entry.connection}")
    else:
        yield escaped(f"{_MARKS[entry.side]} {entry.connection} {entry.text}")
        if not _is_plain(entry.text, entry.data):
            yield from _hexadecimal(entry.data)
