"""Texts of the e-mails, in English and Italian.

They contain the game and a link, but no name of another player: strangers choose their names, and an e-mail from this
server must not contain text of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Final, NamedTuple
from urllib.parse import quote

MAX_LISTED_MATCHES: Final = 50
"""Matches that one e-mail lists."""


class Words(NamedTuple):
    """The sentences of one language."""

    code_subject: str
    code: Callable[[str], str]
    turn_subject: Callable[[int], str]
    turn: str
    unsubscribe: str


_GAMES: Final = {"tris": "Tris", "forza": "Forza Quattro", "santorini": "Santorini", "eriantys": "Eriantys"}

WORDS: Final = {
    "en": Words(
        "Confirm your e-mail address",
        lambda code: (
            f"Your code is {code}.\n\nEnter it on your account page within an hour to get an e-mail when it is"
            " your turn in a correspondence match.\nIf you did not request this, ignore this message: you will get"
            " no other.\n"
        ),
        lambda count: "It is your turn" if count == 1 else f"It is your turn in {count} matches",
        "It is your turn:",
        "To unsubscribe:",
    ),
    "it": Words(
        "Conferma il tuo indirizzo e-mail",
        lambda code: (
            f"Il tuo codice è {code}.\n\nInseriscilo nella pagina del tuo account entro un'ora, e ricevi un'e-mail"
            " quando tocca a te in una partita per corrispondenza.\nSe non l'hai chiesto tu, ignora questo messaggio:"
            " non ne seguono altri.\n"
        ),
        lambda count: "Tocca a te" if count == 1 else f"Tocca a te in {count} partite",
        "Tocca a te:",
        "Per non ricevere più e-mail:",
    ),
}
"""Sentences by language."""


def _message(sender: str, recipient: str, language: str, subject: str, body: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = sender
    message["To"] = recipient
    message["Subject"] = subject
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: suppresses automatic replies
    message.set_content(body)
    message["Content-Language"] = language
    return message


def code_message(sender: str, recipient: str, language: str, code: str) -> EmailMessage:
    """Return the message with a confirmation code."""
    words = WORDS[language]
    return _message(sender, recipient, language, words.code_subject, words.code(code))


def turn_message(
    sender: str, recipient: str, language: str, site: str, unsubscribe: str, matches: Sequence[tuple[str, str]]
) -> EmailMessage:
    """Return the message about the recipient's turns in these matches, given by id and game."""
    words = WORDS[language]
    lines = [f"- {_GAMES.get(game, game)}: {site}/#/table/{quote(match)}" for match, game in matches]
    if len(lines) > MAX_LISTED_MATCHES:
        lines = [*lines[:MAX_LISTED_MATCHES], f"- {site}/"]
    end = f"{words.unsubscribe}\n{site}/#/unsubscribe/{quote(unsubscribe)}"
    body = "\n".join((words.turn, "", *lines, "", end, ""))
    message = _message(sender, recipient, language, words.turn_subject(len(matches)), body)
    message["List-Unsubscribe"] = f"<{site}/api/mail/unsubscribe?token={quote(unsubscribe)}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"  # RFC 8058
    return message
