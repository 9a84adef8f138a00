import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Server } from '@rootbound/protocol';
import { type ListeningHttp, type ServeHttpOptions, serveHttp } from '@rootbound/protocol/http';
import { onTestFinished } from 'vitest';
import type { LedgerRevision } from '../ledger.ts';
import type { Message } from '../message.ts';
import { isStateless } from '../revisions.ts';
import { fixture } from './fixture.ts';

/** One server-sent event. */
export interface ServerEvent {
  id?: string;
  retry?: string;
  event?: string;
  data?: string;
  comment?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** the message of a JSON body, or of the last event with a message */
  message: Message;
  /** every message of the body */
  messages: Message[];
  events: ServerEvent[];
}

type Headers = Record<string, string | undefined>;

export interface Asking {
  method?: string;
  path?: string;
  headers?: Headers;
  body?: string;
}

/** A streamed response. */
export class Stream {
  readonly #response: IncomingMessage;
  readonly #events: AsyncGenerator<ServerEvent, undefined>;
  readonly seen: ServerEvent[] = [];

  constructor(response: IncomingMessage) {
    this.#response = response;
    this.#events = eventsIn(response);
  }

  get status(): number {
    return this.#response.statusCode ?? 0;
  }

  get headers(): IncomingHttpHeaders {
    return this.#response.headers;
  }

  /** Resolves with the next event, or undefined after the end. */
  async next(): Promise<ServerEvent | undefined> {
    const { value } = await this.#events.next();
    if (value !== undefined) this.seen.push(value);
    return value;
  }

  /** Resolves with the next message; other events are skipped. */
  async message(): Promise<Message> {
    for (let event = await this.next(); event !== undefined; event = await this.next()) {
      if (event.data !== undefined && event.data !== '') return JSON.parse(event.data) as Message;
    }
    throw new Error('the stream ended');
  }

  /** Reads to the end and returns all messages. */
  async rest(): Promise<Message[]> {
    const messages: Message[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) {
      if (event.data !== undefined && event.data !== '') messages.push(JSON.parse(event.data) as Message);
    }
    return messages;
  }

  /** Aborts the connection. */
  leave(): void {
    this.#response.destroy();
  }
}

const usual: Headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** A listening server, with functions for raw requests. */
export class Site {
  readonly listening: ListeningHttp;
  readonly revision: LedgerRevision;
  /** headers of every request of the session */
  session: Headers = {};
  capabilities: object = {};
  #last = 0;

  constructor(listening: ListeningHttp, revision: LedgerRevision) {
    this.listening = listening;
    this.revision = revision;
  }

  /** Sends a request and returns its response before the end of its body. */
  begin({ method = 'POST', path = '/mcp', headers, body }: Asking): Promise<IncomingMessage> {
    const given = Object.entries({ ...usual, ...this.session, ...headers }).filter(
      ([, value]) => value !== undefined,
    );
    const options = { host: '127.0.0.1', port: this.listening.port, method, path, agent: false };
    const request = httpRequest({ ...options, headers: Object.fromEntries(given) as Record<string, string> });
    onTestFinished(() => void request.destroy());
    return new Promise((resolve, reject) => {
      request.on('response', resolve);
      request.on('error', reject);
      request.end(body);
    });
  }

  async ask(asking: Asking): Promise<Answer> {
    const response = await this.begin(asking);
    response.setEncoding('utf8');
    let text = '';
    for await (const chunk of response) text += String(chunk);
    const json = (response.headers['content-type'] ?? '').startsWith('application/json');
    const events = json ? [] : parseEvents(text);
    const messages = json
      ? [JSON.parse(text)]
      : events.flatMap(({ data }) => (data ? [JSON.parse(data)] : []));
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text,
      events,
      messages,
      message: messages.at(-1),
    };
  }

  /** Sends a request and returns the stream of its response. */
  async stream(asking: Asking): Promise<Stream> {
    return new Stream(await this.begin(asking));
  }

  /** Returns the POST of one request with the headers of the revision. */
  posting(method: string, params: Message = {}, { meta = {}, headers = {}, id }: Extras = {}): Asking {
    const _meta = { ...this.#facts(), ...meta };
    const sent = Object.keys(_meta).length === 0 ? params : { ...params, _meta };
    const body = JSON.stringify({ jsonrpc: '2.0', id: id ?? ++this.#last, method, params: sent });
    return { body, headers: { ...this.#standard(method, params), ...headers } };
  }

  request(method: string, params: Message = {}, extras: Extras = {}): Promise<Answer> {
    return this.ask(this.posting(method, params, extras));
  }

  call(name: string, args: object = {}, extras: Extras = {}): Promise<Answer> {
    return this.request('tools/call', { name, arguments: args }, extras);
  }

  notify(method: string, params: object = {}, headers: Headers = {}): Promise<Answer> {
    const _meta = this.#facts();
    const sent = Object.keys(_meta).length === 0 ? params : { ...params, _meta };
    return this.ask({
      body: JSON.stringify({ jsonrpc: '2.0', method, params: sent }),
      headers: { ...this.#standard(method, {}), ...headers },
    });
  }

  /** Opens the GET stream of the session. */
  get(headers: Headers = {}): Promise<Stream> {
    return this.stream({ method: 'GET', headers: { Accept: 'text/event-stream', ...headers } });
  }

  /** Starts a session and returns the response to initialize. */
  async initialize(protocolVersion: string = this.revision): Promise<Answer> {
    this.session = {};
    const clientInfo = { name: 'tester', version: '1.0.0' };
    const answer = await this.request('initialize', {
      protocolVersion,
      capabilities: this.capabilities,
      clientInfo,
    });
    const id = answer.headers['mcp-session-id'];
    if (typeof id === 'string') {
      this.session = { 'Mcp-Session-Id': id };
      // the header exists since this revision
      if (this.revision >= '2025-06-18') this.session['MCP-Protocol-Version'] = this.revision;
      await this.notify('notifications/initialized');
    }
    return answer;
  }

  #facts(): object {
    if (!isStateless(this.revision)) return {};
    return {
      'io.modelcontextprotocol/protocolVersion': this.revision,
      'io.modelcontextprotocol/clientCapabilities': this.capabilities,
      'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1.0.0' },
    };
  }

  #standard(method: string, { name, uri }: Message): Headers {
    if (!isStateless(this.revision)) return {};
    const named = ['tools/call', 'prompts/get', 'resources/read'].includes(method)
      ? { 'Mcp-Name': name ?? uri }
      : {};
    return { 'MCP-Protocol-Version': this.revision, 'Mcp-Method': method, ...named };
  }
}

export interface Extras {
  meta?: object;
  headers?: Headers;
  id?: string | number;
}

export interface SiteOptions extends Partial<ServeHttpOptions> {
  server?: Server;
  /** the client's capabilities */
  capabilities?: object;
}

/** Starts a server, and a session if the revision has one; it is closed after the test. */
export async function site(revision: LedgerRevision, options: SiteOptions = {}): Promise<Site> {
  const opened = await bareSite(revision, options);
  if (!isStateless(revision)) await opened.initialize();
  return opened;
}

/** Starts a server without a session. */
export async function bareSite(
  revision: LedgerRevision,
  { server = fixture(), capabilities = {}, ...options }: SiteOptions = {},
): Promise<Site> {
  const listening = await serveHttp(server, { port: 0, ...options });
  onTestFinished(() => listening.close(0));
  const opened = new Site(listening as ListeningHttp, revision);
  opened.capabilities = capabilities;
  return opened;
}

/** Connects another client to a server. */
export function another(first: Site, capabilities: object = {}): Site {
  const other = new Site(first.listening, first.revision);
  other.capabilities = capabilities;
  return other;
}

async function* eventsIn(response: IncomingMessage): AsyncGenerator<ServerEvent, undefined> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield* parseEvents(text.slice(0, end + 2));
      text = text.slice(end + 2);
    }
  }
  return undefined;
}

function parseEvents(text: string): ServerEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const event: ServerEvent = {};
      for (const line of block.split('\n')) {
        const [, field, value = ''] = /^(id|data|retry|event|): ?(.*)$/.exec(line) ?? [];
        if (field === '') event.comment = value;
        else if (field !== undefined) event[field as 'id'] = value; // the pattern has no other fields
      }
      return event;
    });
}
