import type { JsonText } from '../../jsonrpc/message.ts';
import { eventText, HIGH_WATER, keepAliveComment } from './answer.ts';
import type { EventStore } from './event-store.ts';
import type { OpenBody } from './exchange.ts';

/** A position in a stream of a session, as encoded in event ids. */
export interface Position {
  stream: number;
  sequence: number;
}

/** The default time that a client waits before it reconnects, in milliseconds. */
const RETRY_MS = 1000;

/** One SSE stream of a session. It outlives its connections, so that a client can reconnect and get missed events. */
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
  /** the last connection that was lost */
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

  /** True if the stream has a connection, or is about to. */
  get taken(): boolean {
    return this.#taken;
  }

  /**
   * True if a client that knows one of its events can resume it: its older connection is gone, even if that
   * is not detected yet.
   */
  get resumable(): boolean {
    return !this.#taken || this.#body !== undefined;
  }

  /** True if the last event was written. */
  get finished(): boolean {
    return this.#finished;
  }

  get congested(): boolean {
    return this.#body === undefined || this.#body.unsent > HIGH_WATER;
  }

  /** Sends a message on the current or the next connection. */
  write(text: JsonText): void {
    const event = { sequence: ++this.#sequence, text: typeof text === 'string' ? text : joined(text) };
    this.#store.append(this.#key, event);
    if (this.#body === undefined) return;
    this.#delivered = event.sequence;
    this.#body.write(eventText(text, this.#id(event.sequence)));
  }

  /** Sends the stream on a new connection from its beginning. */
  begin(body: OpenBody, primes: boolean): void {
    this.#taken = true;
    this.#body = body;
    if (primes) body.write(`id: ${this.#id(this.#sequence)}\ndata: \n\n`);
  }

  /**
   * Resumes the stream after an event, or after the last delivered one; returns false if events in between
   * are no longer stored. `open` is called once that is known.
   */
  async resume(after: number | undefined, open: () => OpenBody, primes: boolean): Promise<boolean> {
    this.#taken = true;
    let at = after ?? this.#delivered;
    let known = this.#sequence;
    let missed = at > known ? undefined : await this.#store.after(this.#key, at);
    // a store without events after an event of another process may not contain events of that process at all
    if (at < this.#origin && missed?.length === 0) missed = undefined;
    const stale = this.#body;
    if (missed === undefined && after !== undefined) {
      this.#taken = stale !== undefined;
      // a client that knows an event has lost that connection, and may start again at once
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
      // more events may have been written in the meantime
      if (missed === undefined || known === this.#sequence) break;
      known = this.#sequence;
      missed = await this.#store.after(this.#key, at);
    }
    if (this.#finished) body.end();
    this.#taken = !this.#finished && this.#gone !== body;
    if (this.#taken) this.#body = body;
    return true;
  }

  /**
   * Detaches a lost connection; messages wait for the next one. Returns false if the stream has another
   * connection.
   */
  detach(body: OpenBody | undefined): boolean {
    this.#gone = body;
    if (body !== this.#body) return false;
    this.#taken = false;
    this.#body = undefined;
    return true;
  }

  /** Closes the connection but not the stream; the client reconnects later. */
  release(retryMs = RETRY_MS): void {
    const body = this.#body;
    this.detach(body);
    body?.write(`retry: ${Math.max(0, Math.round(retryMs))}\n\n`);
    body?.end();
  }

  /** Ends the stream: no more messages will be written. */
  finish(): void {
    this.#finished = true;
    this.#body?.end();
    this.detach(this.#body);
  }

  /** Removes the stored events. */
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

/** Returns the position in an event id, or undefined for an id of another server. */
export function readEventId(id: string): Position | undefined {
  const [, stream, sequence] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  if (stream === undefined || sequence === undefined) return undefined;
  return { stream: Number(stream), sequence: Number(sequence) };
}

function joined(pieces: readonly (string | Uint8Array)[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString())).join('');
}
