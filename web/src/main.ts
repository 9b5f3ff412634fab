import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { gamePage } from "./games";
import { language, load } from "./i18n";
import { follow, route } from "./router.svelte";
import { keepConnected, session } from "./session";
import { keepPainted } from "./theme.svelte";
import { recall, remember } from "./wire/memory";

keepPainted();
keepConnected();
follow();
// Opening a table takes several requests: its data is requested while its script loads, and its board if its game is known.
const first = route();
if (first.page === "table") {
  session.visit(first.match, first.code);
  import("./table/Table.svelte").catch(() => {});
  const [match, game] = recall("table")?.split(" ") ?? [];
  if (match === first.match && game !== undefined) gamePage(game).catch(() => {});
}
await load("common", "computer");
document.documentElement.lang = language();
const target = document.getElementById("app")!;
target.replaceChildren();
mount(App, { target });

// A new version of the page has other files: if an old one is gone, reload the page, at most once a minute.
addEventListener("vite:preloadError", (event) => {
  const last = Number(recall("reloaded", "session") ?? 0);
  if (!session.heard || Date.now() - last < 60_000) return; // without a server there is no new version
  event.preventDefault();
  remember("reloaded", String(Date.now()), "session");
  location.reload();
});

// What is kept makes the next visit quicker, and the page can be installed; where that is not possible, it does without.
if (import.meta.env.PROD && "serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
