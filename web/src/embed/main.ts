// Replay that other sites may embed: it reads a match over HTTP and has no connection, token or settings.
import { mount } from "svelte";
import "../app.css";
import { language, load } from "../i18n";
import { keepPainted } from "../theme.svelte";
import Embed from "./Embed.svelte";

keepPainted();
await load("common");
document.documentElement.lang = language();
mount(Embed, {
  target: document.getElementById("app")!,
  props: { match: decodeURIComponent(location.pathname.split("/").at(-1) ?? "") },
});
