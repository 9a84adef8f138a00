import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterEach } from 'vitest';
import { validateMessage } from '../../../../test/schema/validate.ts';
import { type HttpOptions, serveHttp } from '../../src/http.ts';
import type { Server } from '../../src/index.ts';
import type { Revision } from '../../src/protocol/revisions.ts';
import { type SseOptions, type SseRoutes, sseRoutes } from '../../src/sse.ts';
import type { Message } from '../wire/message.ts';

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Event {
  type: string;
  data: string;
}

export interface Listening {
  origin: string;
  routes: SseRoutes;
}

/** Servers and streams of one test file; all end with the test. */
export class Site {
  readonly #ends: (() => Promise<void>)[] = [];
  readonly #requests = new Set<ClientRequest>();
  readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });

  constructor() {
    afterEach(async () => {
      for (const each of this.#requests) each.destroy();
      this.#requests.clear();
      await Promise.all(this.#ends.splice(0).map((end) => end()));
      this.agent.destroy();
    });
  }

  async serve<S>(server: Server<S>, options: SseOptions = {}, http: HttpOptions = {}): Promise<Listening> {
    const routes = sseRoutes(server, options);
    const listening = await serveHttp(server, { port: 0, ...http, mounts: [routes.route] });
    this.#ends.push(async () => {
      await routes.close(0);
      await listening.close(0);
    });
    return { origin: new URL(listening.url).origin, routes };
  }

  /** Sends a request as it is. */
  ask(
    url: string,
    method: string,
    headers: Record<string, string> = {},
    body: string | Buffer = '',
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request(url, { method, headers, agent: this.agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: String(Buffer.concat(chunks)),
          }),
        );
      });
      asked.on('error', reject);
      this.#requests.add(asked);
      asked.on('close', () => this.#requests.delete(asked));
      asked.end(body);
    });
  }

  /** Opens a stream and reads the URL for messages. */
  async open(
    { origin }: Listening,
    revision: Revision = '2024-11-05',
    headers: Record<string, string> = {},
  ): Promise<SseClient> {
    const asked = request(`${origin}/sse`, {
      headers: { Accept: 'text/event-stream', ...headers },
      agent: false,
    });
    this.#requests.add(asked);
    asked.on('close', () => this.#requests.delete(asked));
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      asked.on('response', resolve).on('error', reject).end();
    });
    asked.on('error', () => {
      // the server may cut the stream; earlier data is checked
    });
    const client = new SseClient(this, origin, response, revision, headers);
    await client.connected();
    return client;
  }
}

/** A client of HTTP+SSE that sends literal messages; received messages are checked against the official schema. */
export class SseClient {
  readonly response: IncomingMessage;
  readonly events: Event[] = [];
  readonly comments: string[] = [];
  endpoint = '';
  /** true if received messages are checked */
  checks = true;
  readonly #site: Site;
  readonly #origin: string;
  readonly #revision: Revision;
  readonly #headers: Record<string, string>;
  #rest = '';
  #taken = 0;
  #over = false;
  #waiting: (() => void)[] = [];

  constructor(
    site: Site,
    origin: string,
    response: IncomingMessage,
    revision: Revision,
    headers: Record<string, string>,
  ) {
    this.#site = site;
    this.#origin = origin;
    this.response = response;
    this.#revision = revision;
    this.#headers = headers;
    response.setEncoding('utf8').on('data', (text: string) => this.#hear(text));
    response.on('error', () => {
      // reported as the end
    });
    response.on('close', () => {
      this.#over = true;
      this.#wake();
    });
  }

  /** Waits for the first event. */
  async connected(): Promise<void> {
    this.endpoint = (await this.event()).data;
  }

  async event(): Promise<Event> {
    while (this.events.length === this.#taken) {
      if (this.#over) throw new Error('the stream is over');
      await this.change();
    }
    return this.events[this.#taken++]!;
  }

  /** Returns the next message of the server. */
  async message(): Promise<Message> {
    const { type, data } = await this.event();
    if (type !== 'message') throw new Error(`not a message but ${type}`);
    return JSON.parse(data);
  }

  /** Posts text as a client does. */
  say(text: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
    const all = { 'Content-Type': 'application/json', ...this.#headers, ...headers };
    return this.#site.ask(new URL(this.endpoint, this.#origin).href, 'POST', all, text);
  }

  async introduce(capabilities: object = {}): Promise<Message> {
    const clientInfo = { name: 'tester', version: '1.0.0' };
    const params = { protocolVersion: this.#revision, capabilities, clientInfo };
    await this.say(JSON.stringify({ jsonrpc: '2.0', id: 'init', method: 'initialize', params }));
    const answer = await this.message();
    await this.say('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return answer;
  }

  async over(): Promise<void> {
    while (!this.#over) await this.change();
  }

  /** Resolves when something has arrived. */
  change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #hear(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      if (lines.every((line) => line.startsWith(':'))) {
        this.comments.push(block);
        continue;
      }
      const fields = new Map(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]));
      const event = { type: fields.get('event') ?? 'message', data: fields.get('data') ?? '' };
      if (this.checks && event.type === 'message') {
        for (const part of [JSON.parse(event.data)].flat()) validateMessage(this.#revision, 'server', part);
      }
      this.events.push(event);
    }
    this.#wake();
  }

  #wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

export const ping = '{"jsonrpc":"2.0","id":"fence","method":"ping"}';

export const call = (id: number, name: string, args: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
