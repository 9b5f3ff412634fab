"""Differences between two views of a game: `changes` computes them, `fold` applies them [5.4].

- A change has the fields that differ. For a list of structs of unchanged length, it has the entries that differ, by
  index. Other values are sent whole.
- `fold` works on JSON values: an object changes the fields of an object or the entries of a list; any other value
  replaces the old one.
- `fold` is idempotent.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct


def changes(old: Struct, new: Struct) -> dict[str, Any]:
    """Return the changes that turn `old` into `new`, two views of the same game."""
    changes_by_name = {}
    for attribute, name in zip(new.__struct_fields__, new.__struct_encode_fields__, strict=True):
        before, after = getattr(old, attribute), getattr(new, attribute)
        if before is not after and before != after:
            changes_by_name[name] = _changed_value(before, after)
    return changes_by_name


def _changed_value(before: Any, after: Any) -> Any:
    """Return the changes of a value, or the whole new value if it is neither a struct nor a row of structs."""
    if isinstance(after, tuple) and isinstance(before, tuple) and len(after) == len(before):
        pairs = [(index, old, new) for index, (old, new) in enumerate(zip(before, after, strict=True))]
        if all(isinstance(part, Struct) for pair in pairs for part in pair[1:]):
            return {str(index): changes(old, new) for index, old, new in pairs if old != new}
    if isinstance(after, Struct) and isinstance(before, Struct):
        return changes(before, after)
    return after


def fold(view: Any, change: Any) -> Any:
    """Return the view after `change`, both as JSON values."""
    if not isinstance(change, dict):
        return change
    if isinstance(view, list | tuple):
        return [fold(part, change[str(index)]) if str(index) in change else part for index, part in enumerate(view)]
    if isinstance(view, dict):
        return view | {name: fold(view.get(name), part) for name, part in change.items()}
    return change
