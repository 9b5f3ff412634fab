/** Any value as a short text: `to 3 · built 1, 2`. */
export function text(value: unknown): string {
  if (Array.isArray(value)) return value.map(text).join(", ");
  if (value === null || typeof value !== "object") return String(value ?? "–");
  return Object.entries(value)
    .map(([key, part]) => (key === "type" ? text(part) : `${key} ${text(part)}`))
    .join(" · ");
}
