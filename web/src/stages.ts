/**
 * Parts of the first table that mount one after the other, each in a task of its own.
 *
 * A table in one task keeps a phone busy for a quarter of a second, in which it answers nothing.
 * When the first one stands, its parts are compiled: those of later matches mount at once.
 */

interface Part {
  run: (() => void) | null;
}

/** What came in the running task, and what waited before: parts of a part come before what follows it. */
let added: Part[] = [];
let rest: Part[] = [];
let running = false;
let warm = false;

/** Whether parts still mount one after the other. */
export function isCold(): boolean {
  return !warm;
}

/** Run this in a task of its own, after a paint; gives what cancels it. */
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
    next(); // what this part has mounted waits by then
  });
}
