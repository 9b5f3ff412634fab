// Keeps what never changes: the files with a hash in their names.  The page itself, and whatever else there is, always
// comes from the server, so that a new server never meets an old page.
const KEPT = "assets";
const MOST = 120;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method === "GET" && origin === self.location.origin && /\/assets\/[^/]+$/.test(pathname)) {
    event.respondWith(kept(event.request));
  }
});

async function kept(request) {
  const store = await caches.open(KEPT);
  const known = await store.match(request);
  if (known !== undefined) return known;
  const answer = await fetch(request);
  if (answer.ok) {
    await store.put(request, answer.clone());
    const names = await store.keys();
    await Promise.all(names.slice(0, Math.max(0, names.length - MOST)).map((name) => store.delete(name)));
  }
  return answer;
}
