// Values in the browser's storage. If the browser forbids it, they last until the page is closed.
const PREFIX = "boardwire.";

function store(kind: "local" | "session"): Storage | null {
  try {
    return kind === "local" ? localStorage : sessionStorage;
  } catch {
    return null;
  }
}

export function recall(key: string, kind: "local" | "session" = "local"): string | null {
  return store(kind)?.getItem(PREFIX + key) ?? null;
}

export function remember(key: string, value: string, kind: "local" | "session" = "local"): void {
  try {
    store(kind)?.setItem(PREFIX + key, value);
  } catch {
    // It is full, or forbidden.
  }
}
