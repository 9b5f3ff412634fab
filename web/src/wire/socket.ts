// A WebSocket that reconnects automatically.
//
// Rules:
// - Every request has an answer. If one is late, the state is "silent"; after `PATIENCE_MS` the connection is dropped and
//   another one opened. No request is ever repeated: the listener checks the result by itself.
// - After a silence the server is pinged, so that a hung server or a dead network is noticed without any action of the
//   user.
// - It does not interpret messages: the listener sends `hello` each time it opens.
import type { Reply, Request } from "./types";

export type Connection = "connecting" | "open" | "silent" | "lost";

/** The part of the WebSocket interface that is used here. */
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
  /** A connection could not be opened; browsers give no reason. */
  failed(): void;
  changed(connection: Connection): void;
}

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 8000;
/** Silence after which the server is pinged. */
export const QUIET_MS = 5000;
/** Time after which a missing answer counts as late. */
export const LATE_MS = 3000;
/** Time after which a connection that does not open or answer is dropped. */
export const PATIENCE_MS = 6000;

/** How long to wait before the next attempt, in ms: doubled each time, and spread so that not all come back at once. */
export function wait(attempt: number, chance: number): number {
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.75 + 0.5 * chance);
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
    if (!this.awaited) this.expect(); // the oldest unanswered request sets the deadline
    return true;
  }

  /** Check whether the connection is alive, after a change of network or a sleep. */
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

  /** A message arrived: restart the timers of silence and late answers. */
  private settle(): void {
    clearTimeout(this.watchdog);
    clearTimeout(this.late);
    clearTimeout(this.heartbeat);
    this.awaited = false;
    this.heartbeat = setTimeout(() => this.probe(), QUIET_MS);
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
      }, LATE_MS);
    }
    this.watchdog = setTimeout(() => {
      if (line !== null && line === this.line) {
        line.close();
        this.lose(line); // a dead line may take minutes to say that it is closed
      }
    }, PATIENCE_MS);
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
