"""Messages of santorini-objects, and their Java class names in each edition.

- One struct serves all editions with the same fields, so most of a script is independent of the edition.
- `D1` and `D2` are the document's editions and differ only in `RequestOptional`; `F` is the shipped program's.
- Players and workers are numbered from 1. A cell's `z` is its level: the number of blocks on it.
- Client messages may lack a value (`None`), which the script judges. Server messages may not.
"""

from __future__ import annotations

from typing import Final

import msgspec

from boardwire.wire.javastream import Java, Schema, objects_hash


class Position(msgspec.Struct, frozen=True):
    """A cell and a level: where a worker stands or would stand, or the slot that a block fills."""

    x: int
    y: int
    z: int


class Message(msgspec.Struct, frozen=True):
    """Text of the handshake [6.1]."""

    message: str | None


class UpdateInitializeNames(msgspec.Struct, frozen=True):
    """Names of the players, in the order of their numbers."""

    players_names: tuple[str | None, ...]


class UpdateTurn(msgspec.Struct, frozen=True):
    """D: the player whose turn begins."""

    player_id: int


class ConsolidateMove(msgspec.Struct, frozen=True):
    """Move a worker."""

    worker_id: int
    new_position: Position | None


class ConsolidateBuild(msgspec.Struct, frozen=True):
    """Build with a worker, a dome if `forceDome`."""

    force_dome: bool
    worker_id: int
    new_position: Position | None


class UpdateBuild(msgspec.Struct, frozen=True):
    """A block or dome was built; `z` is the level of the new block. In F only inside `UpdateActions`."""

    dome: bool
    new_position: Position


class UpdateWinner(msgspec.Struct, frozen=True):
    """A player has won; the match is over."""

    player_id: int


class UpdateLoser(msgspec.Struct, frozen=True):
    """A player is eliminated."""

    player_id: int


class UpdateDisconnection(msgspec.Struct, frozen=True):
    """A player has disconnected; the match is over."""

    player_id: int


class RequestInitializeGame(msgspec.Struct, frozen=True):
    """D: choose a god and two cells for the workers."""

    player_id: int
    god_powers: tuple[str, ...]


class InitializeGame(msgspec.Struct, frozen=True):
    """D: the chosen god, and the cells of worker 1 and worker 2."""

    god_power: str | None
    worker_positions: tuple[Position | None, ...] | None


class UpdateInitializeGame(msgspec.Struct, frozen=True):
    """D: a player's god and workers."""

    player_id: int
    god_power: str
    worker_positions: tuple[Position, ...]


class RequestMove(msgspec.Struct, frozen=True):
    """D: move a worker."""

    player_id: int
    worker1_moves: frozenset[Position]
    worker2_moves: frozenset[Position]


class UpdateMove(msgspec.Struct, frozen=True):
    """D: a worker moved."""

    player_id: int
    worker_id: int
    new_position: Position


class RequestBuild(msgspec.Struct, frozen=True):
    """D: build with a worker."""

    can_force_dome: bool
    player_id: int
    worker1_builds: frozenset[Position]
    worker2_builds: frozenset[Position]


class RequestOptional(msgspec.Struct, frozen=True):
    """D: move, build, or decline."""

    can_decline: bool
    can_force_dome: bool
    is_move_optional: bool
    player_id: int
    worker1_builds: frozenset[Position]
    worker1_moves: frozenset[Position]
    worker2_builds: frozenset[Position]
    worker2_moves: frozenset[Position]


class DeclineLastOptional(msgspec.Struct, frozen=True):
    """D: decline, which ends the turn."""


class Connection(msgspec.Struct, frozen=True):
    """F: log in with a name and a table size [7.1]."""

    num_of_players: int
    name: str | None


class RequestInitializeGodPower(msgspec.Struct, frozen=True):
    """F: choose a god [7.3]."""

    player_id: int
    god_powers: tuple[str, ...]


class InitializeGodPower(msgspec.Struct, frozen=True):
    """F: the chosen god [7.3]."""

    god_power: str | None


class UpdateInitializeGodPower(msgspec.Struct, frozen=True):
    """F: a player's god."""

    player_id: int
    god_power: str


class RequestInitializeWorkerPositions(msgspec.Struct, frozen=True):
    """F: choose two of these cells for the workers [7.4]."""

    player_id: int
    possible_positions: tuple[Position, ...]


class InitializeWorkerPositions(msgspec.Struct, frozen=True):
    """F: the cells of worker 1 and worker 2 [7.4]."""

    worker_positions: tuple[Position | None, ...] | None


class UpdateInitializeWorkerPositions(msgspec.Struct, frozen=True):
    """F: the cells of a player's workers."""

    player_id: int
    worker_positions: tuple[Position, ...]


class UpdateShippedTurn(msgspec.Struct, frozen=True):
    """F: the player whose turn begins, and whether it is the first of the match."""

    is_first_turn: bool
    player_id: int


class RequestAction(msgspec.Struct, frozen=True):
    """F: move, build, or decline [7.6]. The sets list the legal cells."""

    can_decline: bool
    can_force_dome: bool
    is_build_optional: bool
    is_move_optional: bool
    player_id: int
    worker1_builds: frozenset[Position]
    worker1_moves: frozenset[Position]
    worker2_builds: frozenset[Position]
    worker2_moves: frozenset[Position]


class DeclineLastAction(msgspec.Struct, frozen=True):
    """F: decline, which ends the turn [7.8]. Every turn ends so."""


class UpdateShippedMove(msgspec.Struct, frozen=True):
    """F: a worker moved; only inside `UpdateActions`."""

    player_id: int
    worker_id: int
    new_position: Position
    starting_position: Position


class UpdateActions(msgspec.Struct, frozen=True):
    """F: all effects of one action [7.7]. Builds come before moves."""

    update_build: tuple[UpdateBuild, ...]
    update_move: tuple[UpdateShippedMove, ...]


class RequestError(msgspec.Struct, frozen=True):
    """F: a message was rejected [9]."""

    player_id: int
    message: str


REQUESTS: Final = (
    Connection, InitializeGame, InitializeGodPower, InitializeWorkerPositions, ConsolidateMove, ConsolidateBuild,
    DeclineLastOptional, DeclineLastAction,
)  # fmt: skip
"""Messages that only a client sends."""


def _hash_code(position: Position) -> int:
    return objects_hash(position.x, position.y, position.z)


_D: Final = "it.polimi.ingsw.server.serializable."
_F: Final = "it.polimi.ingsw.controller.server.serializable."

# Quirk: the permission to force a dome is called canForceMove [11.1].
_MISNAMED: Final = {"can_force_dome": "canForceMove"}

_DOCUMENT: Final[dict[type[msgspec.Struct], Java]] = {
    Position: Java("it.polimi.ingsw.Position", 4717572954679150015, hash_code=_hash_code),
    Message: Java(_D + "Message", -2135428059262804643),
    UpdateInitializeNames: Java(_D + "SerializableUpdateInitializeNames", 2243673353181701073),
    RequestInitializeGame: Java(_D + "SerializableRequestInitializeGame", 4023908599176438474),
    InitializeGame: Java(_D + "SerializableInitializeGame", -8404835241208280572),
    UpdateInitializeGame: Java(_D + "SerializableUpdateInitializeGame", 5082703162948959923),
    UpdateTurn: Java(_D + "SerializableUpdateTurn", 4848651931907282859),
    RequestMove: Java(_D + "SerializableRequestMove", -7821966670448484992),
    ConsolidateMove: Java(_D + "SerializableConsolidateMove", 8797809317832216776),
    UpdateMove: Java(_D + "SerializableUpdateMove", 6152137070827329585),
    RequestBuild: Java(_D + "SerializableRequestBuild", 9219275755084490241, names=_MISNAMED),
    ConsolidateBuild: Java(_D + "SerializableConsolidateBuild", -3420001581323613892),
    UpdateBuild: Java(_D + "SerializableUpdateBuild", 5786229737997610191),
    DeclineLastOptional: Java(_D + "SerializableDeclineLastOptional", -8030867282927757244),
    UpdateWinner: Java(_D + "SerializableUpdateWinner", 3363053386997551607),
    UpdateLoser: Java(_D + "SerializableUpdateLoser", -4888884751484830605),
    UpdateDisconnection: Java(_D + "SerializableUpdateDisconnection", -1507855491218166123),
}

D1: Final = Schema(
    {
        **_DOCUMENT,
        RequestOptional: Java(_D + "SerializableRequestOptional", -1478691474825440219, names=_MISNAMED),
    }
)
"""The document's older form."""

D2: Final = Schema({**_DOCUMENT, RequestOptional: Java(_D + "SerializableRequestOptional", 1063417166044286238)})
"""The document's newer form, the default."""

F: Final = Schema(
    {
        Position: Java("it.polimi.ingsw.model.Position", -622662062088334874, hash_code=_hash_code),
        Connection: Java(_F + "SerializableConnection", 3560823826528511399),
        Message: Java(_F + "Message", 4582188244573801974),
        UpdateInitializeNames: Java(_F + "SerializableUpdateInitializeNames", 4919131634751018477),
        RequestInitializeGodPower: Java(_F + "SerializableRequestInitializeGodPower", 8331358042193655021),
        InitializeGodPower: Java(_F + "SerializableInitializeGodPower", 8923034049904623958),
        UpdateInitializeGodPower: Java(_F + "SerializableUpdateInitializeGodPower", 1402057058729825688),
        RequestInitializeWorkerPositions: Java(
            _F + "SerializableRequestInitializeWorkerPositions", 5053504607908137334
        ),
        InitializeWorkerPositions: Java(_F + "SerializableInitializeWorkerPositions", -2971178140586022001),
        UpdateInitializeWorkerPositions: Java(_F + "SerializableUpdateInitializeWorkerPositions", -4118484272865988629),
        UpdateShippedTurn: Java(_F + "SerializableUpdateTurn", -8538081418020085128),
        RequestAction: Java(_F + "SerializableRequestAction", 3841840276982960511),
        ConsolidateMove: Java(_F + "SerializableConsolidateMove", 4404457280387120206),
        ConsolidateBuild: Java(_F + "SerializableConsolidateBuild", -7329632243523553779),
        DeclineLastAction: Java(_F + "SerializableDeclineLastAction", 6763824918558638943),
        UpdateActions: Java(_F + "SerializableUpdateActions", 4674505118700718809),
        UpdateShippedMove: Java(_F + "SerializableUpdateMove", 697912492908912393),
        UpdateBuild: Java(_F + "SerializableUpdateBuild", 2702340752850756057),
        RequestError: Java(_F + "SerializableRequestError", -3764136589509721162),
        UpdateLoser: Java(_F + "SerializableUpdateLoser", 2785403115683782212),
        UpdateWinner: Java(_F + "SerializableUpdateWinner", 2968710858761114270),
        UpdateDisconnection: Java(_F + "SerializableUpdateDisconnection", 6425004720086331195),
    }
)
"""The shipped program's edition."""
