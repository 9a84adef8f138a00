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
 * Stores the newest events of SSE streams for clients that reconnect; processes of a cluster share one.
 * @example
 * const eventStore: EventStore = new MemoryEventStore();
 * createHttpHandler(server, { eventStore });
 */
export interface EventStore {
  /** Stores an event; the events of one stream arrive in order of their numbers. */
  append(stream: string, event: StoredEvent): void;
  /** Returns the events of a stream after a number, oldest first; undefined if some of them are no longer stored. */
  after(
    stream: string,
    sequence: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>;
  /** Removes a stream. */
  drop(stream: string): void;
}

/**
 * The number of events and bytes that are stored per stream.
 * @example
 * const eventLimits: EventLimits = { events: 64, bytes: 256 * 1024 };
 * createHttpHandler(server, { eventLimits });
 */
export interface EventLimits {
  /** default 256 */
  events?: number;
  /** size of their texts in UTF-16; default 1 MiB */
  bytes?: number;
}

interface Log {
  /** the number of the newest removed event */
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
      const oldest = log.events.shift()!; // at least the added event is there
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
