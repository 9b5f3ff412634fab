// Tris as a Colyseus room, written as in its documentation: a state schema, messages, rules checked.
// - A patch is sent right after each move instead of at the next of 20 ticks per second, and pings are off.
// - Two clients can play any number of matches in a room: `again` resets its state after the end of a match.
import { Room, Server } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const FREE = -1;
const DRAWN = 2;

const State = schema({ cells: t.array("int8"), turn: t.int8(), winner: t.int8() }, "State");

class Tris extends Room {
  maxClients = 2;
  patchRate = null;

  onCreate() {
    this.state = new State();
    this.state.cells.push(...Array(9).fill(FREE));
    this.state.turn = 0;
    this.state.winner = FREE;
    this.seats = new Map();
    this.onMessage("move", (client, cell) => this.move(client, cell));
    this.onMessage("again", (client) => this.again(client));
  }

  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
  }

  move(client, cell) {
    const { cells, turn, winner } = this.state;
    const seat = this.seats.get(client.sessionId);
    if (winner !== FREE || seat !== turn % 2 || cells[cell] !== FREE) {
      client.error(400, "illegal move");
      return;
    }
    cells[cell] = seat;
    this.state.turn = turn + 1;
    if (LINES.some((line) => line.every((one) => cells[one] === seat))) this.state.winner = seat;
    else if (turn === 8) this.state.winner = DRAWN;
    this.broadcastPatch();
  }

  again(client) {
    if (this.state.winner === FREE) {
      client.error(400, "the match is not over");
      return;
    }
    for (let cell = 0; cell < 9; cell++) this.state.cells[cell] = FREE;
    this.state.turn = 0;
    this.state.winner = FREE;
    this.broadcastPatch();
  }
}

const transport = new WebSocketTransport({ pingInterval: 0 });
const server = new Server({ transport, greet: false });
server.define("tris", Tris);
await server.listen(0, "127.0.0.1", 4096);
console.log(`listening http 127.0.0.1:${transport.server.address().port}\nready`);
