"""The text mode of engines for Santorini and Forza Quattro, close to chess's UCI.

- A match begins with `uci`, options, `ucinewgame` and `isready`; the engine answers `uciok` and `readyok`.
- A decision is `position`, `choices` and `go`; the engine answers with any number of `info` lines and one `bestmove`.
- A position is written in the game's notation. During a turn it is the position at the beginning of the turn and the
  steps since: `position TEXT moves STEP ...`. A decision for which no position can be written, such as the choice of a
  god, has `position none`; `choices` always lists the legal steps.
- `bestmove` may have the steps of a whole turn. The later ones are played without another question while the turn
  lasts.
- As in UCI, unknown lines and words are ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from boardwire.engines.protocol import (
    MAX_ENGINE_NAME_LENGTH,
    MAX_LINE_STEPS,
    MAX_TEXT_LENGTH,
    Budget,
    ChoiceMessage,
    FromEngine,
    Info,
    Ready,
    action_by_text,
    quote,
)
from boardwire.errors import BoardwireError, Malformed
from boardwire.games import forza, santorini
from boardwire.games.forza import notation as forza_notation
from boardwire.games.game import AnyGame, Decision, Outcome, Seat
from boardwire.games.santorini.edits import with_memo
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.lineup import in_effect
from boardwire.games.santorini.notation import format_position, parse_position
from boardwire.games.santorini.squares import square_name

GAMES: Final = (santorini.name, forza.name)
"""The games that have a text mode."""
NO_POSITION: Final = "none"
UNKNOWN_LINE: Final = "future words that no engine knows"
_LOW_DOMES: Final = "abc"


class TextLines:
    """The text lines of one engine (`protocol.EngineProtocol`)."""

    def __init__(self, add_unknown: bool = False) -> None:
        self._extra_lines = (UNKNOWN_LINE,) if add_unknown else ()
        self._game: AnyGame | None = None
        self._name = self._author = ""
        self._number = 0
        self._start = NO_POSITION
        """The position at the beginning of the current turn."""
        self._steps: list[str] = []
        """The engine's steps since then."""
        self._turn: object = None
        """Key of the current turn."""
        self._plan: list[str] = []
        """Steps of the last `bestmove` that are still to be played."""

    def hello(self, game: AnyGame, seat: Seat, seats: int, options: Any, seed: int) -> bytes:
        """Begin a match; return the lines that announce it."""
        assert game.name in GAMES, "the caller has checked it"
        self._game = game
        self._turn, self._plan = None, []
        settings = {"game": game.name, "seat": seat + 1, "seats": seats, "seed": seed}
        lines = [f"setoption name {name} value {value}" for name, value in settings.items()]
        return _encode_lines("uci", *lines, *self._extra_lines, "ucinewgame", "isready")

    def take_planned(self, view: Any, decision: Decision[Any]) -> Any:
        """Take the next step of the last `bestmove`; drop it and return None if the turn is over or it is illegal."""
        if not self._plan or _turn_of(view) != self._turn:
            self._plan = []
            return None
        assert self._game is not None
        step = self._plan.pop(0)
        for action in decision.choices:
            if self._game.format_action(action) == step:
                self._steps.append(step)
                return action
        self._plan = []
        return None

    def choose(self, view: Any, decision: Decision[Any], budget: Budget) -> bytes:
        """Begin a question; return the lines that ask it."""
        assert self._game is not None, "`hello` comes first"
        self._number += 1
        if _turn_of(view) != self._turn or not self._steps:
            self._turn, self._steps = _turn_of(view), []
            self._start = WRITERS[self._game.name](view, decision.seats[0])
        moves = f" moves {' '.join(self._steps)}" if self._steps else ""
        if moves and not _leads_to(self._start, self._steps, view, decision.seats[0]):
            self._start, moves = NO_POSITION, ""
        texts = " ".join(map(self._game.format_action, decision.choices))
        return _encode_lines(
            f"position {self._start}{moves}", f"choices {texts}", *self._extra_lines, f"go{_go_arguments(budget)}"
        )

    def over(self, outcome: Outcome | None) -> bytes:
        """Return nothing: a match ends with the next `ucinewgame`, or with `quit`."""
        self._turn, self._plan, self._steps = None, [], []
        return b""

    def end(self) -> bytes:
        """Return the line that ends the engine."""
        return _encode_lines("quit")

    def read(self, line: bytes) -> FromEngine | None:
        """Parse a line; unknown ones are ignored."""
        try:
            text = line.decode("utf-8").strip()
        except UnicodeDecodeError:
            raise Malformed(f"{quote(line)} is not UTF-8") from None
        word, _, rest = text.partition(" ")
        match word:
            case "id":
                name, _, value = rest.strip().partition(" ")
                if name == "name":
                    self._name = value.strip()[:MAX_ENGINE_NAME_LENGTH]
                elif name == "author":
                    self._author = value.strip()[:MAX_ENGINE_NAME_LENGTH]
            case "readyok":
                return Ready(name=self._name, author=self._author)
            case "info":
                return parse_info(rest)
            case "bestmove":
                steps = rest.partition(" ponder ")[0].split()
                if not steps:
                    raise Malformed("bestmove must be followed by a step")
                self._plan = steps[1:]
                return ChoiceMessage(id=self._number, text=steps[0])
        return None

    def action(self, answer: ChoiceMessage, view: Any, decision: Decision[Any]) -> Any:
        """Return the action that `bestmove` chooses."""
        assert self._game is not None, "`hello` comes first"
        assert answer.text is not None, "`read` sets it"
        action = action_by_text(self._game, answer.text, decision)
        self._steps.append(answer.text)
        return action


def parse_info(text: str) -> Info:
    """Parse what follows `info`: `depth N`, `nodes N`, `value X`, `pv STEP ...`, `string TEXT`."""
    words = text.split()
    depth: int | None = None
    nodes: int | None = None
    value: float | None = None
    line: tuple[str, ...] = ()
    comment = ""
    while words:
        word = words.pop(0)
        if word == "string":
            comment = " ".join(words)[:MAX_TEXT_LENGTH]
            break
        if word == "pv":
            line = tuple(step[:MAX_ENGINE_NAME_LENGTH] for step in words[:MAX_LINE_STEPS])
            break
        if word in ("depth", "nodes", "value") and words:
            number = words.pop(0)
            try:
                if word == "value":
                    value = float(number)
                elif word == "depth":
                    depth = int(number)
                else:
                    nodes = int(number)
            except ValueError:
                raise Malformed(f"info {word} {quote(number.encode())} is not a number") from None
    if value is not None and not -1 <= value <= 1:
        raise Malformed(f"info value must be from -1 to 1, not {value:g}")
    if min(depth or 0, nodes or 0) < 0:
        raise Malformed(f"info depth and nodes must not be negative: got depth {depth}, nodes {nodes}")
    return Info(value=value, depth=depth, nodes=nodes, line=line, text=comment)


def _go_arguments(budget: Budget) -> str:
    """Return the limits of a search as arguments of `go`; times are in milliseconds."""
    parts = []
    if budget.nodes is not None:
        parts.append(f" nodes {budget.nodes}")
    if budget.seconds is not None:
        parts.append(f" movetime {round(budget.seconds * 1000)}")
    if budget.remaining is not None:
        parts.append(f" time {round(budget.remaining * 1000)}")
    return "".join(parts)


def _encode_lines(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _turn_of(view: Any) -> object:
    """Return a key of the turn to which a view belongs."""
    if isinstance(view, santorini.View):
        return view.ply, view.turn, view.waiting
    return object()  # a turn of Forza Quattro is one step


# --- positions --------------------------------------------------------------------------------------------------------


def _write_forza(view: forza.View, seat: Seat) -> str:
    return forza_notation.format_view(view)


def _write_santorini(view: santorini.View, seat: Seat) -> str:
    """Return the notation of a position with this view, or `none` if no notation gives the same view."""
    try:
        position = parse_position(_santorini_text(view, seat))
        for slot, memo in enumerate((*view.memos, *view.kept)):
            if memo:
                position = with_memo(position, slot, memo)
        text = format_position(position)
    except (BoardwireError, ValueError, IndexError, KeyError, AssertionError):  # a text that no match can reach
        return NO_POSITION
    return text if _leads_to(text, (), view, seat) else NO_POSITION


def _santorini_text(view: santorini.View, seat: Seat) -> str:
    """Return the notation of a position without the memory of its powers."""
    heights = "".join(_height_character(view, square) for square in range(len(view.levels)))
    sections = []
    for number, picked in enumerate(view.gods):
        power = view.powers[number]
        god = picked or power
        power_suffix = "" if power is in_effect(god) else f"+{power}"
        workers = view.workers[number] if number < len(view.workers) else ()
        names = ",".join("-" if square < 0 else square_name(square) for square in workers)
        sections.append(f"{god}{power_suffix}{f':{names}' if names else ''}")
    items = []
    if view.ply:
        items.append(f"@{view.ply}")
    if view.ram >= 0:
        items.append(f"ram{square_name(view.ram)}={view.lent}")
    if view.order != tuple(sorted(view.order)):
        items.append(f"order={''.join(str(other + 1) for other in view.order)}")
    return "/".join([heights, str(seat + 1), *sections, *([" ".join(items)] if items else [])])


def _height_character(view: santorini.View, square: int) -> str:
    """Return the character of a square's height: with a dome, 4 or that of a dome on a lower level."""
    height = view.levels[square]
    if square not in view.domes:
        return str(height)
    return "4" if height == 3 else _LOW_DOMES[height]


def _leads_to(start: str, steps: list[str] | tuple[str, ...], view: santorini.View, seat: Seat) -> bool:
    """Return whether a position in notation and the steps after it give a seat the same view."""
    if start == NO_POSITION:
        return False
    try:
        line = Line(start).play(" ".join(steps))
        return _without_draft_fields(santorini.view(line.position, seat)) == _without_draft_fields(view)
    except (BoardwireError, ValueError, IndexError, KeyError, AssertionError):  # a text that no match can reach
        return False


def _without_draft_fields(view: santorini.View) -> santorini.View:
    """Return a view without the fields that matter only during the choice of the gods."""
    gods = tuple(god or power for god, power in zip(view.gods, view.powers, strict=False))
    return replace(view, gods=gods, offer=(), proposer=None)


WRITERS: Final[dict[str, Callable[[Any, Seat], str]]] = {santorini.name: _write_santorini, forza.name: _write_forza}
