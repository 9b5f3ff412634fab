"""Tables with days per move: the players need not be connected."""

from boardwire.simulation.server import SimulatedServer
from boardwire.table.match import Status

from .visitor import Visitor, opened

DAY = 86_400.0


def test_players_come_and_go_and_only_the_move_has_a_limit() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, name = opened(server, per_move=14 * DAY)
    token = ann.token
    table = server.lobby.table(name)
    assert table.match.setting.policy.correspondence
    ann.peer.drop()
    bob.peer.drop()
    server.clock.pass_time(13 * DAY)
    assert table.match.status is Status.PLAYING
    again = Visitor(server)
    kept = again.ask("hello", name="ann", token=token)["kept"]
    assert [(one["match"], one["asked"]) for one in kept] == [(name, True)]
    seated = again.say("resume", match=name, seat=kept[0]["seat"])[0]
    assert seated["state"]["grace"] == 14 * DAY
    again.peer.drop()
    server.clock.pass_time(2 * DAY)
    assert table.match.outcome is not None
    assert table.match.outcome.winners == (1 - kept[0]["seat"],)
