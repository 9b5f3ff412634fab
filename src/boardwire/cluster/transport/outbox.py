"""Letters between nodes: gathered, numbered, and missed if they are lost.

Rules:

- What is put into the box of a node in one turn of the loop goes there in one envelope.
- Envelopes from one node to another are numbered.  The bus keeps their order and may lose some; whoever finds a number
  missing says so (`lost`), and both ends then make sure of what they have in common.  What comes twice is dropped.
- A pulse goes to everybody who is there, so that the last envelope is missed too.
- A node that was started again is another one: what was written to its former life is not read.
- Only members are heard: the sender's name and generation must be those of the database's membership table.  A node
  that has just joined is heard once the next heartbeat names it, and the gap in its numbers makes up for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from boardwire.cluster.ports import Peer
from boardwire.cluster.transport.messages import VERSION, Envelope, Letter, decode, encode

COMPATIBLE: Final = 1
"""How many versions apart two nodes may be."""

UNHEARD_PULSES: Final = 10
"""Five seconds: a restarted node's new generation is in the membership table within one."""


class Mail:
    """The letters of one node.  `send` gives bytes to the bus, `soon` runs a call when this turn is over."""

    def __init__(
        self,
        name: str,
        life: int,
        send: Callable[[str, bytes], None],
        soon: Callable[[Callable[[], None]], object],
        receive: Callable[[str, Letter], None],
        lost: Callable[[str], None],
    ) -> None:
        self.name = name
        self._life = life
        self._send = send
        self._soon = soon
        self._receive = receive
        self._lost = lost
        self._lives: dict[str, int] = {}
        self._boxes: dict[str, list[Letter]] = {}
        self._sent: dict[tuple[str, int], int] = {}
        """The number of the last envelope to each life of a node: one that was taken to be dead and comes back has kept
        the numbers too."""
        self._heard: dict[str, tuple[int, int]] = {}
        """Whom we have heard of: which life, and the number of the last envelope."""
        self._due = False
        self.strangers: set[str] = set()
        """Nodes whose version is too far from ours."""
        self._refused: dict[str, int] = {}
        """Members whose envelopes are refused because of their generation: for how many pulses, without a break."""

    def know(self, peers: Iterable[Peer]) -> None:
        """These nodes are there; nobody else is written to."""
        lives = {peer.name: peer.life for peer in peers if peer.name != self.name}
        for node in [node for node in self._lives if lives.get(node) != self._lives[node]]:
            self._boxes.pop(node, None)
        for node, life in [(node, life) for node, life in self._sent if lives.get(node, life) != life]:
            del self._sent[node, life]
        self._lives = lives
        self._refused = {node: pulses for node, pulses in self._refused.items() if node in lives}
        for node in [node for node, (life, _) in self._heard.items() if lives.get(node, life) != life]:
            del self._heard[node]  # a former generation of a member

    def put(self, node: str, letter: Letter) -> None:
        """Write to a node.  What is for nobody who is there is not kept: whoever has something to ask asks again."""
        self._boxes.setdefault(node, []).append(letter)
        if not self._due:
            self._due = True
            self._soon(self.flush)

    def last(self, node: str) -> Letter | None:
        """What was put last into the box of a node, if it is still there."""
        box = self._boxes.get(node)
        return box[-1] if box else None

    def flush(self) -> None:
        """Send what was put."""
        self._due = False
        boxes, self._boxes = self._boxes, {}
        for node, letters in boxes.items():
            if node == self.name:
                for letter in letters:
                    self._receive(node, letter)
            elif node in self._lives:
                self._post(node, letters)

    def pulse(self) -> None:
        """Let everybody know which envelope was the last."""
        for node in self._refused:
            self._refused[node] += 1
        for node in self._lives:
            self._post(node, [])

    @property
    def unheard(self) -> list[str]:
        """Members whose messages have been refused for `UNHEARD_PULSES`: their generation is not the database's."""
        return sorted(node for node, pulses in self._refused.items() if pulses >= UNHEARD_PULSES)

    def _post(self, node: str, letters: Sequence[Letter]) -> None:
        life = self._lives[node]
        number = self._sent[node, life] = self._sent.get((node, life), 0) + bool(letters)
        self._send(node, encode(Envelope(VERSION, self.name, self._life, number, life, list(letters))))

    def arrive(self, data: bytes) -> None:
        """Bytes have come over the bus."""
        try:
            envelope = decode(data)
        except msgspec.DecodeError:
            return  # whoever wrote that is none of us
        node = envelope.node
        if abs(envelope.version - VERSION) > COMPATIBLE:
            self.strangers.add(node)
            return
        if envelope.to != self._life or node == self.name:
            return
        if self._lives.get(node) != envelope.life:
            if node in self._lives:
                self._refused.setdefault(node, 0)
            return
        self._refused.pop(node, None)
        life, last = self._heard.get(node, (0, 0))
        if envelope.life != life:
            last = 0
        expected = last + 1 if envelope.letters else last
        if envelope.number < expected:
            return
        self._heard[node] = envelope.life, envelope.number
        for letter in envelope.letters:
            if letter is not None:
                self._receive(node, letter)
        if envelope.number > expected:
            self._lost(node)
