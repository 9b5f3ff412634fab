"""eriantys-objects, watched."""

from __future__ import annotations

from boardwire.clinic.finding import Rule
from boardwire.clinic.objects import ObjectCutter
from boardwire.clinic.watchers.watcher import Watcher
from boardwire.wire.javastream import Framing


class Watching(Watcher):
    """See the module."""

    page = "eriantys-objects"
    framing = Rule("1", "each direction is one Java object stream")
    unknown = Rule("3", "an object is of a class of the page, with its fields")

    @classmethod
    def cutter(cls) -> ObjectCutter:
        """See `Watcher`."""
        return ObjectCutter(Framing.ONCE)
