"""Translation of findings: English as declared, or Italian.

- The sentence of a rule is looked up by the rule's code, a detail by its form (`finding.Phrase`).
- The Italian words of one watcher are in its module, as `ITALIAN_RULES` and `ITALIAN_FORMS`; those that several modules
  use are here.
- Names and words of a protocol are the same in all languages, so a form of one word needs no translation.
- The language is set once, by `--language`, and applies to all findings after that.
- Reasons given by a codec ("got ...: JSON is malformed") are always in English.

Tests compare both catalogues with the watchers' declarations.
"""

from __future__ import annotations

from contextvars import ContextVar
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from boardwire.conformance.finding import Phrase, Rule
from boardwire.conformance.watchers import watched_dialects, watcher
from boardwire.errors import Malformed

LANGUAGES: Final = ("en", "it")

_current: ContextVar[str] = ContextVar("language", default="en")


def set_language(language: str) -> None:
    """Set the language; raise `Malformed` if it is not supported."""
    if language not in LANGUAGES:
        raise Malformed(f"--language {language}: choose one of {', '.join(LANGUAGES)}")
    _current.set(language)


def sentence(rule: Rule) -> str:
    """Return the sentence of a rule in the current language."""
    return italian_rules().get(rule.code, rule.says) if _current.get() == "it" else rule.says


def text(phrase: Phrase) -> str:
    """Return a phrase in the current language."""
    if _current.get() == "en":
        return str(phrase)
    values = tuple(text(value) if isinstance(value, Phrase) else value for value in phrase.values)
    return str(Phrase(italian_forms().get(phrase.form, phrase.form), values))


def say(form: str, *values: Any) -> str:
    """Return a form, filled with values, in the current language."""
    return text(Phrase(form, values))


@cache
def italian_rules() -> dict[str, str]:
    """Return the Italian sentence of each rule, by its code."""
    rules = {f"any.{name}": text for name, text in _RULES.items()}
    for dialect, module in _watchers():
        rules |= {f"{dialect}.{name}": text for name, text in module.ITALIAN_RULES.items()}
    return rules


@cache
def italian_forms() -> dict[str, str]:
    """Return the Italian form of each detail, by the English one."""
    translations = dict(_FORMS)
    for _, module in _watchers():
        translations |= module.ITALIAN_FORMS
    return translations


def _watchers() -> list[tuple[str, ModuleType]]:
    """Return the modules of the watchers, with the dialect that the codes of their rules begin with."""
    return [(name, import_module(watcher(name).__module__)) for name in watched_dialects() if "/" not in name]


_RULES: Final = {
    "framing": "un messaggio ha la forma della specifica",
    "unknown": "un messaggio è uno di quelli della specifica, con i suoi campi",
    "client-answers": "un client a cui si chiede qualcosa risponde",
    "client-plays-on": "un client gioca la sua partita fino alla fine",
    "client-follows": "quando il server chiude la connessione, la chiude anche il client",
    "client-shows": "un client in attesa invia heartbeat",
    "one-question": "un client ha una sola domanda aperta alla volta",
    "question-again": "una domanda si ripete solo dopo un rifiuto",
    "question-after-end": "dopo la fine della partita non si chiede più niente",
    "client-after-end": "un client non invia niente dopo la fine della sua partita",
    "result-untold": "a ogni giocatore viene comunicato il risultato",
}
"""Italian sentences of the rules of every dialect."""

_FORMS: Final = {
    # the terminal
    "the {} breaks {}: {}": "il {} viola {}: {}",
    "the {} breaks {} (ruling): {}": "il {} viola {} (interpretazione): {}",
    "the {} closes the connection": "il {} chiude la connessione",
    "the {} resets the connection": "il {} interrompe la connessione",
    "{} connects": "{} si connette",
    "(after {:.1f} s)": "(dopo {:.1f} s)",
    "{} times: {}": "{} volte: {}",
    "{} connections, {} messages; findings: {} of the client's, {} of the server's": (
        "{} connessioni, {} messaggi; violazioni: {} del client, {} del server"
    ),
    # every dialect
    "an answer": "una risposta",
    "an answer to {}": "una risposta a {}",
    "another player got the result, but this one did not": (
        "a un altro giocatore è stato detto il risultato, a questo no"
    ),
    "it closed the connection before the end": "ha chiuso la connessione prima della fine",
    "it closed the connection before the end; expected {}": (
        "ha chiuso la connessione prima della fine; si aspettava {}"
    ),
    "it is still open after {:.1f} s": "è ancora aperta dopo {:.1f} s",
    "nothing arrived for {:.1f} s; expected a heartbeat": (
        "per {:.1f} s non è arrivato niente; si aspettava un heartbeat"
    ),
    "nothing arrived for {:.1f} s; expected {}": "per {:.1f} s non è arrivato niente; si aspettava {}",
    "the connection ended in the middle of {}": "la connessione è finita a metà di {}",
    "the connection was closed without a result": "la connessione è stata chiusa senza un risultato",
    "the end of the connection": "la fine della connessione",
    "the result of the answer": "ciò che ne è risultato",
    "got {}": "è arrivato {}",
    "got {} after the end": "è arrivato {} dopo la fine",
    "got {} after the end of the match": "è arrivato {} dopo la fine della partita",
    "got {} again before it was answered": "è arrivato di nuovo {} prima della risposta",
    "got {} while it is not this player's turn": "è arrivato {} mentre non è il turno di questo giocatore",
    "got {} while {} was not answered": "è arrivato {} mentre {} non aveva ancora risposta",
    "got {}, which cannot be decoded: {}": "è arrivato {}, che non dice niente: {}",
    "got {}; expected {}": "è arrivato {}; si aspettava {}",
    "got {}; it is not this player's turn": "è arrivato {}; non è il turno di questo giocatore",
    "got {}; this connection is {}": "è arrivato {}; questa connessione è {}",
    "{}; got {}": "{}; è arrivato {}",
    # several dialects
    "a name": "un nome",
    "no legal action leads to the reported board": ("nessuna azione legale porta al campo comunicato"),
    "got LoginReply without a request": "è arrivato LoginReply, e nessuno l'aveva chiesto",
    "the connection was closed without WinMessage or DisconnectionMessage": (
        "la connessione è stata chiusa senza WinMessage né DisconnectionMessage"
    ),
    # illegal moves of a client
    "another card": "un'altra carta",
    "it is unknown whether the rules allow it": "non si sa se le regole lo permettono",
    "the rules do not allow it here": "qui le regole non lo permettono",
    "{} was refused: {}": "è arrivato {} ed è stato rifiutato: {}",
    "{} was refused; {}": "è arrivato {} ed è stato rifiutato; {}",
    "got {}, but {}": "è arrivato {}, ma {}",
    "got {}, but {}; expected one of {}": "è arrivato {}, ma {}; si aspettava uno di {}",
    # rules of the games
    "there is no such cell": "non c'è una casella così",
    "the cell is taken": "la casella è occupata",
    "there is no such column": "non c'è una colonna così",
    "the column is full": "la colonna è piena",
    "another kind of action is due": "tocca a un altro tipo di azione",
    "there is no such square": "non c'è una cella così",
    "it is not on offer": "non è fra quelli offerti",
    "no worker of this player stands there": "lì non c'è un lavoratore di questo giocatore",
    "another worker has begun this turn": "questo turno l'ha cominciato un altro lavoratore",
    "a turn begins with a move": "un turno comincia con un movimento",
    "this turn's move has already been made": "il movimento di questo turno è già stato fatto",
    "the worker stands on that square": "il lavoratore sta proprio su quella cella",
    "the square is not next to the worker": "la cella non è adiacente al lavoratore",
    "the square has a dome": "la cella ha una cupola",
    "a token closes the square": "un segnalino chiude la cella",
    "a worker stands on the square": "sulla cella c'è un lavoratore",
    "a worker climbs at most one level": "un lavoratore sale al più di un livello",
    "on level 3 only a dome is built": "sul livello 3 si costruisce solo una cupola",
    "a dome is built on level 3 only": "una cupola si costruisce solo sul livello 3",
    "the power of {0} forbids it": "il potere di {0} lo vieta",
    "the turn could not be finished after it, because of the power of {0}": (
        "dopo non si potrebbe finire il turno, a causa del potere di {0}"
    ),
    "another step of the round is due": "tocca a un altro passo del round",
    "there is no such assistant, island or cloud": "non c'è un assistente, un'isola o una nuvola così",
    "another player has played that assistant in this round": (
        "un altro giocatore ha giocato quell'assistente in questo round"
    ),
    "this player has played that assistant before": "questo giocatore ha già giocato quell'assistente",
    "there is no such student in the entrance": "nell'ingresso non c'è uno studente così",
    "all seats of that table in the hall are taken": "tutti i posti di quel tavolo della sala sono occupati",
    "mother nature moves 1 to {1} islands with this assistant": (
        "con questo assistente madre natura va avanti da 1 a {1} isole"
    ),
    "another player has taken that cloud": "un altro giocatore ha preso quella nuvola",
    "the {0} is not on the table": "il personaggio {0} non è sul tavolo",
    "only one character can be used in a turn, and the {0} was used": (
        "si usa un personaggio per turno, ed è già stato usato il personaggio {0}"
    ),
    "the {0} costs more than the {1} coins of this player": (
        "il personaggio {0} costa più delle {1} monete di questo giocatore"
    ),
    "there is nothing to use the {0} on": "non c'è niente su cui usare il personaggio {0}",
    "the {0} cannot be used like this": "il personaggio {0} non si usa così",
    "only {} students are left to move": "restano da spostare {} studenti",
}
"""Italian forms of the details that several modules use, by the English ones."""
