// Engine for every game in JavaScript: scores choices by a few preferences, and picks at random among the best.
// Run it with `boardwire bot santorini ... --engine 'node any_engine.js'`; docs/engines.md describes the messages.

"use strict";

const readline = require("node:readline");

let game = "";
let seat = 0;
let random = Math.random;

/** Scores of a choice by game; docs/games describes the views. */
const PREFERENCES = {
  // corners and the middle
  tris: (action) => (action % 2 === 0 ? 1 : 0),
  // columns near the middle
  forza: (action) => 3 - Math.abs(action - 3),
  // moves up; domes, and otherwise builds on low squares
  santorini: (action, view) => {
    if (action.type === "move") return 2 * (view.levels[action.to] - view.levels[action.frm]);
    if (action.type === "build") return view.levels[action.at] === 3 ? 1 : -view.levels[action.at] / 4;
    return 0;
  },
  // students into the dining room, and the cheapest assistant
  eriantys: (action) => (action.type === "to_hall" ? 1 : 0),
};

/** Return a reproducible generator of numbers from 0 to 1 (linear congruential). */
function seeded(seed) {
  let state = BigInt(seed);
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 33n) / 2 ** 31;
  };
}

function choose({ id, view, choices, texts }) {
  const worth = choices.map((action) => PREFERENCES[game](action, view));
  const most = Math.max(...worth);
  const best = choices.map((_, number) => number).filter((number) => worth[number] === most);
  const number = best[Math.floor(random() * best.length)];
  say({ type: "info", nodes: choices.length, line: [texts[number]] });
  say({ type: "choice", id, number });
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    ({ game, seat } = message);
    random = seeded(message.seed);
    if (game in PREFERENCES) say({ type: "ready", name: "any-javascript", version: "1.0" });
    else say({ type: "refuse", text: `I do not know ${game}` });
  } else if (message.type === "choose") {
    choose(message);
  }
});
