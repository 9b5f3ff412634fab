// Tris as a boardgame.io game, written as in its tutorial. The server stores matches in memory. Pings are effectively
// off, because seated players wait for all others before the first move.
const { INVALID_MOVE } = require("boardgame.io/core");
const { Origins, Server, SocketIO } = require("boardgame.io/server");

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const tris = {
  name: "tris",
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G, playerID }, cell) => {
      if (G.cells[cell] !== null) return INVALID_MOVE;
      G.cells[cell] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    const won = (line) => line.every((one) => G.cells[one] === ctx.currentPlayer);
    if (LINES.some(won)) return { winner: ctx.currentPlayer };
    if (G.cells.every((cell) => cell !== null)) return { draw: true };
  },
};

const transport = new SocketIO({ socketOpts: { pingInterval: 3_600_000 } });

Server({ games: [tris], origins: [Origins.LOCALHOST], transport })
  .run({ port: 0 })
  .then(({ appServer }) => console.log(`listening http 127.0.0.1:${appServer.address().port}\nready`));
