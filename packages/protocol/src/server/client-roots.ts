import { RpcError } from '../jsonrpc/errors.ts';
import { isObject, type Params } from '../jsonrpc/message.ts';
import type { Peer } from '../jsonrpc/peer.ts';
import type * as t from '../protocol/types.ts';
import type { Session } from './context.ts';
import { ToolError } from './failure.ts';

/** The longest time for the response to `roots/list`, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000;

/** The roots of a handshake client. They are requested when the client is ready and after each change, and cached. */
export class ClientRoots implements Session {
  readonly #peer: Peer;
  readonly #changed: () => void;
  #current: readonly t.Root[] | undefined;
  #expected = false;
  #unanswered = false;
  /** the number of requests sent, and the number of the newest request with a response */
  #asked = 0;
  #answered = 0;
  #pending: Promise<readonly t.Root[] | undefined> | undefined;

  constructor(peer: Peer, changed: () => void) {
    this.#peer = peer;
    this.#changed = changed;
  }

  /** Makes calls wait for the roots, even those that arrive before the client's `initialized` notification. */
  expect(): void {
    this.#expected = true;
  }

  clientRoots(): readonly t.Root[] | undefined | Promise<readonly t.Root[] | undefined> {
    // a client that declared roots is asked again until it responds
    const unasked = this.#expected && this.#asked === 0;
    if (this.#pending === undefined && (this.#unanswered || unasked)) this.fetch();
    return this.#pending ?? this.#current;
  }

  notify(method: string, params: Params): void {
    this.#peer.notify(method, params);
  }

  /** Requests the roots; calls wait for the response to the newest request. */
  fetch(): void {
    const answer = this.#ask();
    const question = ++this.#asked;
    this.#pending = answer;
    answer.then(
      (roots) => {
        if (this.#pending === answer) this.#pending = undefined;
        if (question < this.#answered) return; // a newer response has arrived
        this.#answered = question;
        this.#unanswered = false;
        const before = JSON.stringify(this.#current);
        this.#current = roots;
        if (JSON.stringify(roots) !== before) this.#changed();
      },
      () => {
        // the waiting calls fail; the next one asks again
        if (this.#pending !== answer) return;
        this.#pending = undefined;
        this.#unanswered = true;
      },
    );
  }

  async #ask(): Promise<readonly t.Root[] | undefined> {
    try {
      const { roots } = await this.#peer.request('roots/list', undefined, { timeout: ANSWER_TIMEOUT_MS });
      return Array.isArray(roots) ? roots.filter(isRoot) : undefined;
    } catch (error) {
      // after an error response, the client has no roots, or those of its last response
      if (error instanceof RpcError) return this.#current;
      throw new ToolError(`the client has not listed its roots within ${ANSWER_TIMEOUT_MS / 1000} s`, {
        code: 'no-roots',
        retryable: true,
        hint: 'it declares roots, so it must respond to roots/list',
        cause: error,
      });
    }
  }
}

function isRoot(value: unknown): value is t.Root {
  return isObject(value) && typeof value.uri === 'string';
}
