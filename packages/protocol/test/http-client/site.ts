import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, connect, type HttpClientOptions, http } from '../../src/client.ts';
import type { Message } from '../wire/message.ts';

/** One HTTP request that a site received, and ways to respond. */
export class Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** the parsed body, if there is one */
  readonly message: Message;
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** resolves when the other side is gone */
  readonly gone: Promise<void>;

  constructor(
    method: string,
    path: string,
    headers: IncomingHttpHeaders,
    body: string,
    response: ServerResponse,
  ) {
    this.method = method;
    this.path = path;
    this.headers = headers;
    this.body = body;
    this.message = body === '' ? {} : JSON.parse(body);
    this.response = response;
    this.socket = response.socket!;
    this.gone = new Promise((resolve) => response.once('close', resolve));
  }

  /** Responds to the request of the body with a result as JSON. */
  result(result: object, headers: Record<string, string> = {}): void {
    this.json(200, { jsonrpc: '2.0', id: this.message.id, result }, headers);
  }

  json(status: number, body: object, headers: Record<string, string> = {}): void {
    this.text(status, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });
  }

  text(status: number, body = '', headers: Record<string, string> = {}): void {
    this.response.writeHead(status, headers).end(body);
  }

  /** Starts a stream of events. */
  stream(headers: Record<string, string> = {}): this {
    this.response.writeHead(200, { 'Content-Type': 'text/event-stream', ...headers });
    this.response.flushHeaders();
    return this;
  }

  /** Writes one event, given as its fields. */
  event(fields: { id?: string; retry?: number; event?: string; data?: string | object }): this {
    const { data } = fields;
    const text = typeof data === 'object' ? JSON.stringify(data) : data;
    for (const [name, value] of Object.entries({ ...fields, data: text })) {
      if (value !== undefined) this.response.write(`${name}: ${value}\n`);
    }
    this.response.write('\n');
    return this;
  }

  /** Writes the response to the request of the body as an event. */
  answer(result: object, id?: string): this {
    const data = { jsonrpc: '2.0', id: this.message.id, result };
    return this.event(id === undefined ? { data } : { id, data });
  }

  end(): void {
    this.response.end();
  }

  /** Closes the connection. */
  cut(): void {
    this.socket.destroy();
  }
}

export type Play = (asked: Asked, site: Site) => void;

/** An HTTP server with responses of the test. */
export class Site {
  readonly url: string;
  readonly asked: Asked[] = [];
  play: Play;
  readonly #waiting = new Set<() => void>();

  constructor(url: string, play: Play) {
    this.url = url;
    this.play = play;
  }

  take(asked: Asked): void {
    this.asked.push(asked);
    for (const check of this.#waiting) check();
    this.play(asked, this);
  }

  /** The HTTP methods and message methods of all requests so far. */
  get log(): string[] {
    return this.asked.map(({ method, message }) => (message.method === undefined ? method : message.method));
  }

  /** Resolves with the n-th request, now or later, for which `wanted` returns true. */
  hears(wanted: string | ((asked: Asked) => boolean), nth = 1): Promise<Asked> {
    const fits = (asked: Asked): boolean =>
      typeof wanted === 'string' ? [asked.method, asked.message.method].includes(wanted) : wanted(asked);
    return new Promise((resolve) => {
      const check = (): boolean => {
        const found = this.asked.filter(fits)[nth - 1];
        if (found !== undefined) {
          this.#waiting.delete(check);
          resolve(found);
        }
        return found !== undefined;
      };
      if (!check()) this.#waiting.add(check);
    });
  }
}

/** Serves `play` on a free port of this machine until the test is over. */
export async function site(play: Play): Promise<Site> {
  let served: Site;
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      served.take(new Asked(request.method!, request.url!, request.headers, body, response));
    });
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  served = new Site(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, play);
  return served;
}

export interface Using extends Partial<ClientOptions> {
  http?: HttpClientOptions;
}

export interface Used {
  client: Client;
  faults: string[];
  /** resolves with the first fault */
  fault: Promise<string>;
}

/** Returns a client of a site that is closed with the test. */
export async function use(
  { url }: { url: string },
  { http: settings = {}, ...options }: Using = {},
): Promise<Used> {
  const faults: string[] = [];
  let heard: (message: string) => void = () => {};
  const fault = new Promise<string>((resolve) => {
    heard = resolve;
  });
  const client = await connect(http(url, { reconnect: { delay: 1 }, ...settings }), {
    name: 'tester',
    version: '1.0.0',
    timeout: 120_000,
    onError: ({ message }) => {
      faults.push(message);
      heard(message);
    },
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, faults, fault };
}

const everything = { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} };

/** Returns a server of the handshake era: it accepts the requested revision, and calls `play` for the rest. */
export function keeper(
  play: Play,
  { session = 's-1', stream = 'none' }: { session?: string | null; stream?: 'none' | 'silent' } = {},
): Play {
  return (asked, served) => {
    const { method, message } = asked;
    if (message.method === 'initialize') {
      const { protocolVersion } = message.params;
      const serverInfo = { name: 'old', version: '1' };
      const headers: Record<string, string> = session === null ? {} : { 'Mcp-Session-Id': session };
      asked.result({ protocolVersion, capabilities: everything, serverInfo }, headers);
    } else if (message.method === 'notifications/initialized') asked.text(202);
    else if (method === 'DELETE') asked.text(200);
    else if (method === 'GET' && asked.headers['last-event-id'] === undefined && stream === 'none')
      asked.text(405);
    else if (method === 'GET' && asked.headers['last-event-id'] === undefined) asked.stream();
    else play(asked, served);
  };
}

/** Returns a client of a handshake server that calls `play` after the handshake. */
export async function session(
  play: Play,
  options: Using = {},
  kept: Parameters<typeof keeper>[1] = {},
): Promise<Used & { site: Site }> {
  const served = await site(keeper(play, kept));
  return { ...(await use(served, { era: 'handshake', ...options })), site: served };
}

/** Returns a client of a stateless server that calls `play`. */
export async function stateless(play: Play, options: Using = {}): Promise<Used & { site: Site }> {
  const served = await site(play);
  return { ...(await use(served, { era: { pinned: '2026-07-28' }, ...options })), site: served };
}

/** Returns a tool result with a text. */
export const textResult = (text: string): object => ({ content: [{ type: 'text', text }] });
/** Returns the result in the form of the stateless era. */
export const complete = (result: object): object => ({ resultType: 'complete', ...result });
