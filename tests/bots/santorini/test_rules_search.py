"""The search with the full rules: it sees wins at once, its own and those of foes, and keeps to its limits."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from random import Random

import pytest
from tests.bots.legality import MODES, walk
from tests.bots.santorini.test_engine import asked

from boardwire.bots.engine import SearchLimits
from boardwire.bots.santorini import SantoriniEngine, rules_search
from boardwire.bots.santorini.rules_search import FATE_WORTH, think
from boardwire.bots.santorini.views import POWERS
from boardwire.games import santorini
from boardwire.games.game import CHANCE
from boardwire.games.santorini import Draft, God, Options
from boardwire.games.santorini.actions import Action
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import allowed

GODS = [god for god in God if god is not God.MORTAL and allowed(god, 2, False)]
MISSING = [god for god in GODS if god not in POWERS]
SECRETIVE = (God.HECATE, God.MOERAE, God.TARTARUS)
LONGEST = 5


def turns_to_choose(pair: tuple[God, God], luck: Random) -> Iterator[Position]:
    """Yield the positions of a random match in which a turn begins."""
    p = santorini.new(Options(Draft.GIVEN, pair, bans=False, ply_cap=60), 2)
    while (due := p.decision) is not None:
        if p.setup is None and due.kind is santorini.Kind.OPEN and p.turn.worker < 0 and not p.turn.extra:
            yield p
        seat = due.seats[0]
        choices = tuple(due.choices)
        if seat != CHANCE and p.setup is None and luck.randrange(2):
            choices = tuple(one for one in choices if climbs(p, one)) or choices
        p, _ = santorini.apply(p, seat, choices[luck.randrange(len(choices))])


def climbs(p: Position, action: Action) -> bool:
    """Whether a step goes up, but not to the top: random matches would be short, or stay on the ground."""
    levels = santorini.view(p, None).levels
    match action:
        case santorini.actions.Move(frm, to):
            return levels[frm] < levels[to] < 3
        case santorini.actions.Build(_, at, _):
            return levels[at] in (1, 2)
        case _:
            return False


def wins_at_once(p: Position, seat: int, steps: int = LONGEST) -> bool:
    """Whether a seat wins in its turn: every way is tried."""
    due = p.decision
    if due is None or due.seats != (seat,) or not steps:
        return False
    for action in due.choices:
        after, _ = santorini.apply(p, seat, action)
        if after.outcome is not None:
            if seat in after.outcome.winners:
                return True
        elif after.ply == p.ply and wins_at_once(after, seat, steps - 1):
            return True
    return False


def won_by(p: Position, seat: int, turn: tuple[Action, ...]) -> bool:
    for action in turn:
        p, _ = santorini.apply(p, seat, action)
    return p.outcome is not None and seat in p.outcome.winners


@pytest.mark.parametrize("god", [god for god in MISSING if god not in (*SECRETIVE, God.HERACLES)])
def test_a_win_at_once_is_taken_with_any_limits(god: God) -> None:
    luck, looked, won = Random(god.value), 0, 0
    while looked < 25 or not won:
        foe = luck.choice([other for other in GODS if other not in (god, *SECRETIVE, God.POSEIDON, God.MORPHEUS)])
        for p in turns_to_choose((god, foe), luck):
            assert p.decision is not None
            seat = p.decision.seats[0]
            if p.ply < 8 or len(p.decision.choices) > 40 or (won and looked >= 25):
                continue
            looked += 1
            can = wins_at_once(p, seat, 3)
            found = think(santorini.view(p, seat), p.decision, luck.randrange, SearchLimits(1), bool)
            assert found.turn[0] in p.decision.choices
            if can:
                won += 1
                assert won_by(p, seat, found.turn), santorini.format_position(p)
            else:
                assert found.proved == 0 or won_by(p, seat, found.turn)
    assert looked < 200


@pytest.mark.parametrize(
    "god", [God.BELLEROPHON, God.ARTEMIS, God.EROS, God.PAN, God.TERPSICHORE, God.CASTOR, God.GRAEAE]
)
def test_a_leaf_is_won_only_if_the_rules_agree(god: God) -> None:
    luck, looked, won = Random(1), 0, 0
    while looked < 60:
        for p in turns_to_choose((god, God.SIREN), luck):
            assert p.decision is not None
            seat = p.decision.seats[0]
            search = rules_search.RulesSearch(p, seat, luck.randrange, SearchLimits(10**6), bool)
            node = search.node_of(p)
            looked += 1
            if search.can_win(node):
                won += 1
                assert wins_at_once(p, seat), santorini.format_position(p)
    assert won


@pytest.mark.parametrize("foe", ["mortal", "apollo", "hestia"])
@pytest.mark.parametrize("own", ["siren", "maenads", "graeae", "clio"])
def test_a_threat_of_the_foe_is_stopped(own: str, foe: str) -> None:
    men = "E3,E1,A1" if own == "graeae" else "E3,E1"
    line = Line(f"0000000230000000000000000/2/{foe}:C4,A2/{own}:{men}")
    seat = 1
    thought = asked(line.position, 3000)
    for action in thought.turn:
        line.position, _ = santorini.apply(line.position, seat, action)
    assert not wins_at_once(line.position, 0)


def test_a_win_in_two_turns_is_found() -> None:
    # two third levels beside a worker that can climb: one build does not stop both
    thought = asked("0000003130020000000000000/1/maenads:C4,A1/mortal:E1,E2", 5000)
    assert thought.value > 0.9


def test_a_worker_between_maenads_is_a_win_at_once() -> None:
    line = Line("0000000000000000000000000/1/maenads:A3,D3/siren:C3,E5")
    thought = asked(line.position, 500)
    assert won_by(line.position, 0, thought.turn)
    assert thought.proved == 1


def test_the_same_seed_gives_the_same_turn() -> None:
    p = Line("0010200100000200001000000/1/nemesis:C4,A1/castor:E1,E2").position
    assert asked(p, 3000, 5) == asked(p, 3000, 5)


def test_a_search_that_must_stop_at_once_still_has_a_turn() -> None:
    p = Line("0010200100000200001000000/1/terpsichore:C4,A1/castor:E1,E2").position
    assert p.decision is not None
    found = SantoriniEngine().think(
        santorini.view(p, 0), p.decision, Random(1).randrange, SearchLimits(10**9), lambda: True
    )
    after = p
    for action in found.turn:
        after, _ = santorini.apply(after, 0, action)
    assert after.seat == 1
    assert found.nodes < 1000


def test_the_steps_are_limited() -> None:
    p = Line("0010200100000200001000000/1/terpsichore:C4,A1/heracles:E1,E2").position
    assert asked(p, 20_000).nodes <= 20_000


def test_a_step_without_alternative_is_planned_with_the_rest_of_its_turn() -> None:
    p = Line("40320041421443134a0011100/1/chaos+demeter{255}:A3,A1/gaea[0]:C4,B1,A2,E4/@42").position
    assert p.decision is not None
    assert len(p.decision.choices) == 1
    assert len(asked(p, 2000).turn) > 1


def test_a_win_that_the_fates_may_forbid_is_worth_less_than_a_sure_one() -> None:
    corner, edge, inside = FATE_WORTH[0], FATE_WORTH[2], FATE_WORTH[12]
    assert corner > edge > inside > 0
    line = Line("3000000230000000000000000/1/mortal:C4,E1/moerae[C2]:A1,A2,A3")
    seen = santorini.view(line.position, 0)
    assert seen.memos[1] == ()
    assert line.position.decision is not None
    found = think(seen, line.position.decision, Random(1).randrange, SearchLimits(3000), bool)
    assert found.proved == 0


def test_with_three_players_a_win_is_taken_and_the_next_player_is_stopped() -> None:
    board = "0000000230000000000000000"
    first, others = "mortal:C4,A1", "mortal:E3,E1/mortal:A3,A4"
    thought = asked(f"{board}/1/{first}/{others}", 400)
    assert (santorini.format_action(thought.turn[0]), thought.proved) == ("C4>D4", 1)
    line = Line(f"{board}/3/{first}/mortal:A2,A3/mortal:E3,E1")
    thought = asked(line.position, 2000)
    for action in thought.turn:
        line.position, _ = santorini.apply(line.position, 2, action)
    assert not wins_at_once(line.position, 0)


def test_with_three_players_the_same_seed_gives_the_same_turn_within_the_nodes() -> None:
    p = Line("0010200100000200001000000/1/apollo:C4,A1/siren:E1,E2/atlas:A3,A4").position
    one, other = asked(p, 3000, 5), asked(p, 3000, 5)
    assert one == other
    assert one.nodes <= 3000


def test_a_win_by_a_card_that_may_be_drawn_is_not_proved() -> None:
    """The choices of chance in the tree are not those of the match."""
    gods = (God.HYPNUS, God.TYCHE, God.ATLAS, God.CHAOS)
    luck = Random(5)
    p = santorini.new(Options(Draft.GIVEN, gods, bans=False, ply_cap=80), 4)
    while (due := p.decision) is not None:
        seat = due.seats[0]
        if p.setup is None and seat != CHANCE and due.kind is santorini.Kind.OPEN and not p.turn.extra:
            found = think(santorini.view(p, seat), due, luck.randrange, SearchLimits(60), bool)
            assert found.proved == 0 or won_by(p, seat, found.turn)
        choices = tuple(due.choices)
        p, _ = santorini.apply(p, seat, choices[luck.randrange(len(choices))])


def test_with_three_players_a_win_that_others_could_prevent_is_not_proved() -> None:
    """Both others have one turn before the win."""
    mode = next(mode for mode in MODES if mode.name == "santorini, 3 players, no gods")
    tally = walk(mode, 900, 1)
    assert tally.claims
    assert not tally.faults


def test_with_three_players_a_win_that_depends_on_a_draw_is_not_proved() -> None:
    """A dome makes Chaos draw another god; without legal steps under it, Chaos loses."""
    start = "3140324141c44022424103020/2/mortal:-,-/harpies:C4,E4/chaos+hermes{895}:A4,C1"
    thoughts = [asked(start, 25, seed) for seed in range(4)]
    assert any(thought.value > 0.9 for thought in thoughts)
    assert not any(thought.proved for thought in thoughts)


def test_garbage_collection_is_off_only_during_a_search() -> None:
    """A full collection takes 18 ms with a large tree, more than a short limit allows."""
    position = next(turns_to_choose((God.CIRCE, God.TYCHE), Random(1)))
    assert position.decision is not None
    view = santorini.view(position, position.decision.seats[0])
    during: list[bool] = []

    def stop() -> bool:
        during.append(gc.isenabled())
        return len(during) > 20

    assert think(view, position.decision, Random(1).randrange, SearchLimits(10**9), stop).turn
    assert not any(during)
    assert len(during) > 20
    assert gc.isenabled()
