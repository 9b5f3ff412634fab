// Lay out diagrams with Graphviz: reads a JSON list of DOT texts from stdin, writes a JSON list of SVG texts.
import { instance } from "@viz-js/viz";

const viz = await instance();
let input = "";
for await (const chunk of process.stdin) input += chunk;
const drawn = JSON.parse(input).map((dot) => viz.renderString(dot, { format: "svg" }));
process.stdout.write(JSON.stringify(drawn));
