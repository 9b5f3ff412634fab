import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Connection, LATE_MS, type Line, PATIENCE_MS, QUIET_MS, Socket, wait } from "./socket";
import type { Reply } from "./types";

class FakeLine implements Line {
  onopen: Line["onopen"] = null;
  onmessage: Line["onmessage"] = null;
  onclose: Line["onclose"] = null;
  sent: string[] = [];
  closed = false;
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.closed = true;
  }
  say(reply: Reply) {
    this.onmessage?.({ data: JSON.stringify(reply) } as MessageEvent);
  }
}

const lines: FakeLine[] = [];
const seen: Connection[] = [];
const heard: Reply[] = [];
let opened = 0;
let failed = 0;

function start(): Socket {
  const socket = new Socket(
    () => {
      lines.push(new FakeLine());
      return lines.at(-1)!;
    },
    {
      opened: () => (opened += 1),
      heard: (reply) => heard.push(reply),
      failed: () => (failed += 1),
      changed: (state) => seen.push(state),
    },
  );
  socket.start();
  return socket;
}

const open = () => lines.at(-1)!.onopen?.({} as Event);
const drop = () => lines.at(-1)!.onclose?.({} as CloseEvent);

beforeEach(() => {
  vi.useFakeTimers();
  lines.length = seen.length = heard.length = opened = failed = 0;
});
afterEach(() => vi.useRealTimers());

test("a connection says when it is open, and hears", () => {
  start();
  expect(seen).toEqual(["connecting"]);
  open();
  expect(opened).toBe(1);
  lines[0]!.say({ type: "gone" });
  expect(heard).toEqual([{ type: "gone" }]);
});

test("what is sent without a connection is not sent, and says so", () => {
  const socket = start();
  expect(socket.send({ type: "list" })).toBe(false);
  open();
  expect(socket.send({ type: "list" })).toBe(true);
  expect(lines[0]!.sent).toEqual(['{"type":"list"}']);
});

test("a lost connection comes back by itself", () => {
  start();
  open();
  drop();
  expect(seen.at(-1)).toBe("lost");
  vi.advanceTimersByTime(400);
  expect(lines).toHaveLength(2);
  open();
  expect(seen.at(-1)).toBe("open");
  expect(opened).toBe(2);
});

test("one that could not be opened is told from one that was lost", () => {
  start();
  drop();
  expect(failed).toBe(1);
  vi.advanceTimersByTime(400);
  open();
  drop();
  expect(failed).toBe(1);
});

test("it waits longer after each failure, but never for ever", () => {
  expect([0, 1, 2, 3].map((attempt) => wait(attempt, 0.5))).toEqual([250, 500, 1000, 2000]);
  expect(wait(40, 1)).toBe(10_000);
  expect(wait(40, 0)).toBe(6000);
});

test("a connection that never opens is given up and tried again", () => {
  start();
  vi.advanceTimersByTime(PATIENCE_MS);
  expect(lines[0]!.closed).toBe(true);
  vi.advanceTimersByTime(400);
  expect(lines).toHaveLength(2);
});

test("a probe that is not answered ends the connection; one that is answered does not", () => {
  const socket = start();
  open();
  socket.probe();
  lines[0]!.say({ type: "pong" });
  vi.advanceTimersByTime(QUIET_MS - 1);
  expect(lines).toHaveLength(1);
  socket.probe();
  vi.advanceTimersByTime(PATIENCE_MS);
  expect(seen.at(-1)).toBe("lost");
});

test("a probe while it waits for the next attempt tries at once", () => {
  const socket = start();
  drop();
  socket.probe();
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(400);
  expect(lines).toHaveLength(2);
});

test("once stopped it stays so", () => {
  const socket = start();
  open();
  socket.stop();
  expect(lines[0]!.closed).toBe(true);
  vi.advanceTimersByTime(60_000);
  socket.probe();
  expect(lines).toHaveLength(1);
});

test("a silent connection asks by itself whether anybody is there, tells that no answer comes, and is dialled anew", () => {
  start();
  open();
  vi.advanceTimersByTime(QUIET_MS);
  expect(lines[0]!.sent).toEqual(['{"type":"ping"}']);
  vi.advanceTimersByTime(LATE_MS);
  expect(seen.at(-1)).toBe("silent");
  vi.advanceTimersByTime(PATIENCE_MS - LATE_MS);
  expect(seen.at(-1)).toBe("lost");
  vi.advanceTimersByTime(400);
  expect(lines).toHaveLength(2);
  expect(lines[1]!.sent).toEqual([]); // nothing is sent again
});

test("an answer that comes late ends the silence", () => {
  const socket = start();
  open();
  socket.send({ type: "act", seq: 1, action: 4 });
  vi.advanceTimersByTime(LATE_MS);
  expect(seen.at(-1)).toBe("silent");
  lines[0]!.say({ type: "pong" });
  expect(seen.at(-1)).toBe("open");
  vi.advanceTimersByTime(QUIET_MS - 1);
  expect(lines).toHaveLength(1);
});

test("a question that waits is not forgotten because another one is asked", () => {
  const socket = start();
  open();
  socket.send({ type: "act", seq: 1, action: 4 });
  vi.advanceTimersByTime(LATE_MS - 1);
  socket.send({ type: "list" });
  vi.advanceTimersByTime(1);
  expect(seen.at(-1)).toBe("silent");
});
