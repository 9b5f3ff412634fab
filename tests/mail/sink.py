"""A real mail server that keeps what it gets, and refuses what it is told to."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword


class Sink:
    """Messages of a mail server, and the response to the next recipients; empty: they are accepted."""

    def __init__(self) -> None:
        self.got: SimpleQueue[EmailMessage] = SimpleQueue()
        self.refusals: list[str] = []
        self.asked = 0
        """Recipients that were named."""
        self.port = 0
        self.encrypted: list[bool] = []
        self.logins: list[tuple[str, str]] = []
        self.times: list[float] = []
        """When each message came."""
        self.on_message: Callable[[], None] = lambda: None
        """Called before a message is accepted."""

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        self.asked += 1
        if self.refusals:
            return self.refusals.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        message = BytesParser(policy=default).parsebytes(envelope.content)
        assert isinstance(message, EmailMessage)
        assert envelope.rcpt_tos == [message["To"]]
        self.encrypted.append(session.ssl is not None)
        self.times.append(monotonic())
        self.on_message()
        self.got.put(message)
        return "250 OK"

    def authenticate(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.logins.append((data.login.decode(), data.password.decode()))
        return AuthResult(success=data.password == b"right", handled=False)  # the server still has to answer

    def one(self) -> EmailMessage:
        """Wait for the next message."""
        return self.got.get(timeout=20)


@contextmanager
def mail_server(tls: ssl.SSLContext | None = None, *, login: bool = False, implicit: bool = False) -> Iterator[Sink]:
    """Run a mail server at a free port; with `tls` it demands STARTTLS, or `implicit` TLS from the first byte."""
    sink = Sink()
    fields: dict[str, Any] = {"authenticator": sink.authenticate, "auth_required": True} if login else {}
    if tls is not None and not implicit:
        fields |= {"tls_context": tls, "require_starttls": True}
    if implicit:
        fields |= {"auth_require_tls": False}
    loop = asyncio.new_event_loop()
    conversations: list[SMTP] = []

    def conversation() -> SMTP:
        conversations.append(SMTP(sink, loop=loop, hostname="sink", **fields))
        return conversations[-1]

    async def start() -> asyncio.Server:
        return await loop.create_server(conversation, "127.0.0.1", 0, ssl=tls if implicit else None)

    async def stop() -> None:
        server.close()
        for one in conversations:
            if isinstance(one.transport, asyncio.Transport):
                one.transport.abort()
        await asyncio.sleep(0)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0.01)
        loop.stop()

    server = loop.run_until_complete(start())
    sink.port = server.sockets[0].getsockname()[1]
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield sink
    finally:
        asyncio.run_coroutine_threadsafe(stop(), loop)
        thread.join(10)
        loop.close()
