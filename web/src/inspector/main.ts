import { mount } from "svelte";
import "../app.css";
import { load } from "../i18n";
import Inspector from "./Inspector.svelte";
import { keepPainted } from "../theme.svelte";

keepPainted();
await load("wire");
mount(Inspector, { target: document.getElementById("app")! });
