import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepReading, rest } from "./tournaments";

const WAIT_MS = 25_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A server on which nothing happens: it answers the first time at once, then after its longest wait. */
function idleServer(): { asked: string[] } {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    if (path.includes("after=")) await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    return new Response(JSON.stringify({ id: "t", seq: 7, status: "running" }), { headers: { "content-type": "application/json" } });
  });
  return { asked };
}

test.each([1, 2, 3, 5])("an idle page that follows %i tournaments beside the page of one asks fewer than 5 times a minute", async (count) => {
  const { asked } = idleServer();
  const end = new AbortController();
  const none = () => {};
  void keepReading("page", () => "token", 10, end.signal, none, none);
  for (let one = 0; one < count; one++) void keepReading(`t${one}`, () => "token", 0, end.signal, none, none, () => rest(count + 1));
  await vi.advanceTimersByTimeAsync(1000);
  const before = asked.length;
  const MINUTES = 20;
  await vi.advanceTimersByTimeAsync(MINUTES * 60_000);
  end.abort();
  expect((asked.length - before) / MINUTES).toBeLessThan(5);
  expect(asked.length - before).toBeGreaterThan(MINUTES);
});

test("a tournament that changes is read again at once", async () => {
  let seq = 0;
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return new Response(JSON.stringify({ id: "t", seq: ++seq, status: "running" }), { headers: { "content-type": "application/json" } });
  });
  const end = new AbortController();
  void keepReading("t", () => "token", 0, end.signal, () => {}, () => {}, () => rest(5));
  await vi.advanceTimersByTimeAsync(10_500);
  end.abort();
  expect(asked.length).toBeGreaterThanOrEqual(10);
});
