import { mount } from "svelte";
import "../app.css";
import { load } from "../i18n";
import { keepPainted } from "../theme.svelte";
import Course from "./Course.svelte";

keepPainted();
await load("common", "course");
mount(Course, { target: document.getElementById("app")! });
