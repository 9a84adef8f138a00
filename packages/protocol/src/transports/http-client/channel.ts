import type { Again, Channel, ChannelEvents } from '../../client/transport.ts';
import type { Id, JsonText, Params } from '../../jsonrpc/message.ts';
import type { Outbound } from '../../jsonrpc/peer.ts';
import { type Revision, revisions } from '../../protocol/revisions.ts';
import { Caller } from './caller.ts';
import type { HttpSettings } from './options.ts';
import { Session } from './session.ts';
import { claimOf, StatelessRequests } from './stateless.ts';

/** A connection over Streamable HTTP, or HTTP+SSE for older servers; each message determines its era. */
export class HttpChannel implements Channel {
  readonly #settings: HttpSettings;
  readonly #caller: Caller;
  #events: ChannelEvents | undefined;
  #session: Session | undefined;
  #stateless: StatelessRequests | undefined;
  /** set if the server is of 2024-11-05 */
  #older: Channel | undefined;
  #revision: Revision | undefined;
  #closed = false;

  constructor(url: URL, settings: HttpSettings) {
    this.#settings = settings;
    this.#caller = new Caller(url, settings);
  }

  start(events: ChannelEvents): void {
    const parts = { caller: this.#caller, settings: this.#settings, events };
    this.#events = events;
    this.#stateless = new StatelessRequests(parts);
    this.#session = new Session({
      ...parts,
      fallback: (text, message, signal) => this.#fallBack(text, message, signal),
    });
  }

  send(text: JsonText, message?: Outbound): void {
    if (this.#closed) return;
    if (this.#older !== undefined) {
      this.#older.send(text, message);
      return;
    }
    const revision = message === undefined ? undefined : (claimOf(message) ?? this.#statelessRevision);
    if (message !== undefined && revision !== undefined) this.#stateless?.send(text, message, revision);
    // a client of the stateless era sends no responses
    else if (this.#statelessRevision === undefined) this.#session?.send(text, message);
  }

  get credentials(): string | undefined {
    return this.#caller.credentials;
  }

  drained(): undefined {
    // every message has its own connection
    return undefined;
  }

  settle(revision: Revision): void {
    this.#revision = revision;
    this.#session?.settle(revision);
    this.#older?.settle?.(revision);
  }

  abandon(id: Id): boolean {
    this.#stateless?.abandon(id);
    this.#session?.abandon(id);
    return this.#statelessRevision !== undefined;
  }

  inspect(method: string, result: Params): Params {
    if (this.#statelessRevision === undefined || this.#stateless === undefined) return result;
    return this.#stateless.inspect(method, result);
  }

  again(message: Outbound, error: unknown, attempt: number): Again | undefined {
    return this.#statelessRevision === undefined
      ? undefined
      : this.#stateless?.again(message, error, attempt);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stateless?.close();
    await Promise.all([this.#session?.close(), this.#older?.close()]);
    this.#caller.close();
  }

  get #statelessRevision(): Revision | undefined {
    const revision = this.#revision;
    return revision !== undefined && revisions[revision].era === 'stateless' ? revision : undefined;
  }

  /**
   * Switches to HTTP+SSE if the server has the stream of 2024-11-05; returns true if it does.
   * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#backwards-compatibility
   */
  async #fallBack(text: JsonText, message: Outbound, signal: AbortSignal): Promise<boolean> {
    const { SseChannel } = await import('./sse-channel.ts');
    const older = new SseChannel(this.#caller, this.#settings);
    if (this.#events === undefined || !(await older.isThere(signal))) return false;
    if (this.#closed) {
      await older.close();
      return false;
    }
    older.start(this.#events);
    this.#older = older;
    older.send(text, message);
    return true;
  }
}
