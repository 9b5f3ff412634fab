// The page of nodes, for operators.
export default {
  title: "Nodes",
  name: "Node",
  state: "State",
  heard: "Last seen",
  tables: "Tables",
  version: "Version",
  here: "this one",
  alone: "This server",
  lobby: "lobby",
  states: { up: "up", silent: "unreachable", stopped: "stopped" },
  seconds: (n: string) => `${n} s ago`,
  old: "Out of date:",
};
