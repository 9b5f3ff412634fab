// Push messages to this browser: the server calls it when it is my turn and I am away.
import { language } from "./i18n";
import { session } from "./session";
import { get, post } from "./wire/http";

async function registration(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) return null;
  return (await navigator.serviceWorker.getRegistration()) ?? null;
}

/** Subscribe to push messages; false if the browser or the server does not support them. */
export async function subscribe(): Promise<boolean> {
  try {
    const here = await registration();
    const { key } = await get<{ key: string }>("api/push");
    if (here === null || key === "" || session.proof === "") return false;
    const made = (await here.pushManager.getSubscription()) ?? (await here.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
    const { endpoint, keys } = made.toJSON();
    await post("api/push", session.proof, { endpoint, p256dh: keys?.["p256dh"], auth: keys?.["auth"], language: language() });
    return true;
  } catch {
    return false; // the open page still notifies
  }
}

/** Unsubscribe from push messages. */
export async function unsubscribe(): Promise<void> {
  try {
    const made = await (await registration())?.pushManager.getSubscription();
    if (!made) return;
    await made.unsubscribe();
    await post("api/push/end", session.proof, { endpoint: made.endpoint });
  } catch {
    // the push service tells the server that it is gone
  }
}
