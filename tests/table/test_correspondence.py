"""With a day or more per decision, players come and go: only the time for a decision forfeits."""

from boardwire.table import commands as cmd
from boardwire.table.decide import deadline, decide
from boardwire.table.events import Opened, Player
from boardwire.table.match import Match, Status, match_of_opening
from boardwire.table.policy import CORRESPONDENCE_SECONDS, Leaving, Policy

DAYS = 14 * 86_400.0
POLICY = Policy(Leaving.HOLDS, per_move=DAYS)


def begun(policy: Policy = POLICY) -> Match:
    match = match_of_opening(Opened(0.0, "m", "tris@1", 2, {}, policy))
    for name in ("ann", "bob"):
        match = decide(match, cmd.Join(Player(name, key=name)), 0.0)[-1].match
    return match


def do(match: Match, command: cmd.Command, now: float) -> Match:
    moments = decide(match, command, now)
    return moments[-1].match if moments else match


def test_only_long_times_without_a_grace_are_correspondence() -> None:
    assert POLICY.correspondence
    assert not Policy(Leaving.HOLDS, per_move=CORRESPONDENCE_SECONDS - 1).correspondence
    assert not Policy(Leaving.HOLDS, 60.0, per_move=DAYS).correspondence
    assert not Policy(Leaving.SKIPS, per_move=DAYS).correspondence


def test_absence_forfeits_nothing_before_the_time_for_the_decision_is_up() -> None:
    match = begun()
    for seat in (0, 1):
        match = do(match, cmd.Leave(seat), 10.0)
    assert deadline(match, 0) == DAYS
    assert deadline(match, 1) is None, "it is not its turn"
    match = do(match, cmd.Return(0, "ann"), DAYS - 1)
    match = do(match, cmd.Act(0, (4,)), DAYS - 1)
    assert match.status is Status.PLAYING
    assert deadline(match, 1) == 2 * DAYS - 1
    match = do(match, cmd.TimeOut(1), 2 * DAYS)
    assert match.outcome is not None
    assert match.outcome.winners == (0,)


def test_a_restart_does_not_give_more_time() -> None:
    match = begun()
    for seat in (0, 1):
        match = do(match, cmd.Leave(seat, restart=True), 5 * 86_400.0)
    assert deadline(match, 0) == DAYS
    short = begun(Policy(Leaving.HOLDS, 60.0, per_move=100.0))
    assert do(short, cmd.Leave(0, restart=True), 50.0).since == 50.0, "elsewhere time limits start again"
