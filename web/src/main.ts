import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { language, load } from "./i18n";

await load("common");
document.documentElement.lang = language();
mount(App, { target: document.getElementById("app")! });
