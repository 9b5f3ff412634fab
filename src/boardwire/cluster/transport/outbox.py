"""The outbox of a node: batched, numbered envelopes to other nodes, and detection of lost ones.

- Messages put for a node in one loop iteration are sent in one envelope.
- Envelopes from one node to another are numbered. The bus keeps their order and may lose some. A receiver that finds
  a gap reports it (`lost`), and both nodes reconcile what they share. Duplicates are dropped.
- A pulse, an empty envelope with the last number, goes to every live node, so that the loss of the last envelope is
  detected too.
- A restarted node has a new generation; envelopes for an earlier one are dropped.
- Only envelopes of members are accepted: the sender's name and generation must match the database's membership
  table. A node that has just joined is accepted after the next heartbeat; the gap in its numbers triggers
  reconciliation of what came earlier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from boardwire.cluster.ports import LiveNode
from boardwire.cluster.transport.messages import VERSION, Envelope, Message, decode, encode

MAX_VERSION_DIFFERENCE: Final = 1
"""Largest difference between the message versions of two nodes that work together."""

REFUSED_PULSES: Final = 10
"""Pulses (five seconds) after which a member with a wrong generation is reported."""


class Outbox:
    """The outbox of one node.

    `send` passes bytes to the bus, and `soon` runs a call after this loop iteration. `deliver` is called with each
    message that arrives, and `lost` with the name of a node whose messages were lost.
    """

    def __init__(
        self,
        name: str,
        generation: int,
        send: Callable[[str, bytes], None],
        soon: Callable[[Callable[[], None]], object],
        deliver: Callable[[str, Message], None],
        lost: Callable[[str], None],
    ) -> None:
        self.name = name
        self._generation = generation
        self._send = send
        self._soon = soon
        self._deliver = deliver
        self._lost = lost
        self._generations: dict[str, int] = {}
        self._queues: dict[str, list[Message]] = {}
        self._sent: dict[tuple[str, int], int] = {}
        """Number of the last envelope to each generation of a node. It is kept while a node counts as dead, since a
        node that returns has kept its numbers too."""
        self._received: dict[str, tuple[int, int]] = {}
        """Generation and number of the last envelope from each node."""
        self._flush_scheduled = False
        self.incompatible: set[str] = set()
        """Nodes whose message version differs too much."""
        self._refused: dict[str, int] = {}
        """Members whose envelopes are refused because of their generation, with the number of pulses since the first.
        """

    def set_members(self, nodes: Iterable[LiveNode]) -> None:
        """Set the live nodes; messages to all others are dropped."""
        generations = {peer.name: peer.generation for peer in nodes if peer.name != self.name}
        for node in [node for node in self._generations if generations.get(node) != self._generations[node]]:
            self._queues.pop(node, None)
        for node, generation in [
            (node, generation) for node, generation in self._sent if generations.get(node, generation) != generation
        ]:
            del self._sent[node, generation]
        self._generations = generations
        self._refused = {node: pulses for node, pulses in self._refused.items() if node in generations}
        for node in [
            node for node, (generation, _) in self._received.items() if generations.get(node, generation) != generation
        ]:
            del self._received[node]  # an earlier generation of the node

    def put(self, node: str, message: Message) -> None:
        """Queue a message for a node.

        It is dropped if the node is not live: every request is repeated until it is answered.
        """
        self._queues.setdefault(node, []).append(message)
        if not self._flush_scheduled:
            self._flush_scheduled = True
            self._soon(self.flush)

    def last(self, node: str) -> Message | None:
        """Return the newest queued message for a node, or None."""
        queue = self._queues.get(node)
        return queue[-1] if queue else None

    def flush(self) -> None:
        """Send all queued messages."""
        self._flush_scheduled = False
        queues, self._queues = self._queues, {}
        for node, messages in queues.items():
            if node == self.name:
                for message in messages:
                    self._deliver(node, message)
            elif node in self._generations:
                self._send_envelope(node, messages)

    def pulse(self) -> None:
        """Send every live node the number of the last envelope."""
        for node in self._refused:
            self._refused[node] += 1
        for node in self._generations:
            self._send_envelope(node, [])

    @property
    def refused_members(self) -> list[str]:
        """Members whose messages have been refused for `REFUSED_PULSES`: the database has another generation."""
        return sorted(node for node, pulses in self._refused.items() if pulses >= REFUSED_PULSES)

    def _send_envelope(self, node: str, messages: Sequence[Message]) -> None:
        generation = self._generations[node]
        number = self._sent[node, generation] = self._sent.get((node, generation), 0) + bool(messages)
        self._send(node, encode(Envelope(VERSION, self.name, self._generation, number, generation, list(messages))))

    def receive(self, data: bytes) -> None:
        """Handle bytes from the bus."""
        try:
            envelope = decode(data)
        except msgspec.DecodeError:
            return  # not from a node
        node = envelope.node
        if abs(envelope.version - VERSION) > MAX_VERSION_DIFFERENCE:
            self.incompatible.add(node)
            return
        if envelope.to != self._generation or node == self.name:
            return
        if self._generations.get(node) != envelope.generation:
            if node in self._generations:
                self._refused.setdefault(node, 0)
            return
        self._refused.pop(node, None)
        generation, last = self._received.get(node, (0, 0))
        if envelope.generation != generation:
            last = 0
        expected = last + 1 if envelope.messages else last
        if envelope.number < expected:
            return
        self._received[node] = envelope.generation, envelope.number
        for message in envelope.messages:
            if message is not None:
                self._deliver(node, message)
        if envelope.number > expected:
            self._lost(node)
