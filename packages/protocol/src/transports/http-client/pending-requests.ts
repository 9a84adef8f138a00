import { toError } from '../../client/errors.ts';
import type { Id } from '../../jsonrpc/message.ts';

type Work = (signal: AbortSignal) => Promise<void>;

/** The HTTP requests of one channel that are in progress. */
export class PendingRequests {
  readonly #all = new Set<AbortController>();
  readonly #byId = new Map<Id, AbortController>();
  #closed = false;

  /** Runs work until it ends or is aborted; `failed` receives an error that it throws before that. */
  async run(id: Id | undefined, work: Work, failed: (error: Error) => void): Promise<void> {
    if (this.#closed) return;
    const controller = new AbortController();
    this.#all.add(controller);
    if (id !== undefined) this.#byId.set(id, controller);
    try {
      await work(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) failed(toError(error));
    } finally {
      this.#all.delete(controller);
      if (id !== undefined && this.#byId.get(id) === controller) this.#byId.delete(id);
    }
  }

  /** Aborts the work for a request. */
  abandon(id: Id): void {
    this.#byId.get(id)?.abort();
  }

  /** Aborts all work and starts no more. */
  close(): void {
    this.#closed = true;
    for (const controller of this.#all) controller.abort();
  }
}
