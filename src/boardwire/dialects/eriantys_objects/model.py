"""Client-side model of a match, built from the server's displays, and the choices on it.

- The wire shows a player's own board, and the others' on request (LobbyInfoMessage), but neither seats, tiles nor the
  bag. So this player has seat 0, tiles are numbered from island 0, and the bag is empty.
- Only boardwire's texts tell the sizes of island groups and the last round. With the shipped server, sizes are
  inferred from the displays (`groups.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from boardwire.dialects.eriantys_objects import groups, pieces
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_texts import read_last_round
from boardwire.games.eriantys import (
    Action,
    Character,
    CloudTime,
    Colour,
    Kind,
    Mode,
    ToHall,
    ToIsland,
    Tower,
    UseCharacter,
    View,
    choices,
)
from boardwire.games.eriantys.nature import FINAL_GROUP_COUNT
from boardwire.games.eriantys.piles import Counts
from boardwire.games.eriantys.ring import TILES
from boardwire.games.eriantys.view import Board, CharacterView, Island, Side
from boardwire.games.game import Seat

_GROUP: Final = ("Island", "is", "made", "of", "islands")
_SPARE: Final = (Tower.WHITE, Tower.BLACK, Tower.GREY)


class Model:
    """The match as displayed so far."""

    def __init__(self) -> None:
        self.me = wire.PlayerModel()
        self.others: tuple[wire.PlayerModel, ...] = ()
        self.entrance: Sequence[wire.ColorPawns] = ()
        self.islands: Sequence[wire.IslandModel] = ()
        self._sizes: tuple[int, ...] = ()
        """Number of tiles of each island."""
        self._last_display: tuple[Sequence[wire.IslandModel], tuple[int, ...]] = ((), ())
        """The last display of all islands, with their sizes."""
        self._told_sizes: dict[int, int] = {}
        """Sizes from texts, by island index."""
        self.clouds: Sequence[wire.CloudModel] = ()
        self.cemetery: Sequence[wire.AssistantCardModel] = ()
        self.characters: Sequence[wire.CharacterCardModel] = ()
        self.expert = False
        self.hand: tuple[int, ...] = ()
        self.ahead: tuple[str | None, ...] | None = None
        """Players who played a card before this player's first one: they sit before it."""
        self.plan: list[ToHall | ToIsland] = []
        """Chosen moves of students that are not sent yet."""
        self.moved = 0
        """Students moved in this turn, as far as they were sent."""
        self.steps = 0
        """Steps that mother nature may take."""
        self.used = False
        """Whether this player has used a character in this turn."""
        self.took_cloud = False
        self.last_round = ""
        """Reason why this round is the last, from a text; else ''."""
        self._is_played_out = False
        """Whether every player has taken a cloud, so that all turns of the round are over."""
        self.clouds_closed = False
        self._finisher: wire.ColorTower | None = None
        """Colour that has placed all its towers; the shipped server returns one after a merge in the same turn."""

    @property
    def has_begun(self) -> bool:
        return bool(self.islands) and self.me.nickname is not None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players, this one's first."""
        return tuple(player.nickname or "" for player in (self.me, *self.others))

    def team(self, name: str | None) -> tuple[Seat, ...]:
        """Return the seats of the named player's team; empty for an unknown name."""
        players = (self.me, *self.others)
        tower = next((player.color_tower for player in players if player.nickname == name), None)
        return tuple(seat for seat, player in enumerate(players) if tower is not None and player.color_tower is tower)

    @property
    def moves(self) -> int:
        """Number of students to move in a turn."""
        return 4 if len(self.others) == 2 else 3

    # --- what is shown ----------------------------------------------------------------------------------------------

    def apply_display(self, message: wire.Message, name: str) -> bool:
        """Store a display; return False for any other message."""
        match message:
            case wire.DisplayCloudsMessage(clouds=clouds) | wire.ReqMoveCloudToEntranceMessage(clouds=clouds):
                self.clouds = clouds
                self._is_played_out = self._is_played_out or (self.round_is_complete and not clouds)
            case wire.DisplayIslandsMessage(island_models=islands):
                self.see_islands(islands)
            case wire.DisplayIslandMessage(island_index=index, island_model=model) if 0 <= index < len(self.islands):
                others = map(_without_mother_nature, self.islands) if model.mother_nature else self.islands
                self.islands = tuple(model if at == index else island for at, island in enumerate(others))
                self._note_finisher()
            case wire.DisplayPlayerBoardMessage(player=player, entrance=entrance) if player.nickname == name:
                self.me, self.entrance = player, entrance
                self._learn_hand(player)
            case wire.EntranceChangeMessage(student_in_entrance=entrance):
                self.entrance = entrance
            case wire.DisplayCemeteryMessage(cemetery=cemetery):
                self.cemetery = cemetery
                self._is_played_out = False
            case wire.LobbyInfoMessage(nickname_list=players):
                listed = tuple(player for player in players if player.nickname != name and player.color_tower)
                self.others = (
                    (*listed, *self.players_missing_from(players)) if self.has_begun else listed or self.others
                )
                self._seat_others()
            case wire.TextMessage(text=text):
                return self._note_group_size(text) or self._note_last_round(text)
            case _:
                return isinstance(message, wire.DisplayMessage)
        return True

    def players_missing_from(self, players: Sequence[wire.PlayerModel]) -> tuple[wire.PlayerModel, ...]:
        """Return the other players who are not among these."""
        names = {player.nickname for player in players}
        return tuple(other for other in self.others if other.nickname not in names)

    def update_hand(self, deck: Sequence[wire.AssistantCardModel]) -> None:
        """Update this player's hand from an offer of assistants."""
        if self.others and len(self.cemetery) > len(self.others):
            self.cemetery = ()  # those of the round before
        if self.ahead is None:
            self.ahead = tuple(card.owner.nickname for card in self.cemetery if card.owner is not None)
            self._seat_others()
        owner = deck[0].owner
        if owner is not None and owner.deck_assistant_card_model:
            self._learn_hand(owner)
            unoffered = {*self.hand}
        else:  # the offer leaves out only cards that lie on the table: any other card of the old hand has been played
            unoffered = {card.priority for card in self.cemetery} & {*self.hand}
        self.hand = tuple(sorted({*unoffered, *(card.priority for card in deck)}))

    def _seat_others(self) -> None:
        """Order the other players from the next seat on.

        They are listed in seat order, starting anywhere; those who played before this player in the first round come
        last.
        """
        earlier_players = self.ahead or ()
        others = list(self.others)
        for _ in others:
            if tuple(player.nickname for player in others[len(others) - len(earlier_players) :]) == earlier_players:
                self.others = tuple(others)
                return
            others.append(others.pop(0))

    def _learn_hand(self, player: wire.PlayerModel) -> None:
        if player.deck_assistant_card_model:
            self.hand = tuple(card.priority for card in player.deck_assistant_card_model)

    def _note_group_size(self, text: str) -> bool:
        """Store the size of a group if the text reports one; return whether it does."""
        words = text.split()
        if len(words) < 7 or (words[0], *words[2:5], words[6]) != _GROUP or not (words[1] + words[5]).isdecimal():
            return False
        self._told_sizes[int(words[1])] = int(words[5])
        sizes = tuple(self._told_sizes.get(number, 1) for number in range(len(self.islands)))
        if sum(sizes) == TILES:
            self._sizes, self._last_display = sizes, (self._last_display[0], sizes)
        return True

    def _note_last_round(self, text: str) -> bool:
        """Store that this round is the last, if a text says so; return False, so that the text is also shown."""
        if (last := read_last_round(text)) is not None:
            self.last_round = last.reason or "told"
            self.clouds_closed = not last.clouds
        return False

    def see_islands(self, islands: Sequence[wire.IslandModel]) -> None:
        """Store a display of all islands and infer their sizes."""
        before, sizes = self._last_display
        if len(islands) != len(before):
            self._told_sizes.clear()
            self._sizes = groups.follow(before, sizes, islands) or groups.guess(islands)
        self.islands = islands
        self._last_display = islands, self._sizes

    # --- the end, where the server does not report it ---------------------------------------------------------------

    @property
    def round_is_complete(self) -> bool:
        """Whether all players have played their card of this round."""
        return len(self.cemetery) > len(self.others)

    @property
    def was_last(self) -> bool:
        """Whether this player's turn is the last of the round; of equal cards the earlier one goes first."""
        order = sorted(self.cemetery, key=lambda card: card.priority)
        return self.round_is_complete and _is_of(order[-1], self.me)

    @property
    def is_over(self) -> bool:
        """Whether the board shows the end of the match.

        A colour has placed all towers, at most three islands are left, or the round of the last card is complete.
        """
        own_cards = {card.priority for card in self.cemetery if _is_of(card, self.me)}
        cards_are_out = self._is_played_out and not set(self.hand) - own_cards
        self._note_finisher()
        return cards_are_out or len(self.islands) <= FINAL_GROUP_COUNT or self._finisher is not None

    def _note_finisher(self) -> None:
        """Note the first colour whose towers are all on islands: it wins at once."""
        tower_total = 6 if len(self.others) == 2 else 8
        colour, max_count = max(self._tower_counts().items(), key=lambda item: item[1], default=(None, 0))
        if self._finisher is None and max_count >= tower_total:
            self._finisher = colour

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """Seats of the colour that wins by the board: the one that has placed all towers, or else the one with the most
        towers on islands and, among equals, the most professors. This player loses ties."""
        tower_counts = self._tower_counts()
        professors: dict[wire.ColorTower, set[wire.ColorPawns]] = {}
        for player in (self.me, *self.others):
            if player.color_tower is not None:
                professors.setdefault(player.color_tower, set()).update(player.profs or ())
        own_colour = self.me.color_tower
        scores = {
            colour: (tower_counts[colour], len(pawns), colour is not own_colour) for colour, pawns in professors.items()
        }
        best = self._finisher or max(scores, key=scores.__getitem__, default=None)
        players = (self.me, *self.others)
        return tuple(seat for seat, player in enumerate(players) if best is not None and player.color_tower is best)

    def _tower_counts(self) -> Counter[wire.ColorTower]:
        """Towers on islands by colour; the shipped server shows one per group."""
        towers = (island.color_tower for island in self.islands)
        return Counter(tower for tower in towers if tower is not None and tower is not wire.ColorTower.NULL)

    # --- as the game's view -----------------------------------------------------------------------------------------

    def view(self, kind: Kind | None) -> View:
        """Return the known part of the position as a view; `kind` is the open question of this player."""
        players = (self.me, *self.others)
        towers = [pieces.TOWER_OF.get(player.color_tower) for player in players]
        spare = [tower for tower in _SPARE if tower not in towers]
        colours = list(dict.fromkeys(tower if tower is not None else spare.pop(0) for tower in towers))
        sides = [colours.index(tower) if tower is not None else 0 for tower in towers]
        boards = tuple(self._board_view(player, side) for player, side in zip(players, sides, strict=True))
        holders: list[int | None] = [None] * 5
        for seat, board in enumerate(boards):
            for colour in board.professors:
                holders[colour] = seat
        names = [player.nickname for player in players]
        owners = [card.owner.nickname for card in self.cemetery if card.owner is not None]
        islands = tuple(self._island_views(colours, [None if holder is None else sides[holder] for holder in holders]))
        return View(
            mode=Mode.EXPERT if self.expert else Mode.SIMPLIFIED,
            cloud=CloudTime.LAST,
            round=self._round_number,
            asked=kind,
            turn=0 if kind is not None else None,
            first=0,
            order=tuple(names.index(owner) for owner in owners if owner in names),
            moved=self.moved + len(self.plan),
            moves=self.moves,
            steps=self.steps,
            took_cloud=self.took_cloud,
            islands=islands,
            mother_nature=next((island.tiles[0] for island in islands if island.mother_nature), 0),
            clouds=tuple(pieces.count_by_colour(cloud.students) for cloud in self.clouds),
            bag=(0, 0, 0, 0, 0),
            professors=tuple(holders),
            boards=boards,
            sides=tuple(self._side_views(colours, sides)),
            characters=tuple(self._character_views()),
            supply=0 if self.expert else None,
            active=None,
            ignored=None,
            last_round=self.last_round or None,
            clouds_closed=self.clouds_closed,
            outcome=None,
        )

    def _side_views(self, colours: list[Tower], sides: list[int]) -> Iterator[Side]:
        """Yield the sides, given their tower colours and the side of each seat."""
        players = (self.me, *self.others)
        for side, tower in enumerate(colours):
            seats = tuple(seat for seat, other in enumerate(sides) if other == side)
            yield Side(tower, seats, players[sides.index(side)].tower_number)

    def _board_view(self, player: wire.PlayerModel, side: int) -> Board:
        """Return a board; the player's own with the planned steps."""
        is_own = player is self.me
        hand = tuple(card.priority for card in player.deck_assistant_card_model or ())
        card = next((played.priority for played in self.cemetery if _is_of(played, player)), None)
        cards = self.hand if is_own else hand
        return Board(
            side=side,
            entrance=self._planned_entrance() if is_own else pieces.count_by_colour(player.student_in_entrance),
            hall=self._planned_hall() if is_own else pieces.counts_of(player.student_in_hall),
            professors=tuple(sorted({pieces.COLOURS[pawn] for pawn in player.profs or () if pawn in pieces.COLOURS})),
            hand=tuple(priority for priority in cards if priority != card),
            card=card,
            coins=player.coins if self.expert else None,
            gone=False,
        )

    @property
    def _round_number(self) -> int:
        """Number of the round, from the cards played; 0 while the hand is unknown."""
        has_played = any(_is_of(card, self.me) for card in self.cemetery)
        cards_left = len(self._board_view(self.me, 0).hand)
        return max(1, min(10, 10 - cards_left + (not has_played))) if cards_left or has_played else 0

    def _planned_entrance(self) -> Counts:
        return _add_students(pieces.count_by_colour(self.entrance), [step.colour for step in self.plan], -1)

    def _planned_hall(self) -> Counts:
        hall = pieces.counts_of(self.me.student_in_hall)
        return _add_students(hall, [step.colour for step in self.plan if isinstance(step, ToHall)], 1)

    def _island_views(self, colours: list[Tower], holders: list[int | None]) -> Iterator[Island]:
        """Yield the islands with the planned students; `holders` has the side of each professor by colour."""
        for (start, size), model in zip(self._group_spans(), self.islands, strict=True):
            planned = [step.colour for step in self.plan if isinstance(step, ToIsland) and step.island == start]
            students = _add_students(pieces.count_by_colour(model.students), planned, 1)
            tower = pieces.TOWER_OF.get(model.color_tower)
            side = colours.index(tower) if tower in colours else None
            influence = [0] * len(colours)
            for colour, holder in enumerate(holders):
                if holder is not None:
                    influence[holder] += students[colour]
            if side is not None:
                influence[side] += size
            yield Island(
                tiles=tuple(range(start, start + size)),
                students=students,
                side=side,
                towers=0 if side is None else size,
                no_entry=int(model.prohibition),
                influence=tuple(influence),
                mother_nature=model.mother_nature,
            )

    def _group_spans(self) -> Iterator[tuple[int, int]]:
        """Yield the first tile and the size of each group."""
        start = 0
        for size in self._sizes:
            yield start, size
            start += size

    def index(self, head: int) -> int:
        """Return the index of the island with this first tile."""
        return [start for start, _ in self._group_spans()].index(head)

    def _character_views(self) -> Iterator[CharacterView]:
        for model in self.characters:
            character = pieces.character_of(model)
            if character is not None:
                effect = model.effect
                students = effect.students if isinstance(effect, wire.InitialConfigEffect) else ()
                no_entry = effect.number_prohibition if isinstance(effect, wire.ProhibitionEffect) else 0
                is_used = getattr(effect, "money_on_card", 0) > 0
                yield CharacterView(character, price_of(model), is_used, pieces.count_by_colour(students), no_entry)

    # --- what can be chosen -----------------------------------------------------------------------------------------

    def students(self, *, hall_only: bool = False, one_island: bool = False) -> tuple[Action, ...]:
        """Return the moves of one student; `one_island` if the server accepts only one island in a turn."""
        planned_islands = [step.island for step in self.plan if isinstance(step, ToIsland)] if one_island else []
        return tuple(
            move
            for move in choices.students(self.view(Kind.STUDENT), 0)
            if isinstance(move, ToHall) or not (hall_only or (planned_islands and move.island != planned_islands[0]))
        )

    def uses(self, only: Character | None = None) -> tuple[UseCharacter, ...]:
        """Return the uses of characters that this player can pay for or has paid."""
        view = self.view(Kind.STUDENT)
        if only is None:
            return choices.uses(view, 0)
        cards = [card for card in view.characters if card.character is only]
        return tuple(use for card in cards for use in choices.uses_of(view, 0, card))


def price_of(model: wire.CharacterCardModel) -> int:
    """Return the current price of a card."""
    price: int = getattr(model.effect, "cost_for_effect", 0)
    return price


def _without_mother_nature(island: wire.IslandModel) -> wire.IslandModel:
    """Remove mother nature: the island she left is often displayed after the one she moved to."""
    return replace(island, mother_nature=False) if island.mother_nature else island


def _is_of(card: wire.AssistantCardModel, player: wire.PlayerModel) -> bool:
    return card.owner is not None and card.owner.nickname == player.nickname


def _add_students(students: Counts, colours: list[Colour], sign: int) -> Counts:
    """Add (`sign` 1) or remove (-1) a student for each colour, but not below zero."""
    change = Counter(colours)
    green, red, yellow, pink, blue = (max(0, students[colour] + sign * change[colour]) for colour in Colour)
    return (green, red, yellow, pink, blue)
