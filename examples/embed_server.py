"""A server inside another program: `python embed_server.py`.

It listens on free ports of this machine, keeps nothing, and lets two bots meet at one table: one comes by a protocol of
its game, the other by the native dialect.  Then it stops in order.
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


async def visit(node: Node, dialect: str, robot: Robot) -> Over:
    """Play one match of Tris by this dialect."""
    settings = {"game": "tris"} if dialect == "native" else {}  # native has every game, and must be told which
    seating = ClientOptions(f"by {dialect}", players=2, settings=settings)
    return await play(dialects.dialect(dialect), HOST, node.ports[dialect], seating, robot)


async def main() -> None:
    settings = Settings(host=HOST, data=":memory:", http="0", listen=("tris-lines=0",))
    node = Node(settings, asyncio.get_running_loop())
    await node.start(say=print)  # called with a line for each port
    try:
        greedy, any_choice = Robot(GreedyBot(), Random(1).randrange), Robot(RandomBot(), Random(2).randrange)
        first, second = await asyncio.gather(
            visit(node, "tris-lines", greedy),
            visit(node, "native", any_choice),
        )
        print(f"greedy bot: {first.result}; random bot: {second.result}")
    finally:
        await node.stop()


if __name__ == "__main__":
    asyncio.run(main())
