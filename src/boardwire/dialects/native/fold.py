"""What has changed in a view, and a view with what has changed: two halves of one rule [5.4].

A view is the game's own struct.  Between two of them, a change has the fields that are not the same; of a list of
structs that has stayed as long as it was, the places that are not the same; everything else is told whole.

A client folds it into the view it has, as plain JSON values: an object changes the fields of an object and the places
of a list, and anything else stands for itself.  To fold the same change twice is to fold it once.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct


def changes(old: Struct, new: Struct) -> dict[str, Any]:
    """What makes `new` of `old`, a view of the same game."""
    found = {}
    for name in new.__struct_fields__:
        before, after = getattr(old, name), getattr(new, name)
        if before is not after and before != after:
            found[name] = _change(before, after)
    return found


def _change(before: Any, after: Any) -> Any:
    if isinstance(after, tuple) and isinstance(before, tuple) and len(after) == len(before):
        pairs = [(place, one, other) for place, (one, other) in enumerate(zip(before, after, strict=True))]
        if all(isinstance(part, Struct) for pair in pairs for part in pair[1:]):
            return {str(place): changes(one, other) for place, one, other in pairs if one != other}
    if isinstance(after, Struct) and isinstance(before, Struct):
        return changes(before, after)
    return after


def fold(view: Any, change: Any) -> Any:
    """The view after `change`, both as JSON values."""
    if not isinstance(change, dict):
        return change
    if isinstance(view, list | tuple):
        return [fold(one, change[str(place)]) if str(place) in change else one for place, one in enumerate(view)]
    if isinstance(view, dict):
        return view | {name: fold(view.get(name), part) for name, part in change.items()}
    return change
