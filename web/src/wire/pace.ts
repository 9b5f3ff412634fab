// Shows the steps of others one after the other, at a speed that a person can follow.
//
// Rules:
// - Only the display is delayed, never the state. The player's own step shows at once, with all that is queued.
// - `skip` shows the newest step at once.
// - A long queue is shown faster, so that the display never falls far behind.

/** Length of the queue from which steps are shown faster. */
const CALM = 8;

export class Pace<Scene> {
  private readonly queue: Scene[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = -Infinity;

  /** `show` is called with the state to show; null: the newest. `interval` is in milliseconds; 0: all at once. */
  constructor(
    private readonly show: (scene: Scene | null) => void,
    private readonly interval: () => number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Queue a step of another player; `before` is the state shown before it. */
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

  /** Show the newest state now; later steps are queued again. */
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
