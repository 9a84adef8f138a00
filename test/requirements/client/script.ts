import { PassThrough } from 'node:stream';
import { type Client, type ClientOptions, connect, streams } from '@rootbound/protocol/client';
import { validateMessage } from '../../schema/validate.ts';
import type { LedgerRevision } from '../ledger.ts';
import type { Message } from '../message.ts';
import { isStateless } from '../revisions.ts';

/** A result, `{ error }`, or undefined for no answer; a function returns one for each request. */
export type Answer = object | undefined | ((message: Message) => object | undefined);

export interface ScriptOptions {
  /** the server's capabilities */
  capabilities?: object;
  /** its answers by method; the handshake, `server/discover` and `ping` have defaults */
  answers?: Readonly<Record<string, Answer>>;
  /** whether the client's messages are not validated, for a client that violates the schema on purpose */
  lenient?: boolean;
}

/** A server with scripted answers; the client's messages are validated against the official schema. */
export class Script {
  readonly revision: LedgerRevision;
  readonly heard: Message[] = [];
  readonly lines: string[] = [];
  /** errors that the client reported in the background */
  readonly faults: Error[] = [];
  /** invalid messages of the client */
  readonly misfits: unknown[] = [];
  readonly #options: ScriptOptions;
  readonly #waiting: { wanted: (message: Message) => boolean; found: (message: Message) => void }[] = [];
  readonly #asked = new Map<unknown, string>();
  /** number of connections */
  starts = 0;
  ended = false;
  #client: Client | undefined;
  #input = new PassThrough();

  constructor(revision: LedgerRevision, options: ScriptOptions = {}) {
    this.revision = revision;
    this.#options = options;
  }

  get transport() {
    return streams(() => this.#open());
  }

  /** Connects a client of this revision. */
  async connect(options: Partial<ClientOptions> = {}): Promise<Client> {
    this.#client = await connect(this.transport, this.clientOptions(options));
    return this.#client;
  }

  clientOptions(options: Partial<ClientOptions> = {}): ClientOptions {
    const era = isStateless(this.revision) ? {} : ({ era: 'handshake', revision: this.revision } as const);
    const onError = (error: Error): void => void this.faults.push(error);
    return { name: 'tester', version: '1.0.0', onError, ...era, ...options };
  }

  say(message: object): void {
    const { id, method } = message as Message;
    if (id !== undefined && method !== undefined) this.#asked.set(id, method);
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  write(text: string | Uint8Array): void {
    this.#input.write(text);
  }

  /** Sends a request to the client and returns its answer. */
  ask(id: string | number, method: string, params?: object): Promise<Message> {
    this.say({ id, method, ...(params !== undefined && { params }) });
    return this.hears((message) => message.id === id && message.method === undefined);
  }

  /** Ends the connection, like a process that exits. */
  end(): void {
    this.#input.end();
  }

  close(): Promise<void> | undefined {
    return this.#client?.close();
  }

  /** Resolves with the first message, past or future, for which `wanted` returns true. */
  hears(wanted: (message: Message) => boolean): Promise<Message> {
    const known = this.heard.find(wanted);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((found) => this.#waiting.push({ wanted, found }));
  }

  /** Resolves with the first request or notification with this method. */
  awaitMessage(method: string): Promise<Message> {
    return this.hears((message) => message.method === method);
  }

  /** Returns all messages with this method. */
  all(method: string): Message[] {
    return this.heard.filter((message) => message.method === method);
  }

  /** Adds the members that results have in the stateless era. */
  done(result: object): object {
    if (!isStateless(this.revision)) return result;
    return { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result };
  }

  #open(): { input: PassThrough; output: PassThrough } {
    this.starts += 1;
    this.#input = new PassThrough();
    const input = this.#input;
    const output = new PassThrough();
    let rest = '';
    output.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) this.#hear(line);
    });
    output.on('end', () => {
      this.ended = true;
      input.end();
    });
    return { input, output };
  }

  #hear(line: string): void {
    const message: Message = JSON.parse(line);
    this.#check(message);
    this.lines.push(line);
    this.heard.push(message);
    const waiting = this.#waiting.filter(({ wanted }) => wanted(message));
    for (const { found } of waiting) found(message);
    if (message.id !== undefined && message.method !== undefined) this.#answer(message);
  }

  #check(message: Message): void {
    try {
      const answered = message.result === undefined ? undefined : this.#asked.get(message.id);
      validateMessage(this.revision, 'client', message, answered);
    } catch (error) {
      if (this.#options.lenient !== true) this.misfits.push(error);
    }
  }

  #answer(message: Message): void {
    const { answers = {} } = this.#options;
    const written = Object.hasOwn(answers, message.method) ? answers[message.method] : this.#usual(message);
    const answer: Message = typeof written === 'function' ? written(message) : written;
    if (answer === undefined) return;
    this.say({ id: message.id, ...('error' in answer ? answer : { result: answer }) });
  }

  #usual({ method, params }: Message): object | undefined {
    const { capabilities = {} } = this.#options;
    const serverInfo = { name: 'script', version: '1' };
    switch (method) {
      case 'initialize':
        return { protocolVersion: params.protocolVersion, capabilities, serverInfo };
      case 'server/discover':
        return this.done({
          supportedVersions: [this.revision],
          capabilities,
          _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
        });
      case 'ping':
        return {};
      default:
        return { error: { code: -32601, message: `no ${method}` } };
    }
  }
}
