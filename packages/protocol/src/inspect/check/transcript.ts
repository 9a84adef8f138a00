import { type Id, isId, isObject, type Params } from '../../jsonrpc/message.ts';

/** The requests of a connection, and all messages that were received. */
export class Transcript {
  /** the texts of the server's messages */
  readonly texts: string[] = [];
  /** the messages; those of a batch separately */
  readonly heard: Params[] = [];
  /** methods and params of the requests, by id */
  readonly asked = new Map<Id, { method: string; params: Params }>();
  readonly #responses = new Map<Id, Params>();
  #listeners: (() => void)[] = [];

  /** Records a request; earlier responses to its id no longer count. */
  ask(id: Id, method: string, params: Params): void {
    this.asked.set(id, { method, params });
    this.#responses.delete(id);
  }

  /** Stores a text and returns the messages in it. */
  take(text: string): Params[] {
    this.texts.push(text);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // the text is stored even if it is not JSON
      value = undefined;
    }
    const messages = (Array.isArray(value) ? value : [value]).filter(isObject);
    for (const message of messages) {
      this.heard.push(message);
      const { id, method } = message;
      if (typeof method !== 'string' && isId(id)) this.#responses.set(id, message);
    }
    return messages;
  }

  /** Makes waiting callers check their condition. */
  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Returns the newest response to an id. */
  responseTo(id: Id): Params | undefined {
    return this.#responses.get(id);
  }

  /** Returns the responses to no known request among the messages since an index. */
  straysFrom(place: number): Params[] {
    return this.heard
      .slice(place)
      .filter(({ method, id }) => method === undefined && !(isId(id) && this.asked.has(id)));
  }

  /** Waits until a condition holds, the server disconnects or the timeout ends; returns true for the timeout. */
  async until(fact: () => boolean, gone: Promise<void>, patience: number): Promise<boolean> {
    if (fact()) return false;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, patience, true);
      const look = (): void => {
        if (!fact()) return;
        clearTimeout(timer);
        this.#listeners = this.#listeners.filter((listener) => listener !== look);
        resolve(false);
      };
      this.#listeners.push(look);
      void gone.then(() => {
        clearTimeout(timer);
        resolve(false);
      });
    });
  }
}
