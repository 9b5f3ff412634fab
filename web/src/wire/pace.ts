// The steps of others, one after the other: those that come at once are shown at a speed that one can follow.
//
// Rules:
// - What is shown may be late; what is known never is.  One's own step is shown at once, and so is all that waits then.
// - `skip` shows the newest step at once.
// - A long queue is shown faster, so that one is never far behind.

/** Steps that may wait before they are shown faster. */
const CALM = 8;

export class Pace<Scene> {
  private readonly queue: Scene[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = -Infinity;

  /** `show` is called with what is to be shown; null: the newest.  `interval` is in milliseconds; 0: all at once. */
  constructor(
    private readonly show: (scene: Scene | null) => void,
    private readonly interval: () => number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A step of somebody else has come: before it, this was shown. */
  push(before: Scene, scene: Scene): void {
    const wait = this.last + this.interval() - this.now();
    if (this.queue.length === 0 && (wait <= 0 || this.interval() === 0)) {
      this.last = this.now();
      return;
    }
    if (this.queue.length === 0) {
      this.show(before);
      this.timer = setTimeout(() => this.advance(), Math.max(0, wait));
    }
    this.queue.push(scene);
  }

  /** Show the newest now; what comes next may wait until that was seen. */
  skip(): void {
    clearTimeout(this.timer);
    this.last = this.now();
    if (this.queue.length === 0) return;
    this.queue.length = 0;
    this.show(null);
  }

  private advance(): void {
    const scene = this.queue.shift();
    this.last = this.now();
    if (scene === undefined || this.queue.length === 0) return this.show(null);
    this.show(scene);
    this.timer = setTimeout(() => this.advance(), this.interval() / Math.ceil(this.queue.length / CALM));
  }
}
