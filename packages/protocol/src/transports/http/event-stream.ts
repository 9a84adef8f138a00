import type { JsonText } from '../../jsonrpc/message.ts';
import { eventText, HIGH_WATER, keepAliveComment } from './answer.ts';
import type { EventStore } from './event-store.ts';
import type { OpenBody } from './exchange.ts';

/** Where a stream stands in its session, as event ids say it. */
export interface Position {
  stream: number;
  sequence: number;
}

/** How long a client waits before it asks again when nothing else is said. */
const RETRY_MS = 1000;

/** One SSE stream of a session: outlives its connections, so that a client can come back for what it missed. */
export class EventStream {
  readonly number: number;
  readonly #store: EventStore;
  readonly #key: string;
  /** the number of the event before its first */
  readonly #origin: number;
  #sequence: number;
  /** the newest event that was written to a connection */
  #delivered: number;
  #body: OpenBody | undefined;
  /** the connection that was gone last */
  #gone: OpenBody | undefined;
  #taken = false;
  #finished = false;

  constructor(session: string, number: number, store: EventStore, origin = 0) {
    this.number = number;
    this.#store = store;
    this.#origin = origin;
    this.#sequence = origin;
    this.#delivered = origin;
    this.#key = `${session}/${number}`;
  }

  /** Whether a connection carries it, or is about to. */
  get taken(): boolean {
    return this.#taken;
  }

  /** Whether it can be carried on by who knows an event of it: their older connection is gone, heard of or not. */
  get resumable(): boolean {
    return !this.#taken || this.#body !== undefined;
  }

  /** Whether all of it has been said. */
  get finished(): boolean {
    return this.#finished;
  }

  get congested(): boolean {
    return this.#body === undefined || this.#body.unsent > HIGH_WATER;
  }

  /** Sends a message, now or to the next connection. */
  write(text: JsonText): void {
    const event = { sequence: ++this.#sequence, text: typeof text === 'string' ? text : joined(text) };
    this.#store.append(this.#key, event);
    if (this.#body === undefined) return;
    this.#delivered = event.sequence;
    this.#body.write(eventText(text, this.#id(event.sequence)));
  }

  /** Carries it on a fresh connection from its beginning. */
  begin(body: OpenBody, primes: boolean): void {
    this.#taken = true;
    this.#body = body;
    if (primes) body.write(`id: ${this.#id(this.#sequence)}\ndata: \n\n`);
  }

  /**
   * Carries it on from an event, or from what no connection has carried yet; false when events in between are no
   * longer kept. `open` is called once that is known.
   */
  async resume(after: number | undefined, open: () => OpenBody, primes: boolean): Promise<boolean> {
    this.#taken = true;
    let at = after ?? this.#delivered;
    let known = this.#sequence;
    let missed = at > known ? undefined : await this.#store.after(this.#key, at);
    // a store that has nothing after an event of another process may have none of that process at all
    if (at < this.#origin && missed?.length === 0) missed = undefined;
    const stale = this.#body;
    if (missed === undefined && after !== undefined) {
      this.#taken = stale !== undefined;
      // who knew an event has lost that connection, and may begin anew at once
      if (at <= known && this.detach(stale)) stale?.destroy();
      return false;
    }
    this.#body = undefined;
    stale?.destroy();
    const body = open();
    if (primes) body.write(`id: ${this.#id(at)}\ndata: \n\n`);
    for (;;) {
      for (const { sequence, text } of missed ?? []) {
        body.write(eventText(text, this.#id(sequence)));
        at = sequence;
      }
      this.#delivered = Math.max(this.#delivered, at);
      // more may have come while the store was asked
      if (missed === undefined || known === this.#sequence) break;
      known = this.#sequence;
      missed = await this.#store.after(this.#key, at);
    }
    if (this.#finished) body.end();
    this.#taken = !this.#finished && this.#gone !== body;
    if (this.#taken) this.#body = body;
    return true;
  }

  /** A connection is gone; what is written waits for the next one. False when another carries it already. */
  detach(body: OpenBody | undefined): boolean {
    this.#gone = body;
    if (body !== this.#body) return false;
    this.#taken = false;
    this.#body = undefined;
    return true;
  }

  /** Ends the connection but not the stream; the client comes back after a while. */
  release(retryMs = RETRY_MS): void {
    const body = this.#body;
    this.detach(body);
    body?.write(`retry: ${Math.max(0, Math.round(retryMs))}\n\n`);
    body?.end();
  }

  /** Nothing more will be said on it. */
  finish(): void {
    this.#finished = true;
    this.#body?.end();
    this.detach(this.#body);
  }

  /** Forgets what was kept of it. */
  drop(): void {
    this.finish();
    this.#store.drop(this.#key);
  }

  keepAlive(): void {
    this.#body?.write(keepAliveComment);
  }

  onDrain(listener: () => void): void {
    this.#body?.onDrain(listener);
  }

  #id(sequence: number): string {
    return `${this.number}-${sequence}`;
  }
}

/** The place that an event id names, or undefined when it is none of ours. */
export function readEventId(id: string): Position | undefined {
  const [, stream, sequence] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  if (stream === undefined || sequence === undefined) return undefined;
  return { stream: Number(stream), sequence: Number(sequence) };
}

function joined(pieces: readonly (string | Uint8Array)[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString())).join('');
}
