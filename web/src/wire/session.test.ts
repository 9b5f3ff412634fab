import { beforeEach, expect, test } from "vitest";
import { type Barring, HttpError } from "./http";
import { Session } from "./session.svelte";
import type { Line } from "./socket";
import type { Happening, MatchState, Reply, Request } from "./types";

class FakeLine implements Line {
  onopen: Line["onopen"] = null;
  onmessage: Line["onmessage"] = null;
  onclose: Line["onclose"] = null;
  sent: Request[] = [];
  send(text: string) {
    this.sent.push(JSON.parse(text) as Request);
  }
  close() {}
  open() {
    this.onopen?.({} as Event);
  }
  drop() {
    this.onclose?.({} as CloseEvent);
  }
  say(reply: Reply) {
    this.onmessage?.({ data: JSON.stringify(reply) } as MessageEvent);
  }
  /** What was asked since the last look. */
  asked(): Request[] {
    return this.sent.splice(0);
  }
}

let line: FakeLine;
let session: Session;
let arrivals: string[];

const state = (more: Partial<MatchState> = {}): MatchState => ({
  match: "m1",
  game: "tris",
  seq: 4,
  status: "playing",
  players: [{ name: "Ada" }, { name: "Bo" }],
  options: {},
  ...more,
});
const acted: Happening = { event: "acted", at: 5, seat: 0, happened: [{ type: "marked" }] };

beforeEach(() => {
  arrivals = [];
  session = new Session(
    () => (line = new FakeLine()),
    (match, code, instead) => arrivals.push(`${match}/${code}${instead ? " instead" : ""}`),
  );
  session.start();
});

function greet(kept: { match: string; seat: number }[] = []) {
  line.open();
  line.say({ type: "welcome", token: "secret", name: "Ada", kept });
  line.asked();
}

test("hello comes first, and the token is shown the next time", () => {
  line.open();
  expect(line.asked()).toMatchObject([{ type: "hello", token: "" }]);
  line.say({ type: "welcome", token: "secret", name: "Ada" });
  expect(session.greeted).toBe(true);
  session.rename("Eve");
  expect(line.asked().at(-1)).toMatchObject({ type: "hello", name: "Eve", token: "secret" });
});

test("whoever opens a table arrives at it", () => {
  greet();
  session.open({ game: "tris" });
  expect(line.asked()).toEqual([{ type: "open", game: "tris" }]);
  line.say({ type: "seated", seat: 0, state: state({ status: "waiting" }), code: "xyz" });
  expect(arrivals).toEqual(["m1/xyz"]);
  expect(session.place).toMatchObject({ seat: 0, code: "xyz" });
});

test("an address leads back to a kept seat", () => {
  session.visit("m1", "");
  greet([{ match: "m1", seat: 1 }]);
  line.drop();
  session.probe();
  line.open();
  line.say({ type: "welcome", token: "secret", name: "Ada", kept: [{ match: "m1", seat: 1 }] });
  expect(line.asked()).toContainEqual({ type: "resume", match: "m1", seat: 1 });
  line.say({ type: "seated", seat: 1, state: state() });
  expect(session.place?.seat).toBe(1);
});

test("an address of somebody else's table leads to a spectator's place, with its code", () => {
  greet();
  session.visit("m1", "xyz");
  expect(line.asked()).toEqual([{ type: "watch", match: "m1", code: "xyz" }]);
  line.say({ type: "watching", state: state() });
  expect(session.place).toMatchObject({ seat: null, code: "xyz" });
});

test("a seat that cannot be resumed is watched, and a table that is closed is told", () => {
  greet([{ match: "m1", seat: 0 }]);
  session.visit("m1", "");
  expect(line.asked()).toEqual([{ type: "resume", match: "m1", seat: 0 }]);
  line.say({ type: "refused", code: "over", reason: "the match is over" });
  expect(line.asked()).toEqual([{ type: "watch", match: "m1", code: "" }]);
  line.say({ type: "refused", code: "no-such-table", reason: "there is no open table 'm1'" });
  expect(session.absence).toMatchObject({ match: "m1", why: "closed", refusal: { code: "no-such-table" } });
  expect(session.refusal).toBeNull();
});

test("what happened is shown once, and the state is the server's", () => {
  greet();
  session.visit("m1", "");
  line.say({ type: "watching", state: state() });
  line.say({ type: "step", events: [acted], state: state({ seq: 5, moves: 1 }) });
  expect(session.place?.happened).toEqual([{ type: "marked" }]);
  expect(session.place?.lines.map((one) => one.seq)).toEqual([5]);
  line.say({ type: "state", state: state({ seq: 5, moves: 1 }) });
  expect(session.place?.happened).toEqual([]);
});

test("a step of a table I have left changes nothing", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state({ match: "m2" }) });
  line.say({ type: "step", events: [acted], state: state({ seq: 9 }) });
  expect(session.place?.state.match).toBe("m2");
});

test("an act names the event it was made at; its refusal is shown until the next one", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state({ seq: 7 }) });
  session.act(3);
  expect(line.asked()).toEqual([{ type: "act", seq: 7, action: 3 }]);
  line.say({ type: "refused", code: "illegal", reason: "cell 3 is taken" });
  expect(session.refusal?.reason).toBe("cell 3 is taken");
  session.act(4);
  expect(session.refusal).toBeNull();
});

test("a player who looks at the lobby keeps the seat, a spectator leaves", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state() });
  session.wander();
  expect(line.asked()).toEqual([]);
  expect(session.playing).toBe(true);
  line.say({ type: "seated", seat: 0, state: state({ status: "over" }) });
  session.wander();
  expect(line.asked()).toEqual([{ type: "leave" }]);
  expect(session.place).toBeNull();
});

test("a seat is taken up again from the lobby when the connection was lost", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state() });
  session.wander();
  line.drop();
  session.probe();
  line.open();
  line.say({ type: "welcome", token: "secret", name: "Ada", kept: [{ match: "m1", seat: 0 }] });
  expect(line.asked()).toContainEqual({ type: "resume", match: "m1", seat: 0 });
  arrivals = [];
  line.say({ type: "seated", seat: 0, state: state() });
  expect(arrivals).toEqual([]); // the page stays where it is
});

test("the table in another window is told apart from one that I left", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state() });
  line.say({ type: "gone", why: "you came back by another connection" });
  expect(session.absence).toMatchObject({ why: "elsewhere" });
  line.drop();
  session.probe();
  line.open();
  line.say({ type: "welcome", token: "secret", name: "Ada", kept: [{ match: "m1", seat: 0 }] });
  const asked = line.asked().map((request) => request.type);
  expect(asked).not.toContain("resume"); // the seat is not taken from the other window
  session.visit("m1", "");
  expect(line.asked()).toEqual([{ type: "resume", match: "m1", seat: 0 }]);
  line.say({ type: "seated", seat: 0, state: state() });
  session.quit();
  line.say({ type: "gone", why: "you left" });
  expect(session.absence).toBeNull();
});

test("a rematch leads to the new table", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state({ status: "over" }) });
  line.say({ type: "wanted", seats: [1] });
  expect(session.place?.wanted).toEqual([1]);
  session.rematch();
  line.say({ type: "seated", seat: 1, state: state({ match: "m2" }), code: "new" });
  expect(arrivals.at(-1)).toBe("m2/new");
  expect(session.place).toMatchObject({ seat: 1, wanted: [] });
});

test("who plays one match cannot enter another by its address", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state() });
  line.asked();
  session.visit("m2", "");
  expect(line.asked()).toEqual([]);
  expect(session.place?.state.match).toBe("m1");
});

test("who comes in mid-play is told what happened before", async () => {
  const asked: number[] = [];
  session = new Session(
    () => (line = new FakeLine()),
    () => {},
    async (_match, after) => {
      asked.push(after);
      return [{ type: "step", events: [acted], state: state({ seq: 6 }) }];
    },
  );
  session.start();
  greet();
  session.visit("m1", "");
  line.say({ type: "watching", state: state({ seq: 7, moves: 2 }) });
  await Promise.resolve();
  await Promise.resolve();
  expect(asked).toEqual([0]);
  expect(session.place?.lines.map((one) => one.seq)).toEqual([6]);
});

test("a new name is told away from tables only", () => {
  greet();
  session.visit("m1", "xyz");
  line.say({ type: "watching", state: state({ status: "waiting" }) });
  line.asked();
  session.rename("Eve");
  expect(line.asked()).toEqual([]);
  session.join("m1", "xyz");
  expect(line.asked()).toMatchObject([{ type: "leave" }, { type: "hello", name: "Eve" }, { type: "join", match: "m1" }]);
});

test("to find out whether the connection lives, nothing is asked that a table would refuse", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state() });
  session.probe();
  expect(line.asked()).toEqual([{ type: "ping" }]);
});

test("a token that the server does not take is given up for a new one", () => {
  greet();
  line.drop();
  session.probe();
  line.open();
  expect(line.asked()).toMatchObject([{ type: "hello", token: "secret" }]);
  line.say({ type: "refused", code: "bad-token", reason: "a token is at least 24 signs; say hello without" });
  expect(line.asked()).toMatchObject([{ type: "hello", token: "" }]);
  expect(session.refusal).toBeNull();
  line.say({ type: "welcome", token: "another, and long enough", name: "Ada" });
  expect(session.greeted).toBe(true);
});

test("a greeting that is refused without a token is told", () => {
  line.open();
  line.asked();
  line.say({ type: "refused", code: "refused", reason: "not today" });
  expect(line.asked()).toEqual([]);
  expect(session.refusal?.reason).toBe("not today");
});

test("whoever waits may be brought to another table, and the first has never been", () => {
  greet();
  session.find("tris", 2);
  line.say({ type: "seated", seat: 0, state: state({ status: "waiting" }) });
  line.say({ type: "seated", seat: 1, state: state({ match: "m2" }) });
  expect(session.place).toMatchObject({ seat: 1, state: { match: "m2" } });
  expect(arrivals).toEqual(["m1/", "m2/ instead"]);
  expect(session.kept).toMatchObject([{ match: "m2", seat: 1, game: "tris", asked: false }]);
});

test("whoever looks at the lobby meanwhile stays there", () => {
  greet();
  session.find("tris", 2);
  line.say({ type: "seated", seat: 0, state: state({ status: "waiting" }) });
  session.wander();
  line.say({ type: "seated", seat: 1, state: state({ match: "m2" }) });
  expect(session.place?.state.match).toBe("m2");
  expect(arrivals).toEqual(["m1/"]);
});

test("no seat is kept at a table that one left before the start", () => {
  greet();
  session.open({ game: "tris" });
  line.say({ type: "seated", seat: 0, state: state({ status: "waiting" }) });
  session.quit();
  expect(session.kept).toEqual([]);
});

test("a server that does not know our name is told from one that is not there", async () => {
  const refusal = { isHost: true, error: new HttpError(403, "a page of another site") };
  let barred: Barring | null = refusal;
  session = new Session(
    () => (line = new FakeLine()),
    () => {},
    undefined,
    async () => barred,
  );
  session.start();
  line.drop();
  await Promise.resolve();
  await Promise.resolve();
  expect(session.barred).toBe(refusal);
  barred = null;
  session.probe();
  line.drop();
  await Promise.resolve();
  await Promise.resolve();
  expect(session.barred).toBeNull();
  barred = refusal;
  session.probe();
  line.open();
  line.drop(); // it was open: nobody is refused
  await Promise.resolve();
  expect(session.barred).toBeNull();
});

test("a name that is taken is told at the table, which stays on screen and is watched again", () => {
  greet();
  session.visit("m1", "xyz");
  line.say({ type: "watching", state: state({ status: "waiting" }), code: "xyz" });
  line.asked();
  session.rename("Bo");
  session.join("m1", "xyz");
  line.say({ type: "gone", why: "you left" });
  line.say({ type: "welcome", token: "secret", name: "Bo" });
  expect(session.place?.state.match).toBe("m1");
  line.asked();
  line.say({ type: "refused", code: "name-taken", reason: "somebody called 'Bo' already sits at this table" });
  expect(line.asked()).toEqual([{ type: "watch", match: "m1", code: "xyz" }]);
  line.say({ type: "watching", state: state({ status: "waiting" }), code: "xyz" });
  expect(session.refusal?.code).toBe("name-taken");
  expect(session.place).toMatchObject({ seat: null, code: "xyz" });
  expect(session.absence).toBeNull();
});

test("a seat that is refused from the lobby is told there", () => {
  greet();
  session.join("m1", "");
  line.say({ type: "refused", code: "full", reason: "the table is full" });
  expect(session.refusal?.code).toBe("full");
  expect(line.asked()).toEqual([{ type: "join", match: "m1", code: "", seat: null }]);
});

test("a step on its way is shown as such, and no other one is sent before it is answered", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state({ seq: 7, moved: 7 }) });
  session.act(3);
  expect(session.acting).toBe(true);
  session.act(3);
  expect(line.asked()).toHaveLength(1);
  line.say({ type: "step", events: [{ event: "chatted", at: 5, text: "well" }], state: state({ seq: 8, moved: 7 }) });
  expect(session.acting).toBe(true); // talk is no answer
  line.say({ type: "step", events: [acted], state: state({ seq: 9, moved: 9 }) });
  expect(session.acting).toBe(false);
});

test("a step whose answer was lost is not sent again", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state({ seq: 7, moved: 7 }) });
  session.act(3);
  line.drop();
  session.probe();
  line.open();
  line.say({ type: "welcome", token: "secret", name: "Ada", kept: [{ match: "m1", seat: 0 }] });
  line.say({ type: "seated", seat: 0, state: state({ seq: 8, moved: 8 }) });
  expect(session.acting).toBe(false);
  expect(line.asked().map((request) => request.type)).not.toContain("act");
});

test("who has left after the match is known", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state({ status: "over" }) });
  line.say({ type: "wanted", seats: [], gone: [1] });
  expect(session.place?.gone).toEqual([1]);
});

test("advice is kept with the table it is about", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state({ practice: true }) });
  line.asked();
  session.hint();
  expect(line.asked()).toEqual([{ type: "hint" }]);
  line.say({ type: "advice", match: "elsewhere", seq: 4, turn: [], value: 0 });
  expect(session.place?.advice).toBeNull();
  line.say({ type: "advice", match: "m1", seq: 4, turn: [{ text: "4", action: 4 }], value: 0.5 });
  expect(session.place?.advice?.value).toBe(0.5);
});

test("a spectator of a private match follows into the rematch with its code", () => {
  greet();
  session.visit("m1", "old");
  line.say({ type: "watching", state: state({ status: "over" }), code: "old" });
  line.say({ type: "watching", state: state({ match: "m2" }), code: "new" });
  expect(arrivals.at(-1)).toBe("m2/new");
});

test("against bots alone one may leave for another match, which stays in the list", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state({ players: [{ name: "Ada" }, { name: "b", bot: "greedy" }] }) });
  expect([session.playing, session.bound]).toEqual([true, false]);
  session.find("tris", 2);
  expect(line.asked().map((request) => request.type)).toEqual(["leave", "find"]);
  expect(session.kept).toMatchObject([{ match: "m1", game: "tris" }]);
});

test("the server is asked for an opponent, and no table is chosen here", () => {
  greet();
  session.pair({ game: "tris", seats: 2, options: {}, bank: 180, increment: 2, per_move: 0 });
  expect(line.asked()).toEqual([{ type: "pair", game: "tris", seats: 2, options: {}, bank: 180, increment: 2, per_move: 0 }]);
});

test("a table that one is on the way to is not asked for twice, but again after a lost connection", () => {
  greet();
  session.visit("m1", "");
  session.visit("m1", "");
  expect(line.asked().map((request) => request.type)).toEqual(["watch"]);
  line.say({ type: "watching", state: state() });
  expect(session.place?.state.match).toBe("m1");
});

test("with people one is bound until the end", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state() });
  expect(session.bound).toBe(true);
});

test("how my other matches stand is asked with the list of tables", () => {
  greet([{ match: "m7", seat: 1 }]);
  session.refresh();
  expect(line.asked().map((request) => request.type)).toEqual(["list", "hello"]);
});

test("what was said is kept for the rematch", () => {
  greet();
  line.say({ type: "seated", seat: 0, state: state() });
  const said: Happening = { event: "chatted", at: 6, seat: 1, text: "again?", name: "Bo" };
  line.say({ type: "step", events: [said], state: state({ seq: 5, status: "over" }) });
  line.say({ type: "seated", seat: 1, state: state({ match: "m2", seq: 4 }) });
  expect(session.place?.earlier.map((one) => one.happening.text)).toEqual(["again?"]);
});

test("on the way to a table nothing is asked that would be refused there", () => {
  greet([{ match: "m7", seat: 1 }]);
  session.find("tris", 2);
  line.asked();
  session.refresh();
  expect(line.asked().map((request) => request.type)).toEqual(["list"]);
});
