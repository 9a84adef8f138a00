import { type Id, isId, isObject, type Params } from '../../jsonrpc/message.ts';

/** What was asked in a conversation, and everything that was heard. */
export class Transcript {
  /** the texts that the server has sent, each one message */
  readonly texts: string[] = [];
  /** the messages in them; those of a batch one by one */
  readonly heard: Params[] = [];
  /** methods and params of what was asked, by id */
  readonly asked = new Map<Id, { method: string; params: Params }>();
  readonly #responses = new Map<Id, Params>();
  #listeners: (() => void)[] = [];

  /** Notes a request; what was answered to that id before counts no more. */
  ask(id: Id, method: string, params: Params): void {
    this.asked.set(id, { method, params });
    this.#responses.delete(id);
  }

  /** Keeps a text, and gives the messages in it. */
  take(text: string): Params[] {
    this.texts.push(text);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // what is no JSON is no message; the text itself is kept
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

  /** Lets those who wait look again. */
  tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** The newest response to an id. */
  responseTo(id: Id): Params | undefined {
    return this.#responses.get(id);
  }

  /** Responses to none of the requests, of those heard from a place on. */
  straysFrom(place: number): Params[] {
    return this.heard
      .slice(place)
      .filter(({ method, id }) => method === undefined && !(isId(id) && this.asked.has(id)));
  }

  /** Waits until a fact is there, the server has gone or patience ends; true in that last case. */
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
