"""The TOML file of a tournament, checked completely before the first match.

- An unknown key is an error that suggests the closest valid one. An invalid value is an error that names the key and
  the valid values.
- Paths and commands are relative to the directory of the file.
- `ArenaTournament.manifest` has all keys on which results depend, and `fingerprint` is its hash. A data directory
  belongs to one manifest; other keys (rounds, concurrency, data, the anchor, SPRT) may change between runs.
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
"""Default budget of engines, Python bots and network programs."""


class Openings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Openings of sets of matches: actions from the tournament's file or another one, followed by random plies."""

    moves: tuple[str, ...] = ()
    file: str = ""
    random_plies: int = 0


class Participant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A participant; exactly one of `bot`, `engine`, `python` and `dialect` is set."""

    name: str = ""
    bot: str = ""
    level: int | None = None
    levels: tuple[int, ...] = ()
    """Shorthand for several participants of the bot `search`."""
    engine: str | tuple[str, ...] = ""
    mode: Mode = Mode.JSON
    restart: bool = False
    """Whether an engine is restarted for every match."""
    python: str = ""
    dialect: str = ""
    listen: int | None = None
    """Port to which the participant's client connects; with 0 a free port is used, which needs `run`."""
    run: str = ""
    """Command that starts the client, with {host}, {port}, {name} and {players}; with `limits`, in a cage."""
    directory: str = ""
    """Directory in which the client is started, by default that of the file."""
    connect: str = ""
    """HOST:PORT of a server on which the participant plays."""
    settings: dict[str, str] = {}
    budget: Budget | None = None
    limits: CageLimits | None = None

    @property
    def kind(self) -> str:
        """Kind of program that the journal stores for the participant."""
        if self.bot:
            return f"{SEARCH}:{self.level}" if self.level else self.bot
        return "engine" if self.engine else "python" if self.python else ""


class TournamentFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of the file."""

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
    """A valid tournament."""

    name: str
    game: str
    options: Any
    seats: int
    sides: tuple[tuple[int, ...], ...]
    """The seats of each entrant in a match."""
    format: Format
    rounds: int
    games: int
    seed: int
    participants: tuple[Participant, ...]
    openings: tuple[Opening, ...]
    manifest: dict[str, Any]
    raw: dict[str, Any]
    """The file's contents, from which worker processes construct the same tournament."""
    base: Path
    data: Path
    concurrency: int = 0
    max_moves: int = 0
    anchor: str = ""
    sprt: Sprt | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(participant.name for participant in self.participants)

    @property
    def fingerprint(self) -> str:
        """Hash of the manifest; the ids of all matches begin with it."""
        return sha256(msgspec.json.encode(self.manifest, order="sorted")).hexdigest()[:8]


def load(path: str | Path, data: str | None = None) -> ArenaTournament:
    """Read and check the file of a tournament; `data` overrides its data directory."""
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
    """Check the contents of a file and return the tournament; raise `Malformed` if they are invalid."""
    _check_keys(raw, TournamentFile, "")
    file = _convert(raw)
    game, options, sides = _match_setting(file)
    _check_numbers(file, len(sides))
    participants = _participants(file, game)
    rounds = file.rounds or default_rounds(file.format, len(participants))
    check_format(file.format, len(participants), len(sides), rounds)
    if file.anchor and file.anchor not in [participant.name for participant in participants]:
        names = [participant.name for participant in participants]
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


def _match_setting(file: TournamentFile) -> tuple[AnyGame, Any, tuple[tuple[int, ...], ...]]:
    """Return the game, its options and the seats of each side; raise `Malformed` if they are invalid."""
    if file.game not in games.NAMES:
        raise Malformed(f"game = {file.game!r}: unknown game{near(file.game, games.NAMES)}; "
                        f"the games are {', '.join(games.NAMES)}")  # fmt: skip
    game = games.game(file.game)
    if file.seats not in game.seat_counts:
        raise Malformed(f"seats = {file.seats}: {file.game} is for {either(game.seat_counts)} players")
    try:
        options = msgspec.convert(_checked_options(file.options, game), game.Options)
        sides = tuple(map(tuple, game.sides(game.new(options, file.seats))))
    except (msgspec.ValidationError, BoardwireError) as error:
        raise Malformed(f"options: {validation_message(error)}") from None
    if len(sides) < 2:
        raise Malformed(f"seats = {file.seats}: a match needs at least two sides, but {file.game} then has one")
    return game, options, tuple((seat,) for seat in range(file.seats)) if file.partners else sides


def check_sprt(participants: int, sides: int) -> None:
    """Raise `Malformed` if a sequential test cannot be run with these participants and sides."""
    if participants != 2 or sides != 2:
        raise Malformed(f"SPRT compares two participants in matches of two sides; this tournament has {participants} "
                        f"participants and {sides} sides")  # fmt: skip


# --- keys -----------------------------------------------------------------------------------------------------------

_PARTS: Final[Mapping[str, type[msgspec.Struct]]] = {
    "budget": Budget, "limits": CageLimits, "openings": Openings,
}  # fmt: skip


def _check_keys(raw: Mapping[str, Any], kind: type[msgspec.Struct], place: str) -> None:
    """Raise `Malformed` for a key that `kind` does not have; the message suggests the closest one."""
    fields = kind.__struct_fields__
    for key, value in raw.items():
        name = f"{place}{key}"
        if key not in fields:
            where = f" in {place.rstrip(':. ')}" if place else ""
            raise Malformed(f"unknown key {key!r}{where}{near(key, fields)}; the keys are {', '.join(fields)}")
        if key in _PARTS and isinstance(value, dict):
            _check_keys(value, _PARTS[key], f"{name}.")
        elif key == "participant" and isinstance(value, list):
            for number, table in enumerate(value, 1):
                if isinstance(table, dict):
                    _check_keys(table, Participant, f"participant {table.get('name') or number}: ")


def _convert(raw: Mapping[str, Any]) -> TournamentFile:
    if (name := raw.get("format", Format.ROUND_ROBIN)) not in list(Format):
        raise Malformed(f"format = {name!r}{near(str(name), map(str, Format))}; the formats are {', '.join(Format)}")
    if "game" not in raw:
        raise Malformed(f"the key 'game' is missing; the games are {', '.join(games.NAMES)}")
    try:
        return msgspec.convert(raw, TournamentFile)
    except msgspec.ValidationError as error:
        raise Malformed(validation_message(error)) from None


def _checked_options(options: Mapping[str, Any], game: AnyGame) -> Mapping[str, Any]:
    """Return the options; raise `Malformed` for a key that the game's options do not have."""
    fields = game.Options.__struct_fields__
    for key in options:
        if key not in fields:
            raise Malformed(
                f"{game.name} has no option {key!r}{near(key, fields)}; the options are {', '.join(fields)}"
            )
    return options


def _check_numbers(file: TournamentFile, sides: int) -> None:
    """Raise `Malformed` for a number that is out of range; `sides` is the number of rotations of an opening."""
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
                        f"{sides} times with rotated seats")  # fmt: skip


# --- participants ---------------------------------------------------------------------------------------------------

_SEAT_NAME: Final = re.compile(r".+ \(\d\)")


def _participants(file: TournamentFile, game: AnyGame) -> tuple[Participant, ...]:
    """Return all participants of the file; raise `Malformed` for an invalid one, fewer than two, or duplicate names."""
    participants: list[Participant] = []
    for number, participant in enumerate(file.participant, 1):
        try:
            participants += _expand(participant, file, game)
        except Malformed as error:
            raise Malformed(f"participant {participant.name or number}: {error}") from None
    names: set[str] = set()
    for participant in participants:
        if participant.name in names:
            raise Malformed(f"two participants are named {participant.name!r}; give them different names")
        names.add(participant.name)
    if len(participants) < 2:
        raise Malformed(
            f"a tournament needs at least two participants; there {'is one' if participants else 'are none'}"
        )
    return tuple(participants)


def _expand(participant: Participant, file: TournamentFile, game: AnyGame) -> list[Participant]:
    """Return the participants of one entry of the file, one for each level, with the defaults of the file."""
    sources = [key for key in ("bot", "engine", "python", "dialect") if getattr(participant, key)]
    if participant.levels:
        if (
            sources not in ([], ["bot"])
            or participant.bot not in ("", SEARCH)
            or participant.level is not None
            or participant.name
        ):
            raise Malformed("levels needs bot = 'search' and cannot be combined with name or level")
        singles = [
            msgspec.structs.replace(participant, levels=(), bot=SEARCH, level=level) for level in participant.levels
        ]
        return [expanded for single in singles for expanded in _expand(single, file, game)]
    if len(sources) != 1:
        state = "has none of them" if not sources else f"has {' and '.join(sources)}"
        raise Malformed(f"needs exactly one of bot, engine, python and dialect; it {state}")
    check = {"bot": _check_bot, "engine": _check_engine, "python": _check_python, "dialect": _check_network}[sources[0]]
    participant = check(participant, game, file)
    for key, kinds in _KINDS_BY_KEY.items():
        if sources[0] not in kinds and getattr(participant, key) != getattr(_DEFAULTS, key):
            raise Malformed(f"{key} is only for participants with {either(kinds)}")
    if participant.budget is None and sources[0] != "bot":
        participant = msgspec.structs.replace(participant, budget=file.budget or DEFAULT_BUDGET)
    if participant.limits is None and sources[0] in ("engine", "python"):
        participant = msgspec.structs.replace(participant, limits=file.limits or CageLimits())
    return [_check_name(participant)]


_DEFAULTS: Final = Participant()
_KINDS_BY_KEY: Final = {
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
"""Keys that are valid only for some kinds of participants."""


def _check_name(participant: Participant) -> Participant:
    """Return the participant if its name is valid."""
    name = participant.name
    if len(name) > MAX_PARTICIPANT_NAME_LENGTH or not name.strip() or name != escaped(name):
        raise Malformed(f"name {name!r}: use 1 to {MAX_PARTICIPANT_NAME_LENGTH} printable characters")
    if _SEAT_NAME.fullmatch(name):
        raise Malformed(f"name {name!r}: a final number in brackets is reserved for team mates; choose another name")
    return participant


def _check_bot(participant: Participant, game: AnyGame, file: TournamentFile) -> Participant:
    """Return a participant that is a valid bot, named after it by default."""
    bots = [*BOTS, SEARCH]
    if participant.bot not in bots:
        raise Malformed(
            f"bot = {participant.bot!r}: unknown bot{near(participant.bot, bots)}; the bots are {', '.join(bots)}"
        )
    if participant.bot == SEARCH:
        if participant.level not in LEVELS:
            raise Malformed(f"level = {participant.level}: search has levels {LEVELS[0]} to {LEVELS[-1]}")
        return msgspec.structs.replace(participant, name=participant.name or f"level {participant.level}")
    if participant.level is not None:
        raise Malformed(f"level = {participant.level}: {participant.bot} has no levels; remove level, or use {SEARCH}")
    return msgspec.structs.replace(participant, name=participant.name or participant.bot)


def _check_engine(participant: Participant, game: AnyGame, file: TournamentFile) -> Participant:
    words = participant.engine.split() if isinstance(participant.engine, str) else participant.engine
    if not words:
        raise Malformed("engine is empty; give the command that starts it")
    files = [word for word in words if "." in word or "/" in word]  # `python3 my_engine.py --fast` is my_engine.py
    return msgspec.structs.replace(
        participant, name=participant.name or Path([*files, *words][0]).name[:MAX_PARTICIPANT_NAME_LENGTH]
    )


def _check_python(participant: Participant, game: AnyGame, file: TournamentFile) -> Participant:
    if not is_python_bot(participant.python):
        raise Malformed(
            f"python = {participant.python!r} is not of the form MODULE:CLASS, for example my_bots:CornerBot"
        )
    return msgspec.structs.replace(participant, name=participant.name or participant.python.partition(":")[2])


def _check_network(participant: Participant, game: AnyGame, file: TournamentFile) -> Participant:
    """Return the participant if its keys fit a network program; it is named after its dialect by default."""
    names = list(dialects.DIALECT_PACKAGES)
    try:
        dialect = dialects.dialect(participant.dialect)
    except BoardwireError:
        raise Malformed(f"dialect = {participant.dialect!r}: unknown protocol{near(participant.dialect, names)}; "
                        f"the protocols are {', '.join(names)}") from None  # fmt: skip
    if dialect.game not in ("", game.name):
        raise Malformed(f"dialect = {participant.dialect!r} is a protocol for {dialect.game}, not for {game.name}")
    if dialect.players and file.seats not in dialect.players:
        raise Malformed(f"dialect = {participant.dialect!r} is for {either(dialect.players)} players, "
                        f"not for {file.seats}")  # fmt: skip
    if (participant.listen is None) == (not participant.connect):
        raise Malformed("a network program needs either listen = PORT (its client connects to us) or "
                        "connect = 'HOST:PORT' (we connect to its server)")  # fmt: skip
    if participant.listen is not None and not 0 <= participant.listen <= 65535:
        raise Malformed(f"listen = {participant.listen}: a port must be from 0 to 65535")
    if participant.listen == 0 and not participant.run:
        raise Malformed("listen = 0 uses a free port, so the arena must start the client; give run = 'COMMAND {port}'")
    if participant.run and participant.connect:
        raise Malformed("give run or connect, not both: run starts a client that connects to us, "
                        "connect names a server that you have started")  # fmt: skip
    if participant.connect and not (
        re.fullmatch(r".*:\d{1,5}", participant.connect) and int(participant.connect.rpartition(":")[2]) < 65536
    ):
        raise Malformed(f"connect = {participant.connect!r} is not HOST:PORT")
    if file.openings != Openings() or file.options:
        raise Malformed("network programs play without openings and with the game's default options: "
                        "their protocols cannot express others")  # fmt: skip
    return msgspec.structs.replace(participant, name=participant.name or participant.dialect)


# --- openings -------------------------------------------------------------------------------------------------------


def _openings(settings: Openings, base: Path, game: AnyGame, options: Any, seats: int) -> tuple[Opening, ...]:
    """Return the openings that are listed and those in the openings file; raise `Malformed` with the invalid line."""
    lines = [("openings.moves", number, text) for number, text in enumerate(settings.moves, 1)]
    if settings.file:
        path = base / settings.file
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Malformed(f"openings.file: cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
        lines += [
            (settings.file, number, line) for number, line in enumerate(text.splitlines(), 1)
            if line.strip() and not line.lstrip().startswith("#")
        ]  # fmt: skip
    openings = []
    for place, number, line in lines:
        moves = tuple(line.split())
        try:
            check_opening(game, options, seats, moves)
        except Malformed as error:
            raise Malformed(f"{place}, line {number}: {error}") from None
        openings.append(Opening(moves, settings.random_plies))
    return tuple(openings) or (Opening((), settings.random_plies),)


def _manifest(file: TournamentFile, participants: tuple[Participant, ...], base: Path) -> dict[str, Any]:
    """Return the settings that determine the matches: if they differ, stored matches are of another tournament."""
    fields: dict[str, Any] = msgspec.to_builtins({
        "game": file.game, "options": file.options, "seats": file.seats, "partners": file.partners,
        "format": file.format, "games": file.games, "seed": file.seed, "max_moves": file.max_moves,
        "openings": file.openings, "participant": participants,
    })  # fmt: skip
    for participant in fields["participant"]:
        if not participant["directory"]:
            del participant["directory"]  # keeps the fingerprint of tournaments from before this key existed
    if file.openings.file:
        fields["openings.file"] = sha256((base / file.openings.file).read_bytes()).hexdigest()
    plain_fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(fields))  # to compare it with a stored one
    return plain_fields
