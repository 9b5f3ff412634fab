/**
 * Mounts the parts of the first table one after the other, each in a separate task.
 *
 * Mounted in one task, a table blocks a phone for a quarter of a second.
 * The first table compiles the code of its parts, so later tables mount at once.
 */

interface Part {
  run: (() => void) | null;
}

/** Parts added by the running task, and those that waited before: a part's children mount before its next sibling. */
let added: Part[] = [];
let rest: Part[] = [];
let running = false;
let warm = false;

/** Whether parts still mount one after the other. */
export function isCold(): boolean {
  return !warm;
}

/** Run a function in a separate task, after a paint; return a function that cancels it. */
export function inTurn(run: () => void): () => void {
  const part: Part = { run };
  added.push(part);
  if (!running) {
    running = true;
    requestAnimationFrame(next);
  }
  return () => void (part.run = null);
}

function next(): void {
  setTimeout(() => {
    rest = [...added, ...rest];
    added = [];
    const part = rest.shift();
    if (part === undefined) {
      running = false;
      warm = true;
      return;
    }
    part.run?.();
    next(); // by then, the children of this part are queued
  });
}
