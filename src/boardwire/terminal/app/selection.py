"""The choices of a decision, narrowed by one target after another.

A board gives the targets that lead to an action: a worker's square, then the square to which it moves. `Selection`
offers the targets that can come next, and returns the action when only one is left.

- A target that is next in all remaining choices is skipped, unless it is the last one: after a move, the worker that
  builds is known.
- Choices with the same targets (a block or a dome) get one more target each, which identifies the choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

import msgspec


class Target(msgspec.Struct, frozen=True):
    """An object that can be chosen: a square, a card, a button."""

    kind: str
    key: Any


Path: TypeAlias = tuple[Target, ...]

CHOICE: Final = "choice"
"""Kind of the target that identifies a choice by its number."""


class Selection:
    """The choices that match the targets chosen so far."""

    def __init__(self, choices: Iterable[tuple[Path, Any]]) -> None:
        pairs = list(choices)
        paths = [path for path, _ in pairs]
        self._choices = [
            ((*path, Target(CHOICE, number)) if _is_ambiguous(path, number, paths) else path, action)
            for number, (path, action) in enumerate(pairs)
        ]
        self._chosen: Path = ()

    @property
    def actions(self) -> Sequence[Any]:
        """All actions, in the order of their numbers."""
        return [action for _, action in self._choices]

    @property
    def chosen(self) -> Path:
        """The targets chosen so far."""
        return self._chosen

    @property
    def prefix(self) -> Path:
        """The targets chosen so far, followed by those that are skipped."""
        return self._skip_forced(self._chosen)

    def _skip_forced(self, prefix: Path) -> Path:
        """Return a prefix extended by the targets that need not be chosen."""
        while True:
            remaining = [path for path, _ in self._choices if path[: len(prefix)] == prefix]
            heads = {path[len(prefix)] for path in remaining if len(path) > len(prefix)}
            if len(heads) != 1 or any(len(path) < len(prefix) + 2 for path in remaining):
                return prefix
            prefix = (*prefix, *heads)

    @property
    def targets(self) -> tuple[Target, ...]:
        """The targets that can be chosen next, each once."""
        prefix = self.prefix
        following = (
            path[len(prefix)] for path, _ in self._choices if path[: len(prefix)] == prefix and len(path) > len(prefix)
        )
        return tuple(dict.fromkeys(following))

    def choose(self, target: Target) -> tuple[Any] | None:
        """Choose a target; return the action in a tuple if only one is left, or None.

        The first target of other choices starts a new selection.
        """
        if target in self.targets:
            self._chosen = (*self.prefix, target)
        elif any(path[:1] == (target,) for path, _ in self._choices):
            self._chosen = (target,)
        else:
            return None
        remaining = [(path, action) for path, action in self._choices if path[: len(self._chosen)] == self._chosen]
        is_decided = len(remaining) == 1 and len(remaining[0][0]) == len(self._chosen)
        return (remaining[0][1],) if is_decided else None

    def back(self) -> bool:
        """Deselect the last target; return whether there was one."""
        if not self._chosen:
            return False
        self._chosen = self._chosen[:-1]
        while self._chosen and self._skip_forced(self._chosen[:-1])[: len(self._chosen)] == self._chosen:
            self._chosen = self._chosen[:-1]  # it would be skipped again
        return True

    def path_of(self, action: Any) -> Path:
        """Return the targets that lead to an action, or () if it is not among the choices."""
        return next((path for path, choice in self._choices if choice == action), ())


def _is_ambiguous(path: Path, number: int, paths: Sequence[Path]) -> bool:
    return not path or any(other[: len(path)] == path for place, other in enumerate(paths) if place != number)
