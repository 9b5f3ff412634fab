"""native, watched."""

from __future__ import annotations

from typing import Any

import msgspec

from boardwire.clinic.finding import Rule, Side
from boardwire.clinic.frames import FrameCutter
from boardwire.clinic.watchers.watcher import Watcher
from boardwire.dialects.native import messages as wire
from boardwire.errors import Malformed


class Watching(Watcher):
    """See the module."""

    page = "native"
    framing = Rule("1", "after the upgrade of HTTP, both sides send WebSocket frames")
    unknown = Rule("2", "a message is a JSON object with a type of the page")

    @classmethod
    def cutter(cls) -> FrameCutter:
        """See `Watcher`."""
        return FrameCutter()

    def read(self, side: Side, message: Any) -> Any:
        """See `Watcher`."""
        if not isinstance(message, str | bytes):
            return message
        try:
            return wire.decode_request(message) if side is Side.CLIENT else wire.decode_reply(message)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Malformed(str(error)) from None
