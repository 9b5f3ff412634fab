// One WebSocket that comes back by itself.
//
// Rules:
// - Whatever is asked is answered.  What stays unanswered for a while is told ("silent"), and after a while more the
//   line is given up, and another one dialled.  Nothing is ever sent a second time: whoever asked looks what came of it.
// - Where nothing has been heard for a while, it asks whether anybody is there: a server that stands still, or a network
//   that swallows everything, is noticed although nobody clicks.
// - It knows nothing of what is said: whoever uses it says hello again each time it opens.
import type { Reply, Request } from "./types";

export type Connection = "connecting" | "open" | "silent" | "lost";

/** As much of a WebSocket as is needed here. */
export interface Line {
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Listener {
  opened(): void;
  heard(reply: Reply): void;
  /** A connection could not be opened; a browser does not say why. */
  failed(): void;
  changed(connection: Connection): void;
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
/** After so long without a word it is asked whether anybody is there. */
export const QUIET = 5000;
/** An answer that takes longer is told to be late. */
export const LATE = 3000;
/** A connection that does not open, or does not answer, in this time is given up. */
export const PATIENCE = 6000;

/** How long to wait before the next attempt, in ms: doubled each time, and spread so that not all come back at once. */
export function wait(attempt: number, chance: number): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt) * (0.75 + 0.5 * chance);
}

export class Socket {
  private line: Line | null = null;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  private late: ReturnType<typeof setTimeout> | undefined;
  private heartbeat: ReturnType<typeof setTimeout> | undefined;
  private awaited = false;
  private isSilent = false;
  private isOpen = false;
  private stopped = false;

  constructor(
    private readonly connect: () => Line,
    private readonly listener: Listener,
  ) {}

  start(): void {
    this.stopped = false;
    this.dial();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.hangUp();
  }

  /** Send a request; false: there is no connection just now, and nothing was sent. */
  send(request: Request): boolean {
    if (!this.isOpen || this.line === null) return false;
    this.line.send(JSON.stringify(request));
    if (!this.awaited) this.expect(); // the first question that waits decides how long is too long
    return true;
  }

  /** The network may have changed, or the machine slept: find out whether the connection still lives. */
  probe(): void {
    if (this.stopped) return;
    if (this.isOpen) this.send({ type: "ping" });
    else if (this.line === null) this.dial();
  }

  private dial(): void {
    clearTimeout(this.timer);
    const line = this.connect();
    this.line = line;
    this.listener.changed(this.attempt === 0 ? "connecting" : "lost");
    line.onopen = () => {
      this.settle();
      this.isOpen = true;
      this.attempt = 0;
      this.listener.changed("open");
      this.listener.opened();
    };
    line.onmessage = (event) => {
      this.settle();
      if (this.isSilent) {
        this.isSilent = false;
        this.listener.changed("open");
      }
      this.listener.heard(JSON.parse(String(event.data)) as Reply);
    };
    line.onclose = () => this.lose(line);
    this.expect();
  }

  /** Something was heard: nothing is late, and silence begins anew. */
  private settle(): void {
    clearTimeout(this.watchdog);
    clearTimeout(this.late);
    clearTimeout(this.heartbeat);
    this.awaited = false;
    this.heartbeat = setTimeout(() => this.probe(), QUIET);
  }

  private expect(): void {
    clearTimeout(this.watchdog);
    clearTimeout(this.late);
    this.awaited = true;
    const line = this.line;
    if (this.isOpen) {
      this.late = setTimeout(() => {
        this.isSilent = true;
        this.listener.changed("silent");
      }, LATE);
    }
    this.watchdog = setTimeout(() => {
      if (line !== null && line === this.line) {
        line.close();
        this.lose(line); // a dead line may take minutes to say that it is closed
      }
    }, PATIENCE);
  }

  private lose(line: Line): void {
    if (line !== this.line) return;
    const opened = this.isOpen;
    this.hangUp();
    if (this.stopped) return;
    this.listener.changed("lost");
    if (!opened) this.listener.failed();
    this.timer = setTimeout(() => this.dial(), wait(this.attempt, Math.random()));
    this.attempt += 1;
  }

  private hangUp(): void {
    clearTimeout(this.watchdog);
    clearTimeout(this.late);
    clearTimeout(this.heartbeat);
    const line = this.line;
    this.line = null;
    this.isOpen = this.isSilent = this.awaited = false;
    if (line !== null) {
      line.onopen = line.onmessage = line.onclose = null;
      line.close();
    }
  }
}
