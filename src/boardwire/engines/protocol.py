"""Messages between boardwire and an engine over standard input and output, as JSON lines [3].

- Each message is one line of UTF-8 with a JSON object, whose `type` names the message. Unknown fields are ignored, so
  that a later version can add fields.
- boardwire sends `hello`, `choose` and `over`; the engine sends `ready`, `info` and `choice`.
- An engine receives the view of its seat, never a position.
- This module does no I/O: `JsonLines` turns calls into bytes and lines into messages.

Numbers in brackets are sections of docs/engines.md.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Protocol, TypeAlias

import msgspec

from boardwire import games
from boardwire.errors import BoardwireError, Malformed
from boardwire.games.game import AnyGame, Decision, Outcome, Seat

VERSION: Final = 1
"""Version of the protocol. It changes only if engines of the previous version no longer work."""
MAX_LINE_BYTES: Final = 64 * 1024
"""Longest line of an engine, including its line break."""
MAX_ENGINE_NAME_LENGTH: Final = 64
MAX_TEXT_LENGTH: Final = 1000
MAX_LINE_STEPS: Final = 200
"""Limit of the steps of the expected continuation in an `info`."""
QUOTED_CHARACTERS: Final = 80
"""Characters that an error quotes from an invalid line."""

_Name: TypeAlias = Annotated[str, msgspec.Meta(max_length=MAX_ENGINE_NAME_LENGTH)]
_Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=MAX_TEXT_LENGTH)]


class Hello(msgspec.Struct, frozen=True, tag="hello", kw_only=True):
    """Begins a match. `options` are the game's; `seed` makes the engine's random choices repeatable [3.1]."""

    protocol: int = VERSION
    game: str
    rules: int
    seat: Seat
    seats: int
    options: Any
    seed: int


class Choose(msgspec.Struct, frozen=True, tag="choose", kw_only=True):
    """Asks for a decision [3.3].

    - `choices` are exactly the legal actions, and `texts` the same in the game's notation; both are counted from 0.
    - `seconds` is the time limit of this decision, `remaining` the time left on the clock, `nodes` the number of
      positions to examine; null means no limit.
    """

    id: int
    kind: str
    view: Any
    choices: tuple[Any, ...]
    texts: tuple[str, ...]
    seconds: float | None = None
    remaining: float | None = None
    nodes: int | None = None


class Over(msgspec.Struct, frozen=True, tag="over", kw_only=True):
    """Ends a match with its termination and its winners, none for a draw; both are null if it was broken off [3.6]."""

    termination: str | None = None
    winners: tuple[Seat, ...] | None = None


class Ready(msgspec.Struct, frozen=True, tag="ready", kw_only=True):
    """Answers `hello` [3.2]."""

    name: _Name = ""
    version: _Name = ""
    author: _Name = ""


class Refuse(msgspec.Struct, frozen=True, tag="refuse", kw_only=True):
    """Answers `hello`: the engine does not play this game [3.2]."""

    text: _Text = ""


class Info(msgspec.Struct, frozen=True, tag="info", kw_only=True, omit_defaults=True):
    """State of the search before the choice; every field is optional [3.5].

    `value` is from -1 (lost) to 1 (won) for the engine's seat, `line` the expected continuation in notation.
    """

    value: Annotated[float, msgspec.Meta(ge=-1, le=1)] | None = None
    depth: Annotated[int, msgspec.Meta(ge=0)] | None = None
    nodes: Annotated[int, msgspec.Meta(ge=0)] | None = None
    line: Annotated[tuple[_Name, ...], msgspec.Meta(max_length=MAX_LINE_STEPS)] = ()
    text: _Text = ""


class ChoiceMessage(msgspec.Struct, frozen=True, tag="choice", kw_only=True):
    """Answers `choose` with exactly one of: the number of a choice, the action itself, or its text [3.4]."""

    id: int
    number: int | None = None
    action: Any | msgspec.UnsetType = msgspec.UNSET
    text: _Name | None = None


ToEngine: TypeAlias = Hello | Choose | Over
FromEngine: TypeAlias = Ready | Refuse | Info | ChoiceMessage

_encode: Final = msgspec.json.Encoder().encode
_decoder: Final = msgspec.json.Decoder(FromEngine)


class IllegalChoice(BoardwireError):
    """The answer is well-formed, but not one of the choices."""

    default_reason = Malformed.default_reason


class Budget(msgspec.Struct, frozen=True):
    """Limits of one decision: its seconds, the seconds left on the clock, and nodes; None stands for no limit."""

    seconds: float | None = None
    remaining: float | None = None
    nodes: int | None = None


class EngineProtocol(Protocol):
    """A protocol between boardwire and an engine, without I/O: JSON lines or text."""

    def hello(self, game: AnyGame, seat: Seat, seats: int, options: Any, seed: int) -> bytes:
        """Return the lines that begin a match; the engine answers with `Ready`."""

    def take_planned(self, view: Any, decision: Decision[Any]) -> Any:
        """Take the action that the engine's last answer has already chosen for this decision, or None."""

    def choose(self, view: Any, decision: Decision[Any], budget: Budget) -> bytes:
        """Return the lines that ask for a decision."""

    def over(self, outcome: Outcome | None) -> bytes:
        """Return the lines that end a match."""

    def end(self) -> bytes:
        """Return the lines that end the engine, before its input is closed."""

    def read(self, line: bytes) -> FromEngine | None:
        """Parse a line of the engine, given without its line break; return None if it is to be ignored.

        Raises `Malformed` for a line that the protocol does not allow.
        """

    def action(self, answer: ChoiceMessage, view: Any, decision: Decision[Any]) -> Any:
        """Return the action that an answer chooses; raise `IllegalChoice` or `Malformed`."""


class JsonLines:
    """The JSON lines of one engine (`EngineProtocol`)."""

    def __init__(self, add_unknown: bool = False) -> None:
        self._line = _line_with_unknown if add_unknown else _encode_line
        self._game: AnyGame | None = None
        self._number = 0
        """Number of questions so far: the id of the last one."""
        self._open_id = 0
        """Id of the unanswered question, or 0."""

    def hello(self, game: AnyGame, seat: Seat, seats: int, options: Any, seed: int) -> bytes:
        """Begin a match; return the line that announces it."""
        self._game = game
        return self._line(
            Hello(game=game.name, rules=game.rules, seat=seat, seats=seats, options=options, seed=seed)
        )  # fmt: skip

    def take_planned(self, view: Any, decision: Decision[Any]) -> Any:
        """Return None: an answer decides only its own question."""
        return None

    def choose(self, view: Any, decision: Decision[Any], budget: Budget) -> bytes:
        """Begin a question; return the line that asks it."""
        assert self._game is not None, "`hello` comes first"
        self._number += 1
        self._open_id = self._number
        choices = tuple(decision.choices)
        return self._line(
            Choose(
                id=self._number,
                kind=str(decision.kind),
                view=view,
                choices=choices,
                texts=tuple(map(self._game.format_action, choices)),
                seconds=budget.seconds,
                remaining=budget.remaining,
                nodes=budget.nodes,
            )
        )

    def over(self, outcome: Outcome | None) -> bytes:
        """Return the line that ends a match."""
        return self._line(
            Over() if outcome is None else Over(termination=str(outcome.termination), winners=outcome.winners)
        )

    def end(self) -> bytes:
        """Return nothing: the end of the input is enough."""
        return b""

    def read(self, line: bytes) -> FromEngine | None:
        """Parse a line; an empty one is ignored."""
        if not line.strip():
            return None
        try:
            message: FromEngine = _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Malformed(f"{quote(line)} is not a valid message: {error}") from None
        if isinstance(message, ChoiceMessage):
            if message.id <= self._number and message.id != self._open_id:
                return None  # a second answer to a question
            if message.id != self._open_id:
                raise Malformed(f"the choice has the id {message.id}; the question has {self._number}")
            count = sum((message.number is not None, message.action is not msgspec.UNSET, message.text is not None))
            if count != 1:
                raise Malformed(f"the choice has {count} of number, action and text; give exactly one")
            self._open_id = 0
        return message

    def action(self, answer: ChoiceMessage, view: Any, decision: Decision[Any]) -> Any:
        """Return the action that an answer chooses."""
        assert self._game is not None, "`hello` comes first"
        choices = tuple(decision.choices)
        if answer.number is not None:
            if not 0 <= answer.number < len(choices):
                raise IllegalChoice(f"choice {answer.number} does not exist; the choices are 0 to {len(choices) - 1}")
            return choices[answer.number]
        if answer.text is not None:
            return action_by_text(self._game, answer.text, decision)
        try:
            action = msgspec.convert(answer.action, self._game.Action)
        except msgspec.ValidationError as error:
            quoted = quote(_encode(answer.action))
            raise Malformed(f"{quoted} is not an action of {self._game.name}: {error}") from None
        if action not in choices:
            raise IllegalChoice(f"{self._game.format_action(action)} is not one of the choices")
        return action


def action_by_text(game: AnyGame, text: str, decision: Decision[Any]) -> Any:
    """Return the choice with this notation; raise `Malformed` for no notation, `IllegalChoice` for another action."""
    for choice in decision.choices:
        if game.format_action(choice) == text:
            return choice
    action = game.parse_action(text)
    if action not in decision.choices:
        raise IllegalChoice(f"{quote(text.encode())} is not one of the choices")
    return action


def quote(line: bytes) -> str:
    """Return the beginning of an engine's line, in quotes, with control characters escaped."""
    text = line[: QUOTED_CHARACTERS + 1].decode("utf-8", "replace")
    return repr(text if len(text) <= QUOTED_CHARACTERS else text[:QUOTED_CHARACTERS] + "…")


def _encode_line(message: ToEngine) -> bytes:
    return _encode(message) + b"\n"


def _line_with_unknown(message: ToEngine) -> bytes:
    return _encode(message)[:-1] + b',"future":{"unknown":[1,"two"]}}\n'


def schema(game: str | None = None) -> dict[str, Any]:
    """Return the JSON Schema of all messages, and of the options, views and actions of a game if one is given."""
    types: list[Any] = [ToEngine, FromEngine]
    if game is not None:
        rules = games.game(game)
        types += [rules.Options, rules.View, rules.Action]
    (to_engine, from_engine, *parts), definitions = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    definition: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"boardwire engine protocol {VERSION}",
        "oneOf": [{"$ref": "#/$defs/ToEngine"}, {"$ref": "#/$defs/FromEngine"}],
        "$defs": {"ToEngine": to_engine, "FromEngine": from_engine, **definitions},
    }
    if parts:
        options, view, action = parts
        definition["$defs"] |= {"GameOptions": options, "GameView": view, "GameAction": action}
        hello, choose = definition["$defs"]["Hello"]["properties"], definition["$defs"]["Choose"]["properties"]
        hello["options"] = {"$ref": "#/$defs/GameOptions"}
        choose["view"] = {"$ref": "#/$defs/GameView"}
        choose["choices"] = {"type": "array", "items": {"$ref": "#/$defs/GameAction"}}
        definition["$defs"]["ChoiceMessage"]["properties"]["action"] = {"$ref": "#/$defs/GameAction"}
    return definition
