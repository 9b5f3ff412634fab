// Written by games/santorini/fixtures/write.py from the catalogue of powers; do not edit by hand.
import type { SantoriniGod } from "../../wire/types";

export interface GodWords {
  name: string;
  text: string;
  /** Where the printed card differs; empty if it does not. */
  printed: string;
}

const gods: Readonly<Record<Exclude<SantoriniGod, "mortal">, GodWords>> = {
  apollo: {
    name: "Apollo",
    text: "Your worker may step onto a neighbouring foe; the two change places.",
    printed: "",
  },
  artemis: {
    name: "Artemis",
    text: "Your worker may move twice, but not back to the square it came from.",
    printed: "",
  },
  athena: {
    name: "Athena",
    text: "When a worker of yours climbs, no foe can climb until your next turn.",
    printed: "",
  },
  atlas: {
    name: "Atlas",
    text: "You may put a dome on any level instead of a block.",
    printed: "",
  },
  demeter: {
    name: "Demeter",
    text: "Your worker may build twice, on two different squares.",
    printed: "",
  },
  hephaestus: {
    name: "Hephaestus",
    text: "Your worker may put a second block, never a dome, on the one it just built.",
    printed: "",
  },
  hermes: {
    name: "Hermes",
    text: "Instead of a normal turn your workers may walk as far as they like on their own level, even not at all; then one of them builds.",
    printed: "",
  },
  minotaur: {
    name: "Minotaur",
    text: "Your worker may step onto a neighbouring foe and push it straight on, if the square behind is free.",
    printed: "",
  },
  pan: {
    name: "Pan",
    text: "You also win when your worker steps down two levels or more.",
    printed: "",
  },
  prometheus: {
    name: "Prometheus",
    text: "Your worker may build before it moves too, if it does not climb in this turn.",
    printed: "",
  },
  aphrodite: {
    name: "Aphrodite",
    text: "A foe that begins its turn beside a worker of yours must end its last move beside one of yours, or its owner loses.",
    printed: "",
  },
  ares: {
    name: "Ares",
    text: "At the end of your turn you may take a free top block beside your worker that did not move.",
    printed: "",
  },
  bia: {
    name: "Bia",
    text: "You place first, on the border. When your worker moves and the next square on that line holds a foe, the foe is removed.",
    printed: "You place first, anywhere.",
  },
  chaos: {
    name: "Chaos",
    text: "You have the power of a simple god drawn by lot; after a turn in which a dome was built the next one is drawn.",
    printed: "",
  },
  charon: {
    name: "Charon",
    text: "Before your worker moves it may throw a neighbouring foe over itself to the free square across.",
    printed: "",
  },
  chronus: {
    name: "Chronus",
    text: "You also win as soon as five complete towers stand, whichever player finished them.",
    printed: "",
  },
  circe: {
    name: "Circe",
    text: "When your turn begins and the foe's workers do not all touch one another, their power is yours alone until your next turn.",
    printed: "",
  },
  dionysus: {
    name: "Dionysus",
    text: "Each time you finish a tower you may take another turn with a foe's worker; that turn cannot win.",
    printed: "",
  },
  eros: {
    name: "Eros",
    text: "Your workers start on opposite edges. You also win when one moves beside the other and both stand on level one (with three players: on any one level).",
    printed: "",
  },
  hera: {
    name: "Hera",
    text: "No foe wins by moving onto the border.",
    printed: "",
  },
  hestia: {
    name: "Hestia",
    text: "Your worker may build a second time, but not on the border.",
    printed: "",
  },
  hypnus: {
    name: "Hypnus",
    text: "If, when a foe's turn begins, one of their workers stands higher than all their others, it cannot move in that turn.",
    printed: "",
  },
  limus: {
    name: "Limus",
    text: "Foes can build nothing but domes beside your workers.",
    printed: "Foes can build nothing beside your workers except a dome that completes a tower.",
  },
  medusa: {
    name: "Medusa",
    text: "At the end of your turn every foe standing lower beside one of your workers turns into a block.",
    printed: "",
  },
  morpheus: {
    name: "Morpheus",
    text: "You earn a coin at the start of each turn and build as often as you pay one, or not at all.",
    printed: "",
  },
  persephone: {
    name: "Persephone",
    text: "Foes must climb with one of their workers in every turn in which they can.",
    printed: "",
  },
  poseidon: {
    name: "Poseidon",
    text: "At the end of your turn, if your other worker stands on the ground, it may build up to three times.",
    printed: "",
  },
  selene: {
    name: "Selene",
    text: "Instead of the normal build your female worker may put a dome on any level, whichever worker moved.",
    printed: "",
  },
  triton: {
    name: "Triton",
    text: "Each time your worker moves onto the border it may move again.",
    printed: "",
  },
  zeus: {
    name: "Zeus",
    text: "Your worker may build a block under itself; rising so never wins.",
    printed: "",
  },
  aeolus: {
    name: "Aeolus",
    text: "At the end of your turn you may set the wind in one of eight directions or take it back; no worker may move straight against it.",
    printed: "You set the wind at the start and may turn it every turn.",
  },
  charybdis: {
    name: "Charybdis",
    text: "At the end of your turn you may place one of two whirlpools on a free square. A worker moving onto one is drawn to the other if that is free, and wins there as if it had climbed to it.",
    printed: "The way through the whirlpools is a second move in the same direction.",
  },
  clio: {
    name: "Clio",
    text: "The first three blocks you build each get a coin; for foes those squares are domes.",
    printed: "",
  },
  europa: {
    name: "Europa & Talus",
    text: "At the end of your turn you may put Talus on a free square beside the worker that moved; he is a dome for all players.",
    printed: "",
  },
  gaea: {
    name: "Gaea",
    text: "You have two spare workers; when anyone builds a dome you may at once place one on the ground beside it.",
    printed: "",
  },
  graeae: {
    name: "Graeae",
    text: "You have three workers, and one that did not move must build.",
    printed: "You choose freely which worker builds.",
  },
  hades: {
    name: "Hades",
    text: "Foes cannot move down.",
    printed: "",
  },
  harpies: {
    name: "Harpies",
    text: "After each move a foe is blown on in that direction until higher ground, a piece or the edge stops it.",
    printed: "",
  },
  hecate: {
    name: "Hecate",
    text: "You place last and in secret. What a foe tries that a hidden worker makes impossible is cancelled, with the rest of that turn.",
    printed: "Foes' powers that would apply to a hidden worker are applied for them.",
  },
  moerae: {
    name: "Moerae",
    text: "You have three workers and a secret block of four squares; when a foe would win inside it, you win.",
    printed: "",
  },
  nemesis: {
    name: "Nemesis",
    text: "At the end of your turn, if no worker of a foe is beside yours, you may swap both with two of theirs.",
    printed: "You swap as many as you can.",
  },
  siren: {
    name: "Siren",
    text: "Your direction is fixed at the start. Instead of a normal turn you may force foes one square that way, then build with any worker of yours.",
    printed: "You do not build after forcing foes.",
  },
  tartarus: {
    name: "Tartarus",
    text: "You place first, then hide an abyss on a free square. A player whose worker enters it loses.",
    printed: "",
  },
  terpsichore: {
    name: "Terpsichore",
    text: "All your workers must move, then all must build.",
    printed: "",
  },
  urania: {
    name: "Urania",
    text: "In your turn opposite edges and corners touch, for moving and for building.",
    printed: "",
  },
  achilles: {
    name: "Achilles",
    text: "Once: your worker builds before and after it moves.",
    printed: "",
  },
  adonis: {
    name: "Adonis",
    text: "Once, at the end of your turn: name a worker of yours and one of the foe's; if they can, they must be neighbours when the foe's next turn ends.",
    printed: "The foe's worker must end beside any of yours.",
  },
  atalanta: {
    name: "Atalanta",
    text: "Once: your worker moves as many more times as you like.",
    printed: "",
  },
  bellerophon: {
    name: "Bellerophon",
    text: "Once: your worker climbs two levels.",
    printed: "",
  },
  heracles: {
    name: "Heracles",
    text: "Once, instead of building: both your workers put as many domes as you like on any levels.",
    printed: "The domes come on top of the normal build, at the end of the turn.",
  },
  jason: {
    name: "Jason",
    text: "Once, instead of your turn: a spare worker comes onto a free ground square of the border, then moves and builds.",
    printed: "The new worker builds but does not move.",
  },
  medea: {
    name: "Medea",
    text: "Once, at the end of your turn: take all blocks from under a worker beside one of yours.",
    printed: "Take one block from under each of any number of workers beside your worker that did not move.",
  },
  odysseus: {
    name: "Odysseus",
    text: "Once, at the start of your turn: send foes beside your workers to free corners.",
    printed: "",
  },
  polyphemus: {
    name: "Polyphemus",
    text: "Once, at the end of your turn: put up to two domes on any free squares.",
    printed: "",
  },
  theseus: {
    name: "Theseus",
    text: "Once, at the end of your turn: remove a foe that stands exactly two levels above your worker beside it.",
    printed: "",
  },
  tyche: {
    name: "Tyche",
    text: "At the end of your turn you draw one of six cards; the lucky one gives you another turn and a new deck.",
    printed: "",
  },
  scylla: {
    name: "Scylla",
    text: "When your worker leaves a square beside a foe it may drag that foe into it.",
    printed: "",
  },
  castor: {
    name: "Castor & Pollux",
    text: "Instead of a normal turn you may move with all your workers and not build, or build with all and not move.",
    printed: "",
  },
  proteus: {
    name: "Proteus",
    text: "You have three workers; after one moves, another must if possible be put on the square it left.",
    printed: "",
  },
  eris: {
    name: "Eris",
    text: "Instead of a normal turn you may move and build with a foe's worker, but not the one its owner moved last.",
    printed: "",
  },
  maenads: {
    name: "Maenads",
    text: "When, at the end of your turn, a foe stands exactly between two of your workers, its owner loses.",
    printed: "",
  },
  asteria: {
    name: "Asteria",
    text: "If your worker moved down in this turn you may also put a dome on any free square.",
    printed: "",
  },
  hippolyta: {
    name: "Hippolyta",
    text: "Every worker except your female one moves only diagonally.",
    printed: "",
  },
  hydra: {
    name: "Hydra",
    text: "At the end of your turn, if none of your workers touch, another grows on a lowest free square beside the one that moved; otherwise you remove one.",
    printed: "",
  },
  iris: {
    name: "Iris",
    text: "Your worker may jump over a neighbouring worker to the free square behind it, on any level.",
    printed: "",
  },
  nyx: {
    name: "Nyx",
    text: "While an odd number of complete towers stands when a turn ends, you have the night power chosen beforehand and the foe has none.",
    printed: "",
  },
  pegasus: {
    name: "Pegasus",
    text: "Your worker may climb more than one level, but not to win.",
    printed: "",
  },
};
export default gods;
