import { type Id, isId, isObject, type Params } from '../../jsonrpc/message.ts';
import { metaKeys } from '../../protocol/meta.ts';
import { type Era, type Revision, revisions } from '../../protocol/revisions.ts';
import { presented } from '../presented.ts';
import type { Answer, HttpReply, Wire } from './wire.ts';

export interface AskOptions {
  id?: Id;
  /** what goes into the `_meta` of a stateless request in place of the usual; undefined leaves a member out */
  meta?: Readonly<Record<string, unknown>>;
  /** HTTP headers in place of the usual; undefined leaves one out */
  fields?: Readonly<Record<string, string | undefined>>;
}

/** A conversation with a server in which anything can be said, and everything that is heard is kept. */
export class Talk {
  readonly revision: Revision;
  /** the texts that the server has sent, each one message */
  readonly texts: string[] = [];
  /** the messages in them; those of a batch one by one */
  readonly heard: Params[] = [];
  /** methods and params of what was asked, by id */
  readonly asked = new Map<Id, { method: string; params: Params }>();
  readonly wire: Wire;
  readonly #patience: number;
  readonly #responses = new Map<Id, Params>();
  #listeners: (() => void)[] = [];
  #nextId = 1;

  private constructor(wire: Wire, revision: Revision, patience: number) {
    this.wire = wire;
    this.revision = revision;
    this.#patience = patience;
  }

  /** Begins a conversation; `patience` is how many milliseconds an answer may take. */
  static async open(open: () => Promise<Wire>, revision: Revision, patience: number): Promise<Talk> {
    const wire = await open();
    const talk = new Talk(wire, revision, patience);
    wire.start((text) => talk.#hear(text));
    return talk;
  }

  get era(): Era {
    return revisions[this.revision].era;
  }

  /** Sends a request and gives its answer; no response within the patience is an answer without one. */
  async ask(method: string, params: Params = {}, options: AskOptions = {}): Promise<Answer> {
    const id = options.id ?? this.#nextId++;
    const stamped = this.#stamp(params, options.meta);
    this.asked.set(id, { method, params: stamped });
    this.#responses.delete(id);
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params: stamped });
    const answered = (): boolean => this.#responses.has(id);
    const http = await this.wire.send({
      text,
      method,
      params: stamped,
      done: answered,
      fields: options.fields,
      patience: this.#patience,
    });
    if (http === undefined) await this.until(answered);
    return answerOf(this.#responses.get(id), http);
  }

  /** Sends a notification. */
  async tell(method: string, params: Params = {}): Promise<HttpReply | undefined> {
    const stamped = this.#stamp(params, undefined);
    const text = JSON.stringify({ jsonrpc: '2.0', method, params: stamped });
    return this.wire.send({ text, method, params: stamped, patience: this.#patience });
  }

  /** Sends a message that is none, and gives the response that came to it. */
  misspeak(message: Params): Promise<Answer> {
    return this.say(JSON.stringify({ jsonrpc: '2.0', ...message, params: this.#stamp({}, undefined) }));
  }

  /** Sends any text, and gives the response that came to it, which need not have an id. */
  async say(text: string): Promise<Answer> {
    const before = this.heard.length;
    const method = this.era === 'stateless' ? 'server/discover' : undefined;
    const http = await this.wire.send({ text, ...(method && { method }), patience: this.#patience });
    const strays = (): Params[] => this.heard.slice(before).filter((message) => this.#isStray(message));
    // on a stream nothing says that there will be no answer, but those to later requests
    for (let fence = 0; http === undefined && fence < 2 && strays().length === 0; fence++) await this.fence();
    return answerOf(strays()[0], http);
  }

  /** Sends a request and waits for a notification on its stream; then lets go of it. */
  async listen(method: string, params: Params, wanted: string): Promise<{ id: Id; told: Params[] }> {
    const id = this.#nextId++;
    const stamped = this.#stamp(params, undefined);
    this.asked.set(id, { method, params: stamped });
    const before = this.heard.length;
    const told = (): Params[] => this.heard.slice(before);
    const done = (): boolean => told().some((message) => message.method === wanted || message.id === id);
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params: stamped });
    const http = await this.wire.send({
      text,
      method,
      params: stamped,
      done,
      leave: true,
      patience: this.#patience,
    });
    if (http === undefined) {
      await this.until(done);
      await this.tell('notifications/cancelled', { requestId: id });
    }
    return { id, told: told() };
  }

  /** A request that every server answers. */
  fence(options?: AskOptions): Promise<Answer> {
    return this.era === 'handshake'
      ? this.ask('ping', {}, options)
      : this.ask('server/discover', {}, options);
  }

  /** Waits until a fact is there, the server has gone or patience ends. */
  async until(fact: () => boolean): Promise<void> {
    if (fact()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#patience);
      const look = (): void => {
        if (!fact()) return;
        clearTimeout(timer);
        this.#listeners = this.#listeners.filter((listener) => listener !== look);
        resolve();
      };
      this.#listeners.push(look);
      void this.wire.closed.then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  close(): Promise<void> {
    return this.wire.close();
  }

  #stamp(params: Params, meta: AskOptions['meta']): Params {
    if (this.era === 'handshake') return params;
    const own = {
      [metaKeys.protocolVersion]: this.revision,
      [metaKeys.clientInfo]: presented,
      [metaKeys.clientCapabilities]: {},
    };
    return { ...params, _meta: { ...own, ...(isObject(params._meta) && params._meta), ...meta } };
  }

  #hear(text: string): void {
    this.texts.push(text);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // what is no JSON is no message; the text itself is kept
      value = undefined;
    }
    for (const message of Array.isArray(value) ? value : [value]) if (isObject(message)) this.#take(message);
    for (const listener of this.#listeners) listener();
  }

  #take(message: Params): void {
    this.heard.push(message);
    const { id, method } = message;
    if (typeof method !== 'string') {
      if (isId(id)) this.#responses.set(id, message);
      return;
    }
    if (!isId(id) || this.era === 'stateless') return;
    const answer =
      method === 'ping'
        ? { result: {} }
        : { error: { code: -32601, message: 'this client has declared no capability' } };
    const text = JSON.stringify({ jsonrpc: '2.0', id, ...answer });
    void this.wire.send({ text, patience: this.#patience }).catch(() => {
      // a server that has gone needs no answer
    });
  }

  /** Whether a message is a response to none of the requests. */
  #isStray({ method, id }: Params): boolean {
    return method === undefined && !(isId(id) && this.asked.has(id));
  }
}

/** How this client presents itself in a handshake. */
export function greetingParams(revision: string): Params {
  return { protocolVersion: revision, capabilities: {}, clientInfo: presented };
}

function answerOf(response: Params | undefined, http: HttpReply | undefined): Answer {
  return {
    response,
    result: isObject(response?.result) ? response.result : undefined,
    error: isObject(response?.error) ? response.error : undefined,
    http,
  };
}
