/** Finite animations: each calls a function with a fraction from 0 to 1 until its time is over. */

export const easeOut = (share: number): number => 1 - (1 - share) ** 3;
export const easeInOut = (share: number): number => (share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2);

interface Tween {
  readonly start: number;
  readonly lasts: number;
  readonly run: (share: number) => void;
  readonly done: (() => void) | undefined;
}

export class Tweens {
  #running = new Map<string, Tween>();

  /** Whether an animation is running. */
  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** Start an animation; a running one of the same name is finished first. */
  start(name: string, now: number, lasts: number, run: (share: number) => void, done?: () => void): void {
    this.finish(name);
    if (lasts <= 0) {
      run(1);
      done?.();
      return;
    }
    run(0);
    this.#running.set(name, { start: now, lasts, run, done });
  }

  /** Advance all animations to a time. */
  step(now: number): void {
    for (const [name, tween] of [...this.#running]) {
      const share = Math.min(1, Math.max(0, (now - tween.start) / tween.lasts));
      tween.run(share);
      if (share === 1) {
        this.#running.delete(name);
        tween.done?.();
      }
    }
  }

  /** Finish an animation at once. */
  finish(name: string): void {
    const tween = this.#running.get(name);
    if (!tween) return;
    this.#running.delete(name);
    tween.run(1);
    tween.done?.();
  }
}
