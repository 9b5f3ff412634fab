"""The file of a tournament: TOML, checked completely before a match begins.

- An unknown key is an error that names the closest valid one. A wrong value names its key and what would be right.
- Paths and commands are relative to the directory of the file.
- `Tournament.manifest` is what the results depend on, and `fingerprint` its hash. A data directory belongs to one
  manifest; other keys (rounds, concurrency, data, the anchor, SPRT) may change between runs.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from boardwire import dialects, games
from boardwire.arena.match import Budget, Opening, check_opening
from boardwire.bots.levels import LEVELS, SEARCH
from boardwire.bots.server_bots import BOTS
from boardwire.competition.pairings import Format, check_format, default_rounds
from boardwire.competition.sprt import Sprt, parse_sprt
from boardwire.engines import CageLimits, Mode
from boardwire.engines.python_bots import is_python_bot
from boardwire.errors import BoardwireError, Malformed, either, near, validation_message
from boardwire.games.game import AnyGame
from boardwire.wire.text import escaped

MAX_PARTICIPANT_NAME_LENGTH: Final = 40
MAX_GAMES: Final = 100_000
MAX_CONCURRENCY: Final = 256
MAX_FILE_BYTES: Final = 4 << 20
DEFAULT_BUDGET: Final = Budget(seconds=5.0)
"""Budget of engines, Python bots and network programs if the file has none."""


class Openings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Openings of sets of matches: lines of actions, from the file or another one, then random plies after them."""

    moves: tuple[str, ...] = ()
    file: str = ""
    random_plies: int = 0


class Participant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A participant: exactly one of `bot`, `engine`, `python` and `dialect` says what it is."""

    name: str = ""
    bot: str = ""
    level: int | None = None
    levels: tuple[int, ...] = ()
    """Shorthand for several participants of the bot `search`."""
    engine: str | tuple[str, ...] = ""
    mode: Mode = Mode.JSON
    restart: bool = False
    """Whether an engine is started again for every match."""
    python: str = ""
    dialect: str = ""
    listen: int | None = None
    """Port to which the participant's client connects; 0: a free one, for `run`."""
    run: str = ""
    """Command that starts the client, with {host}, {port}, {name} and {players}; with `limits`, in a cage."""
    directory: str = ""
    """Directory in which the client is started [that of the file]."""
    connect: str = ""
    """HOST:PORT of a server on which the participant plays."""
    settings: dict[str, str] = {}
    budget: Budget | None = None
    limits: CageLimits | None = None

    @property
    def kind(self) -> str:
        """Name of the program in the journal."""
        if self.bot:
            return f"{SEARCH}:{self.level}" if self.level else self.bot
        return "engine" if self.engine else "python" if self.python else ""


class TournamentFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of the file."""

    game: str
    participant: tuple[Participant, ...]
    name: str = ""
    format: Format = Format.ROUND_ROBIN
    seats: int = 2
    partners: bool = False
    """Whether the seats of a team belong to different participants."""
    rounds: int = 0
    games: int = 2
    seed: int = 0
    concurrency: int = 0
    data: str = ""
    max_moves: int = 0
    anchor: str = ""
    sprt: str = ""
    options: dict[str, Any] = {}
    budget: Budget | None = None
    limits: CageLimits | None = None
    openings: Openings = Openings()


class ArenaTournament(msgspec.Struct, frozen=True):
    """A checked tournament."""

    name: str
    game: str
    options: Any
    seats: int
    sides: tuple[tuple[int, ...], ...]
    """The seats of each entrant of a match."""
    format: Format
    rounds: int
    games: int
    seed: int
    participants: tuple[Participant, ...]
    openings: tuple[Opening, ...]
    manifest: dict[str, Any]
    raw: dict[str, Any]
    """The file's contents, from which a worker process makes the same tournament."""
    base: Path
    data: Path
    concurrency: int = 0
    max_moves: int = 0
    anchor: str = ""
    sprt: Sprt | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.participants)

    @property
    def fingerprint(self) -> str:
        """Hash of the manifest; the names of all matches begin with it."""
        return sha256(msgspec.json.encode(self.manifest, order="sorted")).hexdigest()[:8]


def load(path: str | Path, data: str | None = None) -> ArenaTournament:
    """Read and check a tournament's file; `data` replaces its data directory."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            raw = tomllib.loads(file.read(MAX_FILE_BYTES).decode())
    except (OSError, UnicodeDecodeError) as error:
        raise Malformed(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    except tomllib.TOMLDecodeError as error:
        raise Malformed(f"{path} is not TOML: {error}") from None
    try:
        return check(raw, path.absolute().parent, path.stem, data)
    except BoardwireError as error:
        raise Malformed(f"{path}: {error}") from None


def check(raw: Mapping[str, Any], base: Path, stem: str = "arena", data: str | None = None) -> ArenaTournament:
    """Check the contents of a file and return the tournament; raise `Malformed`."""
    _check_keys(raw, TournamentFile, "")
    file = _convert(raw)
    if file.game not in games.NAMES:
        raise Malformed(f"game = {file.game!r}: unknown game{near(file.game, games.NAMES)}; "
                        f"the games are {', '.join(games.NAMES)}")  # fmt: skip
    game = games.game(file.game)
    if file.seats not in game.seat_counts:
        raise Malformed(f"seats = {file.seats}: {file.game} is for {either(game.seat_counts)} players")
    try:
        options = msgspec.convert(_with_known_keys(file.options, game), game.Options)
        sides = tuple(map(tuple, game.sides(game.new(options, file.seats))))
    except (msgspec.ValidationError, BoardwireError) as error:
        raise Malformed(f"options: {validation_message(error)}") from None
    if len(sides) < 2:
        raise Malformed(f"seats = {file.seats}: an arena match needs at least two sides")
    if file.partners:
        sides = tuple((seat,) for seat in range(file.seats))
    _check_numbers(file, len(sides))
    participants = _participants(file, game)
    rounds = file.rounds or default_rounds(file.format, len(participants))
    check_format(file.format, len(participants), len(sides), rounds)
    if file.anchor and file.anchor not in [one.name for one in participants]:
        names = [one.name for one in participants]
        raise Malformed(f"anchor = {file.anchor!r}: unknown participant{near(file.anchor, names)}")
    sprt = parse_sprt(file.sprt) if file.sprt else None
    if sprt is not None:
        check_sprt(len(participants), len(sides))
    return ArenaTournament(
        name=file.name or stem,
        game=file.game,
        options=options,
        seats=file.seats,
        sides=sides,
        format=file.format,
        rounds=rounds,
        games=file.games,
        seed=file.seed,
        participants=participants,
        openings=_openings(file.openings, base, game, options, file.seats),
        manifest=_manifest(file, participants, base),
        raw=dict(raw),
        base=base,
        data=(Path(data) if data else base / (file.data or f"{stem}.arena")).absolute(),
        concurrency=file.concurrency,
        max_moves=file.max_moves,
        anchor=file.anchor,
        sprt=sprt,
    )


def check_sprt(participants: int, sides: int) -> None:
    """Raise `Malformed` if a sequential test cannot be run with these participants and sides."""
    if participants != 2 or sides != 2:
        raise Malformed(f"SPRT compares two participants in matches of two sides; there are {participants} "
                        f"participants and {sides} sides")  # fmt: skip


# --- keys -----------------------------------------------------------------------------------------------------------

_PARTS: Final[Mapping[str, type[msgspec.Struct]]] = {
    "budget": Budget, "limits": CageLimits, "openings": Openings,
}  # fmt: skip


def _check_keys(raw: Mapping[str, Any], kind: type[msgspec.Struct], place: str) -> None:
    """Raise `Malformed` for a key that `kind` does not have, with the closest one."""
    known = kind.__struct_fields__
    for key, value in raw.items():
        name = f"{place}{key}"
        if key not in known:
            where = f" of {place.rstrip(':. ')}" if place else ""
            raise Malformed(f"unknown key {key!r}{where}{near(key, known)}; the keys are {', '.join(known)}")
        if key in _PARTS and isinstance(value, dict):
            _check_keys(value, _PARTS[key], f"{name}.")
        elif key == "participant" and isinstance(value, list):
            for number, one in enumerate(value, 1):
                if isinstance(one, dict):
                    _check_keys(one, Participant, f"participant {one.get('name') or number}: ")


def _convert(raw: Mapping[str, Any]) -> TournamentFile:
    if (name := raw.get("format", Format.ROUND_ROBIN)) not in list(Format):
        raise Malformed(f"format = {name!r}{near(str(name), map(str, Format))}; the formats are {', '.join(Format)}")
    if "game" not in raw:
        raise Malformed(f"the key 'game' is missing; the games are {', '.join(games.NAMES)}")
    try:
        return msgspec.convert(raw, TournamentFile)
    except msgspec.ValidationError as error:
        raise Malformed(validation_message(error)) from None


def _with_known_keys(options: Mapping[str, Any], game: AnyGame) -> Mapping[str, Any]:
    known = game.Options.__struct_fields__
    for key in options:
        if key not in known:
            raise Malformed(f"{game.name} has no option {key!r}{near(key, known)}; the options are {', '.join(known)}")
    return options


def _check_numbers(file: TournamentFile, sides: int) -> None:
    for key, value, low, high in (
        ("rounds", file.rounds, 0, MAX_GAMES),
        ("games", file.games, 1, MAX_GAMES),
        ("concurrency", file.concurrency, 0, MAX_CONCURRENCY),
        ("max_moves", file.max_moves, 0, MAX_GAMES),
        ("openings.random_plies", file.openings.random_plies, 0, 1000),
    ):
        if not low <= value <= high:
            raise Malformed(f"{key} = {value}: must be from {low} to {high:,}")
    if file.games % sides:
        raise Malformed(f"games = {file.games}: must be a multiple of {sides}, because every opening is played "
                        f"{sides} times, with the seats changed")  # fmt: skip


# --- participants ---------------------------------------------------------------------------------------------------

_SEAT_NAME: Final = re.compile(r".+ \(\d\)")


def _participants(file: TournamentFile, game: AnyGame) -> tuple[Participant, ...]:
    found: list[Participant] = []
    for number, one in enumerate(file.participant, 1):
        try:
            found += _expanded(one, file, game)
        except Malformed as error:
            raise Malformed(f"participant {one.name or number}: {error}") from None
    seen: set[str] = set()
    for one in found:
        if one.name in seen:
            raise Malformed(f"two participants are called {one.name!r}; give each its own name")
        seen.add(one.name)
    if len(found) < 2:
        raise Malformed(f"a tournament needs at least two participants; there {'is one' if found else 'are none'}")
    return tuple(found)


def _expanded(one: Participant, file: TournamentFile, game: AnyGame) -> list[Participant]:
    given = [key for key in ("bot", "engine", "python", "dialect") if getattr(one, key)]
    if one.levels:
        if given not in ([], ["bot"]) or one.bot not in ("", SEARCH) or one.level is not None or one.name:
            raise Malformed("levels is used alone, or with bot = 'search'")
        singles = [msgspec.structs.replace(one, levels=(), bot=SEARCH, level=level) for level in one.levels]
        return [checked for single in singles for checked in _expanded(single, file, game)]
    if len(given) != 1:
        words = "has none of them" if not given else f"has {' and '.join(given)}"
        raise Malformed(f"needs exactly one of bot, engine, python and dialect; it {words}")
    check = {"bot": _check_bot, "engine": _check_engine, "python": _check_python, "dialect": _check_network}[given[0]]
    one = check(one, game, file)
    for key, kinds in _ONLY.items():
        if given[0] not in kinds and getattr(one, key) != getattr(_DEFAULTS, key):
            raise Malformed(f"{key} is only for participants with {either(kinds)}")
    if one.budget is None and given[0] != "bot":
        one = msgspec.structs.replace(one, budget=file.budget or DEFAULT_BUDGET)
    if one.limits is None and given[0] in ("engine", "python"):
        one = msgspec.structs.replace(one, limits=file.limits or CageLimits())
    return [_named(one)]


_DEFAULTS: Final = Participant()
_ONLY: Final = {
    "level": ("bot",),
    "mode": ("engine",),
    "restart": ("engine", "python"),
    "limits": ("engine", "python", "dialect"),
    "directory": ("dialect",),
    "listen": ("dialect",),
    "run": ("dialect",),
    "connect": ("dialect",),
    "settings": ("dialect",),
}
"""Keys that only some kinds of participants have."""


def _named(one: Participant) -> Participant:
    name = one.name
    if len(name) > MAX_PARTICIPANT_NAME_LENGTH or not name.strip() or name != escaped(name):
        raise Malformed(f"name {name!r}: use 1 to {MAX_PARTICIPANT_NAME_LENGTH} printable characters")
    if _SEAT_NAME.fullmatch(name):
        raise Malformed(f"name {name!r}: a number in brackets at the end is reserved for team mates")
    return one


def _check_bot(one: Participant, game: AnyGame, file: TournamentFile) -> Participant:
    bots = [*BOTS, SEARCH]
    if one.bot not in bots:
        raise Malformed(f"bot = {one.bot!r}: unknown bot{near(one.bot, bots)}; the bots are {', '.join(bots)}")
    if one.bot == SEARCH:
        if one.level not in LEVELS:
            raise Malformed(f"level = {one.level}: search has levels {LEVELS[0]} to {LEVELS[-1]}")
        return msgspec.structs.replace(one, name=one.name or f"level {one.level}")
    if one.level is not None:
        raise Malformed(f"level = {one.level}: {one.bot} has no levels; {SEARCH} has")
    return msgspec.structs.replace(one, name=one.name or one.bot)


def _check_engine(one: Participant, game: AnyGame, file: TournamentFile) -> Participant:
    words = one.engine.split() if isinstance(one.engine, str) else one.engine
    if not words:
        raise Malformed("engine is empty: give the command that starts it")
    files = [word for word in words if "." in word or "/" in word]  # `python3 my_engine.py --fast` is my_engine.py
    return msgspec.structs.replace(one, name=one.name or Path([*files, *words][0]).name[:MAX_PARTICIPANT_NAME_LENGTH])


def _check_python(one: Participant, game: AnyGame, file: TournamentFile) -> Participant:
    if not is_python_bot(one.python):
        raise Malformed(f"python = {one.python!r} is not MODULE:CLASS, such as my_bots:CornerBot")
    return msgspec.structs.replace(one, name=one.name or one.python.partition(":")[2])


def _check_network(one: Participant, game: AnyGame, file: TournamentFile) -> Participant:
    names = list(dialects.DIALECT_PACKAGES)
    try:
        dialect = dialects.dialect(one.dialect)
    except BoardwireError:
        raise Malformed(f"dialect = {one.dialect!r}: unknown protocol{near(one.dialect, names)}; "
                        f"the protocols are {', '.join(names)}") from None  # fmt: skip
    if dialect.game not in ("", game.name):
        raise Malformed(f"dialect = {one.dialect!r} is a protocol for {dialect.game}, not for {game.name}")
    if dialect.players and file.seats not in dialect.players:
        raise Malformed(f"dialect = {one.dialect!r} is for {either(dialect.players)} players, "
                        f"not for {file.seats}")  # fmt: skip
    if (one.listen is None) == (not one.connect):
        raise Malformed("a network program needs either listen = PORT (its client connects to us) or "
                        "connect = 'HOST:PORT' (we connect to its server)")  # fmt: skip
    if one.listen is not None and not 0 <= one.listen <= 65535:
        raise Malformed(f"listen = {one.listen}: a port is from 0 to 65535")
    if one.listen == 0 and not one.run:
        raise Malformed("listen = 0 picks a free port, so the arena must start the client: give run = 'COMMAND {port}'")
    if one.run and one.connect:
        raise Malformed("give run or connect, not both: run starts a client that connects to us, "
                        "connect names a server that you have started")  # fmt: skip
    if one.connect and not (re.fullmatch(r".*:\d{1,5}", one.connect) and int(one.connect.rpartition(":")[2]) < 65536):
        raise Malformed(f"connect = {one.connect!r} is not HOST:PORT")
    if file.openings != Openings() or file.options:
        raise Malformed("network programs play without openings and with the game's default options: "
                        "their protocols cannot express others")  # fmt: skip
    return msgspec.structs.replace(one, name=one.name or one.dialect)


# --- openings -------------------------------------------------------------------------------------------------------


def _openings(wanted: Openings, base: Path, game: AnyGame, options: Any, seats: int) -> tuple[Opening, ...]:
    lines = [("openings.moves", number, text) for number, text in enumerate(wanted.moves, 1)]
    if wanted.file:
        path = base / wanted.file
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Malformed(f"openings.file: cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
        lines += [
            (wanted.file, number, line) for number, line in enumerate(text.splitlines(), 1)
            if line.strip() and not line.lstrip().startswith("#")
        ]  # fmt: skip
    found = []
    for place, number, line in lines:
        moves = tuple(line.split())
        try:
            check_opening(game, options, seats, moves)
        except Malformed as error:
            raise Malformed(f"{place}, line {number}: {error}") from None
        found.append(Opening(moves, wanted.random_plies))
    return tuple(found) or (Opening((), wanted.random_plies),)


def _manifest(file: TournamentFile, participants: tuple[Participant, ...], base: Path) -> dict[str, Any]:
    kept: dict[str, Any] = msgspec.to_builtins({
        "game": file.game, "options": file.options, "seats": file.seats, "partners": file.partners,
        "format": file.format, "games": file.games, "seed": file.seed, "max_moves": file.max_moves,
        "openings": file.openings, "participant": participants,
    })  # fmt: skip
    for one in kept["participant"]:
        if not one["directory"]:
            del one["directory"]  # tournaments that were stored before this key was there stay the same
    if file.openings.file:
        kept["openings.file"] = sha256((base / file.openings.file).read_bytes()).hexdigest()
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(kept))  # as it is read from a file
    return decoded
