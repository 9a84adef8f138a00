import { PassThrough } from 'node:stream';
import { type Client, type ClientOptions, connect, streams } from '@rootbound/protocol/client';
import { validateMessage } from '../../schema/validate.ts';
import type { LedgerRevision } from '../ledger.ts';
import type { Message } from '../message.ts';
import { isStateless } from '../revisions.ts';

/** A result, `{ error }`, or undefined for no answer; a function decides at each request. */
export type Answer = object | undefined | ((message: Message) => object | undefined);

export interface ScriptOptions {
  /** what the server declares */
  capabilities?: object;
  /** what it answers, by method; the handshake, `server/discover` and `ping` have answers of their own */
  answers?: Readonly<Record<string, Answer>>;
  /** a client that breaks the official schema on purpose is not told on */
  lenient?: boolean;
}

/** A server whose answers a test wrote; what the client says is checked against the official schema. */
export class Script {
  readonly revision: LedgerRevision;
  readonly heard: Message[] = [];
  readonly lines: string[] = [];
  /** what the client reports without anybody waiting for it */
  readonly faults: Error[] = [];
  /** what the client said that its schema does not allow */
  readonly misfits: unknown[] = [];
  readonly #options: ScriptOptions;
  readonly #waiting: { wanted: (message: Message) => boolean; found: (message: Message) => void }[] = [];
  readonly #asked = new Map<unknown, string>();
  /** how often a client has connected */
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

  /** A client of this revision that has agreed with the server. */
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

  /** Asks the client and gives its answer. */
  ask(id: string | number, method: string, params?: object): Promise<Message> {
    this.say({ id, method, ...(params !== undefined && { params }) });
    return this.hears((message) => message.id === id && message.method === undefined);
  }

  /** Ends the conversation, as a process that exits. */
  end(): void {
    this.#input.end();
  }

  close(): Promise<void> | undefined {
    return this.#client?.close();
  }

  /** Resolves with the first message heard, now or later, for which `wanted` holds. */
  hears(wanted: (message: Message) => boolean): Promise<Message> {
    const known = this.heard.find(wanted);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((found) => this.#waiting.push({ wanted, found }));
  }

  /** Resolves with the first request or notification with this method. */
  awaitMessage(method: string): Promise<Message> {
    return this.hears((message) => message.method === method);
  }

  /** Everything heard with this method. */
  all(method: string): Message[] {
    return this.heard.filter((message) => message.method === method);
  }

  /** What a result of the stateless era has besides its content. */
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
