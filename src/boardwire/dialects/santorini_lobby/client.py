"""Client script of santorini-lobby, for servers that follow the document and for the original program.

- It requests a size and logs in at once, as the original clients do [13]. If its name is taken, it appends a number.
- It answers pings at once and sends gods as the first full list has them. An empty list asks the challenger for the
  first player.
- A MOVE onto an occupied cell is a swap; a RESULT follows the events of its request.
- It closes the connection after WIN or SERVER_ERROR [13].
- Unreadable lines are reported and skipped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from boardwire.dialects.dialect import (
    Answer,
    ClientOptions,
    IntermediateView,
    Note,
    Over,
    Players,
    ProtocolViolation,
    Result,
    Show,
    defeat_text,
    question,
)
from boardwire.dialects.dispatch import exhaustive
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.messages import MAX_NAME_UTF16_UNITS, SIZES, encode, god_by_name, square_of
from boardwire.dialects.santorini_lobby.model import Model, candidate_actions, to_request
from boardwire.errors import Malformed
from boardwire.games.game import Decision
from boardwire.games.santorini.actions import Action, ChooseStart, PickGod, PlaceWorker, ProposeGod
from boardwire.games.santorini.board import SQUARES
from boardwire.games.santorini.interned import PLACES
from boardwire.games.santorini.kinds import Kind
from boardwire.talk import Gone, Script, Talk, Woke

ClientInput: TypeAlias = bytes | Answer | Woke | Gone | Malformed

MAX_NAME_ATTEMPTS: Final = 9
"""Names tried before giving up."""
RETRY_SECONDS: Final = 1.0
"""Delay before all answers are offered again after the server refused every one [13]."""
REFUSED: Final = "The server refused this choice."


def play(options: ClientOptions) -> Script:
    """Return a script that plays one match."""

    async def script(talk: Talk[ClientInput]) -> None:
        client = Client(talk, options)
        while not client.over:
            match await talk.next_input():
                case bytes(line):
                    client.receive(line)
                case Answer(action=action):
                    client.answer(action)
                case Woke():
                    client.offer_again()
                case Gone() | Malformed():
                    client.lose_connection()

    return script


def shorten_name(name: str, number: int = 1) -> str:
    """Return a name of at most 15 UTF-16 units, ending in a number from the second attempt on."""
    suffix = "" if number == 1 else str(number)
    while len((name + suffix).encode("utf-16-le")) // 2 > MAX_NAME_UTF16_UNITS:
        name = name[:-1]
    return (name or "player") + suffix


class Client:
    """One user: the model, the open question, and the requests that still need their RESULT."""

    def __init__(self, talk: Talk[ClientInput], options: ClientOptions) -> None:
        self.over = False
        self._talk = talk
        self._options = options
        self._model = Model()
        self._name = ""
        self._tries = 0
        self._is_challenger = False
        self._is_selecting = False
        """Whether a SELECT_GODS is in flight: its RESULT, which follows the new list, decides who is the challenger."""
        self._first_gods: dict[Any, wire.GodName] = {}
        """The first full list of gods [13]."""
        self._god_names: dict[Any, wire.GodName] = {}
        """Every god offered so far, with the server's name for it; later offers may differ from the first."""
        self._results: deque[Callable[[bool], None]] = deque()
        """Callbacks for the RESULT of each request in flight, oldest first."""
        self._choices: tuple[Action, ...] = ()
        self._kind: Kind | None = None
        self._refused_actions: tuple[Action, ...] = ()
        """Answers to the current question that the server refused."""
        self._all_refused: tuple[Kind, int] | None = None
        """A question whose answers were all refused, with its number."""
        self._collected: list[Any] = []
        """Answers that are sent together: gods to propose, cells for pawns."""
        self._question_number = 0
        """Number of the current question, so that a late RESULT is not applied to it."""
        self._send_request(wire.SelectPlayerNumber(options.players), lambda granted: None)
        self._log_in()

    # --- out ------------------------------------------------------------------------------------------------------

    def _send_request(self, request: wire.Request, then: Callable[[bool], None]) -> None:
        """Send a request; `then` is called with its RESULT, whether it was granted."""
        self._results.append(then)
        self._talk.say(encode(request))

    def _log_in(self) -> None:
        """Log in with the next form of the name."""
        self._tries += 1
        self._name = shorten_name(self._options.name, self._tries)
        self._send_request(wire.AddUser(self._user), self._handle_login)

    def _handle_login(self, granted: bool) -> None:
        """Try the next name after a refused login, unless the lobby is full."""
        is_full = self._model.size and len(self._model.users) >= self._model.size
        if granted:
            return
        if self._tries < MAX_NAME_ATTEMPTS and not is_full:
            self._log_in()
        else:
            self.end(
                f"The server refused the login as {self._name}; try again or choose another name.", Result.BROKEN_OFF
            )

    @property
    def _user(self) -> wire.User:
        return wire.User(self._name)

    @property
    def _seat(self) -> int:
        return self._model.seat_of(self._name)

    def _ask_player(self, kind: Kind, choices: tuple[Action, ...], again: str = "") -> None:
        """Ask the player; `again` is the reason of a refusal, after which refused choices are not offered."""
        self._kind, self._choices = kind, choices
        self._refused_actions = self._refused_actions if again else ()
        self._question_number += 1
        seat = self._seat
        placed = tuple(action.at for action in self._collected if isinstance(action, PlaceWorker))
        self._talk.do(question(self._model.view(kind, (seat,), placed), Decision(kind, (seat,), choices), again))

    def _show_text(self, text: str) -> None:
        self._talk.do(Show(self._model.view(), text))

    def _show_intermediate(self) -> None:
        self._talk.do(IntermediateView(self._model.view))

    def end(self, text: str, result: Result) -> None:
        """Report the result and end; returning closes the connection."""
        self.over = True
        self._talk.do(Over(self._model.view(), text, result))

    def lose_connection(self) -> None:
        """Handle the end of the connection; a user who was eliminated before has lost."""
        has_lost = self._name in self._model.users and self._seat in self._model.out
        self.end("The server closed the connection.", Result.LOST if has_lost else Result.BROKEN_OFF)

    # --- the player's answers -------------------------------------------------------------------------------------

    def answer(self, action: Action) -> None:
        """Send the player's choice. An answer to a closed question is dropped."""
        kind = self._kind
        if kind is None or action not in self._choices:
            return
        self._kind = None
        match action:
            case ProposeGod() | PlaceWorker():
                self._collect_choice(kind, action)
            case PickGod(god):
                self._send_request(wire.ChooseGod(self._user, self._god_names[god]), self._retry_handler(kind, action))
            case ChooseStart(seat):
                first = wire.User(self._model.users[seat])
                self._send_request(wire.ChooseFirstPlayer(self._user, first), self._retry_handler(kind, action))
            case _:
                request = to_request(wire.ExecuteAction, self._model, self._seat, action)
                self._model.hand = request.id
                self._send_request(request, self._retry_handler(kind, action))

    def _collect_choice(self, kind: Kind, action: Action) -> None:
        """Collect gods or cells, which the protocol sends all at once; ask until there are enough."""
        self._collected.append(action)
        count = self._model.size if kind is Kind.PROPOSE_GOD else 2
        remaining = tuple(choice for choice in self._choices if choice not in self._collected)
        if len(self._collected) < count and remaining:
            self._ask_player(kind, remaining)
            return
        collected, self._collected = self._collected, []
        if kind is Kind.PROPOSE_GOD:
            gods = tuple(self._god_names[choice.god] for choice in collected)
            self._is_selecting = True
            self._send_request(wire.SelectGods(self._user, gods), self._handle_selection)
        else:
            cells = [wire.CELLS[choice.at] for choice in collected]
            self._send_request(wire.PlacePawns(self._user, cells[0], cells[-1]), self._handle_placement)

    def _handle_selection(self, granted: bool) -> None:
        """Handle the RESULT of a selection of gods."""
        self._is_selecting = False
        if granted:
            self._is_challenger = True
            self._model.proposer = self._seat
            if self._model.size == 1:
                self._ask_pick()  # a lone challenger picks too [5.5]
        elif self._model.offer != tuple(self._first_gods):
            self._ask_pick()  # another user was faster
        else:
            # Retry later: at a table of another dialect another player may propose, which no message shows [11].
            self._refused_actions = tuple(ProposeGod(god) for god in self._model.offer)
            self._all_refused = Kind.PROPOSE_GOD, self._question_number
            self._talk.wake(RETRY_SECONDS, "again")

    def _handle_placement(self, granted: bool) -> None:
        if not granted:
            self._ask_placement("The server refused these cells.")

    def _retry_handler(self, kind: Kind, action: Action) -> Callable[[bool], None]:
        """Return the RESULT handler of an answer: if it was refused and no new question has come, ask again.

        The server gives no reason, and may merely have failed to store the action. So a refused answer is offered again
        after all others have been refused.
        """
        number, choices = self._question_number, self._choices

        def handle_result(granted: bool) -> None:
            if granted or self._question_number != number:
                return
            self._refused_actions += (action,)
            remaining = tuple(choice for choice in choices if choice != action)
            if remaining:
                self._ask_player(kind, remaining, REFUSED)
            else:
                self._all_refused = kind, number
                self._talk.wake(RETRY_SECONDS, "again")

        return handle_result

    def offer_again(self) -> None:
        """Repeat the question after all answers were refused, unless there is a new one."""
        if self._all_refused is not None and self._all_refused[1] == self._question_number:
            choices, self._refused_actions = self._refused_actions, ()
            self._ask_player(self._all_refused[0], choices, REFUSED)

    # --- the server's lines ---------------------------------------------------------------------------------------

    def receive(self, line: bytes) -> None:
        """Handle one line from the server."""
        try:
            message = wire.parse_event(line)
        except Malformed:
            text = line.decode("utf-8", "replace")[:100]
            self._talk.do(ProtocolViolation(f"Unexpected message from the server: {text!r}"))
            return
        HANDLERS[type(message)](self, message)

    def handle_ping(self, message: wire.Ping) -> None:
        self._talk.say(wire.PING)

    def handle_result(self, message: wire.Result) -> None:
        if self._results:
            self._results.popleft()(message.value)

    def handle_size(self, message: wire.SizeSelected) -> None:
        if message.size in SIZES:
            self._model.size = message.size
            self._talk.do(Note(f"This lobby is for {message.size} players."))

    def handle_user_joined(self, message: wire.UserJoined) -> None:
        self._model.seat_of(message.user.username)
        names = tuple(self._model.users)
        self._talk.do(Players(names, names.index(self._name) if self._name in names else None))
        self._talk.do(Note(f"{message.user.username} has joined."))

    def handle_gods(self, message: wire.GodsAvailable) -> None:
        """Handle a list of gods: the first is the whole deck or the dealt gods, a later one what is left."""
        offered = {god: entry for entry in message.gods if (god := god_by_name(entry.name)) is not None}
        self._god_names |= offered
        if not self._first_gods:
            self._first_gods = offered
            self._model.offer = tuple(offered)
            if len(offered) == self._model.size:
                self._ask_pick()  # the gods were dealt
            else:
                self._ask_proposal()
            return
        self._collected = []
        self._model.offer = tuple(offered)
        self._kind = None
        self._question_number += 1
        if not message.gods and self._is_challenger:
            self._ask_start()
        elif message.gods and not self._is_challenger and not self._is_selecting and self._seat not in self._model.gods:
            self._ask_pick()

    def _ask_proposal(self) -> None:
        self._ask_player(Kind.PROPOSE_GOD, tuple(ProposeGod(god) for god in self._model.offer))

    def _ask_pick(self) -> None:
        self._ask_player(Kind.PICK_GOD, tuple(PickGod(god) for god in self._model.offer))

    def _ask_start(self) -> None:
        """Ask for the first player; a single choice is sent at once, as the original clients do [13]."""
        others = tuple(ChooseStart(seat) for seat in range(len(self._model.users)) if seat != self._seat)
        choices = others or (ChooseStart(self._seat),)
        if len(choices) == 1:
            self._kind, self._choices = Kind.CHOOSE_START, choices
            self.answer(choices[0])
        else:
            self._ask_player(Kind.CHOOSE_START, choices)

    def handle_god_chosen(self, message: wire.GodChosen) -> None:
        self._model.set_god(message.user.username, message.god.name)
        self._show_text(f"{message.user.username} plays {message.god.name}.")

    def handle_placement_request(self, message: wire.RequestPlacePawns) -> None:
        if message.user.username == self._name:
            self._ask_placement()
        else:
            self._show_text(f"{message.user.username} places the workers.")

    def _ask_placement(self, again: str = "") -> None:
        self._collected = []
        occupied = {square for squares in self._model.workers.values() for square in squares}
        free: tuple[PlaceWorker, ...] = tuple(PLACES[square] for square in SQUARES if square not in occupied)
        self._ask_player(Kind.PLACE_WORKER, free, again)

    def handle_pawn(self, message: wire.PawnPlaced) -> None:
        square = square_of(message.coordinate)
        if square is not None and 0 <= message.id < 8:
            self._model.place_pawn(message.owner.username, message.id, square)
            self._show_intermediate()

    def handle_turn(self, message: wire.TurnChange) -> None:
        self._model.begin_turn(message.user.username, message.turn)
        is_own = message.user.username == self._name
        self._show_text("Your turn." if is_own else f"It is {message.user.username}'s turn.")

    def handle_action_ready(self, message: wire.ActionReady) -> None:
        self._kind = None
        if message.user.username == self._name:
            self._check_candidates(tuple(action.description for action in message.actions))

    def _check_candidates(self, kinds: tuple[str, ...], wide: bool = False) -> None:
        """Ask the server which candidates are legal; after the last RESULT, ask the player.

        If none is legal, check those on all cells (`wide`); if still none is legal, offer all of them.
        """
        candidates = candidate_actions(self._model, self._seat, kinds, wide)
        legal: list[Action] = []
        kind = self._model.kind
        if not candidates:
            self._talk.do(Note(f"The server asked for unknown actions: {', '.join(kinds)}."))

        def result_handler(action: Action) -> Callable[[bool], None]:
            def handle_result(granted: bool) -> None:
                if granted:
                    legal.append(action)
                if action is not candidates[-1]:  # RESULTs come in the order of the requests
                    return
                if legal or wide:
                    self._ask_player(kind, tuple(legal) or candidates)
                else:
                    self._check_candidates(kinds, wide=True)

            return handle_result

        for action in candidates:
            self._send_request(to_request(wire.CheckAction, self._model, self._seat, action), result_handler(action))

    def handle_move(self, message: wire.Move) -> None:
        frm, to = square_of(message.frm), square_of(message.to)
        if frm is not None and to is not None:
            self._model.move_pawn(frm, to)
            self._show_intermediate()

    def handle_build(self, message: wire.Build) -> None:
        square, level = square_of(message.coordinate), message.building.level.removeprefix("LEVEL")
        if square is not None and level in ("0", "1", "2", "3"):
            self._model.build(square, int(level), message.building.dome)
            self._show_intermediate()

    def handle_elimination(self, message: wire.Elimination) -> None:
        self._model.eliminate(message.user.username)
        is_own = message.user.username == self._name
        self._show_text("You are out." if is_own else f"{message.user.username} is out.")

    def handle_win(self, message: wire.Win) -> None:
        self._model.winner = self._model.seat_of(message.user.username)
        if message.user.username == self._name:
            self.end("You win!", Result.WON)
        else:
            self.end(defeat_text(message.user.username), Result.LOST)

    def handle_error(self, message: wire.ServerError) -> None:
        self.end(f"{message.type.strip()}: {message.description}", Result.BROKEN_OFF)


HANDLERS: Final[dict[type, Callable[[Client, Any], None]]] = exhaustive({
    wire.Ping: Client.handle_ping,
    wire.Result: Client.handle_result,
    wire.SizeSelected: Client.handle_size,
    wire.UserJoined: Client.handle_user_joined,
    wire.GodsAvailable: Client.handle_gods,
    wire.GodChosen: Client.handle_god_chosen,
    wire.RequestPlacePawns: Client.handle_placement_request,
    wire.PawnPlaced: Client.handle_pawn,
    wire.TurnChange: Client.handle_turn,
    wire.ActionReady: Client.handle_action_ready,
    wire.Move: Client.handle_move,
    wire.Build: Client.handle_build,
    wire.Elimination: Client.handle_elimination,
    wire.Win: Client.handle_win,
    wire.ServerError: Client.handle_error,
}, wire.Event | wire.Ping, Client.handle_ping)  # fmt: skip
"""Handlers of server messages."""
