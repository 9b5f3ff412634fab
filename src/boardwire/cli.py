"""The command line: `boardwire serve`, `play`, `bot`, `check`, `proxy`, `adapt`, `matches`, `replay` and more.

Exit codes: 0 done, 1 it could not be done, 2 it was asked wrongly, 130 interrupted.
"""

from __future__ import annotations

import inspect
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import msgspec
from cyclopts import App, CycloptsError, Parameter

from boardwire import __version__, config, dialects, games, output
from boardwire.dialects.dialect import Dialect
from boardwire.errors import BoardwireError, Malformed, Refused
from boardwire.wire.text import escaped

if TYPE_CHECKING:
    from boardwire.conformance.server.check import Finding
    from boardwire.table.events import Event


def _version() -> str:
    """The version, and what of it runs compiled here."""
    from boardwire.compiled import MODULES, is_compiled

    found = [package for package in MODULES if is_compiled(package)]
    return f"{__version__} (compiled: {'all' if len(found) == len(MODULES) else ', '.join(found) or 'nothing'})"


app = App(
    name="boardwire",
    help="A board-game server that speaks the wire protocols board-game programs already speak.",
    version=_version,
)


def _with_flags(command: Callable[..., None]) -> Callable[..., None]:
    """The command with a flag for every setting that `config` declares; None: it was not given."""
    flags: list[tuple[str, Any, Parameter]] = []
    for setting in config.SETTINGS.values():
        value = list[str] if setting.is_list else bool if isinstance(setting.default, bool) else str
        told = Parameter(setting.flag, help=setting.words, metavar=setting.kind.shape or None, negative="",
                         show_default=setting.usual or False)  # fmt: skip
        flags.append((setting.name, value | None, told))
    flags.append(("config", Path | None, Parameter(help="A TOML file with any of these settings.", metavar="FILE")))
    command.__dict__["__signature__"] = inspect.Signature([
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[value, told])
        for name, value, told in flags
    ])  # fmt: skip
    return command


@app.command
@_with_flags
def serve(**flags: Any) -> None:
    """Run a server until SIGTERM or Ctrl-C.

    Every setting is also an environment variable (BOARDWIRE_HOST ...) and a key of the TOML file.
    """
    from boardwire import logs, node

    settings = config.load(flags, os.environ, flags.pop("config", None))
    for text in settings.listen:
        if not _dialect(config.parse_listen(text)[0]).game:
            raise Malformed(f"--listen {text!r}: this dialect comes in by the HTTP port; use --http PORT")
    logs.configure(settings.log)
    node.run(settings)


@app.command
def play(
    game: str,
    *,
    dialect: str,
    connect: str,
    name: str = "player",
    players: int = 2,
    settings: Annotated[list[str] | None, Parameter(name="--set", negative="")] = None,
) -> None:
    """Play a game in this terminal, on a server that speaks DIALECT.

    Parameters
    ----------
    game
        One of those that `boardwire rules` lists.
    dialect
        The protocol the server speaks; native has every game.
    connect
        HOST:PORT of the server; for native its HTTP port.
    name
        Your name, where the protocol has names.
    players
        How many are to play, where the protocol asks.
    settings
        KEY=VALUE; may be given several times.  The protocol's own settings: eriantys-messages and eriantys-objects have
        mode (simplified or expert) and tower (white, black or grey); native has match, code and seat for a certain
        table, bots (names by seat with commas between them, empty for a free seat) and private for one of your own.
    """
    from boardwire.dialects.dialect import Seating
    from boardwire.terminal import play as terminal_play

    speaks = _dialect_for(game, dialect)
    _check_players(game, speaks, players)
    terminal_play.run(game, speaks, *_address(connect), Seating(name, players, _all_settings(game, speaks, settings)))


@app.command
def bot(
    game: str,
    *,
    dialect: str,
    connect: str,
    bot: str = "greedy",
    level: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    name: str = "",
    players: int = 2,
    settings: Annotated[list[str] | None, Parameter(name="--set", negative="")] = None,
    games: int = 1,
    seed: int | None = None,
) -> None:
    """Let a bot play on a server that speaks DIALECT; exit code 1 if a match is broken off.

    Parameters
    ----------
    game
        One of those that `boardwire rules` lists.
    dialect
        The protocol the server speaks.
    connect
        HOST:PORT of the server.
    bot
        Which one: greedy, random, or search, which has levels.
    level
        How strong search plays, from 1 to 10 [5].
    seconds
        How long search thinks at most for one choice; 0 is as long as its nodes take [the level's].
    nodes
        How many positions search looks at for one choice [the level's].
    name
        Its name, where the protocol has names [the bot's, with a number].
    players
        How many are to play, where the protocol asks.
    settings
        KEY=VALUE; may be given several times.  The protocol's own settings, as for `play`.
    games
        How many matches to play, one after the other.
    seed
        Makes its luck repeatable.
    """
    from boardwire.dialects.dialect import Seating
    from boardwire.terminal import bot_player

    speaks = _dialect_for(game, dialect)
    _check_players(game, speaks, players)
    if games < 1:
        raise Malformed(f"--games {games}: a bot plays at least one match")
    _check_limits(seconds, nodes)
    player = bot_player.find(bot, level, nodes, seconds)
    seating = Seating(name, players, _all_settings(game, speaks, settings))
    if not bot_player.run(speaks, *_address(connect), player, seating, games, seed):
        sys.exit(1)


Reports = Annotated[list[tuple[str, Path]] | None, Parameter(name="--report", negative="")]


@app.command
def check(
    dialect: str,
    address: str,
    *,
    json: bool = False,
    wait: float = 3.0,
    restart: str = "",
    only: str = "",
    alone: bool = False,
    report: Reports = None,
    language: str = "en",
) -> None:
    """Check whether a server keeps to a protocol's page; exit code 0 if every check was judged and passed, else 1.

    Other players may use the server meanwhile.  Checks that would take the seat of somebody who waits are skipped,
    unless --alone is given.  A trial that other players may have disturbed is repeated.

    Parameters
    ----------
    dialect
        The protocol.
    address
        HOST:PORT of the server; for native its HTTP port.
    json
        One JSON object a line: name, section, verdict (pass, fail, not examined, skipped), detail.
    wait
        Seconds to wait for an answer.
    restart
        A command for the shell that starts the server anew and ends; it is run between any two trials.
    only
        Run only the checks that have this in their name.
    alone
        Nobody else uses this server: run every check, also where somebody seems to wait.
    report
        FORM FILE: write what was found as html, junit, json or md; may be given several times.
    language
        Of the reports: en or it.
    """
    from boardwire.conformance.server import runner

    _dialect(dialect)
    _check_wait(wait)
    told = ("--wait", f"{wait:g}", *(("--restart", restart) if restart else ()), *(("--alone",) if alone else ()))
    with _reporting("server", dialect, address, ("check", dialect, address, *told), report, language) as found:
        found += runner.check(
            dialect, *_address(address), json=json, wait=wait, restart=restart, only=only, alone=alone
        )
    if not runner.passed(found):
        sys.exit(1)


@app.command
def check_client(
    dialect: str,
    *,
    listen: str = "0",
    run: str = "",
    typed: Annotated[Path | None, Parameter(name="--type")] = None,
    json: bool = False,
    wait: float = 3.0,
    think: float | None = None,
    only: str = "",
    game: str = "",
    report: Reports = None,
    language: str = "en",
) -> None:
    """Check whether a client keeps to a protocol's page; exit code 0 if every case was judged and passed, else 1.

    Plays a server, and the other players; each connection takes the next case that is to do.

    Parameters
    ----------
    dialect
        The protocol.
    listen
        PORT, or HOST:PORT, where the client connects [host 127.0.0.1]; 0 is any free port, which is printed.
    run
        A command that starts the client, anew for each case.  Placeholders: {host} and {port} of this server;
        {players}, {mode} (simplified or expert) and {name} that the client should ask for; {{ and }} are braces.
    typed
        A file that the command gets as its input.
    json
        One JSON object a line: name, section, verdict (pass, fail, not examined), detail.
    wait
        Seconds that the client has to close a connection.
    think
        Seconds that it has for an answer [60; with --run as --wait].
    only
        Try only the cases that have this in their name.
    game
        What is played, where a protocol has several games.  [tris]
    report
        FORM FILE: write what was found as html, junit, json or md; may be given several times.
    language
        Of the reports: en or it.
    """
    from boardwire.conformance.client import examiner
    from boardwire.conformance.server import runner

    _check_wait(wait)
    if game:
        _dialect_for(game, dialect)
    else:
        _dialect(dialect)
    patience = think if think is not None else wait if run else 60.0
    if not patience > 0:
        raise Malformed(f"--think {patience:g}: there must be some time for an answer")
    host, port = _address(listen if ":" in listen else f"127.0.0.1:{listen}")
    told = (*(("--run", run) if run else ()), *(("--type", str(typed)) if typed else ()), "--wait", f"{wait:g}")
    told += ("--game", game) if game else ()
    command = ("check-client", dialect, "--listen", listen, *told, "--think", f"{patience:g}")
    with _reporting("client", dialect, run or f"{host}:{port}", command, report, language) as found:
        found += examiner.check(
            dialect, host, port, run=run, typed=typed, json=json, wait=wait, think=patience, only=only, game=game
        )
    if not runner.passed(found):
        sys.exit(1)


@contextmanager
def _reporting(
    kind: str,
    dialect: str,
    subject: str,
    command: tuple[str, ...],
    wanted: list[tuple[str, Path]] | None,
    language: str,
) -> Iterator[list[Finding]]:
    """Gathers findings, and writes the reports that are wanted when all are there."""
    from boardwire.conformance import language as findings
    from boardwire.conformance import report

    report.check(wanted or (), language)
    findings.use(language)
    found: list[Finding] = []
    began = time.time()
    yield found
    examination = report.Examination(
        kind=kind,
        dialect=dialect,
        subject=subject,
        command=("boardwire", *command),
        at=time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(began)),
        seconds=time.time() - began,
        findings=tuple(found),
    )
    report.write(examination, wanted or (), language)


def _check_wait(wait: float) -> None:
    if not wait > 0:
        raise Malformed(f"--wait {wait:g}: there must be some time for an answer")


@app.command
def proxy(
    dialect: str,
    *,
    listen: str,
    connect: str,
    record: Path | None = None,
    json: bool = False,
    quiet: bool = False,
    wait: float = 3.0,
    think: float = 0.0,
    http: str = "",
    faults: str = "",
    seed: int = 0,
    rulings: bool = False,
    report: Reports = None,
    language: str = "en",
) -> None:
    """Stand between clients and a server of a protocol: show what is said, and who breaks the protocol's page.

    Bytes are passed on untouched, and looked at afterwards.

    Parameters
    ----------
    dialect
        The protocol.
    listen
        PORT, or HOST:PORT, where clients connect [host 127.0.0.1]; 0 is any free port.
    connect
        HOST:PORT of the server.
    record
        A file that gets the whole conversation, for `boardwire transcript`.
    json
        One JSON object a line: messages, and findings with name, section, verdict and detail.
    quiet
        Only what is wrong is shown.
    wait
        Seconds that the server has for an answer it owes, and the client to close when the server has.
    think
        Seconds that a client has for an answer, if it is a program: then it may not leave its match either.  [0: it is
        a person, who may think and leave]
    http
        PORT, or HOST:PORT, of a page that shows the conversation live [host 127.0.0.1].
    faults
        Trouble on purpose, with commas between: latency=SECONDS, jitter=SECONDS, throttle=BYTES, split, merge=SECONDS,
        duplicate=PROBABILITY, reset=PIECES, halfopen=PIECES.
    seed
        Makes the trouble repeatable.
    rulings
        Also find breaches of our own rulings, which the published document does not have.
    report
        FORM FILE: write what was found as html, junit, json or md at the end; may be given several times.
    language
        Of the findings and the reports: en or it.
    """
    from boardwire import logs
    from boardwire.conformance.report import Reporter
    from boardwire.proxy import console
    from boardwire.proxy import faults as trouble

    _dialect(dialect)
    _check_wait(wait)
    logs.configure("warning")
    command = ("proxy", dialect, "--listen", listen, "--connect", connect, *(("--rulings",) if rulings else ()))
    with _reporting("proxy", dialect, connect, command, report, language) as found:
        reporter = Reporter()
        console.run(
            dialect,
            _listening(listen),
            _address(connect),
            record=record,
            json=json,
            quiet=quiet,
            wait=wait,
            think=think,
            faults=trouble.parse(faults) if faults else None,
            seed=seed,
            http=_listening(http) if http else None,
            rulings=rulings,
            told=reporter if report else None,
        )
        found += reporter.findings


@app.command
def adapt(connect: str, *, near: Annotated[str, Parameter("--from")], listen: str, to: str) -> None:
    """Let clients of one protocol play on somebody's server of another, of the same game.

    Every client has a connection of its own to the server.  What cannot be said is answered by the declared default,
    and told here.

    Parameters
    ----------
    connect
        HOST:PORT of the server.
    near
        The protocol of the clients.
    listen
        PORT, or HOST:PORT, where they connect [host 127.0.0.1]; 0 is any free port.
    to
        The protocol of the server.
    """
    from boardwire import logs
    from boardwire.bridge import server

    _dialect(near)
    _dialect(to)
    logs.configure("warning")
    server.run(near, _listening(listen), to, _address(connect))


transcripts = App(name="transcript", help="Show, draw, play again and compare conversations that a proxy recorded.")
app.command(transcripts)


@transcripts.command
def show(file: Path, *, json: bool = False, rulings: bool = False, language: str = "en") -> None:
    """Print a conversation, and what is wrong with it.

    Parameters
    ----------
    file
        What `boardwire proxy --record` wrote, perhaps edited by hand.
    json
        One JSON object a line.
    rulings
        Also find breaches of our own rulings, which the published document does not have.
    language
        Of the findings: en or it.
    """
    from boardwire.conformance import language as findings
    from boardwire.proxy import console, replay, transcript

    findings.use(language)
    found = transcript.read(file)
    printer = console.Printer(json=json)
    for record in replay.judge(found, rulings=rulings):
        printer(record)
    printer.finish()
    if not json:
        print(printer.sum())
    _tell_cut(found.cut)


@transcripts.command
def diagram(file: Path) -> None:
    """Draw a conversation as a Mermaid sequence diagram.

    Parameters
    ----------
    file
        What `boardwire proxy --record` wrote.
    """
    from boardwire.proxy import replay, transcript

    found = transcript.read(file)
    for line in replay.mermaid(replay.judge(found)):
        print(line)
    _tell_cut(found.cut)


@transcripts.command
def diff(one: Path, other: Path) -> None:
    """Say where two conversations part; exit code 1 if they do.

    Parameters
    ----------
    one
        A transcript.
    other
        Another one.
    """
    from boardwire.proxy import replay, transcript

    parts = replay.difference(transcript.read(one), transcript.read(other))
    print(parts or "the two conversations are the same")
    if parts:
        sys.exit(1)


@transcripts.command(name="replay")
def replay_transcript(
    file: Path,
    *,
    connect: str = "",
    listen: str = "",
    wait: float = 3.0,
    shrink: bool = False,
    json: bool = False,
    rulings: bool = False,
    language: str = "en",
) -> None:
    """Play one half of a conversation again: the client's on a server, or the server's for clients.

    Exit code 1 if something is found.

    Parameters
    ----------
    file
        What `boardwire proxy --record` wrote.
    connect
        HOST:PORT of a server: what the clients said is said to it.
    listen
        PORT, or HOST:PORT: clients that come are told what the server said.
    wait
        Seconds to wait for what the other side says in the transcript.
    shrink
        Print the shortest transcript that still has the first finding, judged as it is written or, with --connect, as
        the server answers it; then every player of the match must have been recorded.
    json
        One JSON object a line.
    rulings
        Also find breaches of our own rulings, which the published document does not have.
    language
        Of the findings: en or it.
    """
    import asyncio

    from boardwire.conformance import language as findings
    from boardwire.proxy import console, replay, transcript

    findings.use(language)
    found = transcript.read(file)
    _dialect(found.dialect)
    _tell_cut(found.cut)
    if bool(connect) == bool(listen) and not (shrink and not listen):
        raise Malformed("give --connect HOST:PORT to play the client's half, or --listen PORT to play the server's")
    if shrink:
        where = _address(connect) if connect else None
        print(*asyncio.run(console.shrink(found, where, wait, rulings=rulings)), sep="\n")
        return
    printer = console.Printer(json=json)
    if connect:
        asyncio.run(replay.play_clients(found, *_address(connect), printer, wait, rulings=rulings))
    else:
        where = _listening(listen)
        say = console.Announcer(json=json)

        def ready(host: str, port: int) -> None:
            say.listening(found.dialect, f"{host}:{port}")
            say.ready()

        asyncio.run(replay.play_server(found, *where, printer, wait, ready, rulings=rulings))
    printer.finish()
    if not json:
        print(printer.sum())
    if any(printer.findings.values()):
        sys.exit(1)


def _tell_cut(cut: str) -> None:
    if cut:
        print(f"boardwire: {escaped(cut)}", file=sys.stderr)


@app.command
def analyse(
    what: str,
    *,
    lines: bool = False,
    level: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    seed: int | None = None,
    data: str | None = None,
    store: str | None = None,
    json: bool = False,
) -> None:
    """Say what an engine thinks of a position or of a match that is over; by lines, play for another program.

    Parameters
    ----------
    what
        The name of a match, or a position: of Santorini as "0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2", of
        Eriantys as "hall A = red 2; professor red = A".  With --lines a game: santorini or eriantys.
    lines
        Read positions, one a line, and answer each with one JSON object: turn, value, depth, nodes, or error.
    level
        Play as a bot of this level would, from 1 to 10 [as well as the limits allow].
    seconds
        How long to think about one turn at most; 0 is as long as the nodes take.
    nodes
        How many positions to look at for one turn.
    seed
        Makes its luck repeatable.
    data
        The directory of the match [the user's data directory].
    store
        The address of the match's database, instead.
    json
        One JSON object a line.
    """
    from boardwire.commands import analysis

    _check_limits(seconds, nodes)
    if lines:
        _check_game(what)
        asked = analysis.limits(what, level, seconds, nodes)
        for line in analysis.lines(what, sys.stdin, asked, seed):
            print(line, flush=True)
        return
    if analysis.game_of(what) is not None:
        found = analysis.position(what, lambda game: analysis.limits(game, level, seconds, nodes), seed, json=json)
    else:
        limited = any(one is not None for one in (level, seconds, nodes))
        given = analysis.limits("", level, seconds, nodes) if limited else None
        found = analysis.match(what, _place(data, store), given, json=json)
    for line in found:
        print(line, flush=True)


@app.command
def rules(game: str = "", card: str = "") -> None:
    """Tell the rules of a game in a few sentences, or what one of its cards does; without a game, which there are.

    Parameters
    ----------
    game
        The game.
    card
        A card of the game, by its name: a god, a character.
    """
    from boardwire.terminal import rulebook
    from boardwire.terminal.choices import paragraph

    if not game:
        print(*rulebook.contents(), sep="\n")
        return
    _check_game(game)
    for sentence in rulebook.rules(game, card):
        print(*paragraph(sentence, 4), sep="\n")


@app.command
def perft(position: str, depth: int, *, divide: bool = False, json: bool = False) -> None:
    """Count the lines of DEPTH turns from a Santorini position, to compare rules engines.

    Parameters
    ----------
    position
        For instance "0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2" (docs/games/santorini.md).
    depth
        Number of turns.
    divide
        Show the positions after the first turn, with the number of states below each.
    json
        As JSON.
    """
    from boardwire.commands.perft_counts import count

    for line in count(position, depth, by_turn=divide, json=json):
        print(line)


@app.command
def matches(*, data: str | None = None, store: str | None = None, json: bool = False) -> None:
    """List the matches of a data directory or a database, oldest first.

    Parameters
    ----------
    data
        The directory the server was started with [the user's data directory].
    store
        The address of the database the server was started with, instead.
    json
        One JSON object a line.
    """
    from boardwire.commands import journals

    for line in journals.matches(_place(data, store), json=json):
        print(line)


@app.command
def replay(
    match: str,
    *,
    dialect: Annotated[str, Parameter(name="--as")] = "",
    seat: int | None = None,
    to: int | None = None,
    data: str | None = None,
    store: str | None = None,
    json: bool = False,
) -> None:
    """Show what happened in a match, event by event; or, with --as, what the client of one seat would have seen of it.

    Parameters
    ----------
    match
        The match's name, as `boardwire matches` lists it.
    dialect
        A dialect of the game: print the conversation that its client would have had, as a transcript.  Exit code 1 if
        the dialect cannot say all of the match.
    seat
        Whose conversation, from 0.
    to
        The number of the event up to which it is told [the last].
    data
        The directory the server was started with [the user's data directory].
    store
        The address of the database the server was started with, instead.
    json
        One JSON object a line.
    """
    from boardwire.commands import journals

    if dialect:
        if seat is None:
            raise Malformed("--as needs --seat: 0 for whoever sat at the first seat")
        _retell(journals.events_of(match, _place(data, store)), dialect, seat, to, json=json)
        return
    if seat is not None or to is not None:
        raise Malformed("--seat and --to go with --as DIALECT")
    for line in journals.replay(match, _place(data, store), json=json):
        print(line)


@app.command
def migrate(
    *, source: Annotated[str, Parameter(name="--from")], target: Annotated[str, Parameter(name="--to")]
) -> None:
    """Copy all matches and analyses of a data directory into an empty database, or back: all of it, or nothing.

    No server may have either of them open meanwhile.  Nothing of the source is changed.

    Parameters
    ----------
    source
        A data directory, or the address of a database, like postgresql://USER@HOST/NAME.
    target
        The same; it must have no matches yet.
    """
    from boardwire.commands import migration

    print(migration.run(_store("--from", source), _store("--to", target), sys.stderr))


def _store(flag: str, text: str) -> Path | str:
    """The directory, or the address of the database."""
    if "://" not in text:
        return Path(text).expanduser()
    address: str = config.SETTINGS["store"].read(flag, text)
    return address


def _retell(events: list[Event], dialect: str, seat: int, to: int | None, *, json: bool) -> None:
    from boardwire.proxy import stored_match, transcript

    _dialect(dialect)
    retold = stored_match.retell(events, dialect, seat, to)
    told: Iterable[str] = (msgspec.json.encode(fields).decode() for fields in retold.fields())
    for line in told if json else transcript.lines(retold.records, dialect):
        print(line)
    if retold.stopped:
        raise Refused(retold.stopped)


def _place(data: str | None, store: str | None) -> Path | str:
    """Where matches are kept: a directory, or the address of a database.  A flag counts more than a setting."""
    settings = config.load({"data": data, "store": store}, os.environ)
    if settings.store and (store is not None or data is None):
        return settings.store
    if settings.directory is None:
        raise Malformed("a server in memory keeps no matches; give the --data directory of one that does")
    return settings.directory


def _dialect(name: str) -> Dialect:
    try:
        return dialects.dialect(name)
    except Refused as error:
        raise Malformed(str(error)) from None  # who asks for a dialect that there is none of has asked wrongly


def _dialect_for(game: str, name: str) -> Dialect:
    """The dialect called `name`, if it is one for this game."""
    found = _dialect(name)
    _check_game(game)
    if found.game not in ("", game):
        raise Malformed(f"{name} is a protocol for {found.game}, not for {game}")
    return found


def _check_game(game: str) -> None:
    if game not in games.NAMES:
        raise Malformed(f"there is no game called {game!r}; there are {', '.join(games.NAMES)}")


def _check_players(game: str, speaks: Dialect, players: int) -> None:
    allowed = speaks.players or games.game(game).seat_counts
    if players not in allowed:
        raise Malformed(f"--players {players}: {game} over {speaks.name} is for {_either(map(str, allowed))} players")


def _check_limits(seconds: float | None, nodes: int | None) -> None:
    if seconds is not None and not 0 <= seconds <= 3600:
        raise Malformed(f"--seconds {seconds:g}: a bot thinks for 0 to 3,600 seconds")
    if nodes is not None and nodes < 1:
        raise Malformed(f"--nodes {nodes}: a bot looks at one position at least")


def _settings(speaks: Dialect, texts: list[str] | None) -> dict[str, str]:
    """What `--set` says, if the dialect knows it."""
    found = dict(map(_setting, texts or ()))
    for key, value in found.items():
        if key not in speaks.settings:
            has = f"its settings are {', '.join(speaks.settings)}" if speaks.settings else "it has no settings"
            raise Malformed(f"--set {key}: {speaks.name} has no setting {key!r}; {has}")
        if speaks.settings[key] and value.lower() not in speaks.settings[key]:
            raise Malformed(f"--set {key}={value}: {key} is {_either(speaks.settings[key])}")
    return {key: value.lower() if speaks.settings[key] else value for key, value in found.items()}


def _all_settings(game: str, speaks: Dialect, texts: list[str] | None) -> dict[str, str]:
    """What `--set` says, and the game, where the dialect must be told."""
    told = _settings(speaks, texts)
    return told if speaks.game else {"game": game, **told}


def _either(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise Malformed(f"{text!r} is not KEY=VALUE")
    return key, value


def _listening(text: str) -> tuple[str, int]:
    """PORT of this machine alone, or HOST:PORT."""
    return _address(text if ":" in text else f"127.0.0.1:{text}")


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon:
        raise Malformed(f"{text!r} is not HOST:PORT")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", config.parse_port(port)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    from rich.console import Console

    output.install()
    try:
        app(
            arguments,
            exit_on_error=False,
            result_action="return_value",
            console=Console(file=output.plain(sys.stdout)),  # the help, which is all ours
            error_console=Console(stderr=True, force_terminal=False),  # quotes what was typed, so it is escaped
        )
        sys.stdout.flush()
    except CycloptsError:
        sys.exit(2)  # cyclopts has said what was wrong
    except (Malformed, msgspec.ValidationError) as error:
        _complain(error, 2)
    except BoardwireError as error:
        _complain(error, 1)
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            print(file=sys.stderr)  # the shell's prompt on a line of its own
        sys.exit(130)
    except BrokenPipeError:
        _mute()  # the reader of a pipe had enough
    except OSError as error:
        _mute()
        _complain(error, 1)
    sys.exit(0)


def _mute() -> None:
    """What is still to be printed goes nowhere: the interpreter would try once more, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(error: Exception, code: int) -> NoReturn:
    print(f"boardwire: {escaped(str(error))}", file=sys.stderr)
    sys.exit(code)
