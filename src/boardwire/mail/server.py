"""Address and encryption of the mail server through which messages are sent."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec


class MailTls(StrEnum):
    """How the connection to the mail server is encrypted."""

    STARTTLS = "starttls"
    """The connection is upgraded before a message is sent; a server that does not offer STARTTLS is not used."""
    TLS = "tls"
    NONE = "none"


PORTS: Final = {MailTls.STARTTLS: 587, MailTls.TLS: 465, MailTls.NONE: 25}
"""Usual port of each kind of connection (RFC 8314)."""


class MailServer(msgspec.Struct, frozen=True):
    """The mail server through which messages are sent; `site` is the page's address that they contain."""

    host: str
    port: int
    sender: str
    site: str
    tls: MailTls = MailTls.STARTTLS
    user: str = ""
    password: str = ""
    ca: str = ""
    """File with the certificate authorities; empty for those of the system."""
