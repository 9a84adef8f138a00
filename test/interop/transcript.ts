import { type Revision, revisionNames } from '../schema/official.ts';
import { validateMessage } from '../schema/validate.ts';
import { claimKey, type Id, type Message, metaOf, subscriptionKey } from './message.ts';

interface Asked {
  method: string;
  /** the revision in the request, in the stateless era */
  claim: Revision | undefined;
  answered: boolean;
}

/**
 * The messages of a client and a server. Each message of the server is validated against the official schema of its
 * revision.
 */
export class Transcript {
  /** messages of the client, in order */
  readonly asked: Message[] = [];
  /** messages of the server, in order */
  readonly received: Message[] = [];
  readonly faults: string[] = [];
  /** the revision of the handshake */
  negotiated: Revision | undefined;
  readonly #open = new Map<Id, Asked>();
  #clientRest = '';
  #serverRest = '';
  #closed = false;
  #waiting: (() => void)[] = [];

  toServer(text: string): void {
    const lines = (this.#clientRest + text).split('\n');
    this.#clientRest = lines.pop()!;
    for (const line of lines) this.#note(line);
    this.#wake();
  }

  fromServer(text: string): void {
    const lines = (this.#serverRest + text).split('\n');
    this.#serverRest = lines.pop()!;
    for (const line of lines) this.#take(line);
    this.#wake();
  }

  close(): void {
    if (this.#serverRest !== '') this.faults.push(`ended within a line: ${this.#serverRest.slice(0, 80)}`);
    this.#closed = true;
    this.#wake();
  }

  /** Resolves with the first message of the server, past or future, for which `wanted` returns true. */
  async until(wanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.received.find(wanted);
      if (found !== undefined) return found;
      if (this.#closed) throw new Error('the server ended without saying it');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  answer(id: Id): Promise<Message> {
    return this.until((message) => message.id === id && message.method === undefined);
  }

  /** Returns the methods of the client's messages, in order. */
  methods(): string[] {
    return this.asked.flatMap(({ method }) => method ?? []);
  }

  #note(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      return; // invalid JSON is no request
    }
    this.asked.push(message);
    const { id, method, params } = message;
    if (method === undefined || id === undefined || id === null) return;
    const claim = metaOf(params)[claimKey];
    this.#open.set(id, {
      method,
      claim: claim === undefined ? undefined : (revisionNames.find((name) => name === claim) ?? '2026-07-28'),
      answered: false,
    });
  }

  #take(line: string): void {
    try {
      const message = JSON.parse(line) as Message;
      this.received.push(message);
      if (message.method !== undefined) validateMessage(this.#revisionOf(message), 'server', message);
      else this.#check(message);
    } catch (error) {
      this.faults.push(`${(error as Error).message}: ${line.slice(0, 200)}`);
    }
  }

  #check(message: Message): void {
    const { id, result } = message;
    if (id === undefined || id === null) {
      validateMessage(this.negotiated ?? '2025-11-25', 'server', message);
      return;
    }
    const asked = this.#open.get(id);
    if (asked === undefined) throw new Error('an answer to what was not asked');
    if (asked.answered) throw new Error('a second answer');
    asked.answered = true;
    if (asked.method === 'initialize' && result !== undefined) {
      const revision = revisionNames.find((name) => name === result.protocolVersion);
      if (revision === undefined) throw new Error('initialize agreed on no known revision');
      this.negotiated = revision;
    }
    const revision = asked.claim ?? this.negotiated ?? '2025-11-25';
    validateMessage(revision, 'server', message, result === undefined ? undefined : asked.method);
  }

  /** Returns the revision whose schema applies to a request or notification of the server. */
  #revisionOf({ params }: Message): Revision {
    if (metaOf(params)[subscriptionKey] !== undefined) return '2026-07-28';
    return this.negotiated ?? '2026-07-28';
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}
