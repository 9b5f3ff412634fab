"""Notation of single steps, parsed and formatted.

    B3>C3   move            B3^C2   build      B3^C2X  dome          .     done          !      use the power
    B3=>C3  force           B3<>C3  swap       ~C3     raze          xC3   banish        B3&C3  bind
    +A1     place a worker  *A1     token      @ne @-  aim, stop aiming
    ?pan    propose         =pan    pick       1st=pan name who starts
    1st=2   choose seat 2   luck=pan, luck=3   a draw: a god, a card

Seats are numbered from 1. A step is exactly one action of `apply`; `turntext` is the notation of whole turns.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from boardwire.errors import Malformed
from boardwire.games.santorini.actions import (
    DONE,
    USE,
    Action,
    Aim,
    Banish,
    Bind,
    Build,
    ChooseStart,
    DealCard,
    DealGod,
    Done,
    Force,
    Move,
    NameStart,
    PickGod,
    PlaceToken,
    PlaceWorker,
    ProposeGod,
    Raze,
    Swap,
    Use,
)
from boardwire.games.santorini.board import DIRECTIONS
from boardwire.games.santorini.interned import BLOCKS, DOMES, MOVES, PLACES
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square, square_name

_PAIRS: Final[dict[str, Callable[[int, int], Action]]] = {
    ">": lambda frm, target: MOVES[frm][target],
    "^": lambda frm, target: BLOCKS[frm][target],
    "=>": Force,
    "<>": Swap,
    "&": Bind,
}
_SINGLES: Final[dict[str, Callable[[int], Action]]] = {
    "~": Raze,
    "x": Banish,
    "+": lambda at: PLACES[at],
    "*": PlaceToken,
}
_GODS: Final[dict[str, Callable[[God], Action]]] = {
    "?": ProposeGod,
    "=": PickGod,
    "1st=": NameStart,
    "luck=": DealGod,
}
_NUMBERS: Final[dict[str, Callable[[int], Action]]] = {
    "1st=": lambda number: ChooseStart(number - 1),
    "luck=": DealCard,
}
_SQUARE: Final = "[A-Ea-e][1-5]"


def parse_action(text: str) -> Action:
    """Parse a step."""
    if text == ".":
        return DONE
    if text == "!":
        return USE
    if pair := re.fullmatch(rf"({_SQUARE})(>|\^|=>|<>|&)({_SQUARE})(X?)", text):
        one, other = parse_square(pair[1]), parse_square(pair[3])
        if pair[4]:
            if pair[2] != "^":
                raise Malformed(f"{text!r} is not a step: X, a dome, is only for builds, such as B3^C2X")
            return DOMES[one][other]
        return _PAIRS[pair[2]](one, other)
    if single := re.fullmatch(rf"([~x+*])({_SQUARE})", text):
        return _SINGLES[single[1]](parse_square(single[2]))
    if aim := re.fullmatch(r"@([nesw]{1,2}|-)", text):
        if aim[1] == "-":
            return Aim(None)
        if aim[1] in DIRECTIONS:
            return Aim(DIRECTIONS.index(aim[1]))
    if number := re.fullmatch(r"(1st=|luck=)([0-9]{1,3})", text):
        return _NUMBERS[number[1]](int(number[2]))
    if (god := re.fullmatch(r"(\?|=|1st=|luck=)([a-z]+)", text)) and god[2] in God._value2member_map_:
        return _GODS[god[1]](God(god[2]))
    raise Malformed(f"{text!r} is not a step; examples are B3>C3 (move) and C3^B2 (build)")


def format_action(action: Action) -> str:
    """Format a step."""
    match action:
        case Move(frm, to):
            return f"{square_name(frm)}>{square_name(to)}"
        case Build(by, at, dome):
            return f"{square_name(by)}^{square_name(at)}{'X' if dome else ''}"
        case Done():
            return "."
        case Use():
            return "!"
        case Force(frm, to):
            return f"{square_name(frm)}=>{square_name(to)}"
        case Swap(one, other):
            return f"{square_name(one)}<>{square_name(other)}"
        case Bind(own, foe):
            return f"{square_name(own)}&{square_name(foe)}"
        case Raze(at):
            return f"~{square_name(at)}"
        case Banish(at):
            return f"x{square_name(at)}"
        case PlaceWorker(at):
            return f"+{square_name(at)}"
        case PlaceToken(at):
            return f"*{square_name(at)}"
        case Aim(direction):
            return "@-" if direction is None else f"@{DIRECTIONS[direction]}"
        case ProposeGod(god):
            return f"?{god}"
        case PickGod(god):
            return f"={god}"
        case NameStart(god):
            return f"1st={god}"
        case ChooseStart(seat):
            return f"1st={seat + 1}"
        case DealGod(god):
            return f"luck={god}"
        case DealCard(card):
            return f"luck={card}"
