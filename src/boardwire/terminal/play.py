"""Line client: plays over any dialect, with lines of input and output.

It works in any terminal, through a pipe and with a screen reader.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from boardwire.dialects.dialect import (
    Ask,
    ClientOptions,
    Dialect,
    Note,
    Over,
    PlayerMessage,
    Players,
    ProtocolViolation,
    Result,
    Show,
)
from boardwire.errors import BoardwireError
from boardwire.net.client import ClientConnection, connect
from boardwire.terminal import rulebook
from boardwire.terminal.choices import paragraph
from boardwire.terminal.colours import for_terminal
from boardwire.terminal.screens import screen
from boardwire.wire.text import escaped

QUIT: Final = ("q", "quit", "exit")

HELP: Final = "help"
"""Command that shows a summary of the rules, or the rule of the card named after it."""

MAX_LINE_LENGTH: Final = 1000
"""Longest typed line; the rest is ignored. Python refuses to convert numbers of several thousand digits."""

_RESULT_COLOURS: Final = {Result.WON: "green", Result.LOST: "red", Result.DRAWN: "yellow", Result.BROKEN_OFF: "magenta"}


class Person:
    """Player of a connection: prints messages, and answers with typed lines."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._screen = screen(game)
        self._paint = for_terminal()
        self._players = Players()
        self._open_ask: Ask | None = None
        self._last_answer: tuple[Any, Any] | None = None
        """View and action of the last answer, to describe what the others have done since."""
        self._board_text = ""
        """The board as it was printed last."""
        self.over = False

    def receive(self, connection: ClientConnection, message: PlayerMessage) -> None:
        """Handle a message from the client script (`boardwire.net.client.MatchPlayer`)."""
        if isinstance(message, Players):
            self._players = Players(tuple(map(escaped, message.names)), message.seat)
            return
        has_prompt, self._open_ask = self._open_ask is not None, None
        if has_prompt:
            print()  # the cursor is at the end of the question
        match message:
            case Ask():
                self._open_ask = message
                self._ask(message)
            case Show(view=view, text=text):
                if view is not None:  # None before the match begins
                    self._draw(view)
                self._say(text)
            case Note(text=text) | ProtocolViolation(text=text):
                self._say(text, "dim")
            case Over(view=view, text=text, result=result):
                self.over = True
                if view is not None:
                    self._draw(view)
                    self._print_changes(view)
                self._say(text, "bold", _RESULT_COLOURS[result])

    def _draw(self, view: Any) -> None:
        """Print the board if it has changed."""
        board_text = self._screen.draw(view, None, self._players, self._paint)
        if board_text != self._board_text:
            print(f"\n{board_text}\n")
            self._board_text = board_text

    def _say(self, text: str, *styles: str) -> None:
        for line in paragraph(escaped(text), 0):
            print(self._paint(line, *styles), flush=True)

    def _ask(self, ask: Ask) -> None:
        print(f"\n{self._screen.draw(ask.view, ask.decision, self._players, self._paint)}")
        self._print_changes(ask.view)
        if choices := self._screen.choices(ask.view, ask.decision, self._players):
            print(choices)
        if ask.again:
            self._say(ask.again, "red")
        self._prompt(ask)

    def _print_changes(self, view: Any) -> None:
        """Print the actions of the others since the last answer."""
        if self._last_answer is not None:
            self._say(
                " ".join(self._screen.changes(self._last_answer[0], view, self._last_answer[1], self._players)), "bold"
            )

    def _prompt(self, ask: Ask) -> None:
        print(f"{self._screen.question(ask.view, ask.decision, self._players)} ", end="", flush=True)

    def handle_line(self, connection: ClientConnection, text: str) -> None:
        """Handle a typed line."""
        ask = self._open_ask
        if text.lower() in QUIT:
            connection.hang_up()
        elif text.lower().split()[:1] == [HELP]:
            self._help(text[len(HELP) :].strip())
        elif ask is None:
            self._say("It is not your turn; wait, or type q to leave.", "dim")
        else:
            try:
                action = self._screen.parse(text, ask.view, ask.decision, self._players)
            except BoardwireError as reason:
                self._say(str(reason), "red")
                self._prompt(ask)
                return
            self._open_ask, self._last_answer = None, (ask.view, action)
            connection.answer(action)

    def _help(self, topic: str) -> None:
        try:
            for sentence in rulebook.rules(self._game, topic):
                print(*paragraph(sentence, 4), sep="\n")
        except BoardwireError as reason:
            self._say(str(reason), "red")
        if self._open_ask is not None:
            self._prompt(self._open_ask)


def run(game: str, dialect: Dialect, host: str, port: int, seating: ClientOptions) -> None:
    """Play one match."""
    asyncio.run(play_match(game, dialect, host, port, seating))


async def play_match(game: str, dialect: Dialect, host: str, port: int, seating: ClientOptions) -> None:
    """Play one match on the running event loop."""
    loop = asyncio.get_running_loop()
    person = Person(game)
    print(f"{game} over {dialect.name} at {host}:{port}.")
    print("Type q to leave, help for the rules.", flush=True)
    connection = await connect(dialect, host, port, seating, person)

    def receive_line(text: str | None) -> None:
        if connection.finished.done():
            return
        if text is None:
            connection.hang_up()
        else:
            person.handle_line(connection, text)

    threading.Thread(target=_read, args=(sys.stdin.fileno(), loop, receive_line), name="keyboard", daemon=True).start()
    await connection.finished
    if not person.over:
        print("You have left the match.")


def _read(keyboard: int, loop: asyncio.AbstractEventLoop, receive_line: Callable[[str | None], None]) -> None:
    """Read lines in a thread and pass them to `receive_line`, then None at the end.

    A thread, because a file cannot be awaited, and a terminal set to non-blocking input has non-blocking output, too.
    """
    rest = b""
    with suppress(RuntimeError, OSError):  # the loop may be closed, and the terminal may be gone
        while data := os.read(keyboard, 4096):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                loop.call_soon_threadsafe(receive_line, _decode_line(line))
        if rest:
            loop.call_soon_threadsafe(receive_line, _decode_line(rest))
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(receive_line, None)


def _decode_line(line: bytes) -> str:
    return line.decode(errors="replace").strip()[:MAX_LINE_LENGTH]
