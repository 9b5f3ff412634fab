"""What a client may try in a turn, so that the server can be asked which of it is legal.

The protocol tells kinds of action, not cells, and its gods are open-ended.  So a client lists what its pawns could
conceivably do and sends a CHECK_ACTION for each; the server's answers are the choices.  For a god it does not know,
and where nothing nearer is legal, every cell is conceivable.
"""

from __future__ import annotations

from collections.abc import Iterator

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.scene import Scene
from boardwire.games.game import Seat
from boardwire.games.santorini.actions import BLOCKS, DOMES, DONE, MOVES, Action, Build, Done, Force, Move
from boardwire.games.santorini.board import AROUND, BEHIND, SQUARES, WRAPPED, squares_of
from boardwire.games.santorini.powers.catalogue import God


def guesses(scene: Scene, seat: Seat, kinds: tuple[str, ...], wide: bool = False) -> tuple[Action, ...]:
    """What the user's pawns could conceivably do, by the kinds that ACTION_READY listed; `wide`: anywhere."""
    wanted = {wire.ACTIONS.get(kind.lower(), kind) for kind in kinds}
    return tuple(dict.fromkeys(_guesses(scene, seat, wanted, wide)))


def _guesses(scene: Scene, seat: Seat, kinds: set[str], wide: bool) -> Iterator[Action]:
    pawns = scene.workers.get(seat, [])
    for pawn in pawns if wide or scene.pawn < 0 else [pawns[scene.pawn]]:
        if pawn < 0:
            continue
        for at in SQUARES if wide else _around(pawn, scene.gods.get(seat, God.MORTAL)):
            if wire.MOVE in kinds and at != pawn and at not in scene.domes:
                yield MOVES[pawn][at]
            if at not in scene.domes and wire.BUILD_BLOCK in kinds and scene.levels[at] < 3:
                yield BLOCKS[pawn][at]
            if at not in scene.domes and wire.BUILD_DOME in kinds and at != pawn:
                yield DOMES[pawn][at]
            across = BEHIND[at][pawn]
            if wire.FERRY in kinds and across >= 0:
                yield Force(at, across)
    if wire.PASS_TURN in kinds:
        yield DONE


def _around(pawn: int, god: God | None) -> tuple[int, ...]:
    """The cells that count as beside a pawn, with its own: Zeus builds under himself, Urania's world is round."""
    if god is God.URANIA:
        return (pawn, *squares_of(WRAPPED[pawn]))
    return SQUARES if god is None else (pawn, *AROUND[pawn])


def deed_of(scene: Scene, seat: Seat, action: Action) -> wire.Deed:
    """An action in the protocol's words."""
    squares = scene.workers[seat]
    match action:
        case Move(frm, to):
            pawn, name, at = frm, wire.MOVE, to
        case Build(by, site, dome):
            pawn, name, at = by, wire.BUILD_DOME if dome else wire.BUILD_BLOCK, site
        case Force(frm, to):
            pawn, name, at = (frm + to) // 2, wire.FERRY, frm
        case Done():
            pawn = squares[max(scene.pawn, 0)]
            name, at = wire.PASS_TURN, pawn
        case _:
            raise ValueError(f"this protocol has no words for {action}")
    user = wire.User(scene.users[seat])
    return wire.Deed(user=user, id=squares.index(pawn), action=wire.ActionName(name), coordinate=wire.CELLS[at])
