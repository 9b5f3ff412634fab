"""A worker with an engine that does what its first argument says: fails, hangs, spins, dies or is slow."""

from __future__ import annotations

import itertools
import os
import sys
import time
from typing import Any

from boardwire.bots import worker
from boardwire.bots.engine import Past, SearchLimits, SearchResult, Stop
from boardwire.games.game import Below, Decision


class OddEngine:
    """See the module.  It counts in the value how long it could think."""

    name = "odd"

    def __init__(self, how: str) -> None:
        self._how = how

    def think(
        self, view: Any, decision: Decision[Any], below: Below, limits: SearchLimits, stop: Stop, past: Past = ()
    ) -> SearchResult:
        """Hardly ever."""
        if self._how == "fails":
            raise KeyError("a cell")
        if self._how == "dies":
            os._exit(3)
        if self._how == "spins":  # in C, without a look at signals or other threads, as a compiled search would
            sum(itertools.repeat(0))
        while self._how == "hangs":
            time.sleep(0.05)
        while not stop():  # "slow"
            time.sleep(0.001)
        return SearchResult((tuple(decision.choices)[-1],), 0.0, 1, 1)


if __name__ == "__main__":
    odd = OddEngine(sys.argv[1])
    vars(worker)["engine"] = lambda game: odd
    worker.main()
