import { Serving } from '../jsonrpc/peer.ts';
import { rpcError } from '../protocol/errors.ts';
import type { Facts } from './context.ts';
import { ToolError } from './failure.ts';
import type { Call } from './registry.ts';
import { readFailure } from './resources.ts';
import type { Server } from './server.ts';

/** The watched resources of one stream, each with the function that ends its watch. */
export class ResourceWatches<S> {
  readonly #server: Server<S>;
  readonly #updated: (uri: string) => void;
  readonly #stops = new Map<string, Promise<() => void>>();

  constructor(server: Server<S>, updated: (uri: string) => void) {
    this.#server = server;
    this.#updated = updated;
  }

  get size(): number {
    return this.#stops.size;
  }

  /** Starts a watch, unless there is one. Throws RpcError if the resource cannot be watched. */
  async start(
    uri: string,
    call: Pick<Call, 'facts' | 'sink' | 'serving' | 'method' | 'params'>,
  ): Promise<void> {
    const starting = this.#stops.get(uri) ?? this.#watch(uri, call);
    this.#stops.set(uri, starting);
    try {
      await starting;
    } catch (error) {
      if (this.#stops.get(uri) === starting) this.#stops.delete(uri);
      throw error instanceof ToolError ? readFailure(call.facts, uri, error) : error;
    }
  }

  stop(uri: string): void {
    const stop = this.#stops.get(uri);
    this.#stops.delete(uri);
    if (stop !== undefined) end(stop);
  }

  stopAll(): void {
    for (const stop of this.#stops.values()) end(stop);
    this.#stops.clear();
  }

  /** Ends the watches of resources that a connection can no longer access. */
  async recheck(facts: Facts): Promise<void> {
    const silent = { notify: () => {}, congested: false };
    for (const uri of [...this.#stops.keys()]) {
      const call = {
        facts,
        sink: silent,
        serving: new Serving(0),
        method: 'resources/subscribe',
        params: {},
      };
      try {
        const stop = await this.#watch(uri, call);
        stop();
      } catch {
        // it can no longer be watched, so the client gets no more notifications about it
        this.stop(uri);
      }
    }
  }

  async #watch(
    uri: string,
    call: Pick<Call, 'facts' | 'sink' | 'serving' | 'method' | 'params'>,
  ): Promise<() => void> {
    const { watch } = this.#server.options;
    if (watch === undefined)
      throw rpcError('MethodNotFound', 'resources of this server cannot be subscribed to');
    const context = this.#server.contextOf(call);
    context.scope = await this.#server.scopeOf(call, undefined);
    return await this.#server.observed({ method: 'resources/subscribe', params: { uri } }, () =>
      watch(uri, context, () => this.#updated(uri)),
    );
  }
}

function end(stop: Promise<() => void>): void {
  stop.then(
    (run) => run(),
    () => {
      // it never started
    },
  );
}
