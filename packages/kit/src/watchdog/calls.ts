import { ARMED, CALLS, NAMES, type NameMessage, TURN } from './cells.ts';

/** Requests that read nothing but the program's own data. */
const ownWords = new Set([
  'ping',
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/templates/list',
]);
const LONGEST_NAME = 80;
const OTHERS = NAMES - 1;

/**
 * Counts the calls in progress by name, and the turns of the event loop while there are any, in memory that another
 * thread reads. A call costs a look-up and two additions; without calls nothing runs.
 */
export class Calls {
  readonly cells = new Int32Array(new SharedArrayBuffer((CALLS + NAMES) * Int32Array.BYTES_PER_ELEMENT));
  /** receives every name before its first call is counted */
  onName: ((message: NameMessage) => void) | undefined;
  readonly names: NameMessage[] = [];
  readonly #methods = new Map<string, number>();
  readonly #tools = new Map<string, number>();
  readonly #lookMs: number;
  #running = 0;
  #beating = false;

  constructor(lookMs: number) {
    this.#lookMs = lookMs;
  }

  /** Returns the number of the name; 0 for a request that is not counted. */
  began(method: string, params: Record<string, unknown>): number {
    if (ownWords.has(method)) return 0;
    const { name } = params;
    const isTool = method === 'tools/call' && typeof name === 'string';
    const id =
      (isTool ? this.#tools.get(name) : this.#methods.get(method)) ?? this.#name(method, isTool ? name : '');
    this.cells[CALLS + id]!++; // ids are below NAMES
    this.#running++;
    if (!this.#beating) this.#arm();
    return id;
  }

  ended(id: number): void {
    if (id === 0) return;
    this.cells[CALLS + id]!--; // ids are below NAMES
    this.#running--;
  }

  /** Gives a number to a method, or to a tool where that is not empty. */
  #name(method: string, tool: string): number {
    if (method.length + tool.length > LONGEST_NAME || this.names.length >= OTHERS - 1) return OTHERS;
    const message: NameMessage = [this.names.length + 1, tool === '' ? method : `${method} ${tool}`];
    if (tool === '') this.#methods.set(method, message[0]);
    else this.#tools.set(tool, message[0]);
    this.names.push(message);
    this.onName?.(message);
    return message[0];
  }

  #arm(): void {
    this.#beating = true;
    // CPU of the time without calls belongs to no turn of theirs
    Atomics.add(this.cells, TURN, 1);
    Atomics.store(this.cells, ARMED, 1);
    Atomics.notify(this.cells, ARMED);
    setTimeout(this.#beat, this.#lookMs).unref();
  }

  readonly #beat = (): void => {
    Atomics.add(this.cells, TURN, 1);
    if (this.#running > 0) setTimeout(this.#beat, this.#lookMs).unref();
    else {
      this.#beating = false;
      Atomics.store(this.cells, ARMED, 0);
    }
  };
}
