"""Watcher of santorini-lobby. Events report every move, so the whole match is followed by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from boardwire.conformance.display import show
from boardwire.conformance.finding import Phrase, Rule, Side, rules_of
from boardwire.conformance.watchers import refusals
from boardwire.conformance.watchers.santorini_states import Board, PositionTracker, SantoriniWatcher
from boardwire.conformance.watchers.watcher import Unreadable, Watcher
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.model import Model
from boardwire.errors import Objection
from boardwire.games.game import Seat
from boardwire.games.santorini import Rule as GameRule
from boardwire.games.santorini.actions import DONE, Action, Build, Force, Move
from boardwire.games.santorini.board import BEHIND
from boardwire.games.santorini.interned import BLOCKS, DOMES, MOVES
from boardwire.games.santorini.powers.catalogue import God

_rule, _ruling = rules_of("santorini-lobby")

RESULT: Final = _rule("result", "4", "each request is answered with exactly one RESULT, in order, after all its events")
SIZE: Final = _rule("size", "5.2", "the size of a lobby is selected once")
LOGIN: Final = _rule("login", "5.3", "ADD_USER logs in, once for each connection, under a unique name")
NAME: Final = _rule("name", "2", "a name has 1 to 15 printable characters")
SELF: Final = _rule("self", "3", "user and self always name the sender")
GODS: Final = _rule("gods", "5.4", "SELECT_GODS names as many different gods of the offer as there are users")
CHOOSE: Final = _rule("choose", "5.5", "CHOOSE_GOD names a god that is still available")
FIRST: Final = _rule("first", "5.6", "the challenger names another user as the first")
PLACE: Final = _rule("place", "5.7", "users place their pawns in the order of play, on free cells")
ACTIONS: Final = _rule(
    "actions",
    "5.8",
    "EXECUTE_ACTION does an action that ACTION_READY lists and the rules allow, and all users get its events",
)
READY: Final = _rule("ready", "5.8", "ACTION_READY lists the kinds of action that have a legal cell")
TURNS: Final = _rule("turns", "5.8", "TURN_CHANGE names the user to move, and each turn has the next number")
WINS: Final = _rule("wins", "5.10", "after WIN or SERVER_ERROR the server sends nothing else and closes the connection")
OUT: Final = _rule("out", "5.9", "a user who cannot complete a turn is out")
FERRY: Final = _ruling("ferry", "5.8", "Ferry may also name the cell where the thrown pawn lands")
LISTED: Final = _ruling("listed", "5.8", "ACTION_READY leaves out kinds of action without a legal cell")
DEAD_END: Final = _ruling("dead-end", "5.9", "an action after which the turn cannot be completed is not legal")
STUCK: Final = _ruling("stuck", "5.9", "a user is out when no legal action of any kind is left, and not before")
JOINED: Final = _ruling("joined", "4", "the events of a login and of a size come before the RESULT")
NAMING: Final = _ruling("naming", "2", "a name without 1 to 15 printable characters is refused")
UNREAD: Final = _ruling("unread", "10", "input that is not a message gets RESULT false")
PINGS: Final = _rule("pings", "9", "a PING is answered with a PING")

_KINDS: Final = {Move: wire.MOVE, Force: wire.FERRY}

_RULES: Final[dict[Any, Rule]] = {
    wire.SelectPlayerNumber: SIZE,
    wire.AddUser: LOGIN,
    wire.SelectGods: GODS,
    wire.ChooseGod: CHOOSE,
    wire.ChooseFirstPlayer: FIRST,
    wire.PlacePawns: PLACE,
    Unreadable: UNREAD,
}


class DialectWatcher(SantoriniWatcher):
    """Watcher of santorini-lobby."""

    dead_end, stuck = DEAD_END, STUCK
    framing = _rule("framing", "1", "a connection carries one JSON object per line")
    unknown = _rule("unknown", "3", "a message has a type and a content of the specification")

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._model = Model()
        self._name = ""
        self._offer: tuple[str, ...] | None = None
        self._offered_gods: set[str] = set()
        self._all_gods: tuple[str, ...] = ()
        self._turn: int | None = None
        self._placing_user = ""
        self._rule: Rule | None = None
        """The ruling by which the current request is judged; None: the document itself."""
        self._selected_gods = False
        """Whether this user has selected the gods and therefore gets the last one."""
        self.expect(Side.CLIENT, "SELECT_PLAYER_NUMBER or ADD_USER")

    # --- the client ---------------------------------------------------------------------------------------------------

    def client(self, message: Any) -> None:
        if isinstance(message, wire.Ping) or self.over or self.lost:
            return
        expected: bool | None = False  # None: true and false are both allowed
        self._rule = None
        if not isinstance(message, Unreadable):
            expected = (
                self._expected_result(message)
                if all(type(reply.tag[0]) in wire.QUERIES for reply in self.pending_replies)
                else None
            )
        answer = "RESULT" if expected is None else f"RESULT {str(expected).lower()}"
        self.expect_reply(
            UNREAD if isinstance(message, Unreadable) else RESULT, answer, (message, expected, self._rule)
        )
        self._rule = None
        if type(message) not in wire.QUERIES:
            self.expect(Side.SERVER, answer)

    def _expected_result(self, message: Any) -> bool | None:
        """Return the RESULT that a request must get, or None if it is unknown."""
        model = self._model
        match message:
            case wire.SelectPlayerNumber():
                if model.size:
                    return False  # no breach: a client that sends it at once cannot know the size
                return None if message.size in wire.SIZES else False
            case wire.AddUser():
                name = message.user.username
                is_valid = 0 < len(name.encode("utf-16-le")) // 2 <= wire.MAX_NAME_UTF16_UNITS and name.isprintable()
                if not is_valid:
                    self._rule = NAMING
                    self.blame(Side.CLIENT, NAME, "got {}", show(name))
                return None if is_valid and not self._name and name not in model.users else False
        speaker = getattr(message, "user", None)
        if speaker is None or not self._name:
            return None  # the request names no user, or the login is not confirmed yet
        if speaker.username != self._name:
            self.blame(Side.CLIENT, SELF, "got {}; this connection is {}", show(speaker.username), show(self._name))
            return False
        return self._judge_request(message)

    def _judge_request(self, message: Any) -> bool | None:
        """Judge a request; return the RESULT that it must get, or None if that is unknown."""
        model = self._model
        match message:
            case wire.SelectGods(gods=gods):
                names = [god.name.casefold() for god in gods]
                offered = {name.casefold() for name in self._all_gods}
                if self._offer is not None and len(names) < len(model.users) and set(names) <= offered:
                    return False  # the shipped terminal client sends its list after every god that is typed
                if self._offer is None or len(names) != len(model.users) or len(set(names)) < len(names):
                    return self._wrong(GODS, names)
                return None if set(names) <= offered else self._wrong(GODS, names)
            case wire.ChooseGod(god=god):
                # no breach if another user takes the god while the request is under way
                return None if god.name.casefold() in self._offered_gods else self._wrong(CHOOSE, god.name)
            case wire.ChooseFirstPlayer(first=first):
                return None if first.username in model.users else self._wrong(FIRST, first.username)
            case wire.PlacePawns():
                return self._pawns(message.c1, message.c2)
            case wire.CheckAction() | wire.ExecuteAction():
                return self._judge_action(message)
        return None

    def _wrong(self, rule: Rule, value: Any) -> bool:
        """Report a request that breaks a rule; return its RESULT."""
        self.blame(Side.CLIENT, rule, "got {}", show(value))
        return False

    def _pawns(self, first: wire.Coordinate, second: wire.Coordinate) -> bool:
        squares = [wire.square_of(first), wire.square_of(second)]
        taken = {square for own in self._model.workers.values() for square in own}
        if self._placing_user != self._name:
            self.blame(Side.CLIENT, PLACE, "got PLACE_PAWNS while it is not this user's turn to place")
            return False
        if None in squares or squares[0] == squares[1] or set(squares) & taken:
            return self._wrong(PLACE, [first, second])
        return True

    def _judge_action(self, request: wire.PawnAction) -> bool | None:
        """Judge an action; return the RESULT that it must get, or None if that is unknown."""
        model, tracker = self._model, self.tracker
        own_seat = model.users.index(self._name) if self._name in model.users else -1
        if self._turn is None or model.seat != own_seat:
            if not self.crosses:
                self.blame(Side.CLIENT, ACTIONS, "got an action while it is another user's turn")
            return False
        if not tracker.is_known:
            return None
        action = self._action(request, own_seat)
        is_legal = action is not None and action in tracker.choices
        if action is not None and not is_legal and action in tracker.offered:
            self._rule = DEAD_END
        if isinstance(action, Force) and wire.square_of(request.coordinate) == action.to:
            self._rule = FERRY
        if not is_legal and isinstance(request, wire.ExecuteAction):
            text, why = show(wire.encode(request)), self._reason(request, own_seat, action)
            self.blame(Side.CLIENT, self._rule or ACTIONS, "got {}, but {}", text, why)
        return is_legal

    def _reason(self, request: wire.PawnAction, seat: Seat, action: Action | None) -> Phrase:
        """Return the phrase for the rule that forbids an action."""
        pawns = self._model.workers.get(seat, [])
        name = wire.ACTIONS.get(request.action.description.lower())
        if name is None:
            return Phrase("there is no action {}", (show(request.action.description),))
        if not 0 <= request.id < len(pawns) or pawns[request.id] < 0:
            objection: Objection | None = Objection(GameRule.NO_WORKER)
        elif name == wire.PASS_TURN and self._model.pawn not in (-1, request.id):
            objection = Objection(GameRule.OTHER_WORKER)
        elif wire.square_of(request.coordinate) is None:
            objection = Objection(GameRule.NOWHERE)
        elif action is None:
            objection = Objection(GameRule.POWER, card=str(self._model.gods.get(seat) or ""))
        else:
            objection = self.tracker.objection(seat, action)
        return refusals.explain("santorini", objection)

    @property
    def _is_mine(self) -> bool:
        """Whether it is this user's turn."""
        return self._name in self._model.users and self._model.seat == self._model.users.index(self._name)

    def _action(self, request: wire.PawnAction, seat: Seat) -> Action | None:
        """Return the game action that a request means."""
        pawns = self._model.workers.get(seat, [])
        name = wire.ACTIONS.get(request.action.description.lower())
        at = wire.square_of(request.coordinate)
        if not 0 <= request.id < len(pawns) or pawns[request.id] < 0 or name is None:
            return None
        pawn = pawns[request.id]
        if name == wire.PASS_TURN:
            other = self._model.pawn >= 0 and self._model.pawn != request.id
            return None if other or (at is None and request.coordinate is not None) else DONE
        if at is None:
            return None
        if name == wire.FERRY:
            ways = (Force(at, BEHIND[at][pawn]), Force(BEHIND[at][pawn], at)) if BEHIND[at][pawn] >= 0 else ()
            return next((way for way in ways if way in self.tracker.choices), None)
        return MOVES[pawn][at] if name == wire.MOVE else (DOMES if name == wire.BUILD_DOME else BLOCKS)[pawn][at]

    # --- the server ---------------------------------------------------------------------------------------------------

    def server(self, message: Any) -> None:
        if isinstance(message, Unreadable | wire.Ping) or self.lost:
            return
        if self.over and isinstance(message, wire.ActionReady) and message.user.username == self._name:
            self.ask(
                "ACTION_READY", "EXECUTE_ACTION with one of {}", ""
            )  # `ask` reports it as a question after the end
            return
        if self.over and not isinstance(message, wire.Result | wire.Win):
            self.lose(Side.SERVER, WINS, "got {} after the end", self.name(Side.SERVER, message))
            return
        if isinstance(message, wire.Result):
            self._result(message.value)
        else:
            self.dispatch(message)

    def _result(self, value: bool) -> None:
        """Judge a RESULT: it answers the oldest pending request."""
        if not self.pending_replies:
            self.lose(Side.SERVER, RESULT, "got RESULT {} without a request", str(value).lower())
            return
        message, expected, ruling = self.pending_replies.popleft().tag
        if type(message) in wire.QUERIES:
            pass  # a query has no effect
        elif not value:
            self.expect_again()
        elif self.expected is not None and self.expected.side is Side.SERVER:
            self.expected = None  # no event has asked a question
        if not value and expected is None and isinstance(message, wire.ExecuteAction) and self._is_mine:
            # without a known position only the server can judge the action
            text = show(wire.encode(message))
            self.blame(Side.CLIENT, ACTIONS, "{} was refused; {}", text, refusals.UNKNOWN)
        if expected is not None and value != expected and not self.over:
            rule = ruling or _RULES.get(type(message), ACTIONS)
            text = show(message.data if isinstance(message, Unreadable) else wire.encode(message))
            self.blame(
                Side.SERVER,
                rule,
                "got RESULT {} in reply to {}; expected {}",
                str(value).lower(),
                text,
                str(expected).lower(),
            )
        if value and isinstance(message, wire.SelectGods):
            self._selected_gods = True
            self.expect_nothing()
        if value and isinstance(message, wire.AddUser):
            self._name = message.user.username
            if self._name not in self._model.users:
                self.blame(Side.SERVER, JOINED, "got RESULT true without USER_JOINED before it")
            self.group.enter(self._name, self)
        if value and isinstance(message, wire.SelectPlayerNumber) and not self._model.size:
            self.blame(Side.SERVER, JOINED, "got RESULT true without SIZE_SELECTED before it")

    def _sizeselected(self, content: wire.SizeSelected) -> None:
        if self._model.size:
            self.blame(Side.SERVER, SIZE, "got SIZE_SELECTED {}; the size was {}", content.size, self._model.size)
        self._model.size = content.size

    def _userjoined(self, content: wire.UserMessage) -> None:
        if content.user.username in self._model.users:
            self.blame(Side.SERVER, LOGIN, "got USER_JOINED {} twice", show(content.user.username))
        self._model.seat_of(content.user.username)

    def _godsavailable(self, content: wire.GodsAvailable) -> None:
        names = tuple(god.name for god in content.gods)
        self._all_gods = self._all_gods or names
        self._offer = names
        self._offered_gods |= {name.casefold() for name in names}
        own_seat = self._model.users.index(self._name) if self._name in self._model.users else -1
        if len(names) == len(self._all_gods):  # any user may select, so no single client owes a reply
            self.expect(Side.CLIENT, "SELECT_GODS", required=False)
        elif names and own_seat not in self._model.gods and not self._selected_gods:
            self.expect(Side.CLIENT, "CHOOSE_GOD, one of {}", ", ".join(names))
        else:
            self.expect_nothing()

    def _godchosen(self, content: wire.GodChosen) -> None:
        self._model.set_god(content.user.username, content.god.name)

    def _requestplacepawns(self, content: wire.UserMessage) -> None:
        self._placing_user = content.user.username
        if self._placing_user == self._name:
            self.ask("REQUEST_PLACE_PAWNS", "PLACE_PAWNS of {}", self._placing_user)
        else:
            self.expect_nothing()

    def _pawnplaced(self, content: wire.PawnPlaced) -> None:
        square = wire.square_of(content.coordinate)
        taken = {at for own in self._model.workers.values() for at in own}
        if square is None or square in taken:
            self.lose(Side.SERVER, PLACE, "got PAWN_PLACED on {}, which is not a free cell", show(content.coordinate))
            return
        self._model.place_pawn(content.owner.username, content.id, square)

    def _board(self) -> Board:
        model = self._model
        return Board(
            tuple(model.levels),
            frozenset(model.domes),
            tuple(
                frozenset(square for square in model.workers.get(seat, ()) if square >= 0)
                for seat in range(len(model.users))
            ),
        )

    def _see(self) -> None:
        """Check that the board is the result of a legal action."""
        self.see_board(self._board(), ACTIONS, "no legal action leads to the reported board")

    def _turnchange(self, content: wire.TurnChange) -> None:
        """Judge the start of a turn; with the first one, begin to follow the positions."""
        model, first = self._model, self._turn is None
        if self._turn is not None and content.turn != self._turn + 1:
            self.blame(Side.SERVER, TURNS, "got turn {}; expected {}", content.turn, self._turn + 1)
        if content.user.username not in model.users:
            self.lose(Side.SERVER, TURNS, "got TURN_CHANGE to {}, who has not joined", show(content.user.username))
            return
        self._turn = content.turn
        self.withdraw()
        self._see()
        model.begin_turn(content.user.username, content.turn)
        seat = model.seat_of(content.user.username)
        if first:
            seats = range(len(model.users))
            gods = [model.gods.get(seat, God.MORTAL) for seat in seats]
            if all(god is not None for god in gods) and all(seat in model.workers for seat in seats):
                workers = [model.workers[seat] for seat in seats]
                self.tracker = PositionTracker([god for god in gods if god is not None], workers, self._board(), seat)
        elif not self.lost:
            self.see_turn(seat, TURNS, "got TURN_CHANGE to {}; it is another user's turn", content.user.username)

    def _actionready(self, content: wire.ActionReady) -> None:
        """Judge the action kinds that the server offers a user."""
        actual = {wire.ACTIONS.get(action.description.lower(), action.description) for action in content.actions}
        if content.user.username == self._name:
            about = frozenset(actual)
            self.ask("ACTION_READY", "EXECUTE_ACTION with one of {}", ", ".join(sorted(actual)), about=about)
        self._see()
        tracker, seat = self.tracker, self._model.seat_of(content.user.username)
        if not tracker.is_known or self.lost:
            return
        if seat not in tracker.seats:  # other programs also ask a user who is stuck, before they report it
            ruling = STUCK if tracker.has_unannounced_loser(self.out) else None
            self.reject(ruling, READY, "got ACTION_READY for {}; it is another user's turn", content.user.username)
            return
        expected = {_kind(choice) for choice in tracker.choices}
        if actual != expected and len(tracker.candidates) == 1:
            rule = LISTED if actual > expected else READY
            self.blame(Side.SERVER, rule, "got {}; expected {}", show(sorted(actual)), show(sorted(expected)))

    def _move(self, content: wire.Move) -> None:
        frm, to = wire.square_of(content.frm), wire.square_of(content.to)
        stood = {square for own in self._model.workers.values() for square in own}
        if frm is None or to is None or frm not in stood:
            self.lose(Side.SERVER, ACTIONS, "got MOVE {}, which does not start at a pawn", show(content))
            return
        self._model.move_pawn(frm, to)

    def _build(self, content: wire.Build) -> None:
        square, level = wire.square_of(content.coordinate), content.building.level.removeprefix("LEVEL")
        if square is None or level not in ("0", "1", "2", "3"):
            self.lose(Side.SERVER, ACTIONS, "got BUILD {}, which is not a building on the board", show(content))
            return
        self._model.build(square, int(level), content.building.dome)

    def _elimination(self, content: wire.UserMessage) -> None:
        name = content.user.username
        if name not in self._model.users:
            self.lose(Side.SERVER, OUT, "got ELIMINATION of {}, who has not joined", show(name))
            return
        self._model.eliminate(name)
        self.may_leave = self.may_leave or name == self._name
        form = "got ELIMINATION of {}, who can still complete a turn"
        self.see_out(self._model.users.index(name), self._board(), OUT, form, name)

    def _win(self, content: wire.UserMessage) -> None:
        self.over = True
        self.note_result()
        self.expect(Side.SERVER, "the end of the connection")
        self._see()
        seat, possible = self._model.seat_of(content.user.username), self.tracker.winners
        if possible and not self.lost and not any(seat in winners for winners in possible):
            self.lose(Side.SERVER, WINS, "got WIN of {}; another user has won", content.user.username)

    def _servererror(self, content: wire.ServerError) -> None:
        self.over = True
        self.expect(Side.SERVER, "the end of the connection")

    def table(self) -> Iterator[Watcher]:
        return (
            watcher
            for watcher in self.group.others(self)
            if isinstance(watcher, DialectWatcher) and watcher._name in self._model.users == watcher._model.users
        )

    def server_left(self) -> None:
        if self._name and not self.over and not self.lost:
            self.blame(Side.SERVER, WINS, "the connection was closed without WIN or SERVER_ERROR")


def _kind(choice: Action) -> str:
    if isinstance(choice, Build):
        return wire.BUILD_DOME if choice.dome else wire.BUILD_BLOCK
    return _KINDS.get(type(choice), wire.PASS_TURN)


ITALIAN_RULES: Final = {
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
}
"""Italian sentences of the rules, by the last part of their codes."""

ITALIAN_FORMS: Final = {
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
    "there is no action {}": "non c'è un'azione {}",
}
"""Italian forms of the details that only this watcher uses."""
