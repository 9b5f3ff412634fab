"""Kinds of findings, and a hint for students for each, in English and Italian.

The type of a failure decides the kind of its finding; hints never depend on the text of a message.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class FindingKind(StrEnum):
    """Why a case was not passed."""

    SPECIFICATION = "specification"
    """A message, or its absence, breaks the specification."""
    FRAMING = "framing"
    """The program treats one read from the socket as one message."""
    BUILD = "build"
    START = "start"
    """The program ended before it listened or connected."""
    NOT_FOUND = "not found"
    """The program of the command does not exist."""
    NO_PORT = "no port"
    """The server does not accept connections."""
    NO_CONNECTION = "no connection"
    """The client does not connect."""
    CRASH = "crash"
    """The program ended in the middle of a match."""
    LIMIT = "limit"
    """The program exceeded a limit of the cage."""
    TIME = "time"
    """The program did not answer, or the match did not end, in time."""
    ILLEGAL = "illegal"
    """The client chose what the rules forbid."""
    NOT_RECOVERED = "not recovered"
    """The server hosts no match after a fault of one client."""
    RUBBISH = "rubbish"
    """The server hosts no match after a connection sent bytes that are not a message."""
    NOT_ENDED = "not ended"
    """The client neither ends nor connects again after its connection is lost."""
    OTHER = "other side"
    """The other program is to blame, so this case does not count."""
    BLOCKED = "blocked"
    """An earlier failure prevents the case."""
    CHANCE = "chance"
    """The matches did not end as the case needs, so it does not count."""
    INTERNAL = "internal"
    """The course could not run the case."""


_HINTS: Final[dict[FindingKind, tuple[str, str]]] = {
    FindingKind.SPECIFICATION: (
        "Read the named section, then compare it with the conversation, message by message: look at the last "
        "arrows, where a message is wrong or missing.",
        "Leggi la sezione indicata e confrontala con la conversazione, messaggio per messaggio: guarda le ultime "
        "frecce, dove un messaggio è sbagliato o manca.",
    ),
    FindingKind.FRAMING: (
        "TCP is a stream: one read can return two messages, or half of one. Keep what was read in a buffer and take "
        "whole messages out of it.",
        "TCP è un flusso: una lettura può restituire due messaggi, o mezzo. Conserva in un buffer ciò che hai letto ed "
        "estrai solo messaggi interi.",
    ),
    FindingKind.BUILD: (
        "Run the build command in a fresh clone, without network: files that are not committed, or downloaded during "
        "the build, are missing here.",
        "Esegui il comando di compilazione in un clone pulito, senza rete: qui mancano i file non versionati e quelli "
        "scaricati durante la compilazione.",
    ),
    FindingKind.START: (
        "The program ended at once: read its output below, and start it with the same command in its directory.",
        "Il programma è terminato subito: leggi il suo output qui sotto e avvialo con lo stesso comando nella sua "
        "cartella.",
    ),
    FindingKind.NOT_FOUND: (
        "The command names a program that was not found: check its spelling, whether it is committed and built, and "
        "that the command runs in the team's directory.",
        "Il comando indica un programma che non è stato trovato: controlla come è scritto, che sia versionato e "
        "compilato, e che il comando funzioni nella cartella del gruppo.",
    ),
    FindingKind.NO_PORT: (
        "The server must listen on 127.0.0.1 (or 0.0.0.0), on the port that the command gives it, not on a fixed one.",
        "Il server deve ascoltare su 127.0.0.1 (o 0.0.0.0), sulla porta indicata dal comando, non su una porta fissa.",
    ),
    FindingKind.NO_CONNECTION: (
        "The client must connect by itself to the host and port of the command, without asking on the keyboard.",
        "Il client deve collegarsi da solo all'host e alla porta indicati dal comando, senza chiederli da tastiera.",
    ),
    FindingKind.CRASH: (
        "The program ended in the middle of a match: the end of its output below has the exception.",
        "Il programma è terminato a metà partita: la fine del suo output, qui sotto, contiene l'eccezione.",
    ),
    FindingKind.LIMIT: (
        "The program used more memory, processor time or processes than the course allows: look for a loop that does "
        "not wait, or a list that only grows.",
        "Il programma ha usato più memoria, processore o processi di quanto il corso consenta: cerca un ciclo che non "
        "attende, o una lista che cresce soltanto.",
    ),
    FindingKind.TIME: (
        "Nothing came in time: the program probably waits for something else, for example for a message that the "
        "specification does not promise, or for a lock.",
        "Non è arrivato nulla in tempo: probabilmente il programma aspetta qualcos'altro, per esempio un messaggio che "
        "la specifica non promette, oppure un lock.",
    ),
    FindingKind.ILLEGAL: (
        "Choose only among the moves that the rules allow in this position; the replay shows it.",
        "Scegli solo tra le mosse che le regole consentono in questa posizione; il replay la mostra.",
    ),
    FindingKind.NOT_RECOVERED: (
        "A client that leaves must not stop the server: catch the error of that connection, free its seat, and go on "
        "accepting.",
        "Un client che se ne va non deve fermare il server: intercetta l'errore di quella connessione, libera il posto "
        "e continua ad accettare.",
    ),
    FindingKind.RUBBISH: (
        "Bytes that are not a message must not stop the server: decode what comes without trusting it, answer or close "
        "that connection, and keep serving the others.",
        "Dei byte che non sono un messaggio non devono fermare il server: decodifica ciò che arriva senza fidarti, "
        "rispondi o chiudi quella connessione, e continua a servire le altre.",
    ),
    FindingKind.NOT_ENDED: (
        "A read that returns nothing, or raises, means that the connection is lost: tell the player and end, or "
        "connect again.",
        "Una lettura che non restituisce nulla, o solleva un'eccezione, significa che la connessione è persa: avvisa "
        "il giocatore e termina, oppure ricollegati.",
    ),
    FindingKind.OTHER: (
        "The other program is to blame: this case does not count for you.",
        "La colpa è dell'altro programma: questo caso per te non conta.",
    ),
    FindingKind.BLOCKED: (
        "Fix the earlier failure first; this case is run again afterwards.",
        "Correggi prima l'errore precedente; poi questo caso verrà eseguito di nuovo.",
    ),
    FindingKind.CHANCE: (
        "Your client neither won nor lost as this case needs, by chance or by its way of playing: the case does not "
        "count.",
        "Il tuo client non ha vinto o perso come serve a questo caso, per caso o per come gioca: il caso non conta.",
    ),
    FindingKind.INTERNAL: (
        "The course could not run this case: tell your teacher.",
        "Il corso non ha potuto eseguire questo caso: avvisa il docente.",
    ),
}  # fmt: skip


def hint(kind: FindingKind, language: str) -> str:
    """Return the hint for a kind of finding."""
    english, italian = _HINTS[kind]
    return italian if language == "it" else english
