"""Client-side model of a match, and its view.

- The protocol sends names, cards and the board. It does not send eliminations, the state of powers or the turn number.
- Seats are counted from the god player, who begins, in the order of `getPlayers` [3].
"""

from __future__ import annotations

from boardwire.dialects.santorini_actions.messages.battlefield import BLOCKS, DOME
from boardwire.dialects.santorini_actions.messages.cards import CHOOSE_BASIC, DivinityCard, god_of
from boardwire.dialects.santorini_actions.messages.replies import Board, GetDeckResponse, PlayerInterface
from boardwire.errors import Malformed
from boardwire.games.game import Seat
from boardwire.games.santorini import God, Kind, View


class Model:
    """State of the match, updated message by message."""

    def __init__(self, name: str, players: int) -> None:
        self.name = name
        self.players = players
        self.names: list[str] = [name]
        self.god = ""
        self.cards: dict[str, str] = {}
        """Cards by player."""
        self.deck: tuple[DivinityCard, ...] = ()
        self.offer: tuple[God, ...] = ()
        self.levels: tuple[int, ...] = (0,) * 25
        self.domes: tuple[int, ...] = ()
        self.workers: dict[str, tuple[int, ...]] = {}
        self.acting = -1
        self.built: tuple[int, ...] = ()

    @property
    def seat(self) -> Seat:
        return self.seat_of(self.name)

    @property
    def own_workers(self) -> tuple[int, ...]:
        """The cells of the client's own workers."""
        return self.workers.get(self.name.casefold(), ())

    @property
    def own_god(self) -> God | None:
        return god_of(self.cards.get(self.name.casefold(), ""))

    @property
    def free(self) -> tuple[int, ...]:
        """The cells without a worker or a dome."""
        occupied = {cell for cells in self.workers.values() for cell in cells} | set(self.domes)
        return tuple(cell for cell in range(25) if cell not in occupied)

    def is_me(self, name: str) -> bool:
        """Return whether `name` is the client's own; case is ignored [4.1]."""
        return name.casefold() == self.name.casefold()

    def seat_of(self, name: str) -> Seat:
        """Return the seat of a player, assigning the next one to an unknown name."""
        for seat, other in enumerate(self.names):
            if other.casefold() == name.casefold():
                return seat
        if "" in self.names:
            self.names[self.names.index("")] = name
            return self.seat_of(name)
        self.names.append(name)
        return len(self.names) - 1

    def sit(self, offer_size: int) -> None:
        """Derive the client's seat from the number of cards on offer: the god player chooses last [3]."""
        names = [""] * self.players
        names[0] = self.god
        names[(self.players - offer_size + 1) % self.players] = self.name
        self.names = names

    def learn_deck(self, reply: GetDeckResponse) -> None:
        """Store the deck, in the form of either edition [6]."""
        deck = reply.deck
        self.deck = tuple(deck if isinstance(deck, list) else deck.listOfCards)

    def learn_players(self, players: list[PlayerInterface]) -> None:
        """Store the cards, and the names from the god player on; the list has the god player last [3]."""
        names = [player.playerNickname for player in players]
        first = next((at for at, name in enumerate(names) if name.casefold() == self.god.casefold()), 0)
        names = names[first:] + names[:first]
        listed = {name.casefold() for name in names}
        self.names = names + [name for name in self.names if name and name.casefold() not in listed]
        self.cards = {player.playerNickname.casefold(): player.card for player in players}

    def learn_cards(self, players: list[PlayerInterface]) -> None:
        """Store the cards chosen so far; the list is in the order of the seats after the god player's [3]."""
        others = [player for player in players if player.playerNickname.casefold() != self.god.casefold()]
        for seat, player in enumerate(others[: self.players - 1], 1):
            self.names[seat] = player.playerNickname
            self.cards[player.playerNickname.casefold()] = player.card

    def learn_board(self, board: Board) -> None:
        """Store the board; a dome counts as one of the pieces of its cell [2]."""
        cells = [cell for row in board.cellMatrix for cell in row]
        if len(cells) != 25 or any(cell.lastBlock not in (*BLOCKS, DOME) for cell in cells):
            raise Malformed("a board must have 25 cells with known blocks")
        self.domes = tuple(at for at, cell in enumerate(cells) if cell.lastBlock == DOME)
        self.levels = tuple(cell.height - (cell.lastBlock == DOME) for cell in cells)
        workers: dict[str, tuple[int, ...]] = {}
        for at, cell in enumerate(cells):
            if cell.player is not None:
                self.seat_of(cell.player)
                name = cell.player.casefold()
                workers[name] = (*workers.get(name, ()), at)
        self.workers = workers

    def place(self, cell: int) -> None:
        """Put a worker on a cell until the next board replaces it."""
        self.workers[self.name.casefold()] = (*self.own_workers, cell)

    def chooses_kind(self) -> bool:
        """Return whether the client must choose the kind of turn; decks of old programs do not show this [10]."""
        name = self.cards.get(self.name.casefold(), "")
        return self.own_god in CHOOSE_BASIC or any(card.cardName == name and card.chooseBasic for card in self.deck)

    def view(self, kind: Kind | None) -> View:
        """Return the match as a view of the game, as far as the protocol reveals it."""
        seat = self.seat
        names = (*self.names, *[""] * (self.players - len(self.names)))
        gods = tuple(god_of(self.cards.get(name.casefold(), "")) for name in names)
        return View(
            levels=self.levels,
            domes=self.domes,
            closed=(),
            workers=tuple(self.workers.get(name.casefold(), ()) for name in names),
            gods=gods,
            powers=tuple(god or God.MORTAL for god in gods),
            memos=((),) * len(names),
            kept=((),) * len(names),
            order=tuple(range(len(names))),
            out=(),
            turn=seat if kind in (Kind.OPEN, Kind.GO_ON, Kind.BUILD_MORE, Kind.CLOSE) else None,
            waiting=() if kind is None else (seat,),
            kind=kind,
            ply=0,
            acting=self.acting,
            built=self.built,
            ram=-1,
            offer=self.offer,
            proposer=self.seat_of(self.god) if self.god else None,
            outcome=None,
        )
