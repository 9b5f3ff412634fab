// Routing by the fragment of the address.  Browsers do not send the fragment to a server, so only people with the link
// know the code of a private table.
export type Route =
  | { page: "lobby" }
  | { page: "table"; match: string; code: string }
  | { page: "replay"; match: string; seq: number | null }
  | { page: "puzzles"; id: string }
  | { page: "analysis"; game: string; data: string }
  | { page: "rules"; game: string; card: string }
  | { page: "tournaments"; id: string }
  | { page: "account" }
  | { page: "leaderboard" }
  | { page: "player"; name: string }
  | { page: "unsubscribe"; link: string }
  | { page: "nodes" }
  | { page: "admin"; tab: string }
  | { page: "privacy" };

export function parse(hash: string): Route {
  const [page = "", match = "", rest = ""] = hash.replace(/^#\/?/, "").split("/").map(decode);
  if (page === "table" && match) return { page, match, code: rest };
  if (page === "replay" && match) return { page, match, seq: /^\d+$/.test(rest) ? Number(rest) : null };
  if (page === "puzzles") return { page, id: match };
  if (page === "analysis") return { page, game: match, data: rest };
  if (page === "rules") return { page, game: match, card: rest };
  if (page === "tournaments") return { page, id: match };
  if (page === "account" || page === "leaderboard") return { page };
  if (page === "player" && match) return { page, name: match };
  if (page === "unsubscribe" && match) return { page, link: match };
  if (page === "nodes" || page === "privacy") return { page };
  if (page === "admin") return { page, tab: match };
  return { page: "lobby" };
}

export function format(route: Route): string {
  switch (route.page) {
    case "lobby":
      return "#/";
    case "nodes":
      return "#/nodes";
    case "privacy":
      return "#/privacy";
    case "admin":
      return `#/admin${route.tab ? `/${encodeURIComponent(route.tab)}` : ""}`;
    case "account":
    case "leaderboard":
      return `#/${route.page}`;
    case "player":
      return `#/player/${encodeURIComponent(route.name)}`;
    case "unsubscribe":
      return `#/unsubscribe/${encodeURIComponent(route.link)}`;
    case "table":
      return `#/table/${encodeURIComponent(route.match)}${route.code ? `/${encodeURIComponent(route.code)}` : ""}`;
    case "puzzles":
      return `#/puzzles${route.id ? `/${encodeURIComponent(route.id)}` : ""}`;
    case "analysis":
      return `#/analysis${route.game ? `/${encodeURIComponent(route.game)}` : ""}${route.data ? `/${encodeURIComponent(route.data)}` : ""}`;
    case "rules":
      return ["#/rules", route.game, route.card].filter((part) => part !== "").map((part, place) => (place ? encodeURIComponent(part) : part)).join("/");
    case "tournaments":
      return `#/tournaments${route.id ? `/${encodeURIComponent(route.id)}` : ""}`;
    case "replay":
      return `#/replay/${encodeURIComponent(route.match)}${route.seq === null ? "" : `/${route.seq}`}`;
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

let current = $state.raw<Route>(typeof location === "undefined" ? { page: "lobby" } : parse(location.hash));

export function route(): Route {
  return current;
}

/** Navigate; `quietly` replaces the current history entry. */
export function go(to: Route, quietly = false): void {
  current = parse(format(to));
  clearTimeout(later);
  write(format(to), quietly);
}

let later: ReturnType<typeof setTimeout> | undefined;

function write(hash: string, quietly: boolean): void {
  if (location.hash === hash) return;
  try {
    if (quietly) history.replaceState(history.state, "", hash);
    else history.pushState(null, "", hash);
  } catch {
    // Some browsers limit the number of changes in a few seconds, and a slider exceeds it.
    later = setTimeout(() => write(hash, quietly), 2000);
  }
}

/** Follow the browser's navigation: links, back, a typed address. */
export function follow(): () => void {
  const changed = () => {
    if (format(current) !== location.hash) current = parse(location.hash);
  };
  addEventListener("hashchange", changed);
  addEventListener("popstate", changed);
  return () => {
    removeEventListener("hashchange", changed);
    removeEventListener("popstate", changed);
  };
}
