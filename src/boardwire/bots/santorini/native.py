"""The search without powers in C (`mortal.c`), with the interface and the results of `search.Search`.

`AVAILABLE`: whether it was compiled for this Python, which needs GCC or Clang. Otherwise `search.Search` does the same
work more slowly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from struct import Struct
from typing import Final

from boardwire.bots.santorini.core.net import Net
from boardwire.bots.santorini.core.search import TABLE_BITS
from boardwire.bots.santorini.core.state import State

try:
    from boardwire.bots.santorini.core import _native
except ImportError:
    AVAILABLE = False
else:
    AVAILABLE = True

_STATE: Final = Struct("=10i")


def quicken(net: Net) -> Net:
    """Let a net evaluate single states in C, if possible."""
    if AVAILABLE:
        net.quick = partial(_native.judge, _native.net(net.weights))
    return net


class NativeSearch:
    """A reusable search without powers."""

    def __init__(self, table: int = TABLE_BITS) -> None:
        self._core = _native.new(table)
        self._net: Net | None = None
        self.nodes = 0
        self.depth = 0

    @property
    def net(self) -> Net | None:
        """The net that evaluates states; None: `evaluation.worth` does."""
        return self._net

    @net.setter
    def net(self, net: Net | None) -> None:
        if net is not None:
            _native.use_net(self._core, net.weights)
        self._net = net

    def think(
        self, roots: list[State], nodes: int, depth: int, stop: Callable[[], bool], root_values: list[int]
    ) -> int:
        """Return the index of the best of `roots`, as `Search.think` does."""
        mover = 1 - roots[0].side
        best, self.nodes, self.depth, values = _native.think(self._core, _pack(roots), mover, nodes, depth, stop)
        root_values.extend(values)
        return best

    def expected(self, s: State) -> int:
        """Return the code of the table's best turn in a state, or -1."""
        return _native.expected(self._core, _pack((s,)), s.side)


def _pack(states: Iterable[State]) -> bytes:
    """Pack states as the module reads them."""
    return b"".join(
        _STATE.pack(s.b1, s.b2, s.b3, s.domes, s.w0, s.w1, s.w2, s.w3, s.code & 32767, s.won) for s in states
    )
