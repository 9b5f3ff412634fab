"""eriantys-messages, watched."""

from __future__ import annotations

from typing import Any

from boardwire.clinic.finding import Rule, Side
from boardwire.clinic.frames import LineCutter
from boardwire.clinic.watchers.watcher import Watcher
from boardwire.dialects.eriantys_messages import messages as wire


class Watching(Watcher):
    """See the module."""

    page = "eriantys-messages"
    framing = Rule("1", "a message is one JSON object on one line")
    unknown = Rule("3", "a message has a type of the page, with its arguments")

    @classmethod
    def cutter(cls) -> LineCutter:
        """See `Watcher`."""
        return LineCutter()

    def read(self, side: Side, message: Any) -> Any:
        """See `Watcher`."""
        return wire.decode_request(message) if side is Side.CLIENT else wire.decode_reply(message)
