"""A person at a terminal plays over any dialect: the board is drawn, questions are asked, answers are typed.

Lines in, lines out, so that it works in any terminal, through a pipe and with a screen reader.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from boardwire.clients.connection import ClientConnection, connect
from boardwire.clients.paint import for_terminal
from boardwire.clients.screens import screen
from boardwire.dialects.dialect import Ask, Dialect, Note, Over, Result, Seating, Show, Tidings
from boardwire.games.game import GameError

QUIT: Final = ("q", "quit", "exit")

LONGEST: Final = 1000
"""As much of a line as anybody types; Python does not even read a number of some thousand digits."""

_COLOUR: Final = {Result.WON: "green", Result.LOST: "red", Result.DRAWN: "yellow", Result.BROKEN_OFF: "magenta"}


class Person:
    """Shows tidings and turns typed lines into answers."""

    def __init__(self, game: str) -> None:
        self._screen = screen(game)
        self._paint = for_terminal()
        self._open: Ask | None = None
        self.over = False

    def hear(self, connection: ClientConnection, tidings: Tidings) -> None:
        """See `boardwire.clients.connection.Player`."""
        prompted, self._open = self._open is not None, None
        match tidings:
            case Ask():
                self._open = tidings
                if tidings.again:
                    print(self._paint(_plain(tidings.again), "red"))
                self._draw(tidings)
                self._prompt()
            case Show(view=view, text=text):
                print(f"\n{self._screen.draw(view, None, self._paint)}\n")
                print(_plain(text), end="\n" if text else "", flush=True)
            case Note(text=text):
                if prompted:
                    print()  # the cursor is behind the question
                print(self._paint(_plain(text), "dim"), flush=True)
            case Over(view=view, text=text, result=result):
                self.over = True
                if view is not None:
                    print(f"\n{self._screen.draw(view, None, self._paint)}\n")
                print(self._paint(_plain(text), "bold", _COLOUR[result]), flush=True)

    def _draw(self, ask: Ask) -> None:
        print(f"\n{self._screen.draw(ask.view, ask.decision, self._paint)}\n")

    def _prompt(self) -> None:
        if self._open is not None:
            print(f"{self._screen.question(self._open.view, self._open.decision)} ", end="", flush=True)

    def type(self, connection: ClientConnection, text: str) -> None:
        """The person typed a line."""
        if text.lower() in QUIT:
            connection.hang_up()
            return
        if self._open is None:
            print(self._paint("It is not your turn; wait, or type q to leave.", "dim"), flush=True)
            return
        try:
            action = self._screen.parse(text, self._open.view, self._open.decision)
        except GameError as reason:
            print(self._paint(str(reason), "red"))
            self._prompt()
            return
        self._open = None
        connection.answer(action)


def run(dialect: Dialect, host: str, port: int, seating: Seating) -> None:
    """Play one match."""
    asyncio.run(_play(dialect, host, port, seating))


async def _play(dialect: Dialect, host: str, port: int, seating: Seating) -> None:
    loop = asyncio.get_running_loop()
    person = Person(dialect.game)
    print(f"{dialect.game} over {dialect.name} at {host}:{port}. Type q to leave.", flush=True)
    connection = await connect(dialect, host, port, seating, person)

    def typed(text: str | None) -> None:
        if connection.finished.done():
            return
        if text is None:
            connection.hang_up()
        else:
            person.type(connection, text)

    threading.Thread(target=_read, args=(sys.stdin.fileno(), loop, typed), name="keyboard", daemon=True).start()
    await connection.finished
    if not person.over:
        print("You have left the match.")


def _read(keyboard: int, loop: asyncio.AbstractEventLoop, typed: Callable[[str | None], None]) -> None:
    """Bring each line that is typed, then None.  A thread of its own, because a file cannot be awaited, and a terminal
    that is made non-blocking for its input is so for its output too."""
    rest = b""
    with suppress(RuntimeError, OSError):  # the loop may be closed, and the terminal may be gone
        while data := os.read(keyboard, 4096):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                loop.call_soon_threadsafe(typed, _decoded(line))
        if rest:
            loop.call_soon_threadsafe(typed, _decoded(rest))
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(typed, None)


def _decoded(line: bytes) -> str:
    return line.decode(errors="replace").strip()[:LONGEST]


def _plain(text: str) -> str:
    """What a server says, without what would steer the terminal."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
