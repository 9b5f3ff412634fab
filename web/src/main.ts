import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { language, load } from "./i18n";
import { follow } from "./router.svelte";
import { keepConnected } from "./session";
import { keepPainted } from "./theme.svelte";

keepPainted();
keepConnected();
follow();
await load("common", "computer");
document.documentElement.lang = language();
mount(App, { target: document.getElementById("app")! });

// What is kept makes the next visit quicker, and the page can be installed; where that is not possible, it does without.
if (import.meta.env.PROD && "serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
