"""Run a server inside another program: `python embed_server.py`.

It listens on free local ports, stores matches in memory only, and lets two bots play at one table: one connects with
tris-lines, the other with the native dialect. Then it shuts down cleanly.
"""

import asyncio
from random import Random

from boardwire import dialects
from boardwire.bots import GreedyBot, RandomBot
from boardwire.config import Settings
from boardwire.dialects import ClientOptions, Over
from boardwire.node import Node
from boardwire.terminal.bot_player import Robot, play

HOST = "127.0.0.1"


async def play_tris(node: Node, dialect: str, robot: Robot) -> Over:
    """Play one match of Tris with a dialect."""
    settings = {"game": "tris"} if dialect == "native" else {}  # native has every game, so the client names one
    options = ClientOptions(f"by {dialect}", players=2, settings=settings)
    return await play(dialects.dialect(dialect), HOST, node.ports[dialect], options, robot)


async def main() -> None:
    settings = Settings(host=HOST, data=":memory:", http="0", listen=("tris-lines=0",))
    node = Node(settings, asyncio.get_running_loop())
    await node.start(say=print)  # called with a line for each port
    try:
        greedy_bot, random_bot = Robot(GreedyBot(), Random(1).randrange), Robot(RandomBot(), Random(2).randrange)
        first, second = await asyncio.gather(
            play_tris(node, "tris-lines", greedy_bot),
            play_tris(node, "native", random_bot),
        )
        print(f"greedy bot: {first.result}; random bot: {second.result}")
    finally:
        await node.stop()


if __name__ == "__main__":
    asyncio.run(main())
