import type { Readable, Writable } from 'node:stream';
import { validateMessage } from '../../schema/validate.ts';
import type { LedgerRevision } from '../ledger.ts';
import type { Message } from '../message.ts';
import { isStateless } from '../revisions.ts';

/** The outcome of a call, and the requests to the client during it. */
export interface Outcome {
  answer: Message;
  /** the requests with method and params, in the handshake era with id */
  questions: Message[];
  /** results that required input; none in the handshake era */
  rounds: Message[];
}

/** A client that sends raw lines; every line of the server is validated against the official schema. */
export class Talk {
  /** all messages of the server, parsed and raw */
  readonly heard: Message[] = [];
  readonly lines: string[] = [];
  readonly revision: LedgerRevision;
  readonly #capabilities: object;
  readonly #output: Writable;
  readonly #methods = new Map<unknown, string>();
  readonly #arrived: Message[] = [];
  #waiting: (() => void)[] = [];
  #over: Error | undefined;
  #last = 0;

  constructor(end: { input: Readable; output: Writable }, revision: LedgerRevision, capabilities: object) {
    this.revision = revision;
    this.#capabilities = capabilities;
    this.#output = end.output;
    let rest = '';
    end.input.setEncoding('utf8');
    end.input.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) this.#take(line);
    });
    end.input.on('end', () =>
      this.#end(new Error(`the server ended its output${rest && ` within ${rest}`}`)),
    );
  }

  /** Returns `_meta` of a request of the stateless era, with `meta`. */
  meta(meta: object = {}): object {
    if (!isStateless(this.revision)) return meta;
    return {
      'io.modelcontextprotocol/protocolVersion': this.revision,
      'io.modelcontextprotocol/clientCapabilities': this.#capabilities,
      'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1.0.0' },
      ...meta,
    };
  }

  /** Returns one request of the revision as a line. */
  line(id: string | number, method: string, params: object = {}, meta: object = {}): string {
    const _meta = this.meta(meta);
    const sent = Object.keys(_meta).length === 0 ? params : { ...params, _meta };
    return JSON.stringify({ jsonrpc: '2.0', id, method, params: sent });
  }

  /** Sends raw text with a line end. */
  say(line: string): void {
    this.#note(line);
    this.#output.write(`${line}\n`);
  }

  write(bytes: Uint8Array | string): void {
    this.#output.write(bytes);
  }

  notify(method: string, params?: object): void {
    this.say(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Sends a line and returns the next message of the server. */
  ask(line: string): Promise<Message> {
    this.say(line);
    return this.next();
  }

  /** Sends a request without waiting, and returns its id. */
  start(method: string, params: object = {}, meta: object = {}): number {
    const id = ++this.#last;
    this.say(this.line(id, method, params, meta));
    return id;
  }

  /** Sends one request and returns its response; earlier messages stay in `heard`. */
  request(method: string, params: object = {}, meta: object = {}): Promise<Message> {
    return this.answer(this.start(method, params, meta));
  }

  call(name: string, args: object = {}, meta: object = {}): Promise<Message> {
    return this.request('tools/call', { name, arguments: args }, meta);
  }

  /** Answers a request of the server with a result or `{ error }`. */
  reply(id: unknown, result: object): void {
    this.say(JSON.stringify({ jsonrpc: '2.0', id, ...('error' in result ? result : { result }) }));
  }

  /** Sends a request and answers the requests of the server, with the method of the era, until the final result. */
  async settle(method: string, params: object, person: (question: Message) => object): Promise<Outcome> {
    const [questions, rounds]: [Message[], Message[]] = [[], []];
    const asked = (question: Message): object => {
      questions.push(question);
      return person(question);
    };
    let id = this.start(method, params);
    for (;;) {
      const message = await this.next();
      if (message.method !== undefined && message.id !== undefined) this.reply(message.id, asked(message));
      if (message.id !== id || message.method !== undefined) continue;
      if (message.result?.resultType !== 'input_required') return { answer: message, questions, rounds };
      rounds.push(message);
      const { inputRequests, requestState } = message.result;
      const entries = Object.entries(inputRequests).map(([key, question]) => [key, asked(question)]);
      id = this.start(method, { ...params, inputResponses: Object.fromEntries(entries), requestState });
    }
  }

  settleCall(name: string, args: object, person: (question: Message) => object): Promise<Outcome> {
    return this.settle('tools/call', { name, arguments: args }, person);
  }

  async next(): Promise<Message> {
    while (this.#arrived.length === 0) {
      if (this.#over !== undefined) throw this.#over;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.#arrived.shift();
  }

  /** Resolves with the next message for which `wanted` returns true; earlier ones stay in `heard`. */
  async until(wanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const message = await this.next();
      if (wanted(message)) return message;
    }
  }

  answer(id: string | number): Promise<Message> {
    return this.until((message) => message.id === id && message.method === undefined);
  }

  /** Resolves with the next notification or request with this method. */
  awaitMessage(method: string): Promise<Message> {
    return this.until((message) => message.method === method);
  }

  /** Returns all messages until the response to a call that takes a turn of the event loop. */
  async settled(): Promise<Message[]> {
    const id = this.start('tools/call', { name: 'later', arguments: {} });
    const received: Message[] = [];
    for (;;) {
      const message = await this.next();
      if (message.id === id && message.method === undefined) return received;
      received.push(message);
    }
  }

  /** Ends the client's side and resolves with all messages when the server has ended its side. */
  async finish(): Promise<Message[]> {
    this.#output.end();
    while (this.#over === undefined) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.heard;
  }

  /** Records the method of a request, so that its response can be validated. */
  #note(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      return; // invalid JSON is no request
    }
    for (const part of [message].flat()) {
      if (typeof part?.method === 'string' && part.id !== undefined) this.#methods.set(part.id, part.method);
    }
  }

  #take(line: string): void {
    try {
      const message: Message = JSON.parse(line);
      for (const part of [message].flat()) {
        const answered = part.result === undefined ? undefined : this.#methods.get(part.id);
        validateMessage(this.revision, 'server', part, answered);
      }
      this.lines.push(line);
      this.heard.push(message);
      this.#arrived.push(message);
      this.#wake();
    } catch (error) {
      this.#end(error as Error);
    }
  }

  #end(why: Error): void {
    this.#over ??= why;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}
