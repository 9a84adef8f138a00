import type { JsonText, Params } from '../jsonrpc/message.ts';
import { notificationText } from '../jsonrpc/text.ts';

export interface OutgoingOptions {
  /** writes one message */
  write(text: JsonText): void;
  /** true while the other side does not read; replaceable notifications then wait */
  congested(): boolean;
}

/** The notifications of one stream. Those that replace each other wait while the other side does not read. */
export class Outgoing {
  readonly #options: OutgoingOptions;
  readonly #held = new Map<string, string>();
  #closed = false;

  constructor(options: OutgoingOptions) {
    this.#options = options;
  }

  notify(method: string, params: Params): void {
    if (!this.#closed) this.#options.write(notificationText(method, params));
  }

  /** Sends a notification, or holds it until the other side reads; a newer one with the same key then replaces it. */
  hold(key: string, method: string, params: Params): void {
    if (this.#closed) return;
    if (this.#options.congested()) this.#held.set(`${method} ${key}`, notificationText(method, params));
    else this.notify(method, params);
  }

  /** Sends the held notifications. */
  drained(): void {
    for (const [key, text] of this.#held) {
      if (this.#options.congested()) return;
      this.#held.delete(key);
      this.#options.write(text);
    }
  }

  /** Drops all notifications from now on. */
  close(): void {
    this.#closed = true;
    this.#held.clear();
  }
}
