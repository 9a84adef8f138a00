import type { Readable, Writable } from 'node:stream';
import { validateMessage } from '../../../../test/schema/validate.ts';
import type { Revision } from '../../src/protocol/revisions.ts';
import type { Message } from './message.ts';

/** A line-by-line connection to a server; received lines are checked against the official schema of the revision. */
export class Conversation {
  readonly #output: Writable;
  readonly #input: Readable;
  /** the revision of the schema for received messages */
  revision: Revision;
  readonly #methods = new Map<unknown, string>();
  readonly #arrived: Message[] = [];
  #waiting: ((over?: Error) => void)[] = [];
  #rest = '';
  #over: Error | undefined;
  /** all received messages, in order */
  readonly heard: Message[] = [];
  /** the same, as text */
  readonly lines: string[] = [];

  /** Reads at once, or when `listen` is called. */
  constructor({ input, output }: { input: Readable; output: Writable }, revision: Revision, reading = true) {
    this.#input = input;
    this.#output = output;
    this.revision = revision;
    output.on('error', () => {
      // the server may end during a write; its messages are checked
    });
    input.on('error', (error) => this.#end(error));
    input.on('end', () => this.#end(new Error('the server has ended its output')));
    if (reading) this.listen();
  }

  listen(): void {
    this.#input.setEncoding('utf8');
    this.#input.on('data', (text: string) => this.#hear(text));
  }

  /** Sends text as it is, with a line end. */
  say(line: string): void {
    this.note(line);
    this.#output.write(`${line}\n`);
  }

  /** Sends bytes as they are. */
  write(bytes: Uint8Array | string): void {
    this.#output.write(bytes);
  }

  /** Records the method of a line, so that the response can be checked. */
  note(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      return; // an unreadable line has no method
    }
    for (const { id, method } of [message]
      .flat()
      .filter((part) => part !== null && typeof part === 'object')) {
      if (typeof method === 'string' && (typeof id === 'string' || typeof id === 'number'))
        this.#methods.set(id, method);
    }
  }

  /** Returns the next message of the server. */
  async next(): Promise<Message> {
    while (this.#arrived.length === 0) {
      if (this.#over !== undefined) throw this.#over;
      await new Promise<void>((resolve) => this.#waiting.push(() => resolve()));
    }
    return this.#arrived.shift();
  }

  /** Returns the next message for which `wanted` returns true; earlier ones stay in `heard`. */
  async until(wanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const message = await this.next();
      if (wanted(message)) return message;
    }
  }

  /** Returns the response to a request. */
  answer(id: string | number): Promise<Message> {
    return this.until((message) => message.id === id && message.method === undefined);
  }

  /** Sends a line and returns the next message of the server. */
  ask(line: string): Promise<Message> {
    this.say(line);
    return this.next();
  }

  /** Ends the client's side; resolves with all messages when the server has ended its own. */
  async finish(): Promise<Message[]> {
    this.#output.end();
    await this.over();
    return this.heard;
  }

  /** Resolves when the server has ended its side. */
  async over(): Promise<void> {
    while (this.#over === undefined)
      await new Promise<void>((resolve) => this.#waiting.push(() => resolve()));
  }

  #hear(text: string): void {
    this.#rest += text;
    for (let end = this.#rest.indexOf('\n'); end >= 0; end = this.#rest.indexOf('\n')) {
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + 1);
      try {
        this.#take(line);
      } catch (error) {
        this.#end(error as Error);
        return;
      }
    }
    this.#wake();
  }

  #take(line: string): void {
    const message: Message = JSON.parse(line);
    for (const part of [message].flat()) {
      validateMessage(
        this.revision,
        'server',
        part,
        part.result === undefined ? undefined : this.#methods.get(part.id),
      );
    }
    this.lines.push(line);
    this.heard.push(message);
    this.#arrived.push(message);
  }

  #end(why: Error): void {
    this.#over ??= why;
    if (this.#rest !== '')
      this.#over = new Error(`the server ended within a line: ${this.#rest.slice(0, 80)}`);
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}
