import { mount } from "svelte";
import "../app.css";
import Inspector from "./Inspector.svelte";
import { keepPainted } from "../theme.svelte";

keepPainted();
mount(Inspector, { target: document.getElementById("app")! });
