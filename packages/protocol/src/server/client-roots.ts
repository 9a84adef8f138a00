import { RpcError } from '../jsonrpc/errors.ts';
import { isObject, type Params } from '../jsonrpc/message.ts';
import type { Peer } from '../jsonrpc/peer.ts';
import type * as t from '../protocol/types.ts';
import type { Session } from './context.ts';
import { ToolError } from './failure.ts';

/** How long a client that declared roots may take to name them. */
const ANSWER_TIMEOUT_MS = 10_000;

/** The roots of a handshake client: asked when it is ready and again at every change, remembered in between. */
export class ClientRoots implements Session {
  readonly #peer: Peer;
  readonly #changed: () => void;
  #current: readonly t.Root[] | undefined;
  #expected = false;
  #unanswered = false;
  /** how many questions were asked, and the newest that was answered */
  #asked = 0;
  #answered = 0;
  #pending: Promise<readonly t.Root[] | undefined> | undefined;

  constructor(peer: Peer, changed: () => void) {
    this.#peer = peer;
    this.#changed = changed;
  }

  /** The client has declared roots: a call that comes before the client says it is ready has to wait for them too. */
  expect(): void {
    this.#expected = true;
  }

  clientRoots(): readonly t.Root[] | undefined | Promise<readonly t.Root[] | undefined> {
    // a client that declared roots and has not named them is asked again: without its answer nothing may be assumed
    const unasked = this.#expected && this.#asked === 0;
    if (this.#pending === undefined && (this.#unanswered || unasked)) this.fetch();
    return this.#pending ?? this.#current;
  }

  notify(method: string, params: Params): void {
    this.#peer.notify(method, params);
  }

  /** Asks the client; calls wait for the newest answer. */
  fetch(): void {
    const answer = this.#ask();
    const question = ++this.#asked;
    this.#pending = answer;
    answer.then(
      (roots) => {
        if (this.#pending === answer) this.#pending = undefined;
        if (question < this.#answered) return; // the client has said something newer
        this.#answered = question;
        this.#unanswered = false;
        const before = JSON.stringify(this.#current);
        this.#current = roots;
        if (JSON.stringify(roots) !== before) this.#changed();
      },
      () => {
        // the calls that waited are told; the next one asks again
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
      // a client that answers with an error offers none, or keeps those it named before
      if (error instanceof RpcError) return this.#current;
      throw new ToolError(`the client has not named its roots within ${ANSWER_TIMEOUT_MS / 1000} s`, {
        code: 'no-roots',
        retryable: true,
        hint: 'it declares roots, so it must answer roots/list',
        cause: error,
      });
    }
  }
}

function isRoot(value: unknown): value is t.Root {
  return isObject(value) && typeof value.uri === 'string';
}
