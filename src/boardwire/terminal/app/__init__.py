"""The terminal client on textual: lobby, tables, replays.

- `app.py` owns the connection and the screens: `lobby_screen`, `table_screen`, `matches_screen`, `replay_screen`.
- `native_session` and `script_session` connect dialects with the screens through `match_model`.
- `board_widget` shows a game's board from `boards/`, drawn on a `canvas`; `selection` narrows the choices.

textual is an optional dependency (`boardwire[tui]`), so no module outside this package imports it.
"""

from __future__ import annotations

from importlib.util import find_spec


def is_available() -> bool:
    """Return whether textual is installed."""
    return find_spec("textual") is not None
