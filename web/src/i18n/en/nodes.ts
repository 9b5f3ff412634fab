// The page of nodes, for operators.
export default {
  title: "Nodes",
  name: "Node",
  state: "State",
  heard: "Last heard of",
  tables: "Tables",
  version: "Version",
  here: "this one",
  alone: "This server",
  lobby: "has the lobby",
  states: { up: "there", silent: "not heard of", stopped: "stopped" },
  seconds: (n: string) => `${n} s ago`,
  old: "What is shown is not new:",
};
