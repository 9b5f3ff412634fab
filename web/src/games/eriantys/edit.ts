/**
 * Position in the editor: the subjects and values of the notation (docs/games/eriantys.md).
 *
 * The editor changes the values it supports and keeps all others.
 */
export const COLOURS = ["green", "red", "yellow", "pink", "blue"] as const;
export const SEATS = "ABCD";
export const TOWERS = ["white", "black", "grey"] as const;

export type Statements = ReadonlyMap<string, string>;

export function read(text: string): Statements {
  const pairs = text.split(";").flatMap((part): [string, string][] => {
    const [subject, ...value] = part.split("=");
    return subject?.trim() && value.length > 0 ? [[subject.trim().replace(/\s+/g, " "), value.join("=").trim()]] : [];
  });
  return new Map(pairs);
}

export function write(said: Statements): string {
  return [...said].map(([subject, value]) => `${subject} = ${value}`.trim()).join("; ");
}

/** The position with another value; null: the default. */
export function put(said: Statements, subject: string, value: string | null): Statements {
  const next = new Map(said);
  if (value === null) next.delete(subject);
  else next.set(subject, value);
  return next;
}

/** Students by colour, as `red 2 blue 1`. */
export function counts(said: Statements, subject: string): readonly number[] {
  const words = (said.get(subject) ?? "").split(/\s+/);
  return COLOURS.map((colour) => Number(words[words.indexOf(colour) + 1]) || 0).map((many, index) =>
    words.includes(COLOURS[index] ?? "") ? many : 0,
  );
}

export function withCount(said: Statements, subject: string, colour: number, many: number): Statements {
  const all = counts(said, subject).with(colour, Math.max(0, Math.min(26, Math.round(many) || 0)));
  return put(said, subject, all.flatMap((one, index) => (one > 0 ? [`${COLOURS[index]} ${one}`] : [])).join(" ") || "-");
}

/** The first tiles of the islands; the others are joined to them. */
export function heads(said: Statements, tiles: number): readonly number[] {
  const joined = new Set([...said].flatMap(([subject, value]) => (subject.startsWith("group ") ? value.split(/\s+/).slice(1).map(Number) : [])));
  return Array.from({ length: tiles }, (_, tile) => tile).filter((tile) => !joined.has(tile));
}
