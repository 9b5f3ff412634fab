"""Play on a server with your own bot: `python random_bot.py [HOST PORT [GAME]]`, with the HTTP port of the server.

Without arguments it plays Tris on the local server that `boardwire serve` starts.

It uses the native dialect, which has every game, and opens a table against the server's greedy bot. For another
dialect, use that dialect's port and leave the settings empty (see docs/bots.md).
"""

import asyncio
import sys
from random import Random
from typing import Any

from boardwire import dialects
from boardwire.dialects import ClientOptions
from boardwire.errors import BoardwireError
from boardwire.games import Below, Decision
from boardwire.terminal.bot_player import Robot, play


class MyBot:
    """Chooses at random; replace it by a bot that looks at the view."""

    name = "mine"

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        choices = list(decision.choices)
        return choices[below(len(choices))]


async def main(host: str, port: int, game: str) -> None:
    options = ClientOptions("mine", players=2, settings={"game": game, "bots": ",greedy"})
    over = await play(dialects.dialect("native"), host, port, options, Robot(MyBot(), Random().randrange))
    print(f"{over.result}: {over.text}")


if __name__ == "__main__":
    host, port, game = (*sys.argv[1:], *("127.0.0.1", "7070", "tris")[len(sys.argv) - 1 :])
    try:
        asyncio.run(main(host, int(port), game))
    except (BoardwireError, ValueError) as error:
        sys.exit(f"random_bot.py: {error}")
