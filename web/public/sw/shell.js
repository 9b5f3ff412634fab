// Service worker that opens the page without its server.
// - Files with a hash in their names never change and are cached.
// - The page itself always comes from the server, so that an old page never meets a new server; the cached one is used
//   only if the server cannot be reached, and says so.
// - The API, the WebSocket and everything else are never cached.
const FILES = "assets";
const SHELL = "shell";
const MAX_FILES = 160;
const ROOT = new URL("./", self.registration.scope).href;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(prepare().catch(() => {})); // otherwise the next visit caches the files that it loads
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(ROOT)) return;
  const path = request.url.slice(ROOT.length).replace(/[?#].*$/, "");
  if (/^assets\/[^/]+$/.test(path)) event.respondWith(kept(request));
  else if (request.mode === "navigate" && (path === "" || path === "index.html")) event.respondWith(current(request, ROOT));
  else if (/^(?:manifest\.webmanifest|icon[^/]*)$/.test(path)) event.respondWith(current(request, request.url));
});

/** Cache the page and its first files, which were loaded before this worker was installed. */
async function prepare() {
  const answer = await fetch(ROOT);
  if (!answer.ok) return;
  const names = [...(await answer.clone().text()).matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map((found) => found[1]);
  await (await caches.open(SHELL)).put(ROOT, answer);
  const files = await caches.open(FILES);
  const missing = await Promise.all(names.map(async (name) => ((await files.match(ROOT + name)) ? [] : [ROOT + name])));
  await files.addAll(missing.flat());
}

/** From the server; if there is none, what it sent last under this address. */
async function current(request, address) {
  const shell = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await shell.put(address, answer.clone());
    return answer;
  } catch (error) {
    const known = await shell.match(address);
    if (known === undefined) throw error;
    return known;
  }
}

async function kept(request) {
  const store = await caches.open(FILES);
  const known = await store.match(request);
  if (known !== undefined) return known;
  const answer = await fetch(request);
  if (answer.ok) {
    await store.put(request, answer.clone());
    const names = await store.keys();
    await Promise.all(names.slice(0, Math.max(0, names.length - MAX_FILES)).map((name) => store.delete(name)));
  }
  return answer;
}
