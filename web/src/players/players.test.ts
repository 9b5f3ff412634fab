import { afterEach, expect, test, vi } from "vitest";
import type { RatingInfo } from "../wire/types";
import { bytes, distinct, ratingChange, signed, text } from "./players";

afterEach(() => void vi.unstubAllGlobals());

const RATING: RatingInfo = {
  pool: "people", game: "tris", mode: "", speed: "blitz", rating: 1511.6, error: 300, provisional: true, played: 2, won: 2, drawn: 0, lost: 0, changed: 9,
};

function serve(profile: unknown, history: unknown): void {
  vi.stubGlobal("fetch", async (path: string) => {
    const body = JSON.stringify(path.includes("/history") ? history : profile);
    return new Response(body, { headers: { "content-type": "application/json" } });
  });
}

test("the rating of all is left out where it says the same as that of people", () => {
  const all: RatingInfo = { ...RATING, pool: "all", changed: 10 };
  expect(distinct([RATING, all])).toEqual([RATING]);
  expect(distinct([RATING, { ...all, won: 3 }])).toHaveLength(2);
  expect(distinct([all])).toEqual([all]);
});

test("the change of a rating is the difference to the match before, and none for the first match or one not rated yet", async () => {
  serve({ ratings: [RATING] }, { points: [{ at: 1, rating: 1490.2, match: "m1" }, { at: 2, rating: 1511.6, match: "m2" }] });
  expect(await ratingChange("Ann", "tris", "m2")).toEqual({ rating: 1511.6, before: 1490.2 });
  expect(await ratingChange("Ann", "tris", "m1")).toEqual({ rating: 1490.2, before: null });
  expect(await ratingChange("Ann", "tris", "m3")).toBeNull();
  expect(await ratingChange("Ann", "santorini", "m2")).toBeNull();
  expect([signed(1511.6, 1490.2), signed(1490.2, 1511.6), signed(1490, 1490)]).toEqual(["+22", "−22", "+0"]);
});

test("bytes survive base64url, which has no + / or =", () => {
  const all = Uint8Array.from({ length: 256 }, (_, value) => value);
  const written = text(all.buffer);
  expect(written).toMatch(/^[\w-]+$/);
  expect([...bytes(written)]).toEqual([...all]);
});
