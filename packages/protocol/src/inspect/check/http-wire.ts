import type { Params } from '../../jsonrpc/message.ts';
import { encodeHeaderValue } from '../../protocol/headers.ts';
import { methodIn } from '../../protocol/methods.ts';
import { type Revision, revisions } from '../../protocol/revisions.ts';
import { postFields } from '../../transports/http-client/answer.ts';
import { type Carrier, mediaType } from '../../transports/http-client/carrier.ts';
import { NodeCarrier } from '../../transports/http-client/node-carrier.ts';
import { ToolHeaders } from '../../transports/http-client/tool-headers.ts';
import { readBody, type Wanted } from './http-body.ts';
import { type HttpReply, type Sending, Unanswered, type Wire } from './wire.ts';

export interface HttpCall extends Wanted {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly asked?: string | undefined;
}

/** An endpoint of Streamable HTTP: a POST per message. */
export class HttpWire implements Wire {
  readonly #url: URL;
  readonly #own: Readonly<Record<string, string>>;
  readonly #revision: Revision;
  readonly #carrier: Carrier = new NodeCarrier();
  readonly #tools = new ToolHeaders(() => {});
  readonly #patience: number;
  #hear: (text: string) => void = () => {};
  /** all replies to POSTs of messages, oldest first */
  readonly replies: HttpReply[] = [];
  session: string | undefined;
  /** true after the response to the handshake */
  settled = false;
  readonly closed = new Promise<void>(() => {});

  constructor(url: URL, own: Readonly<Record<string, string>>, revision: Revision, patience: number) {
    this.#url = url;
    this.#own = own;
    this.#revision = revision;
    this.#patience = patience;
  }

  start(hear: (text: string) => void): void {
    this.#hear = hear;
  }

  async send({ text, method, params, fields, done, leave, patience }: Sending): Promise<HttpReply> {
    const all = { ...postFields, ...this.fieldsOf(method, params), ...fields };
    const asked = done === undefined ? undefined : method;
    const reply = await this.call({ method: 'POST', fields: all, body: text, done, leave, patience, asked });
    this.replies.push(reply);
    if (method === 'initialize' && reply.status < 300) {
      this.session ??= reply.header('mcp-session-id');
      this.settled = true;
    }
    return reply;
  }

  /** Returns the headers that repeat parts of a message. */
  fieldsOf(method: string | undefined, params: Params = {}): Record<string, string> {
    if (revisions[this.#revision].era === 'handshake') {
      const named = this.settled && this.#revision >= '2025-06-18';
      return {
        ...(named && { 'mcp-protocol-version': this.#revision }),
        ...(this.session !== undefined && { 'mcp-session-id': this.session }),
      };
    }
    const names = method === undefined ? undefined : methodIn(this.#revision, method)?.names;
    const name = names === undefined ? undefined : params[names];
    return {
      'mcp-protocol-version': this.#revision,
      ...(method !== undefined && { 'mcp-method': method }),
      ...(typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
      ...(method === 'tools/call' && this.#tools.fieldsOf(params)),
    };
  }

  /** Records which arguments of tools are sent as headers. */
  learn(page: Params): void {
    this.#tools.learn(page);
  }

  /** Sends one HTTP request; returns the reply when it has ended or enough has arrived. */
  async call({ method, fields, body, done, leave, patience, asked }: HttpCall): Promise<HttpReply> {
    const signal = AbortSignal.timeout(patience);
    const request = { method, url: this.#url, fields: this.#given(fields), body, signal, once: false };
    const response = await this.#carrier.send(request).catch((cause: unknown) => {
      if (!signal.aborted) throw cause;
      throw new Unanswered(`no response within ${patience / 1000} s`, { cause });
    });
    const read = await readBody(response, { done, leave, patience }, this.#hear);
    return {
      status: response.status,
      type: mediaType(response),
      header: (name) => response.header(name),
      asked,
      ...read,
    };
  }

  /** Returns the status and type of the response to a GET, without its body. */
  async peek(fields: HttpCall['fields']): Promise<Pick<HttpReply, 'status' | 'type'>> {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), this.#patience);
    try {
      const response = await this.#carrier.send({
        method: 'GET',
        url: this.#url,
        fields: this.#given(fields),
        body: undefined,
        signal: stop.signal,
        once: false,
      });
      response.cancel();
      return { status: response.status, type: mediaType(response) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the session, if there is one. */
  async close(): Promise<void> {
    if (this.session !== undefined) await this.end();
    this.#carrier.close();
  }

  /** Sends the DELETE of the session. */
  async end(): Promise<HttpReply | undefined> {
    const fields = this.fieldsOf(undefined);
    this.session = undefined;
    try {
      return await this.call({ method: 'DELETE', fields, patience: this.#patience });
    } catch {
      // a server that does not respond to DELETE has no session to end
      return undefined;
    }
  }

  #given(fields: HttpCall['fields']): Record<string, string> {
    const entries = Object.entries({ ...this.#own, ...fields });
    return Object.fromEntries(
      entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  }
}
