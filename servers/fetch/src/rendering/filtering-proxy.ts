import { randomBytes, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import { guarded } from '@rootbound/kit/call';
import { WebError } from '../failure.ts';
import type { Guard } from '../guard/guard.ts';
import { portOf } from '../guard/ports.ts';
import { toWebError } from '../web/failures.ts';
import type { Proxies } from '../web/proxies.ts';
import { proxyFailed } from '../web/tunnel.ts';
import { parseUrl } from '../web/urls.ts';
import { AllowedHosts } from './allowed-hosts.ts';
import { connectTo, type Dialled } from './connect-to.ts';
import { answerHead, forwardable, statusRefused } from './forwarded-headers.ts';

export interface ProxyRules {
  readonly guard: Pick<Guard, 'assertUrl' | 'assertHost' | 'connector' | 'lookupFor'>;
  readonly proxies: Proxies | undefined;
  /** most bytes that may arrive; then the proxy closes */
  readonly bytes: number;
  /** hosts to which TLS is allowed; all unless given */
  readonly secure?: ((url: URL) => boolean) | undefined;
}

const CONNECTIONS = 128;
const HEAD_BYTES = 64 * 1024;
const challenge = 'Basic realm="rendering"';

/**
 * The only network access of a browser: a proxy on loopback for one page, which connects only to hosts that the guard
 * allows. Clients need its password.
 */
export class FilteringProxy {
  readonly username = 'page';
  readonly password = randomBytes(24).toString('base64url');
  /** bytes that have arrived */
  wireBytes = 0;
  readonly #rules: ProxyRules;
  readonly #server: Server;
  readonly #openings = new AllowedHosts();
  readonly #ends = new Set<() => void>();
  readonly #failures = new Map<string, WebError>();
  readonly #expected: Buffer;
  #closed = false;

  private constructor(rules: ProxyRules) {
    this.#rules = rules;
    this.#expected = Buffer.from(
      `Basic ${Buffer.from(`${this.username}:${this.password}`).toString('base64')}`,
    );
    this.#server = createServer({ maxHeaderSize: HEAD_BYTES, requestTimeout: 0 });
    this.#server.maxConnections = CONNECTIONS;
    this.#server.on('request', (request, response) => {
      guarded(
        () => this.#answer(request, response),
        () => response.destroy(),
      )();
    });
    this.#server.on('connect', (request, socket) => {
      guarded(
        () => this.#tunnel(request, socket),
        () => socket.destroy(),
      )();
    });
    this.#server.on('connection', (socket) => this.#hold(socket, () => socket.destroy()));
    // a connection that cannot be accepted affects only the page
    this.#server.on('error', () => {});
  }

  static async open(rules: ProxyRules): Promise<FilteringProxy> {
    const proxy = new FilteringProxy(rules);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  /** the proxy's URL for browsers */
  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // it listens on a port
  }

  /** Allows connections to the host and port of a URL. */
  allow(url: URL): void {
    this.#openings.open(keyOf(url));
  }

  /** Returns why the last connection to the host of a URL failed. */
  failureAt(url: URL): WebError | undefined {
    return this.#failures.get(keyOf(url));
  }

  /** Closes all connections at once. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#server.close();
    for (const end of [...this.#ends]) end();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#knows(request)) {
      response.writeHead(407, { 'proxy-authenticate': challenge, 'content-length': 0 }).end();
      return;
    }
    const url = parseUrl(request.url ?? '');
    if (url?.protocol !== 'http:') response.destroy();
    else this.#openings.whenOpen(keyOf(url), () => void this.#forward(url, request, response));
  }

  async #forward(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const end = this.#hold(response, () => response.destroy());
    try {
      this.#rules.guard.assertUrl(url);
      const { socket, answering } = await this.#dial(url, response);
      const path = `${url.pathname}${url.search}`;
      const outgoing = send({
        createConnection: () => socket,
        method: request.method,
        path: answering === undefined ? path : `${url.origin}${path}`,
        headers: {
          ...forwardable(request.headers),
          host: url.host,
          connection: 'close',
          ...(answering?.authorization && { 'proxy-authorization': answering.authorization }),
        },
      });
      const fail = (error: unknown): void => {
        // a request that the browser cancelled is no failure of the host
        if (!response.destroyed) this.#note(url, toWebError(error, url.hostname, true));
        end();
      };
      outgoing.on('error', fail);
      // no upgrade was requested; without a listener the request would never end
      outgoing.on('upgrade', (_answer, switched) => {
        switched.on('error', () => {}).destroy();
        fail(statusRefused(url.hostname, 101));
      });
      outgoing.on(
        'response',
        guarded((answer: IncomingMessage) => {
          answer.on('error', end);
          if (answering !== undefined && answer.statusCode === 407)
            throw proxyFailed('the proxy requires authentication');
          this.#relay(answer, url, response);
        }, fail),
      );
      request.pipe(outgoing);
    } catch (error) {
      this.#note(url, toWebError(error, url.hostname, false));
      end();
    }
  }

  #relay(answer: IncomingMessage, url: URL, response: ServerResponse): void {
    const { status, reason, fields } = answerHead(answer, url.hostname);
    if (reason === undefined) response.writeHead(status, fields);
    else response.writeHead(status, reason, fields);
    this.#pass(answer, response);
  }

  #tunnel(request: IncomingMessage, socket: Duplex): void {
    socket.on('error', () => socket.destroy());
    const url = parseUrl(`https://${request.url ?? ''}`);
    if (!this.#knows(request)) {
      socket.end(head(407, 'Proxy Authentication Required', `Proxy-Authenticate: ${challenge}\r\n`));
      return;
    }
    if (url === undefined) {
      socket.destroy();
      return;
    }
    this.#openings.whenOpen(keyOf(url), () => void this.#join(url, socket));
  }

  async #join(url: URL, near: Duplex): Promise<void> {
    try {
      this.#rules.guard.assertHost(url.hostname, portOf(url));
      if (this.#rules.secure?.(url) === false) throw unverified(url);
      const { socket: far } = await this.#dial(url, near);
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      near.pipe(far);
      this.#pass(far, near);
    } catch (error) {
      this.#note(url, toWebError(error, url.hostname, false));
      near.end(head(502, 'Refused', ''));
    }
  }

  /** Opens a connection that closes together with the browser's. */
  async #dial(url: URL, near: Duplex | ServerResponse): Promise<Dialled> {
    const ends: (() => void)[] = [];
    const end = this.#hold(near, () => {
      for (const part of ends) part();
    });
    const dialled = await connectTo(url, this.#rules, (part) => {
      ends.push(part);
      if (near.destroyed || this.#closed) part();
    });
    const { socket } = dialled;
    ends.push(() => socket.destroy());
    if (near.destroyed || this.#closed) end();
    socket.on('error', () => near.destroy());
    return dialled;
  }

  /** Forwards bytes to the browser. */
  #pass(from: Readable, to: Writable): void {
    from.on('data', (bytes: Buffer) => {
      this.wireBytes += bytes.length;
      if (this.wireBytes > this.#rules.bytes) this.close();
    });
    from.pipe(to);
  }

  /** Calls `how` when this proxy closes, unless `of` has closed before; the returned function calls it now. */
  #hold(of: NodeJS.EventEmitter, how: () => void): () => void {
    const end = (): void => {
      this.#ends.delete(end);
      how();
    };
    this.#ends.add(end);
    of.once('close', end);
    if (this.#closed) end();
    return end;
  }

  #note(url: URL, error: WebError): void {
    this.#failures.set(keyOf(url), error);
  }

  #knows({ headers }: IncomingMessage): boolean {
    const given = Buffer.from(headers['proxy-authorization'] ?? '');
    return given.length === this.#expected.length && timingSafeEqual(given, this.#expected);
  }
}

function head(status: number, reason: string, fields: string): string {
  return `HTTP/1.1 ${status} ${reason}\r\n${fields}Content-Length: 0\r\nConnection: close\r\n\r\n`;
}

function keyOf(url: URL): string {
  return `${url.hostname} ${portOf(url)}`;
}

function unverified({ hostname }: URL): WebError {
  return new WebError(`${hostname} is not among the hosts of --insecure-tls`, {
    code: 'tls-failed',
    hint: 'a page of such a host may load only from such hosts',
  });
}
