"""Program that runs a Python bot as an engine: it speaks the JSON lines of `protocol.py` for the bot."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, BinaryIO, Final

import msgspec

from boardwire import games
from boardwire.bots.bot import BUDGET, Bot
from boardwire.engines.protocol import ChoiceMessage, Choose, Hello, Over, Ready, ToEngine
from boardwire.engines.python_bots import load_bot
from boardwire.errors import Malformed
from boardwire.games.game import AnyGame, Decision

_decoder: Final = msgspec.json.Decoder(ToEngine)
_encode: Final = msgspec.json.encode


class BotEngine:
    """A bot that answers the messages of the engine protocol."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._game: AnyGame | None = None
        self._seat = 0
        self._random = Random()

    def answer(self, message: ToEngine) -> Ready | ChoiceMessage | None:
        """Return the answer to a message, or None if it needs none."""
        match message:
            case Hello():
                self._game, self._seat, self._random = games.game(message.game), message.seat, Random(message.seed)
                return Ready(name=self._bot.name[:64])
            case Choose():
                return self._choose_action(message)
            case Over():
                return None

    def _choose_action(self, question: Choose) -> ChoiceMessage:
        assert self._game is not None, "`hello` comes first"
        game: Any = self._game
        choices = tuple(msgspec.convert(choice, game.Action) for choice in question.choices)
        decision = Decision(game.Kind(question.kind), (self._seat,), choices)
        view = msgspec.convert(question.view, game.View)
        action = self._bot.choose(view, decision, self._random.randrange, question.nodes or BUDGET)
        if action not in choices:
            return ChoiceMessage(id=question.id, action=action)  # boardwire reports it as an illegal choice
        return ChoiceMessage(id=question.id, number=choices.index(action))


def serve(bot: Bot, source: BinaryIO, sink: int) -> None:
    """Answer messages until the input ends."""
    engine = BotEngine(bot)
    for line in source:
        reply = engine.answer(_decoder.decode(line))
        if reply is not None:
            os.write(sink, _encode(reply) + b"\n")


def main(arguments: Sequence[str] = ()) -> None:
    """Run a bot as an engine: `python -m boardwire.engines.bot_engine DIRECTORY MODULE:CLASS`."""
    directory, spec = arguments or sys.argv[1:]
    sink = os.dup(1)
    os.dup2(2, 1)  # so that what the bot prints is not read as an answer
    try:
        bot = load_bot(spec, Path(directory))
    except Malformed as error:
        sys.exit(f"boardwire: {error}")
    serve(bot, sys.stdin.buffer, sink)


if __name__ == "__main__":
    main()
