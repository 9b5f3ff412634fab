// Push messages: whose turn it is in a match by correspondence, or that a match of a tournament is ready.
const WORDS = {
  en: { turn: "Your turn", ready: "Your match is ready" },
  it: { turn: "Tocca a te", ready: "La tua partita è pronta" },
};
const GAMES = { santorini: "Santorini", eriantys: "Eriantys", forza: "Forza Quattro", tris: "Tris" };

self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data?.json() ?? {};
  } catch {
    // not ours
  }
  const words = WORDS[told.language] ?? WORDS.en;
  const match = typeof told.match === "string" ? told.match : "";
  event.waitUntil(
    self.registration.showNotification(words[told.kind] ?? words.turn, {
      body: GAMES[told.game] ?? "boardwire",
      icon: "icon-192.png",
      tag: `boardwire ${match}`,
      data: match === "" ? "#/" : `#/table/${encodeURIComponent(match)}`,
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data ?? "#/", self.registration.scope).href;
  event.waitUntil(
    (async () => {
      const windows = await self.clients.matchAll({ type: "window" });
      for (const one of windows) {
        try {
          await one.focus();
          return void (await one.navigate(address));
        } catch {
          // it is not controlled by this worker; try the next one
        }
      }
      await self.clients.openWindow(address);
    })(),
  );
});
