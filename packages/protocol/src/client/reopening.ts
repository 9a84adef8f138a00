import { ConnectionError } from '../jsonrpc/errors.ts';
import { toError } from './errors.ts';
import type { Agreement } from './negotiate.ts';
import type { ReopenOptions } from './options.ts';
import { pause } from './wait.ts';

interface ReopeningOptions extends Readonly<Required<ReopenOptions>> {
  /** opens a connection and negotiates the same era again */
  open(): Promise<Agreement>;
  /** continues with a new connection; throws if that is not possible */
  adopt(agreement: Agreement, reason: string): void;
  /** called when no further connection will be opened */
  over(reason: string): void;
}

const LONGEST_DELAY_MS = 30_000;

/** Reopens a lost connection. The number of attempts is limited until a request succeeds. */
export class Reopening {
  readonly #options: ReopeningOptions;
  readonly #stopped = new AbortController();
  #attempts = 0;
  #pending: Promise<void> | undefined;

  constructor(options: ReopeningOptions) {
    this.#options = options;
  }

  /** Resolves when the connection is reopened, and rejects when it stays closed; undefined while it is open. */
  get pending(): Promise<void> | undefined {
    return this.#pending;
  }

  /** Handles the loss of the connection. */
  lost(reason: string): void {
    const work = this.#reopen(reason);
    this.#pending = work;
    work.then(
      () => {
        if (this.#pending === work) this.#pending = undefined;
      },
      (error: unknown) => this.#options.over(toError(error).message),
    );
  }

  /** Resets the attempts, because the server has responded to a request. */
  succeeded(): void {
    this.#attempts = 0;
  }

  /** Stops reopening, because the client is closed. */
  stop(): void {
    this.#stopped.abort();
  }

  async #reopen(reason: string): Promise<void> {
    const { attempts, open, adopt } = this.#options;
    let last = reason;
    while (this.#attempts < attempts && !this.#stopped.signal.aborted) {
      this.#attempts += 1;
      try {
        await this.#backOff();
        const agreement = await open();
        if (this.#stopped.signal.aborted) {
          await agreement.link.close('the client was closed');
          break;
        }
        adopt(agreement, reason);
        return;
      } catch (error) {
        last = toError(error).message;
      }
    }
    if (this.#stopped.signal.aborted) throw new ConnectionError('closed', 'the client was closed');
    throw new ConnectionError('closed', `${reason}; reopening failed ${attempts} times, last: ${last}`);
  }

  async #backOff(): Promise<void> {
    if (this.#attempts === 1) return;
    const delay = Math.min(this.#options.delay * 2 ** (this.#attempts - 2), LONGEST_DELAY_MS);
    await pause(delay, this.#stopped.signal);
  }
}
