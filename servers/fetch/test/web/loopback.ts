import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createRawServer,
  type LookupFunction,
  type Server as RawServer,
  type Socket,
} from 'node:net';
import type { WebError } from '../../src/failure.ts';
import { Guard, type GuardOptions } from '../../src/guard/guard.ts';
import type { WebOptions } from '../../src/web/options.ts';
import type { Visit, VisitRequest } from '../../src/web/visit.ts';
import { WebClient } from '../../src/web/web-client.ts';

type Closing = () => unknown;

/** The open servers of a test, closed by `close`. */
export class Loopback {
  readonly #closing: Closing[] = [];
  readonly #servers = new Map<number, Server | RawServer>();

  /** Starts a server with these responses and returns its origin. */
  async http(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    // a test that counts connections must not see them end by themselves
    server.keepAliveTimeout = 60_000;
    return `http://localhost:${await this.listen(server)}`;
  }

  /** Starts a server that handles each connection itself and returns its origin. */
  async raw(onSocket: (socket: Socket) => void): Promise<string> {
    const sockets = new Set<Socket>();
    const server = createRawServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      onSocket(socket);
    });
    this.#closing.push(() => {
      for (const socket of sockets) socket.destroy();
    });
    return `http://localhost:${await this.listen(server)}`;
  }

  /** Starts a server that sends these bytes for every request and returns its origin. */
  async answering(
    bytes: string | Uint8Array,
    then: (socket: Socket) => void = (socket) => socket.end(),
  ): Promise<string> {
    return await this.raw((socket) => {
      socket.on('data', () => socket.write(bytes, () => then(socket)));
    });
  }

  async listen(server: Server | RawServer): Promise<number> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#closing.push(() => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
    });
    // listening on a port, so the address is an object
    const { port } = server.address() as AddressInfo;
    this.#servers.set(port, server);
    return port;
  }

  /** Closes a server, so that its port refuses connections. */
  async stop(port: number): Promise<void> {
    const server = this.#servers.get(port)!;
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  web(options: Partial<WebOptions> = {}): WebClient {
    const web = new WebClient({
      guard: options.guard ?? this.guard(),
      version: '1.2.3',
      ignoreRobots: true,
      ...options,
    });
    this.#closing.push(() => web.close());
    return web;
  }

  /** Returns a guard that allows the servers of this test under all names, also those that are started later. */
  guard(options: GuardOptions = {}): WebOptions['guard'] {
    const current = () => {
      const allowPrivate = [...this.#servers.keys()].flatMap((port) =>
        names.map((name) => `${name}:${port}`),
      );
      return new Guard({ allowPrivate, lookup, ...options });
    };
    return {
      assertUrl: (url) => current().assertUrl(url),
      lookupFor: (port) => current().lookupFor(port),
      connector: (settings) => (target, done) => current().connector(settings)(target, done),
    };
  }

  later(closing: Closing): void {
    this.#closing.push(closing);
  }

  async close(): Promise<void> {
    this.#servers.clear();
    for (const closing of this.#closing.splice(0).reverse()) await closing();
  }
}

/** Names that resolve to loopback here, as in a name service. */
const names = [
  'localhost',
  '[::1]',
  'one.example.com',
  'two.example.com',
  'www.example.com',
  'docs.example.com',
  'denied.example.com',
  'example.org',
  'other.org',
  'one.github.io',
  'two.github.io',
];

const lookup: LookupFunction = (name, { all }, done) => {
  const known = !name.startsWith('unknown.');
  // as `dns.lookup` does, one tick later
  process.nextTick(() => {
    if (!known) done(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), []);
    else if (all === true) done(null, [{ address: '127.0.0.1', family: 4 }]);
    else done(null, '127.0.0.1', 4);
  });
};

export function asking(url: string, more: Partial<VisitRequest> = {}): VisitRequest {
  return { url: new URL(url), identity: 'autonomous', redirects: 'follow', ...more };
}

export async function readAll(visit: Visit): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of visit.body) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Returns the text of a page, with all of its body. */
export async function read(web: WebClient, url: string, more: Partial<VisitRequest> = {}): Promise<string> {
  return (await readAll(await web.visit(asking(url, more)))).toString();
}

/** Returns the failure of a page, in its headers or its body. */
export async function failureOf(
  web: WebClient,
  url: string,
  more: Partial<VisitRequest> = {},
): Promise<WebError> {
  const text = await read(web, url, more).catch((error: unknown) => error);
  if (typeof text === 'string') throw new Error(`it did not fail: ${text.slice(0, 100)}`);
  // the caller checks its code
  return text as WebError;
}
