"""`boardwire course serve`: the scoreboard over HTTP (`site.py`), and runs after pushes and every night."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from boardwire import dialects
from boardwire.api.app import application
from boardwire.api.context import ApiContext
from boardwire.api.conversations import Conversations
from boardwire.course.config import Course
from boardwire.course.results import RunCause
from boardwire.course.runner import CourseRunner, ReportTask, no_report, unfinished_runs
from boardwire.course.site import CourseSite
from boardwire.errors import BoardwireError, Refused
from boardwire.lobby.lobby import Lobby
from boardwire.net.connection import Connection
from boardwire.net.connections import ConnectionLimits, Connections
from boardwire.net.http import HttpServer
from boardwire.net.listener import address, listen
from boardwire.net.origins import site
from boardwire.net.signals import on_ending
from boardwire.node import LoopClock, RandomDealer, SecretNames, own_names
from boardwire.proxy.stored_match import StoredConversations
from boardwire.table.guest import Guest, Refusal

INDEX: Final = "course.html"
"""The page of a course, which `make web` builds."""


class _NoTables:
    """The lobby of a server without tables."""

    def do(self, guest: Guest, request: Any) -> None:
        """Refuse every request."""
        guest.tell(Refusal(request, Refused("this server runs a course; it has no tables")))

    def disconnected(self, guest: Guest) -> None:
        """Do nothing: the server has no tables to clean up."""


def seconds_until(time_of_day: str, moment: datetime) -> float:
    """Return the seconds from `moment`, a local time, to the next `time_of_day`, for example 02:00."""
    hour, minute = map(int, time_of_day.split(":"))
    time_today = moment.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return ((time_today if time_today > moment else time_today + timedelta(days=1)) - moment).total_seconds()


async def _begin_nightly_runs(runner: CourseRunner, time_of_day: str) -> None:
    """Begin a run of all teams every night, unless the last one is still in progress."""
    while True:
        await asyncio.sleep(seconds_until(time_of_day, datetime.now()))
        if not any(run.info.cause is RunCause.NIGHTLY for run in runner.active_runs):
            runner.begin(cause=RunCause.NIGHTLY)


async def serve(
    course: Course,
    host: str,
    port: int,
    report: ReportTask = no_report,
    say: Callable[[str], None] = print,
    *,
    public_hosts: Sequence[str] = (),
) -> None:
    """Serve a course until SIGTERM or Ctrl-C; interrupted runs are resumed.

    `public_hosts` are additional names under which browsers reach the server.
    """
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    on_ending(loop, lambda number: stop.set())
    runner = CourseRunner(course, report)
    for run in unfinished_runs(course):
        runner.resume(run)
    course_site = CourseSite(course, runner)
    lobby = Lobby(course_site.journal, LoopClock(loop), RandomDealer(), SecretNames())
    context = ApiContext(lobby, course_site.journal)
    context.conversations = Conversations(StoredConversations())
    own_site = site((*own_names(host), *public_hosts))
    app = application(context, endpoints=course_site.endpoints(), index=INDEX, site=own_site)
    connections = Connections(_NoTables(), ConnectionLimits(), loop)
    native = partial(Connection, dialects.dialect("native"), connections)
    http = HttpServer(app, connections, native, own_site)
    try:
        listener = await listen(http.protocol, "http", host, port, loop)
    except BoardwireError:
        context.close()
        await runner.close()
        raise
    where, number = address(listener)
    runner.announce(f"http://{where}:{number}")
    say(f"listening http {where}:{number}")
    say("ready")
    work = loop.create_task(runner.work())
    nightly = course.file.schedule.nightly
    nightly_runs = loop.create_task(_begin_nightly_runs(runner, nightly)) if nightly else None
    stopping = loop.create_task(stop.wait())
    try:
        await asyncio.wait({work, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            work.result()
    finally:
        listener.close()
        for task in (work, stopping, nightly_runs):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError, BoardwireError):
                    await task
        http.close()
        context.close()
        await runner.close()
