"""All powers as data: numbers of players, starting order, bans and the rule in our own words [2].

The modules of the families implement the powers; all of them import this one.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec


class God(StrEnum):
    """A power by name; `MORTAL` means no power."""

    MORTAL = "mortal"
    APOLLO = "apollo"
    ARTEMIS = "artemis"
    ATHENA = "athena"
    ATLAS = "atlas"
    DEMETER = "demeter"
    HEPHAESTUS = "hephaestus"
    HERMES = "hermes"
    MINOTAUR = "minotaur"
    PAN = "pan"
    PROMETHEUS = "prometheus"
    APHRODITE = "aphrodite"
    ARES = "ares"
    BIA = "bia"
    CHAOS = "chaos"
    CHARON = "charon"
    CHRONUS = "chronus"
    CIRCE = "circe"
    DIONYSUS = "dionysus"
    EROS = "eros"
    HERA = "hera"
    HESTIA = "hestia"
    HYPNUS = "hypnus"
    LIMUS = "limus"
    MEDUSA = "medusa"
    MORPHEUS = "morpheus"
    PERSEPHONE = "persephone"
    POSEIDON = "poseidon"
    SELENE = "selene"
    TRITON = "triton"
    ZEUS = "zeus"
    AEOLUS = "aeolus"
    CHARYBDIS = "charybdis"
    CLIO = "clio"
    EUROPA = "europa"
    GAEA = "gaea"
    GRAEAE = "graeae"
    HADES = "hades"
    HARPIES = "harpies"
    HECATE = "hecate"
    MOERAE = "moerae"
    NEMESIS = "nemesis"
    SIREN = "siren"
    TARTARUS = "tartarus"
    TERPSICHORE = "terpsichore"
    URANIA = "urania"
    ACHILLES = "achilles"
    ADONIS = "adonis"
    ATALANTA = "atalanta"
    BELLEROPHON = "bellerophon"
    HERACLES = "heracles"
    JASON = "jason"
    MEDEA = "medea"
    ODYSSEUS = "odysseus"
    POLYPHEMUS = "polyphemus"
    THESEUS = "theseus"
    TYCHE = "tyche"
    SCYLLA = "scylla"
    CASTOR = "castor"
    PROTEUS = "proteus"
    ERIS = "eris"
    MAENADS = "maenads"
    ASTERIA = "asteria"
    HIPPOLYTA = "hippolyta"
    HYDRA = "hydra"
    IRIS = "iris"
    NYX = "nyx"
    PEGASUS = "pegasus"


class Family(StrEnum):
    """The group in which a power was published; each group has a module."""

    SIMPLE = "simple"
    ADVANCED = "advanced"
    FLEECE = "fleece"
    HERO = "hero"
    PROMO = "promo"


class PowerFacts(msgspec.Struct, frozen=True):
    """The facts of a power.

    - `players`: the numbers of players with which it is allowed; `fleece`: whether it can lie beside the Ram.
    - `order`: the published hint for the starting order (lower first).
    - `text`: its rule; `printed`: the rule of the printed card if it differs.
    """

    god: God
    name: str
    family: Family
    players: tuple[int, ...]
    fleece: bool
    order: int
    text: str
    printed: str = ""


_ANY: Final = (2, 3, 4)


def _entry(
    god: God,
    family: Family,
    players: tuple[int, ...],
    fleece: bool,
    order: int,
    text: str,
    printed: str = "",
    name: str = "",
) -> PowerFacts:
    return PowerFacts(god, name or god.value.capitalize(), family, players, fleece, order, text, printed)


_S, _A, _F, _H, _P = Family.SIMPLE, Family.ADVANCED, Family.FLEECE, Family.HERO, Family.PROMO

_ENTRIES: Final = (
    _entry(God.APOLLO, _S, _ANY, True, 18,
           "Your worker may step onto a neighbouring foe; the two change places."),
    _entry(God.ARTEMIS, _S, _ANY, True, 53,
           "Your worker may move twice, but not back to the square it came from."),
    _entry(God.ATHENA, _S, _ANY, False, 63,
           "When a worker of yours climbs, no foe can climb until your next turn."),
    _entry(God.ATLAS, _S, _ANY, True, 40,
           "You may put a dome on any level instead of a block."),
    _entry(God.DEMETER, _S, _ANY, True, 55,
           "Your worker may build twice, on two different squares."),
    _entry(God.HEPHAESTUS, _S, _ANY, True, 27,
           "Your worker may put a second block, never a dome, on the one it just built."),
    _entry(God.HERMES, _S, _ANY, True, 12,
           "Instead of a normal turn your workers may walk as far as they like on their own level, even not at all; "
           "then one of them builds."),
    _entry(God.MINOTAUR, _S, _ANY, True, 59,
           "Your worker may step onto a neighbouring foe and push it straight on, if the square behind is free."),
    _entry(God.PAN, _S, _ANY, True, 38,
           "You also win when your worker steps down two levels or more."),
    _entry(God.PROMETHEUS, _S, _ANY, True, 46,
           "Your worker may build before it moves too, if it does not climb in this turn."),
    _entry(God.APHRODITE, _A, (2, 4), False, 57,
           "A foe that begins its turn beside a worker of yours must end its last move beside one of yours, "
           "or its owner loses."),
    _entry(God.ARES, _A, _ANY, False, 62,
           "At the end of your turn you may take a free top block beside your worker that did not move."),
    _entry(God.BIA, _A, _ANY, True, 0,
           "You place first, on the border. When your worker moves and the next square on that line holds a foe, "
           "the foe is removed.", "You place first, anywhere."),
    _entry(God.CHAOS, _A, _ANY, False, 34,
           "You have the power of a simple god drawn by lot; after a turn in which a dome was built "
           "the next one is drawn."),
    _entry(God.CHARON, _A, _ANY, True, 11,
           "Before your worker moves it may throw a neighbouring foe over itself to the free square across."),
    _entry(God.CHRONUS, _A, (2,), False, 2,
           "You also win as soon as five complete towers stand, whichever player finished them."),
    _entry(God.CIRCE, _A, (2,), False, 17,
           "When your turn begins and the foe's workers do not all touch one another, their power is yours alone "
           "until your next turn."),
    _entry(God.DIONYSUS, _A, _ANY, True, 24,
           "Each time you finish a tower you may take another turn with a foe's worker; that turn cannot win."),
    _entry(God.EROS, _A, _ANY, False, 21,
           "Your workers start on opposite edges. You also win when one moves beside the other and both stand on "
           "level one (with three players: on any one level)."),
    _entry(God.HERA, _A, _ANY, True, 5,
           "No foe wins by moving onto the border."),
    _entry(God.HESTIA, _A, _ANY, True, 60,
           "Your worker may build a second time, but not on the border."),
    _entry(God.HYPNUS, _A, _ANY, True, 23,
           "If, when a foe's turn begins, one of their workers stands higher than all their others, "
           "it cannot move in that turn."),
    _entry(God.LIMUS, _A, _ANY, True, 16,
           "Foes can build nothing but domes beside your workers.",
           "Foes can build nothing beside your workers except a dome that completes a tower."),
    _entry(God.MEDUSA, _A, _ANY, True, 22,
           "At the end of your turn every foe standing lower beside one of your workers turns into a block."),
    _entry(God.MORPHEUS, _A, _ANY, False, 1,
           "You earn a coin at the start of each turn and build as often as you pay one, or not at all."),
    _entry(God.PERSEPHONE, _A, _ANY, True, 4,
           "Foes must climb with one of their workers in every turn in which they can."),
    _entry(God.POSEIDON, _A, _ANY, True, 35,
           "At the end of your turn, if your other worker stands on the ground, it may build up to three times."),
    _entry(God.SELENE, _A, _ANY, True, 8,
           "Instead of the normal build your female worker may put a dome on any level, whichever worker moved."),
    _entry(God.TRITON, _A, _ANY, True, 52,
           "Each time your worker moves onto the border it may move again."),
    _entry(God.ZEUS, _A, _ANY, True, 31,
           "Your worker may build a block under itself; rising so never wins."),
    _entry(God.AEOLUS, _F, _ANY, False, 56,
           "At the end of your turn you may set the wind in one of eight directions or take it back; "
           "no worker may move straight against it.", "You set the wind at the start and may turn it every turn."),
    _entry(God.CHARYBDIS, _F, _ANY, False, 6,
           "At the end of your turn you may place one of two whirlpools on a free square. A worker moving onto one is "
           "drawn to the other if that is free, and wins there as if it had climbed to it.",
           "The way through the whirlpools is a second move in the same direction."),
    _entry(God.CLIO, _F, (2, 3), False, 39,
           "The first three blocks you build each get a coin; for foes those squares are domes."),
    _entry(God.EUROPA, _F, _ANY, False, 9,
           "At the end of your turn you may put Talus on a free square beside the worker that moved; "
           "he is a dome for all players.", name="Europa & Talus"),
    _entry(God.GAEA, _F, (2, 3), False, 32,
           "You have two spare workers; when anyone builds a dome you may at once place one on the ground beside it."),
    _entry(God.GRAEAE, _F, (2, 3), False, 26,
           "You have three workers, and one that did not move must build.", "You choose freely which worker builds."),
    _entry(God.HADES, _F, _ANY, True, 3,
           "Foes cannot move down."),
    _entry(God.HARPIES, _F, _ANY, True, 20,
           "After each move a foe is blown on in that direction until higher ground, a piece or the edge stops it."),
    _entry(God.HECATE, _F, (2,), False, 64,
           "You place last and in secret. What a foe tries that a hidden worker makes impossible is cancelled, "
           "with the rest of that turn.",
           "Foes' powers that would apply to a hidden worker are applied for them."),
    _entry(God.MOERAE, _F, (2, 3), False, -1,
           "You have three workers and a secret block of four squares; when a foe would win inside it, you win."),
    _entry(God.NEMESIS, _F, _ANY, False, 42,
           "At the end of your turn, if no worker of a foe is beside yours, you may swap both with two of theirs.",
           "You swap as many as you can."),
    _entry(God.SIREN, _F, _ANY, False, 44,
           "Your direction is fixed at the start. Instead of a normal turn you may force foes one square that way, "
           "then build with any worker of yours.", "You do not build after forcing foes."),
    _entry(God.TARTARUS, _F, (2,), False, 0,
           "You place first, then hide an abyss on a free square. A player whose worker enters it loses."),
    _entry(God.TERPSICHORE, _F, _ANY, True, 33,
           "All your workers must move, then all must build."),
    _entry(God.URANIA, _F, _ANY, True, 49,
           "In your turn opposite edges and corners touch, for moving and for building."),
    _entry(God.ACHILLES, _H, (2,), False, 10,
           "Once: your worker builds before and after it moves."),
    _entry(God.ADONIS, _H, (2,), False, 25,
           "Once, at the end of your turn: name a worker of yours and one of the foe's; if they can, they must be "
           "neighbours when the foe's next turn ends.", "The foe's worker must end beside any of yours."),
    _entry(God.ATALANTA, _H, (2,), False, 28,
           "Once: your worker moves as many more times as you like."),
    _entry(God.BELLEROPHON, _H, (2,), False, 14,
           "Once: your worker climbs two levels."),
    _entry(God.HERACLES, _H, (2,), False, 15,
           "Once, instead of building: both your workers put as many domes as you like on any levels.",
           "The domes come on top of the normal build, at the end of the turn."),
    _entry(God.JASON, _H, (2,), False, 58,
           "Once, instead of your turn: a spare worker comes onto a free ground square of the border, "
           "then moves and builds.", "The new worker builds but does not move."),
    _entry(God.MEDEA, _H, (2,), False, 19,
           "Once, at the end of your turn: take all blocks from under a worker beside one of yours.",
           "Take one block from under each of any number of workers beside your worker that did not move."),
    _entry(God.ODYSSEUS, _H, (2,), False, 29,
           "Once, at the start of your turn: send foes beside your workers to free corners."),
    _entry(God.POLYPHEMUS, _H, (2,), False, 61,
           "Once, at the end of your turn: put up to two domes on any free squares."),
    _entry(God.THESEUS, _H, (2,), False, 7,
           "Once, at the end of your turn: remove a foe that stands exactly two levels above your worker beside it."),
    _entry(God.TYCHE, _P, _ANY, False, 48,
           "At the end of your turn you draw one of six cards; the lucky one gives you another turn and a new deck."),
    _entry(God.SCYLLA, _P, (2, 4), True, 36,
           "When your worker leaves a square beside a foe it may drag that foe into it."),
    _entry(God.CASTOR, _P, _ANY, True, 13,
           "Instead of a normal turn you may move with all your workers and not build, or build with all and not move.",
           name="Castor & Pollux"),
    _entry(God.PROTEUS, _P, (2, 3), False, 30,
           "You have three workers; after one moves, another must if possible be put on the square it left."),
    _entry(God.ERIS, _P, (2, 4), True, 50,
           "Instead of a normal turn you may move and build with a foe's worker, "
           "but not the one its owner moved last."),
    _entry(God.MAENADS, _P, _ANY, False, 41,
           "When, at the end of your turn, a foe stands exactly between two of your workers, its owner loses."),
    _entry(God.ASTERIA, _P, _ANY, True, 45,
           "If your worker moved down in this turn you may also put a dome on any free square."),
    _entry(God.HIPPOLYTA, _P, _ANY, True, 47,
           "Every worker except your female one moves only diagonally."),
    _entry(God.HYDRA, _P, (2, 3), False, 43,
           "At the end of your turn, if none of your workers touch, another grows on a lowest free square beside the "
           "one that moved; otherwise you remove one."),
    _entry(God.IRIS, _P, _ANY, True, 37,
           "Your worker may jump over a neighbouring worker to the free square behind it, on any level."),
    _entry(God.NYX, _P, (2,), False, 51,
           "While an odd number of complete towers stands when a turn ends, you have the night power chosen beforehand "
           "and the foe has none."),
    _entry(God.PEGASUS, _P, _ANY, True, 54,
           "Your worker may climb more than one level, but not to win."),
)  # fmt: skip

CATALOGUE: Final = {entry.god: entry for entry in _ENTRIES}
"""All powers, in the order of the document [2]."""

HEROES: Final = tuple(entry.god for entry in _ENTRIES if entry.family is Family.HERO)

_BANS: Final[tuple[tuple[God, tuple[God, ...]], ...]] = (
    (God.APHRODITE, (God.NEMESIS, God.URANIA)),
    (God.ASTERIA, (God.HADES,)),
    (God.ATLAS, (God.GAEA,)),
    (God.BIA, (God.NEMESIS, God.TARTARUS)),
    (God.CHARON, (God.HECATE,)),
    (God.CIRCE, (God.CLIO, God.EROS, God.GAEA, God.GRAEAE, God.HECATE, God.MOERAE, God.NYX, God.PROTEUS, God.TARTARUS,
                 *HEROES)),
    (God.CLIO, (God.NEMESIS,)),
    (God.ERIS, (God.HECATE, God.TARTARUS, God.PERSEPHONE)),
    (God.GAEA, (God.NEMESIS, God.SELENE)),
    (God.GRAEAE, (God.NEMESIS,)),
    (God.HADES, (God.PAN,)),
    (God.HARPIES, (God.HERMES, God.MAENADS, God.TRITON)),
    (God.HECATE, (God.DIONYSUS, God.MEDEA, God.MOERAE, God.NYX, God.SCYLLA, God.TARTARUS, God.THESEUS)),
    (God.HYPNUS, (God.TERPSICHORE,)),
    (God.LIMUS, (God.TERPSICHORE,)),
    (God.MEDUSA, (God.NEMESIS,)),
    (God.MOERAE, (God.NEMESIS, God.TARTARUS)),
    (God.NEMESIS, (God.TERPSICHORE, God.THESEUS)),
    (God.NYX, (God.CHAOS, God.CHRONUS, God.DIONYSUS)),
    (God.TARTARUS, (God.TERPSICHORE,)),
)  # fmt: skip

BANS: Final = frozenset(frozenset((god, foe)) for god, foes in _BANS for foe in foes)
"""Pairs of powers that may not be at one table [2.6]."""


def banned(one: God, other: God) -> bool:
    """Return whether two powers may not be at one table."""
    return frozenset((one, other)) in BANS


def allowed(god: God, players: int, printed: bool = False) -> bool:
    """Return whether a power is allowed with a number of players; alone, for practice, a player may use any."""
    if god is God.MORTAL or players == 1:
        return True
    if printed and god is God.HECATE:  # the printed card also has the three-player icon [3.31]
        return players in (2, 3)
    return players in CATALOGUE[god].players


def compatible(gods: tuple[God, ...]) -> bool:
    """Return whether all of these powers may be at one table."""
    return not any(banned(god, other_god) for index, god in enumerate(gods) for other_god in gods[:index])
