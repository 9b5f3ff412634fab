import { beforeAll, expect, test } from "vitest";
import type { GamePage } from "../games/game";
import { LANGUAGES, load, speak, type Language, t } from "../i18n";
import { type Happening, type MatchState, Reason, Termination } from "../wire/types";
import { HttpError } from "../wire/http";
import { page as santorini } from "../games/santorini";
import { page as tris } from "../games/tris";
import { absence, called, refusal, renamed, result, sentences, span, stake, through, trouble } from "./tell";

const page: Pick<GamePage, "tell"> = { tell: (event: { told?: string }) => event.told ?? null };
const PLAYERS = [{ name: "Ada" }, { name: "Bo" }];
const state = (more: Partial<MatchState>): MatchState => ({
  match: "m",
  game: "tris",
  seq: 4,
  status: "playing",
  players: PLAYERS,
  options: {},
  ...more,
});
const told = (happening: Partial<Happening>) =>
  sentences({ seq: 5, players: PLAYERS, happening: { event: "skipped", at: 1, seat: 1, ...happening } }, page as GamePage);

beforeAll(() => load("common", "tris", "santorini", "gods"));

test("a turn that passed is told in the game's words, or in ours", () => {
  expect(told({ happened: [{ told: "Bo sits this one out" }] })).toEqual(["Bo sits this one out"]);
  expect(told({})).toEqual(["Bo is away, and is skipped"]);
});

test("spans of time are told in the largest unit that fits", () => {
  expect([0, 1, 90, 120, 3600, 86400].map(span)).toEqual(["no limit", "1 second", "90 seconds", "2 minutes", "1 hour", "1 day"]);
});

test("a seat that is kept says for how long", () => {
  const away = state({ players: [{ name: "Ada" }, { name: "Bo", away: true, until: 165 }] });
  expect(absence(away, 0, 100)).toBe("Bo is away. The seat is kept for another 1:05.");
  expect(absence(state({}), 0, 100)).toBe("");
  expect(absence({ ...away, status: "over" }, 0, 100)).toBe("");
});

test("of several seats the one that is lost first is told", () => {
  const players = [{ name: "Ada" }, { name: "Bo", away: true, until: 190 }, { away: true, until: 130 }];
  expect(absence(state({ players }), 0, 100)).toBe("Player 3 is away. The seat is kept for another 0:30.");
});

test("whoever is left alone where turns pass is told when that ends", () => {
  const alone = state({ leaving: "skips", players: [{ name: "Ada" }, { name: "Bo", away: true, until: 165 }] });
  expect(absence(alone, 0, 100)).toBe("The others are away. If nobody comes back within 1:05, you win.");
  expect(absence(alone, null, 100)).toBe("If nobody comes back within 1:05, the match is over.");
  const several = state({ leaving: "skips", players: [{ name: "Ada" }, { name: "Bo", away: true }, { name: "Cy" }] });
  expect(absence(several, 0, 100)).toBe("");
});

test.each(Object.keys(LANGUAGES) as Language[])("every end that is no rule's has words in %s", async (language) => {
  await speak(language);
  const told = [...Termination, "forfeit"].map((termination) => {
    const outcome = { termination, winners: [], by: 1 };
    return result(page as GamePage, null, outcome, ["Ada", "Bo"]);
  });
  expect(new Set(told).size).toBe(told.length);
  for (const words of told) expect(words).toMatch(new RegExp(`^(${t.common.nobody}|${t.common.draw}): .+[.]$`));
  expect(told.filter((words) => words.startsWith(t.common.draw))).toHaveLength(1); // by agreement
  for (const termination of ["abandoned", "connection lost"]) {
    expect(result(page as GamePage, null, { termination, winners: [] }, ["Ada", "Bo"])).not.toContain("Bo");
  }
  await speak("en");
});

test("how a match ended says who caused it, and who won", () => {
  const end = (termination: string, winners: number[], by: number | null = null) => result(page as GamePage, null, { termination, winners, by }, ["Ada", "Bo"]);
  expect(end("resigned", [0], 1)).toBe("Ada wins: Bo resigned.");
  expect(end("timed out", [1], 0)).toBe("Bo wins: Ada ran out of time.");
  expect(end("stayed away", [0], 1)).toBe("Ada wins: Bo did not come back in time.");
  expect(end("connection lost", [], 1)).toBe("Nobody won: the connection to Bo was lost.");
  expect(end("abandoned", [])).toBe("Nobody won: the table was left.");
});

test.each(Object.keys(LANGUAGES) as Language[])("every reason of a refusal has words of its own in %s", async (language) => {
  await speak(language);
  const words = Reason.map((code) => refusal({ code, reason: "in English" }));
  expect(new Set(words).size).toBe(Reason.length);
  // what only the server can tell is told in English to those who read it; the reason of a ban or a mute to all
  expect(words.filter((text) => text.includes("in English"))).toHaveLength(language === "en" ? 5 : 2);
  await speak("en");
});

test("a reason that the page does not know is told in the server's words", () => {
  expect(refusal({ code: "bad-weather", reason: "it rains" })).toBe("Not now: it rains.");
  expect(refusal({ code: "not-your-turn", reason: "it is Bo's turn" })).toBe("It is not your turn.");
});

test("what the server says against a request is told in the reader's language", async () => {
  const refused = new HttpError(404, "there is no match x", "no-such-match");
  const other = new HttpError(409, "in English");
  expect([refused, other, new TypeError("fetch")].map((one) => trouble(one))).toEqual([
    "There is no such match.",
    "in English",
    "This could not be loaded.",
  ]);
  await speak("it");
  expect(trouble(refused)).toBe(t.common.refused["no-such-match"]);
  expect(trouble(other)).toBe(t.common.failed);
  expect(trouble(new HttpError(403, "closed to you until Monday"))).toBe("closed to you until Monday");
  await speak("en");
});

test("a bot at a table is called by what it is, in the reader's language", async () => {
  const bot = { name: "level 3 bot 2", bot: "search:3" };
  const step = { seq: 1, happening: { event: "resigned", at: 1, seat: 1 }, players: [{ name: "Ada" }, bot] };
  expect(sentences(step, page as GamePage)).toEqual(["level 3 bot 2 resigned"]);
  expect(called({ bot: "greedy" }, 2)).toBe("greedy bot 3");
  await speak("it");
  expect(sentences(step, page as GamePage)).toEqual([t.common.resigned("bot 2 (livello 3)")]);
  expect(called({ bot: "greedy" }, 2)).toBe("bot 3 (bravo)");
  expect(renamed([{ name: "Ada" }, bot, null])).toEqual([{ name: "Ada" }, { ...bot, name: "bot 2 (livello 3)" }, null]);
  await speak("en");
});

test("a flag that falls, and somebody who stays away, have not given up", () => {
  const happened = [{ type: "eliminated", seat: 1, reason: "forfeit", god: null }, { type: "won", seats: [0], how: "forfeit", god: null }];
  const told = (event: string, absent: boolean) =>
    sentences({ seq: 1, happening: { event, at: 1, seat: 1, happened }, players: PLAYERS, absent }, santorini);
  expect(told("timedout", false)).toEqual(["Bo ran out of time"]);
  expect(told("timedout", true)).toEqual(["Bo did not come back in time"]);
  expect(told("resigned", false)).toEqual(["Bo resigned"]);
});

test("what would be taken back is told by its own sentence, and how many steps more", () => {
  const did = (seq: number, seat: number, cell: number) => ({
    seq,
    happening: { event: "acted", at: 1, seat, happened: [{ type: "marked", seat, cell, line: [] }] },
    players: PLAYERS,
  });
  expect(stake([did(1, 0, 4)], tris)).toBe("“Ada marked row 2, column 2”");
  expect(stake([did(1, 0, 4), did(2, 1, 0), did(3, 0, 1)], tris)).toBe("“Ada marked row 2, column 2” and the 2 steps after it");
  expect(stake([], tris)).toBe("the last step and all that came after it");
  const school = { ...page, tell: () => "Ada seats a green student." } as unknown as GamePage;
  expect(stake([did(1, 0, 4)], school)).toBe("“Ada seats a green student”");
});

test("a program is named by what it is, a bot by its name", () => {
  expect(through({ dialect: "santorini-objects" })).toBe("Java program, santorini-objects");
  expect(through({ dialect: "bot", bot: "greedy" })).toBe("Computer, good");
  expect(through({ dialect: "bot", bot: "deep" })).toBe("Computer (deep)");
  expect(through({ dialect: "native" })).toBe("");
});

test("a name cannot turn round the text beside it", () => {
  expect(called({ name: "\u202eevE\u0007" }, 0)).toBe("evE");
  expect(called({ name: "\u202e" }, 1)).toBe("Player 2");
});
