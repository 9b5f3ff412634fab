"""The command line as a cyclopts application: every command, with its help.

`serve` is imported on use and has its help here, because its flags come from `config`, which imports most packages:
that takes 0.3 s of CPU, which other commands save.
"""

from __future__ import annotations

from typing import Final

from cyclopts import App

from boardwire.commands.adapt import adapt
from boardwire.commands.admin import app as admin
from boardwire.commands.analyse import analyse
from boardwire.commands.arena import app as arena
from boardwire.commands.bot import bot
from boardwire.commands.check import check
from boardwire.commands.check_client import check_client
from boardwire.commands.check_engine import check_engine
from boardwire.commands.course import app as course
from boardwire.commands.docs import docs
from boardwire.commands.matches import matches
from boardwire.commands.migrate import migrate
from boardwire.commands.perft import perft
from boardwire.commands.play import play
from boardwire.commands.proxy import proxy
from boardwire.commands.rate import rate
from boardwire.commands.replay import replay
from boardwire.commands.rules import rules
from boardwire.commands.transcript import app as transcript
from boardwire.commands.version import version

HELP: Final = """A board-game server that speaks the wire protocols board-game programs already speak.

Start with one of these:

- `boardwire serve`: a server, with a page at http://127.0.0.1:7070
- `boardwire play`: play there in this terminal
- `boardwire rules`: the games and their rules
- `boardwire check tris-lines localhost:7002`: check your server
- `boardwire arena init`: a tournament between bots and your engines
- `boardwire course init`: check and grade the programs of a class
- `boardwire COMMAND --help`: what a command can do
"""

_SERVE_HELP: Final = """Run a server until SIGTERM or Ctrl-C.

Every setting is also an environment variable (BOARDWIRE_HOST ...) and a key of the TOML file.
"""


app = App(name="boardwire", help=HELP, version=version)
for _command in (
    play, bot, check, check_client, check_engine, proxy, adapt, analyse, rate, rules, perft, matches, replay, migrate,
    docs,
):  # fmt: skip
    app.command(_command)
app.command(arena)
app.command(admin)
app.command(course)
app.command(transcript)
app.command("boardwire.commands.serve:serve", name="serve", help=_SERVE_HELP)
