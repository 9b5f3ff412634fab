import { expect, test } from "vitest";
import { atTable, filtered, hexadecimal, mermaid, shown, svg, transcript, type Entry } from "./records";

const entries: Entry[] = [
  { event: "connected", connection: 1, at: 0, peer: "127.0.0.1:9" },
  { event: "message", connection: 1, number: 1, at: 0.5, from: "server", name: "WAIT", section: "p, 2", text: "WAIT", bytes: "574149540a", took: 0 },
  { event: "message", connection: 1, number: 2, at: 1, from: "client", name: "cell", section: "p, 2", text: "9", bytes: "390a", took: 0.5 },
  { event: "finding", connection: 1, number: 2, at: 1, side: "client", name: "a move is a free cell", section: "p, 2", detail: "9 came", sent: "WAIT" },
];
const all = { connection: null, sides: new Set(["client", "server"] as const), findings: false, text: "" };

test("a filter lets through what it names", () => {
  expect(filtered(entries, all)).toHaveLength(4);
  expect(filtered(entries, { ...all, findings: true })).toHaveLength(1);
  expect(filtered(entries, { ...all, sides: new Set(["client"] as const) }).map((entry) => entry.event)).toEqual(["connected", "message", "finding"]);
  expect(filtered(entries, { ...all, text: "wait" })).toHaveLength(1);
  expect(filtered(entries, { ...all, connection: 2 })).toHaveLength(0);
});

test("bytes are shown in rows with what can be read", () => {
  expect(hexadecimal("574149540a")).toEqual(["0000  57 41 49 54 0a           WAIT."]);
});

test("exports have every message", () => {
  expect(mermaid(entries)).toContain("S->>C1: WAIT\n    C1->>S: 9\n    Note over C1: breaks p, 2");
  expect(transcript(entries, "tris-lines")).toBe(
    "# boardwire transcript: tris-lines\n+ 1 tris-lines\n~ 0.500\n< 1 WAIT\n= 57 41 49 54 0a\n~ 0.500\n> 1 9\n= 39 0a\n# ! client: p, 2: a move is a free cell: 9 came\n",
  );
  expect(svg(entries)).toContain(">WAIT</text>");
});

test("the table's lane tells what happened there, or whom it waits for, once", () => {
  const [, first, second] = entries as [Entry, Entry & { event: "message" }, Entry & { event: "message" }];
  const stored = [{ ...first, seq: 3, table: "joined" }, { ...second, seq: 3, table: "joined" }, { ...second, seq: 4, table: "acted" }];
  expect(atTable(stored)).toEqual(["3 joined", null, "4 acted"]);
  expect(atTable([{ ...first, expected: "client: a cell" }, second, { ...second, connection: 2, expected: "client: a cell" }])).toEqual([
    "client: a cell", null, "client: a cell",
  ]);
  expect(mermaid(stored)).toContain("participant T as table\n    S->>C1: WAIT\n    Note over T: 3 joined\n");
  expect(mermaid(entries)).not.toContain("table");
  expect(svg(stored)).toContain(">4 acted</text>");
});

test("a ruling and a repetition are marked", () => {
  const finding = { ...entries[3], ruling: true, count: 3 } as Entry;
  expect(shown(finding)).toBe("the client breaks p, 2 (ruling) (3 times so far): a move is a free cell: 9 came");
});
