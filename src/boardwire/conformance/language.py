"""Translation of findings: English as declared, or Italian.

- The sentence of a rule is looked up by the rule's code, a detail by its form (`finding.Phrase`).
- Names and words of a protocol are the same in all languages, so a form of one word needs no translation.
- The language is set once, by `--language`, and applies to all findings after that.
- Reasons given by a codec ("got ...: JSON is malformed") are always in English.

Tests compare both catalogues with the watchers' declarations.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final

from boardwire.conformance.finding import Phrase, Rule
from boardwire.errors import Malformed

LANGUAGES: Final = ("en", "it")

_current: ContextVar[str] = ContextVar("language", default="en")


def use(language: str) -> None:
    """Set the language; raise `Malformed` if it is not supported."""
    if language not in LANGUAGES:
        raise Malformed(f"--language {language}: choose one of {', '.join(LANGUAGES)}")
    _current.set(language)


def sentence(rule: Rule) -> str:
    """Return the sentence of a rule in the current language."""
    return RULES.get(rule.code, rule.says) if _current.get() == "it" else rule.says


def text(phrase: Phrase) -> str:
    """Return a phrase in the current language."""
    if _current.get() == "en":
        return str(phrase)
    values = tuple(text(value) if isinstance(value, Phrase) else value for value in phrase.values)
    return str(Phrase(FORMS.get(phrase.form, phrase.form), values))


def say(form: str, *values: Any) -> str:
    """Return a form, filled with values, in the current language."""
    return text(Phrase(form, values))


_RULES: Final[dict[str, dict[str, str]]] = {
    "any": {
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
    },
    "tris-lines": {
        "start": "il primo della coppia riceve WAIT, poi entrambi READY",
        "answer": "a una mossa si risponde con OK, KO, W o P",
        "free": "una mossa è una casella libera da 0 a 8",
        "refuses": "una casella occupata, o ciò che non è una casella, riceve KO",
        "turn": "una riga fuori turno viene scartata, senza risposta",
        "dropped": "una riga fuori turno viene scartata e non riceve risposta",
        "spelled": "gli spazi intorno a una casella si ignorano, e solo le cifre ASCII sono cifre",
        "board": "dopo la mossa l'altro giocatore riceve la griglia",
        "win": "chi completa una riga riceve W, l'altro la griglia con L",
        "draw": "un pareggio è P per chi ha mosso e la griglia con P per l'altro",
        "last": "se un giocatore esce, l'altro riceve DISCONNECTED e viene chiuso",
        "words": "una riga del server è una parola del documento o una griglia",
        "framing": "una connessione trasporta righe di testo ASCII, di al più 4096 byte",
    },
    "forza-lines": {
        "names": "un nome ha da 1 a 20 caratteri visibili",
        "sits": "a un nome si risponde con WELCOME o con NO",
        "start": "START dice a ogni giocatore il suo colore: uno è RED, l'altro YELLOW",
        "board": "la griglia mostra tutti i gettoni caduti, e nient'altro",
        "drops": "ogni gettone viene detto a entrambi con la griglia e con il turno",
        "column": "una colonna è un numero da 1 a 7, e la colonna non è piena",
        "turn": "una colonna fuori turno riceve NO not-your-turn",
        "refuses": "ciò che non si può fare riceve NO con il motivo, e niente cambia",
        "talk": "SAY viene detto a entrambi con SAID",
        "resigns": "RESIGN termina la partita",
        "end": "quattro in fila vincono, la griglia piena è patta, e ognuno riceve il proprio risultato",
        "last": "il risultato è l'ultima riga della partita",
        "words": "una riga comincia con una parola della specifica",
        "framing": "una connessione trasporta righe di testo UTF-8, di al più 4096 byte",
    },
    "santorini-lobby": {
        "result": "ogni richiesta riceve un solo RESULT, in ordine, dopo tutti i suoi eventi",
        "size": "la dimensione di una lobby si sceglie una volta sola",
        "login": "ADD_USER fa entrare, una volta per connessione, con un nome che nessun altro ha",
        "name": "un nome ha da 1 a 15 caratteri stampabili",
        "naming": "un nome che non ha da 1 a 15 caratteri stampabili viene rifiutato",
        "self": "user, e self, è sempre chi invia",
        "gods": "SELECT_GODS nomina tante divinità diverse dell'offerta quanti sono gli utenti",
        "choose": "CHOOSE_GOD nomina una divinità ancora disponibile",
        "first": "lo sfidante nomina un altro utente come primo",
        "place": "tutti piazzano le pedine in ordine di gioco, su celle libere",
        "actions": "EXECUTE_ACTION fa ciò che ACTION_READY elenca e le regole permettono, e tutti lo sanno",
        "ready": "ACTION_READY elenca i tipi di azione che hanno una cella legale",
        "turns": "TURN_CHANGE dice di chi è il turno, e i turni si contano uno a uno",
        "wins": "dopo WIN, o SERVER_ERROR, non si dice altro e la connessione viene chiusa",
        "out": "un utente che non può completare un turno è fuori",
        "ferry": "Ferry può nominare anche la cella in cui arriva la pedina lanciata",
        "listed": "ACTION_READY tralascia i tipi di azione senza una cella legale",
        "dead-end": "un'azione dopo la quale il turno non si può completare non è legale",
        "stuck": "un utente è fuori quando non ha più azioni legali di nessun tipo, e non prima",
        "joined": "gli eventi di un ingresso e di una dimensione vengono prima del RESULT",
        "unread": "ciò che non è un messaggio riceve RESULT false",
        "pings": "a un PING si risponde con un PING",
        "framing": "una connessione trasporta un oggetto JSON per riga",
        "unknown": "un messaggio ha un tipo e un contenuto della specifica",
    },
    "santorini-actions": {
        "join": "addPlayer riceve addPlayerResponse, con il nome e la dimensione inviati",
        "name": "un nome è unico su tutto il server, e uno sbagliato o già preso non è valido",
        "naming": "un nome che non ha da 1 a 64 caratteri stampabili non è valido",
        "size": "lobbyState è false se la dimensione non è 2 o 3",
        "cards": "il giocatore divino invia tante carte diverse del mazzo quanti sono i giocatori",
        "card": "un giocatore risponde a setPlayerCard con una delle carte offerte",
        "workers": "la risposta a setWorkersPosition ha due celle libere diverse, e i lavoratori vanno lì",
        "turn": "gioca solo il giocatore di turno",
        "start": "setStartTurn riceve setStartTurnResponse con il primo passo",
        "select": "selectWorker prende un proprio lavoratore e riceve le celle che le regole permettono",
        "step": "playStep va in una cella della vista, e si salta solo ciò che è facoltativo",
        "steps": "i passi si susseguono come nel turno della divinità",
        "board": "il campo dopo un passo è quello che risulta dalle regole",
        "end": "il vincitore riceve youWin, gli altri youLose",
        "query": "getDeck, getPlayers e getBattlefield ricevono risposta in ogni fase della partita",
        "error": "una richiesta non accettata riceve il motivo, e non cambia niente",
        "deck": "un mazzo è un array; nell'edizione distribuita sta in listOfCards",
        "pinged": "il server invia ping appena un client si connette, e di nuovo 5 secondi dopo ogni pong",
        "pong": "un client che ha già risposto a un ping risponde al successivo entro 10 secondi",
        "shipped": "i ping esistono solo nell'edizione distribuita",
        "dead-end": "una vista tralascia i passi dopo i quali il turno non si può finire",
        "stuck": "un giocatore è fuori quando non può finire nessun turno, appena il turno comincia",
        "last-step": "il passo che termina la partita non riceve risposta",
        "order": "i campi di un passo vengono prima della sua risposta",
        "surplus": "arriva una vista per ogni selectWorker e per ogni passo che ne segue un altro",
        "sender": "una richiesta che nomina un altro giocatore non viene accettata",
        "framing": "un messaggio è un oggetto JSON su una riga",
        "unknown": "un messaggio ha un'azione della specifica, con i suoi dati",
    },
    "santorini-objects": {
        "login": "il primo messaggio di un client dice in quanti si gioca",
        "text": "un testo del server è uno di quelli della specifica",
        "number": "ogni giocatore riceve un numero proprio, che è il suo posto fra i nomi",
        "asked": "una risposta è una di quelle offerte",
        "refused": "una risposta non offerta non cambia niente, e si chiede di nuovo",
        "taken": "una risposta offerta viene accettata",
        "offer": "una richiesta offre ciò che le regole permettono, e solo al giocatore di turno",
        "told": "ciò che si dice di mosse e costruzioni è ciò che risulta dalle regole",
        "turn": "i turni girano nell'ordine dei numeri dei giocatori",
        "won": "UpdateWinner nomina chi ha vinto, ed è l'ultimo messaggio",
        "unchecked": "il server non accetta risposte non offerte, e chiede di nuovo",
        "dead-end": "le azioni dopo le quali il turno non si può finire non vengono offerte",
        "stuck": "un giocatore ha perso quando non può finire nessun turno, e non prima",
        "framing": "ogni messaggio è un flusso di oggetti Java a sé",
        "unknown": "un oggetto è di una classe della specifica, con i suoi campi",
    },
    "eriantys-messages": {
        "login": "LoginRequest riceve LoginReply",
        "nickname": "un nickname ha da 1 a 32 caratteri stampabili, senza spazi ai bordi",
        "seat": "PlayerNicknameMessage fa sedere il giocatore, o riceve il messaggio che dice perché no",
        "displays": "quando il tavolo è completo tutto viene mostrato a tutti",
        "planning": "ogni giocatore gioca una delle sue carte, una volta per round",
        "asks": "in un turno si chiedono gli studenti, poi madre natura, poi la nuvola",
        "asked": "un messaggio del client risponde a ciò che gli è stato chiesto",
        "changes": "dopo ogni messaggio accettato, ciò che è cambiato viene mostrato a tutti",
        "students": "tutti gli studenti di un messaggio si spostano, e nessun altro",
        "moves": (
            "gli studenti dell'ingresso vanno sulle isole o ai posti liberi della sala, quanti ne prevedono le regole"
        ),
        "walks": "madre natura va da 1 a tante isole quante ne permette la carta del giocatore",
        "takes": "una nuvola che viene presa esiste e ha studenti",
        "pays": "un personaggio è sul tavolo, si può pagare, è il solo del turno e si usa come dice la sua carta",
        "cloud": "una nuvola presa è vuota",
        "cards": "in una carta, value va da 1 a 10 e movement è quanto può andare madre natura",
        "coins": "in modalità esperto tutti cominciano con una moneta",
        "refused": "ciò che viene rifiutato riceve il motivo",
        "unread": "ciò che non si può leggere riceve ErrorMessage",
        "winners": "WinMessage nomina i vincitori: uno, una squadra, o tutti quelli che vincono insieme",
        "last": "una partita finisce con WinMessage, o con DisconnectionMessage se un giocatore esce",
        "framing": "un messaggio è un oggetto JSON su una riga",
        "unknown": "un messaggio ha un tipo della specifica, con i suoi argomenti",
    },
    "eriantys-objects": {
        "header": "l'intestazione del flusso arriva subito, prima di ogni messaggio",
        "type": "ogni messaggio ha il tipo della sua classe",
        "display": "un display dice nel proprio campo che cosa mostra, e null in quello del genitore",
        "address": "un messaggio ha il nickname che dice la specifica: quello del destinatario, se non dice altro",
        "login": "LoginRequest riceve LoginReply, e un nome rifiutato prima il motivo",
        "lobby": "InitialResMessage offre le torri rimaste e la modalità del tavolo",
        "start": "all'inizio dieci isole hanno uno studente ciascuna",
        "cards": "dopo un assistente tutti ricevono DisplayCemeteryMessage",
        "words": "gli altri ricevono GenericMessage, che dice chi sta giocando",
        "island": "sull'isola va il numero di studenti nominato",
        "steps": "madre natura va fin dove dice la carta",
        "cloud": "dopo la nuvola il giocatore riceve EndTurnMessage",
        "asked": "una risposta è per una richiesta aperta, ed è una di quelle che la richiesta e le regole permettono",
        "refused": "ciò che non si può accettare riceve un TextMessage con il motivo, e di nuovo la richiesta",
        "pings": "il server non risponde ai ping e non ne invia",
        "last": "una partita finisce con WinMessage o con DisconnectionMessage",
        "names": "WinMessage e DisconnectionMessage nominano un giocatore",
        "framing": "ogni direzione è un unico flusso di oggetti Java",
        "unknown": "un oggetto è di una classe della specifica, con i suoi campi",
    },
    "native": {
        "hello": "hello è il primo messaggio, e riceve welcome",
        "name": "un nome si tronca dopo 32 caratteri, ed è guest se è vuoto",
        "seated": "open, find, join e resume ricevono seated o refused",
        "acts": "un act è una delle scelte elencate dall'ultimo state",
        "choices": "le scelte sono azioni del gioco",
        "status": "una partita aspetta finché un posto è libero, ed è finita quando ha un esito",
        "winners": "l'esito nomina chi ha vinto",
        "happened": "un evento è uno di quelli della specifica",
        "ends": "una partita finisce in uno dei modi della specifica",
        "refusals": "ciò che viene rifiutato ha un codice della specifica",
        "unread": "ciò che non si può leggere viene rifiutato come malformed",
        "legal": "un act che è una delle scelte non viene rifiutato come illegal",
        "framing": "dopo l'upgrade di HTTP, le due parti inviano frame WebSocket",
        "unknown": "un messaggio è un oggetto JSON con un tipo e campi della specifica",
    },
}
RULES: Final = {f"{dialect}.{name}": text for dialect, rules in _RULES.items() for name, text in rules.items()}
"""The Italian sentence of each rule, by its code."""

FORMS: Final[dict[str, str]] = {
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
    "nothing arrived for {:.1f} s; expected ping": "per {:.1f} s non è arrivato niente; si aspettava ping",
    "nothing arrived for {:.1f} s; expected pong": "per {:.1f} s non è arrivato niente; si aspettava pong",
    "nothing arrived for {:.1f} s; expected {}": "per {:.1f} s non è arrivato niente; si aspettava {}",
    "the connection ended in the middle of {}": "la connessione è finita a metà di {}",
    "the connection was closed without a result": "la connessione è stata chiusa senza un risultato",
    "the end of the connection": "la fine della connessione",
    "the end of the match": "la fine della partita",
    "the result of the answer": "ciò che ne è risultato",
    "got {}": "è arrivato {}",
    "got {} a second time": "è arrivato {} una seconda volta",
    "got {} after the end": "è arrivato {} dopo la fine",
    "got {} after the end of the match": "è arrivato {} dopo la fine della partita",
    "got {} after {}; expected {}": "è arrivato {} dopo {}; si aspettava {}",
    "got {} again before it was answered": "è arrivato di nuovo {} prima della risposta",
    "got {} again in reply to {}, which was offered": "è arrivato di nuovo {} in risposta a {}, che era stato offerto",
    "got {} at the start": "è arrivato {} all'inizio",
    "got {} in {}; expected {}": "è arrivato {} in {}; si aspettava {}",
    "player {} got {}": "al giocatore {} è arrivato {}",
    "got {} in reply to the step that ends the match": "è arrivato {} al passo che termina la partita",
    "got {} in reply to input that is not a free cell; expected {}": (
        "è arrivato {} in risposta a ciò che non è una casella libera; si aspettava {}"
    ),
    "got {} in reply to {}, which was not offered": "è arrivato {} in risposta a {}, che non era stato offerto",
    "got {} in reply to {}, which was offered": "è arrivato {} in risposta a {}, che era stato offerto",
    "got {} in reply to {}; expected {}": "è arrivato {} in risposta a {}; si aspettava {}",
    "got {} while it is not this player's turn": "è arrivato {} mentre non è il turno di questo giocatore",
    "got {} while {} was not answered": "è arrivato {} mentre {} non aveva ancora risposta",
    "got {} without its content": "è arrivato {} senza ciò che mostra",
    "got {} before a LoginReply that accepts the name": ("è arrivato {} senza prima un LoginReply che accetta il nome"),
    "got {} without a move": "è arrivato {}, e non era stata fatta nessuna mossa",
    "got {} without a request": "è arrivato {}, e nessuno l'aveva chiesto",
    "got {} without a question": "è arrivato {}, e niente era stato chiesto",
    "got {}; the request was {}": "è arrivato {}, ed era stato chiesto {}",
    "got {}, which cannot be decoded: {}": "è arrivato {}, che non dice niente: {}",
    "got {}: {}": "è arrivato {}: {}",
    "got {}; expected Hey X, Y is playing...": "è arrivato {}; si aspettava Hey X, Y is playing...",
    "got {}; expected TextMessage": "è arrivato {}; si aspettava TextMessage",
    "got {}; expected movement {}": "è arrivato {}; si aspettava movement {}",
    "got {}; expected null in DisplayMessage": "è arrivato {}; si aspettava null in DisplayMessage",
    "got {}; expected one of {}": "è arrivato {}; si aspettava uno di {}",
    "got {}; expected one or more players": "è arrivato {}; si aspettavano uno o più giocatori",
    "got {}; expected the name of a player": "è arrivato {}; si aspettava il nome di un giocatore",
    "got {}; expected the values 1 to 10": "è arrivato {}; si aspettavano i valori da 1 a 10",
    "got {}; expected {}": "è arrivato {}; si aspettava {}",
    "got {}; expected {} with one {} more": "è arrivato {}; si aspettava {} con un {} in più",
    "got {}; it is not the other player's turn": "è arrivato {}; non è il turno dell'altro giocatore",
    "got {}; it is not this player's turn": "è arrivato {}; non è il turno di questo giocatore",
    "got {}; this player has no open question": "è arrivato {}; a questo giocatore non si chiede niente",
    "got {}; the column is full": "è arrivato {}; la colonna è piena",
    "got {}; the god player has picked {}": "è arrivato {}; il giocatore divino ha scelto {}",
    "got {}; there is no player {}": "è arrivato {}; non c'è un giocatore {}",
    "got {}, which is not a cell": "è arrivato {}; non c'è una cella così",
    "got {}; this connection is {}": "è arrivato {}; questa connessione è {}",
    "got {}; the question was {}": "è arrivato {}; si chiede {}",
    "{}; got {}": "{}; è arrivato {}",
    "{} has blanks around it": "{} ha spazi ai bordi",
    # tris-lines and forza-lines
    "got KO in reply to a line out of turn": "è arrivato KO a una riga fuori turno",
    "OK, KO, W or P": "OK, KO, W o P",
    "WAIT or READY": "WAIT o READY",
    "READY, once the second player has connected": "READY, quando è arrivato il secondo giocatore",
    "one of {}": "uno di {}",
    "the board with a 1": "la griglia con un 1",
    "the board with the other's mark": "la griglia con il segno dell'altro",
    "a column": "una colonna",
    "a name": "un nome",
    "DROP of the other's disc": "DROP del gettone dell'altro",
    "got DROP {}, against the rules: {}": "è arrivato DROP {}, contro le regole: {}",
    "got DROP {}, which is not a colour and a column": "è arrivato DROP {}, che non è un colore e una colonna",
    "got DROP {}; the player had requested column {}": "è arrivato DROP {}; il giocatore aveva chiesto la colonna {}",
    "got DROP {}; the player had requested no drop": "è arrivato DROP {}; il giocatore non aveva chiesto niente",
    "NO illegal": "NO illegal",
    "NO malformed": "NO malformed",
    "NO not-your-turn": "NO not-your-turn",
    "got NO {} in reply to column {}, which is open; expected DROP": (
        "è arrivato NO {} alla colonna {}, che è libera; si aspettava DROP"
    ),
    "got NO {} in reply to the name {}; expected WELCOME": "è arrivato NO {} al nome {}; si aspettava WELCOME",
    "got NO {} without a request": "è arrivato NO {}, e niente era stato chiesto",
    "got NO {}; expected NO {}": "è arrivato NO {}; si aspettava NO {}",
    "got NO {}; expected a reason of the specification": "è arrivato NO {}; si aspettava un motivo della specifica",
    "got SAID {}, which the player had not said": "è arrivato SAID {}, e il giocatore non l'aveva detto",
    "got START {}": "è arrivato START {}",
    "got START {}, and {} is {} too": "è arrivato START {}, e anche {} è {}",
    "START, once an opponent has connected": "START, quando è arrivato un avversario",
    "got TURN {}; expected the result": "è arrivato TURN {}; si aspettava il risultato",
    "got TURN {}; expected {}": "è arrivato TURN {}; si aspettava {}",
    "got WELCOME in reply to {}; expected NO malformed": "è arrivato WELCOME a {}; si aspettava NO malformed",
    "got WELCOME before a name was sent": "è arrivato WELCOME, e non era stato dato nessun nome",
    "the player who resigned got {} {}; expected LOST": "è arrivato {} {} a chi si è arreso; si aspettava LOST",
    "got {} {}; expected {}": "è arrivato {} {}; si aspettava {}",
    "got {} {}, which the board does not show": "è arrivato {} {}; la griglia non lo dice",
    # santorini-lobby
    "got ACTION_READY for {}; it is another user's turn": (
        "è arrivato ACTION_READY di {}; è il turno di un altro utente"
    ),
    "got BUILD {}, which is not a building on the board": "è arrivato BUILD {}, che non è un edificio sul campo",
    "CHOOSE_GOD, one of {}": "CHOOSE_GOD, uno di {}",
    "got ELIMINATION of {}, who can still complete a turn": (
        "è arrivato ELIMINATION di {}, che può ancora completare un turno"
    ),
    "got ELIMINATION of {}, who has not joined": "è arrivato ELIMINATION di {}, che non è entrato",
    "EXECUTE_ACTION with one of {}": "EXECUTE_ACTION di {}",
    "got MOVE {}, which does not start at a pawn": "è arrivato MOVE {}; lì non c'è nessuna pedina",
    "got PAWN_PLACED on {}, which is not a free cell": "è arrivato PAWN_PLACED su {}, che non è una cella libera",
    "got PLACE_PAWNS while it is not this user's turn to place": (
        "è arrivato PLACE_PAWNS mentre non tocca a questo utente piazzare"
    ),
    "PLACE_PAWNS of {}": "PLACE_PAWNS di {}",
    "got RESULT true without SIZE_SELECTED before it": "è arrivato RESULT true senza prima SIZE_SELECTED",
    "got RESULT true without USER_JOINED before it": "è arrivato RESULT true senza prima USER_JOINED",
    "got RESULT {} in reply to {}; expected {}": "è arrivato RESULT {} a {}; si aspettava {}",
    "got RESULT {} without a request": "è arrivato RESULT {}, e niente era stato chiesto",
    "SELECT_PLAYER_NUMBER or ADD_USER": "SELECT_PLAYER_NUMBER o ADD_USER",
    "got SIZE_SELECTED {}; the size was {}": "è arrivato SIZE_SELECTED {}; la dimensione era {}",
    "got TURN_CHANGE to {}, who has not joined": "è arrivato TURN_CHANGE di {}, che non è entrato",
    "got TURN_CHANGE to {}; it is another user's turn": "è arrivato TURN_CHANGE di {}; è il turno di un altro utente",
    "got USER_JOINED {} twice": "è arrivato due volte USER_JOINED {}",
    "got WIN of {}; another user has won": "è arrivato WIN di {}; ha vinto un altro utente",
    "got an action while it is another user's turn": "è arrivata un'azione durante il turno di un altro utente",
    "the connection was closed without WIN or SERVER_ERROR": (
        "la connessione è stata chiusa senza WIN né SERVER_ERROR"
    ),
    "got turn {}; expected {}": "è arrivato il turno {}; si aspettava {}",
    # santorini-actions
    "got a board of {} cells; expected 25": "è arrivato un campo di {} celle; se ne aspettavano 25",
    "got actualPlayer {}; it is another player's turn": "è arrivato actualPlayer {}; è il turno di un altro giocatore",
    "addPlayer, for another match": "addPlayer, per un'altra partita",
    "got addPlayerResponse without a request": "è arrivato addPlayerResponse, e nessuno l'aveva chiesto",
    "got currentStep {}; expected MOVE or BUILD": "è arrivato currentStep {}; si aspettava MOVE o BUILD",
    "getDeck, setPickedCards": "getDeck, setPickedCards",
    "got getDeckResponse without a request": "è arrivato getDeckResponse, e nessuno l'aveva chiesto",
    "got the deck as {}; expected {}": "è arrivato il mazzo come {}; si aspettava {}",
    "an array": "un array",
    "got lobbyState true in reply to a size of {}; expected false": (
        "è arrivato lobbyState true per la dimensione {}; si aspettava false"
    ),
    "no legal step leads to the board that arrived": "nessun passo legale porta al campo che è arrivato",
    "own workers are on {}; expected {}": "i propri lavoratori sono arrivati in {}; si aspettava {}",
    "got ping": "è arrivato ping",
    "playStep with one of {}": "playStep con uno di {}",
    "setPickedCards, once all players have connected": "setPickedCards, quando sono arrivati tutti i giocatori",
    "setPlayerCard with one of {}": "setPlayerCard con uno di {}",
    "got setStartTurn in the middle of a turn": "è arrivato setStartTurn a metà di un turno",
    "got setStartTurnResponse without a request": "è arrivato setStartTurnResponse, e nessuno l'aveva chiesto",
    "setWorkersPosition with two free cells": "setWorkersPosition con due celle libere",
    "got skipStep at {}, which is not optional": "è arrivato skipStep a {}, che non è facoltativo",
    "got the board after playStepResponse": "il campo è arrivato dopo playStepResponse",
    "the board has changed without a request of the player to move": (
        "il campo è cambiato senza una richiesta del giocatore di turno"
    ),
    "got the view {}; expected {}": "è arrivata la vista {}; si aspettava {}",
    "got validNick true in reply to {}, which another player has": (
        "è arrivato validNick true a {}, che è il nome di un altro giocatore"
    ),
    "got validNick true in reply to {}, which is not a valid name": "è arrivato validNick true a {}, che non è un nome",
    "got workerViewUpdate when no view was due": "è arrivato workerViewUpdate, e non era dovuta nessuna vista",
    "got youLose; this player has won": "è arrivato youLose; questo giocatore ha vinto",
    "got youWin after another player has won": "è arrivato youWin, e ha già vinto un altro giocatore",
    "got youWin; another player has won": "è arrivato youWin; ha vinto un altro giocatore",
    # santorini-objects
    "PLAYER_ and a number, once all players have connected": "PLAYER_ e un numero, quando sono arrivati tutti",
    "got UpdateLoser of player {}, who can still move": (
        "è arrivato UpdateLoser del giocatore {}, che può ancora muovere"
    ),
    "got UpdateWinner of player {}; another player has won": (
        "è arrivato UpdateWinner del giocatore {}; ha vinto un altro giocatore"
    ),
    "got builds of worker {} on {}; expected {}": (
        "sono arrivate costruzioni del lavoratore {} su {}; si aspettava {}"
    ),
    "the number of players": "in quanti si gioca",
    "got moves of worker {} to {}; expected {}": "sono arrivate mosse del lavoratore {} verso {}; si aspettava {}",
    "no legal action leads to the reported board": ("nessuna azione legale porta al campo comunicato"),
    "got number {}; the name has number {}": "è stato detto il numero {}, e il nome è il numero {}",
    "the request again": "di nuovo la richiesta",
    "got the turn of player {}; it is another player's": ("è arrivato il turno del giocatore {}; è quello di un altro"),
    "got worker {} of player {} on {}, which does not exist": (
        "è arrivato il lavoratore {} del giocatore {} su {}; non esiste"
    ),
    "got workers on {}, which are not two free cells": (
        "sono arrivati lavoratori su {}, che non sono due celle libere"
    ),
    # eriantys
    "got a refusing LoginReply without GenericMessage before it": (
        "è arrivato LoginReply con un rifiuto, senza prima GenericMessage"
    ),
    "got LoginReply without a request": "è arrivato LoginReply, e nessuno l'aveva chiesto",
    "MovedMotherNatureMessage, 1 to {}": "MovedMotherNatureMessage, da 1 a {}",
    "got PingMessage": "è arrivato PingMessage",
    "TowerMessage or the reason of a refusal": "TowerMessage, o perché non c'è posto",
    "got the question cloud before mother nature has moved; expected motherNature": (
        "si chiede cloud prima che madre natura si sia mossa; si aspettava motherNature"
    ),
    "got cloud {} with {} after it was taken": "è arrivata la nuvola {} con {} dopo che era stata presa",
    "got island {} of {}": "è arrivata l'isola {} di {}",
    "got a limit of {} steps for mother nature; expected {}": (
        "è arrivato che madre natura può andare di {}; si aspettava {}"
    ),
    "no clouds arrived": "non sono arrivate nuvole",
    "no gameMode arrived; expected the table's": "non è arrivato gameMode; si aspettava quello del tavolo",
    "the hall of {} did not arrive": "non è arrivata la sala di {}",
    "the islands {} did not arrive; expected all of them": "non sono arrivate le isole {}; si aspettavano tutte",
    "no towers arrived; expected the free ones": "non sono arrivate torri; si aspettavano quelle rimaste",
    "the connection was closed without WinMessage or DisconnectionMessage": (
        "la connessione è stata chiusa senza WinMessage né DisconnectionMessage"
    ),
    "got the hall {}; expected {}": "è arrivata la sala {}; si aspettava {}",
    "the header": "l'intestazione",
    "got the question {} after mother nature has moved; expected cloud": (
        "si chiede {} dopo che madre natura si è mossa; si aspettava cloud"
    ),
    "got {} students in the entrance; expected {}": ("sono arrivati {} studenti nell'ingresso; se ne aspettavano {}"),
    "got {} students in the entrance of {}; expected {}": (
        "sono arrivati {} studenti nell'ingresso di {}; se ne aspettavano {}"
    ),
    "got {} students on the islands; expected ten": ("sono arrivati {} studenti sulle isole; se ne aspettavano dieci"),
    "got {} students on the islands; expected {}": "sono arrivati {} studenti sulle isole; se ne aspettavano {}",
    # illegal moves of a client
    "another card": "un'altra carta",
    "got cell {},{}, but {}": "è arrivata la cella {},{}, ma {}",
    "got cell {},{}, but {}; expected one of {}": "è arrivata la cella {},{}, ma {}; si aspettava una di {}",
    "it is unknown whether the rules allow it": "non si sa se le regole lo permettono",
    "one of several messages that arrived together was refused: {}": (
        "uno di più messaggi arrivati insieme è stato rifiutato: {}"
    ),
    "it does not answer {}": "non è una risposta a {}",
    "the height {} is wrong; the cell has height {}": "l'altezza {} è sbagliata; la cella ha altezza {}",
    "the rules do not allow it here": "qui le regole non lo permettono",
    "there is no action {}": "non c'è un'azione {}",
    "this step cannot be declined": "a questo passo non si può rinunciare",
    "no reason was given": "senza spiegazioni",
    "workers stand on two different free cells of level 0": (
        "i lavoratori stanno su due celle diverse, libere e di livello 0"
    ),
    "{} was refused: {}": "è arrivato {} ed è stato rifiutato: {}",
    "{} was refused; {}": "è arrivato {} ed è stato rifiutato; {}",
    "got {} in reply to {}, but {}": "è arrivato {} in risposta a {}, ma {}",
    "got {}, which answers no question": "è arrivato {}, e non era stato chiesto niente a cui risponda",
    "got {}, but {}": "è arrivato {}, ma {}",
    "got {}, but {}; expected 1 to 7": "è arrivato {}, ma {}; si aspettava da 1 a 7",
    "got {}, but {}; expected one of {}": "è arrivato {}, ma {}; si aspettava uno di {}",
    "{} is not among {}": "{} non è fra {}",
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
    "there is no such student on the card": "sulla carta non c'è uno studente così",
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
    "at most {} students were asked for": "erano stati chiesti al più {} studenti",
    "islands are 0 to {}": "le isole vanno da 0 a {}",
    "the remaining clouds are 0 to {}": "le nuvole rimaste vanno da 0 a {}",
    "the index is 0 to {}: {}": "l'indice va da 0 a {}: {}",
    # native
    "got a choice that is not an action: {}": "è arrivata una scelta che non è un'azione: {}",
    "act with one of {}": "act con uno di {}",
    "find, open, join, watch or list": "find, open, join, watch o list",
    "got refused with the code illegal for one of the choices": (
        "è arrivato refused con il codice illegal a una delle scelte"
    ),
    "refused with the code malformed": "refused con il codice malformed",
    "seated, watching or refused": "seated, watching o refused",
    "got the code {}": "è arrivato il codice {}",
    "got the code {}; expected malformed": "è arrivato il codice {}; si aspettava malformed",
    "got the end {}": "è arrivata la fine {}",
    "got the event {}": "è arrivato l'evento {}",
    "got the name {}; expected guest": "è arrivato il nome {}; si aspettava guest",
    "got the status playing while a seat is free; expected waiting": (
        "è arrivato lo stato playing con un posto libero; si aspettava waiting"
    ),
    "got the status {} with the outcome {}": "è arrivato lo stato {}; l'esito è {}",
    "got welcome without hello": "è arrivato welcome, e nessuno aveva detto hello",
    "got winners {}; seat {} completed the line": "sono arrivati i vincitori {}; il posto {} ha completato la fila",
}
"""The Italian form of each detail, by the English one."""
