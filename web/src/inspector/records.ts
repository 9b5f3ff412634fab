// Entries of a proxy's conversations (`boardwire.proxy.inspector`), and their presentation.

export type Side = "client" | "server";

export interface Message {
  event: "message";
  connection: number;
  number: number;
  at: number;
  from: Side;
  name: string;
  section: string;
  text: string;
  bytes: string;
  took: number;
  unread?: string;
  expected?: string;
  /** In a stored match: the number and name of the event that it caused or resulted from. */
  seq?: number;
  table?: string;
}

export interface Finding {
  event: "finding";
  connection: number;
  number: number;
  at: number;
  side: Side;
  name: string;
  section: string;
  detail: string;
  sent: string;
  /** Whether the rule is a ruling of this project, not a rule of the published document. */
  ruling?: boolean;
  /** How often this kind of finding has occurred so far. */
  count?: number;
  seq?: number;
}

export interface Connection {
  event: "connected" | "closed" | "reset";
  connection: number;
  at: number;
  by?: Side;
  peer?: string;
  seq?: number;
}

export type Entry = Message | Finding | Connection;

export interface Filter {
  connection: number | null;
  sides: ReadonlySet<Side>;
  findings: boolean;
  text: string;
}

/** The entries that match a filter. */
export function filtered(entries: readonly Entry[], filter: Filter): Entry[] {
  const words = filter.text.trim().toLowerCase();
  return entries.filter((entry) => {
    if (filter.connection !== null && entry.connection !== filter.connection) return false;
    if (filter.findings && entry.event !== "finding") return false;
    if (entry.event === "message" && !filter.sides.has(entry.from)) return false;
    return words === "" || shown(entry).toLowerCase().includes(words);
  });
}

/** An entry as one line. */
export function shown(entry: Entry): string {
  if (entry.event === "message") return `${entry.name} ${entry.text}`;
  if (entry.event === "finding") {
    const notes = `${entry.ruling ? " (ruling)" : ""}${(entry.count ?? 1) > 1 ? ` (${entry.count} times so far)` : ""}`;
    return `the ${entry.side} breaks ${entry.section}${notes}: ${entry.name}: ${entry.detail}`;
  }
  if (entry.event === "connected") return `${entry.peer ?? "a client"} connects`;
  return `the ${entry.by ?? "peer"} ${entry.event === "reset" ? "resets" : "closes"} the connection`;
}

/** Label of an arrow: a short message in full, a long one by its name. */
export function label(message: Message): string {
  return message.text.length <= 24 || message.name === "" ? message.text : message.name;
}

/** By entry, the event at the table or the seat that it now waits for, if changed. Each connection has a separate table. */
export function atTable(entries: readonly Entry[]): (string | null)[] {
  const before = new Map<number, string>();
  return entries.map((entry) => {
    if (entry.event !== "message") return null;
    const now = entry.seq === undefined ? (entry.expected ?? "") : `${entry.seq} ${entry.table ?? ""}`;
    if (now === (before.get(entry.connection) ?? "")) return null;
    before.set(entry.connection, now);
    return now === "" ? null : now;
  });
}

/** Hex dump in rows of eight bytes: offset, digits, and printable characters. */
export function hexadecimal(digits: string): string[] {
  const bytes = digits.match(/../g) ?? [];
  const rows: string[] = [];
  for (let at = 0; at < bytes.length; at += 8) {
    const row = bytes.slice(at, at + 8);
    const text = row.map((byte) => {
      const code = parseInt(byte, 16);
      return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : ".";
    });
    rows.push(`${at.toString(16).padStart(4, "0")}  ${row.join(" ").padEnd(23)}  ${text.join("")}`);
  }
  return rows;
}

/** JSON with indentation; other text unchanged. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The conversation as a Mermaid sequence diagram. */
export function mermaid(entries: readonly Entry[]): string {
  const lines = ["sequenceDiagram"];
  for (const number of new Set(entries.map((entry) => entry.connection))) {
    lines.push(`    participant C${number} as client ${number}`);
  }
  const table = atTable(entries);
  lines.push("    participant S as server", ...(table.some((note) => note !== null) ? ["    participant T as table"] : []));
  for (const [index, entry] of entries.entries()) {
    const note = table[index];
    const lane = `C${entry.connection}`;
    if (entry.event === "message") {
      lines.push(`    ${entry.from === "client" ? `${lane}->>S` : `S->>${lane}`}: ${plain(label(entry))}`);
      if (note) lines.push(`    Note over T: ${plain(note)}`);
    } else if (entry.event === "finding") {
      lines.push(`    Note over ${entry.side === "client" ? lane : "S"}: breaks ${plain(entry.section)}: ${plain(entry.name)}`);
    }
  }
  return lines.join("\n") + "\n";
}

function plain(text: string): string {
  return text.slice(0, 60).replace(/[#;:<>{}]/g, (sign) => `#${sign.charCodeAt(0)};`);
}

/** The conversation as a transcript that `boardwire transcript` reads. */
export function transcript(entries: readonly Entry[], dialect: string): string {
  const lines = [`# boardwire transcript: ${dialect}`];
  let at: number | null = null;
  const opened = new Set<number>();
  for (const entry of entries) {
    if (entry.event === "finding") {
      lines.push(`# ! ${entry.side}: ${entry.section}: ${entry.name}: ${entry.detail}`.replaceAll("\n", " "));
      continue;
    }
    if (at !== null && entry.at - at >= 0.0005) lines.push(`~ ${(entry.at - at).toFixed(3)}`);
    at = entry.at;
    if (!opened.has(entry.connection)) {
      opened.add(entry.connection);
      lines.push(`+ ${entry.connection} ${dialect}`);
    }
    if (entry.event === "message") {
      lines.push(`${entry.from === "client" ? ">" : "<"} ${entry.connection} ${entry.text}`.trimEnd());
      for (let from = 0; from < entry.bytes.length; from += 64) {
        lines.push(`= ${(entry.bytes.slice(from, from + 64).match(/../g) ?? []).join(" ")}`);
      }
    } else if (entry.event !== "connected") {
      lines.push(`${entry.by === "server" ? "x" : "-"}${entry.event === "reset" ? "!" : ""} ${entry.connection}`);
    }
  }
  return lines.join("\n") + "\n";
}

const ROW = 22;
const LANES = { client: 160, server: 520, table: 700 } as const;

/** The conversation as an SVG picture. */
export function svg(entries: readonly Entry[]): string {
  const table = atTable(entries);
  const height = (entries.length + 2) * ROW;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="980" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="white"/>`,
  ];
  for (const [name, x] of Object.entries(LANES)) {
    parts.push(`<text x="${x}" y="16" text-anchor="middle" font-weight="bold">${name}</text>`);
    parts.push(`<line x1="${x}" y1="24" x2="${x}" y2="${height}" stroke="#bbb"/>`);
  }
  entries.forEach((entry, index) => {
    const y = (index + 2) * ROW;
    if (entry.event === "message") {
      const [from, to] = entry.from === "client" ? [LANES.client, LANES.server] : [LANES.server, LANES.client];
      const tip = to > from ? to - 7 : to + 7;
      parts.push(`<line x1="${from}" y1="${y}" x2="${to}" y2="${y}" stroke="#1d5fb8"/>`);
      parts.push(`<path d="M${to} ${y} L${tip} ${y - 4} L${tip} ${y + 4} Z" fill="#1d5fb8"/>`);
      parts.push(`<text x="340" y="${y - 4}" text-anchor="middle">${escaped(label(entry).slice(0, 60))}</text>`);
      parts.push(`<text x="8" y="${y}" fill="#777">${entry.at.toFixed(3)} #${entry.connection}</text>`);
      const note = table[index];
      if (note) parts.push(`<text x="${LANES.table + 8}" y="${y}" fill="#5b6470">${escaped(note.slice(0, 40))}</text>`);
    } else {
      const colour = entry.event === "finding" ? "#b3261e" : "#777";
      parts.push(`<text x="${LANES.server + 12}" y="${y}" fill="${colour}">${escaped(shown(entry).slice(0, 70))}</text>`);
    }
  });
  return parts.join("\n") + "\n</svg>\n";
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
