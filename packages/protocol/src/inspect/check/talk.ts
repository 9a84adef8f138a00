import { type Id, isId, isObject, type Params } from '../../jsonrpc/message.ts';
import { metaKeys } from '../../protocol/meta.ts';
import { type Era, type Revision, revisions } from '../../protocol/revisions.ts';
import { clientInfo } from '../client-info.ts';
import { Transcript } from './transcript.ts';
import { type Answer, type HttpReply, Unanswered, type Wire } from './wire.ts';

export interface AskOptions {
  id?: Id;
  /** members that override the `_meta` of a stateless request; undefined removes a member */
  meta?: Readonly<Record<string, unknown>>;
  /** HTTP headers that override the default; undefined removes one */
  fields?: Readonly<Record<string, string | undefined>>;
  /** timeout of the response in milliseconds, instead of the default */
  patience?: number;
}

/** A connection on which any message can be sent, valid or not, and which stores everything that is received. */
export class Talk {
  readonly revision: Revision;
  readonly #transcript = new Transcript();
  readonly texts = this.#transcript.texts;
  readonly heard = this.#transcript.heard;
  readonly asked = this.#transcript.asked;
  readonly wire: Wire;
  readonly #patience: number;
  #nextId = 1;

  private constructor(wire: Wire, revision: Revision, patience: number) {
    this.wire = wire;
    this.revision = revision;
    this.#patience = patience;
  }

  /** Opens a connection; `patience` is the timeout of a response in milliseconds. */
  static async open(open: () => Promise<Wire>, revision: Revision, patience: number): Promise<Talk> {
    const wire = await open();
    const talk = new Talk(wire, revision, patience);
    wire.start((text) => talk.#hear(text));
    return talk;
  }

  get era(): Era {
    return revisions[this.revision].era;
  }

  /** Sends a request and returns its response; after the timeout, `response` is undefined. */
  async ask(method: string, params: Params = {}, options: AskOptions = {}): Promise<Answer> {
    const id = options.id ?? this.#nextId++;
    const stamped = this.#stamp(params, options.meta);
    this.#transcript.ask(id, method, stamped);
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params: stamped });
    const answered = (): boolean => this.#transcript.responseTo(id) !== undefined;
    const { fields, patience = this.#patience } = options;
    const http = await this.wire.send({ text, method, params: stamped, done: answered, fields, patience });
    const late = http === undefined ? await this.until(answered, patience) : !http.ended && !answered();
    return answerOf(this.#transcript.responseTo(id), http, late);
  }

  /** Sends a request and returns its response, or cancels it after `limit` milliseconds. */
  async attempt(method: string, params: Params, limit: number): Promise<Answer | undefined> {
    const id = this.#nextId++;
    const patience = Math.min(limit, this.#patience);
    const answer = await this.ask(method, params, { id, patience }).catch((error: unknown) => {
      if (error instanceof Unanswered) return undefined;
      throw error;
    });
    if (answer?.late === false) return answer;
    const isOnLines = answer !== undefined && answer.http === undefined;
    // a stateless request over HTTP was already cancelled by closing its response
    if (isOnLines || this.era === 'handshake')
      await this.notify('notifications/cancelled', { requestId: id, reason: 'it takes too long' });
    return undefined;
  }

  /** Sends a notification. */
  async notify(method: string, params: Params = {}): Promise<HttpReply | undefined> {
    const stamped = this.#stamp(params, undefined);
    const text = JSON.stringify({ jsonrpc: '2.0', method, params: stamped });
    return this.wire.send({ text, method, params: stamped, patience: this.#patience });
  }

  /** Sends an invalid message and returns the response. */
  sendInvalid(message: Params): Promise<Answer> {
    return this.sendText(JSON.stringify({ jsonrpc: '2.0', ...message, params: this.#stamp({}, undefined) }));
  }

  /** Sends any text and returns the response, which may have no id. */
  async sendText(text: string): Promise<Answer> {
    const before = this.heard.length;
    const method = this.era === 'stateless' ? 'server/discover' : undefined;
    const http = await this.wire.send({ text, ...(method && { method }), patience: this.#patience });
    const strays = (): Params[] => this.#transcript.straysFrom(before);
    // on a stream, the absence of a response is known only after responses to later requests
    for (let fence = 0; http === undefined && fence < 2 && strays().length === 0; fence++) await this.fence();
    return answerOf(strays()[0], http, false);
  }

  /** Sends a request, waits for a notification on its stream, and closes it. */
  async listen(method: string, params: Params, wanted: string): Promise<{ id: Id; received: Params[] }> {
    const id = this.#nextId++;
    const stamped = this.#stamp(params, undefined);
    this.asked.set(id, { method, params: stamped });
    const before = this.heard.length;
    const received = (): Params[] => this.heard.slice(before);
    const done = (): boolean => received().some((message) => message.method === wanted || message.id === id);
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
      await this.notify('notifications/cancelled', { requestId: id });
    }
    return { id, received: received() };
  }

  /** Sends a request that every server must answer. */
  fence(options?: AskOptions): Promise<Answer> {
    return this.era === 'handshake'
      ? this.ask('ping', {}, options)
      : this.ask('server/discover', {}, options);
  }

  /** Waits until a condition holds, the server disconnects or the timeout ends; returns true for the timeout. */
  until(fact: () => boolean, patience = this.#patience): Promise<boolean> {
    return this.#transcript.until(fact, this.wire.closed, patience);
  }

  close(): Promise<void> {
    return this.wire.close();
  }

  #stamp(params: Params, meta: AskOptions['meta']): Params {
    if (this.era === 'handshake') return params;
    const own = {
      [metaKeys.protocolVersion]: this.revision,
      [metaKeys.clientInfo]: clientInfo,
      [metaKeys.clientCapabilities]: {},
    };
    return { ...params, _meta: { ...own, ...(isObject(params._meta) && params._meta), ...meta } };
  }

  #hear(text: string): void {
    for (const message of this.#transcript.take(text)) this.#reply(message);
    this.#transcript.notify();
  }

  /** Responds to requests of the server as a client without capabilities. */
  #reply({ id, method }: Params): void {
    if (typeof method !== 'string' || !isId(id) || this.era === 'stateless') return;
    const answer =
      method === 'ping'
        ? { result: {} }
        : { error: { code: -32601, message: 'this client has declared no capability' } };
    const text = JSON.stringify({ jsonrpc: '2.0', id, ...answer });
    void this.wire.send({ text, patience: this.#patience }).catch(() => {
      // the server has disconnected
    });
  }
}

function answerOf(response: Params | undefined, http: HttpReply | undefined, late: boolean): Answer {
  return {
    response,
    result: isObject(response?.result) ? response.result : undefined,
    error: isObject(response?.error) ? response.error : undefined,
    http,
    late,
  };
}
