// Emblems of the gods, drawn for this project: one SVG path each, within 12 units of (0, 0).
import { dot } from "../Medallion.svelte";
import type { Power } from "./catalogue";

const APPLE = "M0-5C-8-8-9 3-4 8C-2 9-1 8 0 8S2 9 4 8C9 3 8-8 0-5ZM0-5C0-8 2-9 4-10";
const HEART = "M0 9C-9 3-9-7-4-7C-1-7 0-4 0-3C0-4 1-7 4-7C9-7 9 3 0 9Z";

export const EMBLEMS: Readonly<Record<Power, string>> = {
  apollo: "M-5 8C-11 2-8-6-4-8M5 8C11 2 8-6 4-8M-5 8H5M-5-5H5M-2-5V8M2-5V8", // lyre
  artemis: "M-4-9C8-7 8 7-4 9ZM-9 0H9M6-3 9 0 6 3", // bow
  athena: `M-7-9-3-6H3L7-9V3C7 7 3 9 0 9S-7 7-7 3Z${dot(-3, -1, 2)}${dot(3, -1, 2)}M-1 3 0 5 1 3`, // owl
  atlas: `${dot(0, -4, 6)}M-6-4H6M0-10C3-7 3-1 0 2C-3-1-3-7 0-10M-8 10C-7 5-4 2 0 2S7 5 8 10`, // the globe
  demeter: "M0 10V-9M0-9C-3-7-3-4 0-3C3-4 3-7 0-9M0-2C-4-3-6-1-6 1C-3 2-1 1 0-2M0-2C4-3 6-1 6 1C3 2 1 1 0-2M0 4C-4 3-6 5-6 7C-3 8-1 7 0 4M0 4C4 3 6 5 6 7C3 8 1 7 0 4", // wheat
  hephaestus: "M-8-8H5L8-5V-3H-8ZM-2.500-3V10H.500V-3", // hammer
  hermes: "M0-9V10M0-8C-5-12-9-9-9-6C-5-5-2-5 0-6C2-5 5-5 9-6C9-9 5-12 0-8M-4-2C4 0 4 3-3 4M4-2C-4 0-4 3 3 4M-3 4C2 6 2 8 0 9", // staff
  minotaur: "M-5-4C-10-4-10-9-9-10M5-4C10-4 10-9 9-10M-5-5H5C6 2 4 9 0 9S-6 2-5-5ZM-2 5H-1M1 5H2M-2.500 0V1M2.500 0V1", // bull
  pan: "M-8-7H9V-4H-8ZM-7-4V2M-4-4V4M-1-4V6M2-4V8M5-4V10M8-4V10", // pipes
  prometheus: "M0-11C5-6 5-2 3 0C2-2 1-3 0-4C-1-2-3-1-3 1C-6-2-4-7 0-11ZM-4 2H4L1 10H-1Z", // torch
  aphrodite: "M0 9C-12 0-8-9 0-9S12 0 0 9ZM0 9V-9M0 9-5-8M0 9 5-8M-3 9H3", // shell
  ares: "M-8 9 8-8M8-8H3M8-8V-3M8 9-8-8M-8-8H-3M-8-8V-3", // crossed spears
  bia: "M-6-1V-5H-3V-1M-3-5V-8H0V-1M0-7H3V-1M3-5H6V2C6 6 4 9 0 9S-7 6-7 2V0C-7-2-2-2-2 1", // fist
  chaos: "M0 0C2-2 4 0 3 3C1 6-5 5-6 0C-7-6 0-9 5-7C10-4 11 4 6 8", // spiral
  charon: `M-10 3H10C8 8 5 9 0 9S-8 8-10 3ZM5 3V-10M5-10 9-6${dot(-3, -5, 2)}M-5 3C-5-2-1-2-1 3`, // ferry
  chronus: "M-6-9H6M-6 9H6M-5-9C-5-3 0-2 0 0S-5 3-5 9M5-9C5-3 0-2 0 0S5 3 5 9M-3 9C-2 6 2 6 3 9", // hourglass
  circe: `M-3-9H3M-2-9V-4C-9-1-9 9 0 9S9-1 2-4V-9M-6 3H6${dot(-2, 6, 0.8)}${dot(2, 5.5, 0.8)}`, // potion
  dionysus: `${dot(-5, -1, 2.4)}${dot(0, -1, 2.4)}${dot(5, -1, 2.4)}${dot(-2.5, 3.5, 2.4)}${dot(2.5, 3.5, 2.4)}${dot(0, 8, 2.4)}M0-3V-9M0-8C3-11 7-9 7-6C4-5 1-6 0-8`, // grapes
  eros: `${HEART}M-11 7 10-7M6-8 10-7 9-3`, // heart and arrow
  hera: `M-8 7H8L9-6 4-1 0-8-4-1-9-6Z${dot(0, 3, 1.4)}`, // crown
  hestia: "M-8 2H8C8 7 4 9 0 9S-8 7-8 2ZM0 1C-5-2-2-7 0-10C1-7 5-3 0 1", // hearth
  hypnus: "M2-9C-6-9-9-2-6 4C-3 9 4 9 7 5C0 6-5-2 2-9ZM3-5H8L3 0H8", // moon and sleep
  limus: "M-9 1H9C9 6 5 9 0 9S-9 6-9 1ZM-5-9V-3M-3-9V-3M-7-9V-5C-7-3-1-3-1-5V-9M4-9C7-8 7-4 4-3V1", // empty bowl
  medusa: `M-5 0C-5-5 5-5 5 0C5 5 2 9 0 9S-5 5-5 0ZM-4-3C-9-2-6-8-10-8M-2-4C-5-7-1-8-4-11M2-4C5-7 1-8 4-11M4-3C9-2 6-8 10-8${dot(-2, 1, 0.8)}${dot(2, 1, 0.8)}`, // snakes
  morpheus: `M0 10V1M0 6C4 6 5 4 6 3${dot(0, -3, 2.5)}M-2-2C-10 0-9-9-2-5M2-2C10 0 9-9 2-5M-2-5C-4-12 4-12 2-5`, // poppy
  persephone: `${dot(0, 1.5, 7.5)}M-3-5-4-10 0-7 4-10 3-5${dot(-3, 1, 1)}${dot(3, 0, 1)}${dot(0, 4.5, 1)}`, // pomegranate
  poseidon: "M0 10V-9M-6-8V-4C-6 0 6 0 6-4V-8M-2-7 0-10 2-7M-8-6-6-9-4-6M4-6 6-9 8-6", // trident
  selene: "M3-9C-6-8-8 0-5 5S4 10 8 6C1 7-3-1 3-9ZM6-6V-2M4-4H8", // crescent
  triton: "M-9 4C-9-6 2-10 9-8C10 0 5 8-2 8C-6 9-9 8-9 4ZM-5 4C-6 0-1-4 3-4C4 0 1 5-2 5S-4 1-1 0", // conch
  zeus: "M3-11-6 2H0L-3 11 7-3H1Z", // lightning
  aeolus: "M-9-4H3C7-4 7-9 3-9C1-9 0-8 0-7M-9 0H7C11 0 10 5 7 5C5 5 4 4 4 3M-9 4H0C4 4 4 9 0 9", // wind
  charybdis: "M-10-1C-10-8 10-8 10-1S-7 7-7 1 6-4 6 1-3 5-3 2 2 0 2 2", // whirlpool
  clio: "M-6-9H7V5H-6ZM-6-9C-9-9-9-5-6-5M7 5C10 5 10 9 7 9H-5C-8 9-8 5-6 5M-3-5H4M-3-2H4M-3 1H2", // scroll
  europa: `M-3-10H3V-4H-3ZM-8-2H8V5M-8-2V5M-5-4V4H5V-4M-4 4V10M4 4V10${dot(-1, -7, 0.5)}${dot(1, -7, 0.5)}`, // Talus
  gaea: "M0 10V0M0 1C-9 2-10-6-5-7C-4-12 4-12 5-7C10-6 9 2 0 1M0 6-4 3M-8 10H8", // tree
  graeae: `M-10 0C-5-7 5-7 10 0C5 7-5 7-10 0Z${dot(0, 0, 3.5)}${dot(0, 0, 1)}`, // one eye
  hades: "M0 10V-2M-6-10V-6C-6-1 6-1 6-6V-10M-8-8-6-11-4-8M4-8 6-11 8-8M-3 5H3", // two-pronged fork
  harpies: "M-9 9C-11-4-2-9 9-9C8-5 7-4 5-3C6-1 4 1 2 1C2 3 0 5-3 4C-4 6-6 8-9 9ZM-9 9 0-2", // wing
  hecate: `${dot(0, -6, 4)}${dot(0, -6, 1.2)}M0-2V10M0 6H4V3M0 9H3`, // key
  moerae: "M-6-9H6M-6 9H6M-3-9V9M3-9V9M-3-5 3-3M-3-1 3 1M-3 3 3 5C8 6 9 8 9 11", // thread of life
  nemesis: "M0-9V9M-4 9H4M-8-6H8M-8-6-11 1H-5ZM8-6 5 1H11Z", // scales
  siren: `M-2 3V-8L6-10V1${dot(-4, 3, 2)}${dot(4, 1, 2)}M-10 9C-7 6-4 11 0 9S7 6 10 9`, // song over the sea
  tartarus: "M-9-5C-9-10 9-10 9-5S-9 0-9-5ZM-8-3C-7 4-4 8 0 11C4 8 7 4 8-3M-3 0-1 7M3 0 1 7", // abyss
  terpsichore: `${dot(1, -8, 2)}M1-6C-1-2-2 0 0 2M0 2-6 10M0 2C4 3 4 6 8 7M0-4-8-7M0-4 6-2 9-7`, // dancer
  urania: "M0-10 2.400-3.200 9.500-3.100 3.800 1.200 5.900 8.100 0 4-5.900 8.100-3.800 1.200-9.500-3.100-2.400-3.200Z", // star
  achilles: "M-3-10V2L-9 6V9H5C7 9 7 6 5 5L3 3V-10M-11 3-4 5M-6 3-4 5-6 7", // the heel
  adonis: `${dot(0, -3, 2)}${dot(-4, -4.5, 2.3)}${dot(4, -4.5, 2.3)}${dot(0, -8, 2.3)}${dot(-2.6, 1, 2.3)}${dot(2.6, 1, 2.3)}M0 3V10M0 8C3 8 4 6 5 5`, // anemone
  atalanta: `${APPLE}M-10-3H-7M-11 1H-7M-10 5H-7`, // a golden apple, running
  bellerophon: "M-7 9C-7 2-6-4-1-7L0-10 3-7C7-6 8-2 9 1L6 4 2 2C2 5 4 6 4 9ZM3-4H3.500M1 3-4-3", // horse and rein
  heracles: `M-8 10C-10 8-8 7-7 6L1-5C3-9 8-11 9-8C10-5 8-2 5-1L-5 8C-6 9-7 11-8 10Z${dot(4, -5, 0.8)}${dot(7, -6, 0.8)}${dot(3, -2, 0.8)}`, // club
  jason: "M-10 4H10L7 9H-7ZM0 4V-10M1-9C7-8 8-2 7 2H1ZM-2 2H-7C-7-3-4-6-2-8Z", // the Argo
  medea: "M-9-3H9M-7-3C-9 4-5 9 0 9S9 4 7-3M-5 8-6 10M5 8 6 10M-3-6C-5-8-2-9-3-11M3-6C1-8 4-9 3-11", // cauldron
  odysseus: `M-7 4V-2H2L4-8 9-6 7-3V4ZM-7-2-9 2M-3-2V4M2-2V4${dot(-4, 7.5, 2)}${dot(4, 7.5, 2)}`, // wooden horse
  polyphemus: `${dot(0, 0, 9)}M-5-1C-2-5 2-5 5-1C2 3-2 3-5-1Z${dot(0, -1, 1.4)}M-3 6H3`, // one eye
  theseus: "M9 9H-9V-9H9V4H-5V-5H5V0H-1", // labyrinth
  tyche: `M-8-8H8V8H-8Z${dot(-4, -4, 1.3)}${dot(4, 4, 1.3)}${dot(0, 0, 1.3)}${dot(4, -4, 1.3)}${dot(-4, 4, 1.3)}`, // die
  scylla: `M-9 10C-11 0-7-7-3-6C1-5-1 0-4-1M0 10C-1 4 4 1 2-4C0-10 8-11 8-6M9 10C5 6 12 1 7 0${dot(-3, -4, 0.6)}${dot(5, -7, 0.6)}`, // arms of the sea
  castor: `${dot(-5, -5, 3)}${dot(5, -5, 3)}M-10 9C-10 1 0 1 0 9ZM0 9C0 1 10 1 10 9Z`, // twins
  proteus: `M-10 3-5-7 0 3Z${dot(5, -4, 4)}M-2 1H6V9H-2Z`, // many shapes
  eris: `${APPLE}M2-2-2 2H2L-1 6`, // apple of discord
  maenads: "M0 10V0M0 0C-6-1-5-8 0-11C5-8 6-1 0 0ZM-4-4 3-8M-3-1 4-5M0 4C-5 3-6 6-4 7M0 5C5 4 6 7 4 8", // thyrsus
  asteria: "M3-10 4.600-5.600 9-5.500 5.500-2.800 6.800 1.500 3-1-.800 1.500.500-2.800-3-5.500 1.400-5.600ZM-1 3-8 10M3 3-2 9M-3 0-10 5", // falling star
  hippolyta: "M0-10V10M0-6C-4-4-5-6-8-9C-11-4-11 1-8 5C-5 2-4 1 0 2ZM0-6C4-4 5-6 8-9C11-4 11 1 8 5C5 2 4 1 0 2Z", // double axe
  hydra: `M0 10C-2 4-8 4-8-1C-8-5-4-6-3-3M0 10C-1 2 0-3-1-6C-1-10 4-10 4-6M0 10C2 4 9 5 9 0C9-4 5-5 5-2M-6 10H6${dot(-5, -3, 0.5)}${dot(2, -8, 0.5)}`, // heads
  iris: "M-10 6A10 10 0 0 1 10 6M-6.500 6A6.500 6.500 0 0 1 6.500 6M-3 6A3 3 0 0 1 3 6M-11 9H11", // rainbow
  nyx: "M-2-9C-8-7-9 2-4 6S6 8 8 3C2 4-4-2-2-9ZM5-9V-5M3-7H7M9-3V-1M8-2H10", // night
  pegasus: "M-7 10C-8 4-6-1-1-3L1-7 3-4C7-3 8 0 9 3L6 5 3 3C3 6 4 7 4 10ZM-6 3C-12-2-11-8-10-10C-6-9-3-7-3-2", // winged horse
};
