import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Client,
  type ClientOptions,
  connect,
  type HttpClientOptions,
  http,
} from '@rootbound/protocol/client';
import { onTestFinished } from 'vitest';
import { validateMessage } from '../../schema/validate.ts';
import type { LedgerRevision } from '../ledger.ts';
import type { Message } from '../message.ts';
import { isStateless } from '../revisions.ts';

/** A received HTTP request, with functions to answer it. */
export class Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** the parsed body, if there is one */
  readonly message: Message;
  readonly response: ServerResponse;
  /** resolves when the connection is closed */
  readonly over: Promise<void>;

  constructor(
    method: string,
    url: URL,
    headers: IncomingHttpHeaders,
    body: string,
    response: ServerResponse,
  ) {
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.body = body;
    this.message = body.startsWith('{') || body.startsWith('[') ? JSON.parse(body) : {};
    this.response = response;
    this.over = new Promise((resolve) => response.once('close', resolve));
  }

  send(status: number, body: string | object = '', headers: Record<string, string> = {}): void {
    const type = typeof body === 'object' ? { 'Content-Type': 'application/json' } : {};
    this.response
      .writeHead(status, { ...type, ...headers })
      .end(typeof body === 'object' ? JSON.stringify(body) : body);
  }

  result(result: object, headers: Record<string, string> = {}): void {
    this.send(200, { jsonrpc: '2.0', id: this.message.id, result }, headers);
  }

  error(code: number, status = 200, more: object = {}): void {
    this.send(status, { jsonrpc: '2.0', id: this.message.id, error: { code, message: 'no', ...more } });
  }

  /** Starts an event stream. */
  stream(text = '', headers: Record<string, string> = {}): this {
    this.response.writeHead(200, { 'Content-Type': 'text/event-stream', ...headers });
    this.response.flushHeaders();
    if (text !== '') this.response.write(text);
    return this;
  }

  event(message: object, id?: string): this {
    const data = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.response.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`);
    return this;
  }

  end(): void {
    this.response.end();
  }
}

export interface WebOptions {
  capabilities?: object;
  /** handles a request; returns true for the default handling */
  play?: (asked: Asked, web: Web) => unknown;
  /** the session id in the answer to initialize */
  session?: string;
}

const serverInfo = { name: 'web', version: '1' };

/** A site with scripted answers; the client's messages are validated against the official schema. */
export class Web {
  readonly revision: LedgerRevision;
  readonly asked: Asked[] = [];
  readonly faults: Error[] = [];
  readonly misfits: unknown[] = [];
  readonly #options: WebOptions;
  readonly #waiting: { wanted: (asked: Asked) => boolean; found: (asked: Asked) => void }[] = [];
  url = '';

  constructor(revision: LedgerRevision, options: WebOptions) {
    this.revision = revision;
    this.#options = options;
  }

  async listen(): Promise<this> {
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => {
        const url = new URL(request.url ?? '/', this.url);
        this.#take(new Asked(request.method ?? '', url, request.headers, body, response));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return this;
  }

  /** Connects a client of this revision. */
  async connect(options: Partial<ClientOptions> = {}, transport: HttpClientOptions = {}): Promise<Client> {
    const era = isStateless(this.revision) ? {} : ({ era: 'handshake', revision: this.revision } as const);
    const onError = (error: Error): void => void this.faults.push(error);
    const reconnect = { delay: 1, attempts: 3 };
    const client = await connect(http(this.url, { reconnect, ...transport }), {
      name: 'tester',
      version: '1.0.0',
      timeout: 120_000,
      onError,
      ...era,
      ...options,
    });
    onTestFinished(() => client.close());
    return client;
  }

  /** Returns the requests with a JSON-RPC method. */
  posts(method: string): Asked[] {
    return this.asked.filter(({ message }) => message.method === method);
  }

  hears(wanted: (asked: Asked) => boolean): Promise<Asked> {
    const known = this.asked.find(wanted);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((found) => this.#waiting.push({ wanted, found }));
  }

  awaitRequest(method: string): Promise<Asked> {
    return this.hears(({ message }) => message.method === method);
  }

  /** Adds the members that results have in the stateless era. */
  done(result: object): object {
    return isStateless(this.revision)
      ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result }
      : result;
  }

  #take(asked: Asked): void {
    this.#check(asked);
    this.asked.push(asked);
    for (const { wanted, found } of this.#waiting) if (wanted(asked)) found(asked);
    const { play } = this.#options;
    if (play === undefined || play(asked, this) === true) this.#usual(asked);
  }

  #check({ body, message }: Asked): void {
    if (body === '' || !('jsonrpc' in message)) return;
    try {
      validateMessage(this.revision, 'client', message);
    } catch (error) {
      this.misfits.push(error);
    }
  }

  #usual(asked: Asked): void {
    const { capabilities = {}, session } = this.#options;
    const { message, method } = asked;
    if (method === 'DELETE') asked.send(204);
    else if (method === 'GET') asked.send(405);
    else if (message.id === undefined || message.method === undefined) asked.send(202);
    else if (message.method === 'initialize')
      asked.result(
        { protocolVersion: message.params.protocolVersion, capabilities, serverInfo },
        session === undefined ? {} : { 'Mcp-Session-Id': session },
      );
    else if (message.method === 'server/discover')
      asked.result(this.done({ supportedVersions: [this.revision], capabilities }));
    else if (message.method === 'tools/list') asked.result(this.done({ tools: [] }));
    else if (message.method === 'tools/call') asked.result(this.done({ content: [] }));
    else asked.result(this.done({}));
  }
}

/** Starts a site that is closed after the test. */
export function web(revision: LedgerRevision, options: WebOptions = {}): Promise<Web> {
  return new Web(revision, options).listen();
}
