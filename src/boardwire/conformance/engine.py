"""Checks of an engine against docs/engines.md: `boardwire check-engine`.

- Each check starts the engine anew in its cage, so that none depends on another.
- One cause, one result: if the engine does not start, the other checks of the game are not examined.
- A match is played against random moves from a fixed seed, so that a failure can be repeated.

Numbers in brackets, and the sections of the results, are those of docs/engines.md.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from boardwire import games
from boardwire.bots.bot import decision_for
from boardwire.conformance import verdicts
from boardwire.conformance.server.check import (
    EXCERPT_LINES,
    MAX_KEPT_LINES,
    CheckResult,
    ConversationLine,
    Failed,
    Verdict,
)
from boardwire.engines.cage import CageLimits, Protection, best_cage_tool
from boardwire.engines.caged_process import EXIT_SECONDS
from boardwire.engines.process import Choice, EngineFault, EngineProcess, FaultReason, Mode
from boardwire.engines.text_mode import GAMES as TEXT_GAMES
from boardwire.errors import BoardwireError, Malformed
from boardwire.games.game import AnyGame, Decision, Draw, Seat
from boardwire.terminal.colours import for_terminal
from boardwire.wire.text import escaped

SPECIFICATION: Final = "engines"
SEED: Final = 1
QUIET_SECONDS: Final = 0.3
"""Seconds in which an engine must be silent after its answer."""
SHORT_SECONDS: Final = 0.2
"""A short time limit of one decision."""
MAX_DECISIONS: Final = 2000
"""Decisions after which a match is aborted: the engine may repeat its moves for ever."""
MAX_LINE_LENGTH: Final = 400
"""Maximum length of a line in a report."""
MAX_RANDOM_MATCHES: Final = 100
"""Random matches in which to look for a decision."""
NODE_BUDGET: Final = 100
NODE_LIMIT: Final = 2 * NODE_BUDGET
"""Nodes that an engine may report for that budget: some count in batches."""


class EngineCheck(msgspec.Struct, frozen=True):
    """A rule of the specification, and the function that tests it in a game."""

    name: str
    section: str
    run: Callable[[EngineProbe, str], None]


class EngineProbe:
    """Starts an engine and plays against it; `recent_lines` has the conversation of the current check."""

    def __init__(
        self, command: str, mode: Mode, seconds: float, limits: CageLimits | None = None, base: Path | None = None
    ) -> None:
        self._command = command
        self._mode = mode
        self._limits = limits
        self._base = base
        self.mode = mode
        self.seconds = seconds
        self.recent_lines: deque[ConversationLine] = deque(maxlen=MAX_KEPT_LINES)
        self.protections: tuple[Protection, ...] = ()
        self.open_engine()  # checks the command

    def open_engine(self) -> EngineProcess:
        """Return the engine, not started yet."""
        engine = EngineProcess("engine", self._command, self._limits, mode=self._mode, base=self._base)
        engine.trace = self._keep
        return engine

    def _keep(self, way: str, line: bytes) -> None:
        self.recent_lines.append(ConversationLine(1, way, escaped(line[:MAX_LINE_LENGTH].decode("utf-8", "replace"))))

    @contextmanager
    def start(self, game: str, seat: Seat = 0) -> Iterator[EngineProcess]:
        """Start an engine and a match, and end the engine afterwards."""
        with self.open_engine() as engine:
            engine.start(game, seat, 2, seed=SEED)
            self.protections = engine.protections
            yield engine

    def choose(self, engine: EngineProcess, view: Any, decision: Decision[Any], seconds: float | None = None) -> Choice:
        """Ask for a decision within the time limit of the examination."""
        return engine.choose(view, decision, seconds=self.seconds if seconds is None else seconds)

    def play(self, engine: EngineProcess, game: str, seat: Seat, seconds: float | None = None) -> list[Choice]:
        """Play a match against random moves; return the engine's choices."""
        rules, choices = games.game(game), list[Choice]()
        position = rules.new(rules.Options(), 2)
        luck = Random(SEED)
        for _ in range(MAX_DECISIONS):
            decision = rules.pending(position)
            if decision is None:
                break
            mover = seat if seat in decision.seats else decision.seats[0]
            if mover == seat:
                choice = self.choose(engine, rules.view(position, seat), decision_for(decision, seat), seconds)
                choices.append(choice)
                action = choice.action
            else:
                action = random_choice(decision, luck)
            position, _ = rules.apply(position, mover, action)
        engine.over(rules.outcome(position))
        return choices


def random_choice(decision: Decision[Any], luck: Random) -> Any:
    """Return a random choice of a player or of chance."""
    if isinstance(decision.choices, Draw):
        return decision.choices.draw(luck.randrange)
    return luck.choice(tuple(decision.choices))


def middle_decision(game: AnyGame, seat: Seat, min_choices: int = 1) -> tuple[Any, Decision[Any]]:
    """Return a decision of a seat in the middle of a random match, and its view.

    The decision has at least `min_choices` choices.
    """
    luck = Random(SEED)
    for _ in range(MAX_RANDOM_MATCHES):
        position, decisions = game.new(game.Options(), 2), list[tuple[Any, Decision[Any]]]()
        for _ in range(MAX_DECISIONS):
            decision = game.pending(position)
            if decision is None:
                break
            mover = seat if seat in decision.seats else decision.seats[0]
            if mover == seat and len(decision.choices) >= min_choices:
                decisions.append((game.view(position, seat), decision_for(decision, seat)))
            position, _ = game.apply(position, mover, random_choice(decision, luck))
        if len(decisions) > 2:
            return decisions[len(decisions) // 2]
    raise AssertionError(f"no random match of {game.name} has three decisions with {min_choices} choices")


# --- the checks -------------------------------------------------------------------------------------------------------


def _starts(probe: EngineProbe, game: str) -> None:
    with probe.start(game):
        pass  # it has answered


def _plays_first(probe: EngineProbe, game: str) -> None:
    with probe.start(game, 0) as engine:
        probe.play(engine, game, 0)


def _plays_second(probe: EngineProbe, game: str) -> None:
    with probe.start(game, 1) as engine:
        probe.play(engine, game, 1)


def _plays_again(probe: EngineProbe, game: str) -> None:
    with probe.start(game, 0) as engine:
        probe.play(engine, game, 0)
        engine.start(game, 1, 2, seed=SEED)
        probe.play(engine, game, 1)
        if engine.starts > 1:
            raise Failed("the process ended after the first match; one process must play any number of matches")


def _continues_after_an_aborted_match(probe: EngineProbe, game: str) -> None:
    with probe.start(game, 0) as engine:
        view, decision = middle_decision(games.game(game), 0)
        probe.choose(engine, view, decision)
        engine.over(None)
        engine.start(game, 1, 2, seed=SEED)
        probe.play(engine, game, 1)


def _joins_in_the_middle(probe: EngineProbe, game: str) -> None:
    with probe.start(game, 1) as engine:
        view, decision = middle_decision(games.game(game), 1)
        probe.choose(engine, view, decision)


def _respects_time_limit(probe: EngineProbe, game: str) -> None:
    with probe.start(game, 0) as engine:
        for _ in range(3):
            view, decision = middle_decision(games.game(game), 0, min_choices=2)
            probe.choose(engine, view, decision, SHORT_SECONDS)


def _respects_node_budget(probe: EngineProbe, game: str) -> None:
    with probe.start(game, 0) as engine:
        view, decision = middle_decision(games.game(game), 0, min_choices=2)
        choice = engine.choose(view, decision, seconds=probe.seconds, nodes=NODE_BUDGET)
        counts = [info.nodes for info in choice.infos if info.nodes is not None]
        if counts and max(counts) > NODE_LIMIT:
            raise Failed(f"it examined {max(counts)} positions; its budget was {NODE_BUDGET}")


def _lines_are_in_notation(probe: EngineProbe, game: str) -> None:
    rules = games.game(game)
    with probe.start(game, 0) as engine:
        for choice in probe.play(engine, game, 0):
            lines = [info.line for info in choice.infos if info.line]
            for step in (step for line in lines for step in line):
                rules.parse_action(step)
            if lines and rules.parse_action(lines[-1][0]) != choice.action:
                raise Failed(f"its line begins with {lines[-1][0]}, but it chose {rules.format_action(choice.action)}")


def _is_silent_when_not_asked(probe: EngineProbe, game: str) -> None:
    with probe.start(game, 0) as engine:
        view, decision = middle_decision(games.game(game), 0)
        probe.choose(engine, view, decision)
        unasked = engine.unsolicited_output(QUIET_SECONDS)
        if unasked:
            text = escaped(unasked[:80].decode("utf-8", "replace"))
            raise Failed(f"it wrote {text!r} after its answer; expected silence until the next question")


def _ignores_unknown_messages(probe: EngineProbe, game: str) -> None:
    with probe.open_engine() as engine:
        engine.add_unknown = True
        engine.start(game, 0, 2, seed=SEED)
        view, decision = middle_decision(games.game(game), 0)
        probe.choose(engine, view, decision)


def _exits_at_end_of_input(probe: EngineProbe, game: str) -> None:
    with probe.start(game, 0) as engine:
        engine.end_input()
        if not engine.wait(EXIT_SECONDS):
            raise Failed(f"it still ran {EXIT_SECONDS:g} s after the end of its input, and was killed")


START: Final = "the engine starts and answers"
_CHECKS: Final = (
    (START, {Mode.JSON: "3.2", Mode.TEXT: "6.1"}, _starts),
    ("it plays a whole match in the first seat", {Mode.JSON: "3.4", Mode.TEXT: "6.2"}, _plays_first),
    ("it plays a whole match in the second seat", {Mode.JSON: "3.4", Mode.TEXT: "6.2"}, _plays_second),
    ("it plays a second match in the same process", {Mode.JSON: "1.3", Mode.TEXT: "1.3"}, _plays_again),
    ("it continues after an aborted match", {Mode.JSON: "3.6", Mode.TEXT: "6.3"}, _continues_after_an_aborted_match),
    ("it joins a match in the middle", {Mode.JSON: "3.3.5", Mode.TEXT: "3.3.5"}, _joins_in_the_middle),
    ("it respects a short time limit", {Mode.JSON: "4.1", Mode.TEXT: "4.1"}, _respects_time_limit),
    ("it respects a small node budget", {Mode.JSON: "4.3", Mode.TEXT: "4.3"}, _respects_node_budget),
    (
        "its lines are in notation and begin with its choice",
        {Mode.JSON: "3.5", Mode.TEXT: "6.2.5"},
        _lines_are_in_notation,
    ),
    ("it is silent when it is not asked", {Mode.JSON: "4.4", Mode.TEXT: "4.4"}, _is_silent_when_not_asked),
    ("it ignores unknown messages", {Mode.JSON: "3", Mode.TEXT: "6"}, _ignores_unknown_messages),
    ("it exits when its input ends", {Mode.JSON: "1.4", Mode.TEXT: "1.4"}, _exits_at_end_of_input),
)


def checks(played: Sequence[str], mode: Mode) -> tuple[tuple[str, EngineCheck], ...]:
    """Return the checks of an engine that plays these games, each with its game."""
    return tuple(
        (game, EngineCheck(f"{game}: {name}", f"{SPECIFICATION}, {sections[mode]}", run))
        for game in played
        for name, sections, run in _CHECKS
    )


# --- the examination --------------------------------------------------------------------------------------------------


def accepted_games(probe: EngineProbe, candidates: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the games that an engine accepts, and its reason for each game that it refuses."""
    accepted, refused = list[str](), dict[str, str]()
    for game in candidates:
        try:
            with probe.start(game):
                accepted.append(game)
        except EngineFault as fault:
            if fault.fault is FaultReason.REFUSED:
                refused[game] = fault.detail
            else:
                accepted.append(game)  # its first check reports it
            if not accepted[1:] and fault.fault is FaultReason.START_FAILED:
                break  # it would not start for another game either
    return tuple(accepted), refused


def run_check(probe: EngineProbe, game: str, check: EngineCheck) -> CheckResult:
    """Run one check and return its result."""
    probe.recent_lines.clear()
    try:
        check.run(probe, game)
    except EngineFault as fault:
        stderr = "\n".join(f"stderr: {line}" for line in fault.stderr.strip().splitlines()[-EXCERPT_LINES:])
        return _failure(probe, check, str(fault) + (f"\n{stderr}" if stderr else ""))
    except (Failed, BoardwireError) as error:
        return _failure(probe, check, str(error))
    return CheckResult(check.name, check.section, Verdict.PASS)


def _failure(probe: EngineProbe, check: EngineCheck, detail: str) -> CheckResult:
    conversation = tuple(probe.recent_lines)
    excerpt = "\n".join(f"{line.way} {line.text}" for line in conversation[-EXCERPT_LINES:])
    return CheckResult(
        check.name, check.section, Verdict.FAIL, f"{detail}\n{excerpt}".strip(), conversation=conversation
    )


def examine(probe: EngineProbe, selected: Sequence[tuple[str, EngineCheck]]) -> Iterator[CheckResult]:
    """Run checks in order. If the engine does not start with a game, its other checks are not examined."""
    not_started: dict[str, str] = {}
    for game, check in selected:
        if game in not_started:
            yield CheckResult(check.name, check.section, Verdict.NOT_EXAMINED, because=not_started[game])
            continue
        result = run_check(probe, game, check)
        if result.verdict is Verdict.FAIL and check.run is _starts:
            not_started[game] = check.name
        yield result


def check(
    command: str, mode: Mode, game: str, *, json: bool, seconds: float, only: str = "", base: Path | None = None
) -> list[CheckResult]:
    """Examine an engine in one game or, if `game` is empty, in all that it accepts; print and return the results."""
    if game:
        games.game(game)
        if mode is Mode.TEXT and game not in TEXT_GAMES:
            raise Malformed(f"--text supports {' and '.join(TEXT_GAMES)}, not {game}")
    probe = EngineProbe(command, mode, seconds, base=base)
    candidates = (game,) if game else TEXT_GAMES if mode is Mode.TEXT else games.NAMES
    accepted, refused = ((game,), {}) if game else accepted_games(probe, candidates)
    if not accepted:
        raise Malformed(f"the engine refuses every game: {escaped(next(iter(refused.values())))}")
    every = checks(accepted, mode)
    names = {check.name for check in verdicts.select([check for _, check in every], only)}
    results = list[CheckResult]()
    for result in examine(probe, [(game_name, check) for game_name, check in every if check.name in names]):
        results.append(result)
        if json:
            print(verdicts.as_json(result), flush=True)
    if not json:
        for line in verdicts.lines(results, for_terminal()):
            print(line)
        for reason in refused.values():
            print(f"left out: {escaped(reason)}")
        protections = ", ".join(probe.protections) or f"{best_cage_tool()}, not started"
        print(f"cage: {protections}")
    return results
