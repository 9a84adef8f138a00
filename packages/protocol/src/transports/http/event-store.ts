/**
 * A message that was sent on an SSE stream.
 * @example
 * const event: StoredEvent = { sequence: 1, text: '{"jsonrpc":"2.0","method":"notifications/message"}' };
 */
export interface StoredEvent {
  readonly sequence: number;
  readonly text: string;
}

/**
 * Keeps the newest events of SSE streams for clients that come back; a fleet gives one that all of it can read.
 * @example
 * const eventStore: EventStore = new MemoryEventStore();
 * createHttpHandler(server, { eventStore });
 */
export interface EventStore {
  /** Keeps an event; those of one stream come in the order of their numbers. */
  append(stream: string, event: StoredEvent): void;
  /** The events of a stream after a number, oldest first; undefined when some of them are no longer kept. */
  after(
    stream: string,
    sequence: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>;
  /** Forgets a stream. */
  drop(stream: string): void;
}

/**
 * How much each stream keeps.
 * @example
 * const eventLimits: EventLimits = { events: 64, bytes: 256 * 1024 };
 * createHttpHandler(server, { eventLimits });
 */
export interface EventLimits {
  /** default 256 */
  events?: number;
  /** of their texts, as UTF-16; default 1 MiB */
  bytes?: number;
}

interface Log {
  /** the number of the newest event that was kept once and is gone */
  gone: number;
  events: StoredEvent[];
  bytes: number;
}

/**
 * An event store in the memory of this process.
 * @example
 * const store = new MemoryEventStore({ events: 2 });
 * for (const sequence of [1, 2, 3]) store.append('stream', { sequence, text: '{}' });
 * store.after('stream', 0); // => undefined
 */
export class MemoryEventStore implements EventStore {
  readonly #most: Required<EventLimits>;
  readonly #logs = new Map<string, Log>();

  constructor({ events = 256, bytes = 1024 * 1024 }: EventLimits = {}) {
    this.#most = { events, bytes };
  }

  append(stream: string, event: StoredEvent): void {
    const log = this.#logOf(stream, event.sequence - 1);
    log.events.push(event);
    log.bytes += sizeOf(event);
    while (log.events.length > this.#most.events || log.bytes > this.#most.bytes) {
      const oldest = log.events.shift()!; // there is the one just added
      log.bytes -= sizeOf(oldest);
      log.gone = oldest.sequence;
    }
  }

  after(stream: string, sequence: number): readonly StoredEvent[] | undefined {
    const log = this.#logs.get(stream);
    if (log === undefined) return [];
    if (sequence < log.gone) return undefined;
    return log.events.filter((event) => event.sequence > sequence);
  }

  drop(stream: string): void {
    this.#logs.delete(stream);
  }

  #logOf(stream: string, gone: number): Log {
    let log = this.#logs.get(stream);
    if (log === undefined) {
      log = { gone, events: [], bytes: 0 };
      this.#logs.set(stream, log);
    }
    return log;
  }
}

function sizeOf({ text }: StoredEvent): number {
  return text.length * 2;
}
