// The scenes of a replay.
import { type Line, joinLines } from "../wire/lines";
import type { MatchState, Step } from "../wire/types";

/** A position of a replay, and the events that led to it. */
export interface Scene {
  seq: number;
  state: MatchState;
  happened: readonly unknown[];
}

export interface Story {
  scenes: readonly Scene[];
  lines: readonly Line[];
}

export const EMPTY: Story = { scenes: [], lines: [] };

/** Events that make a scene; chat, offers, arrivals and departures have lines only. */
const CHANGES = new Set(["started", "acted", "dealt", "resigned", "timedout", "skipped", "undone", "ended"]);

export function extend(story: Story, steps: readonly Step[]): Story {
  const scenes = [...story.scenes];
  let lines = story.lines;
  for (const { state, events } of steps) {
    lines = joinLines(lines, state, events);
    const scene = { seq: state.seq, state, happened: events.flatMap((event) => event.happened ?? []) };
    const changed = state.view !== undefined && state.view !== null && events.some((event) => CHANGES.has(event.event));
    if (scenes.length === 0 || changed) scenes.push(scene);
    if (scenes.length === 2 && (scenes[0]?.state.view ?? null) === null) scenes.shift(); // the position before the match began
  }
  return { scenes, lines };
}

/** Index of the scene at event `seq`, the last one not after it; null: the first one. */
export function sceneAt(story: Story, seq: number | null): number {
  if (seq === null) return 0;
  const after = story.scenes.findIndex((scene) => scene.seq > seq);
  return after === -1 ? Math.max(0, story.scenes.length - 1) : Math.max(0, after - 1);
}
