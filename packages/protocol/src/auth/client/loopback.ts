import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guarded } from '../../jsonrpc/guarded.ts';
import { AuthorizationError } from './error.ts';
import type { Redirection } from './redirection.ts';

/**
 * Where the user comes back to, and how they learn where to go.
 * @example
 * const options: LoopbackOptions = { show: (url) => console.error(`sign in at ${url.href}`), port: 33_418 };
 */
export interface LoopbackOptions {
  /** brings the user to a URL, for example by printing it */
  show: (url: URL) => void | Promise<void>;
  /** default 0, which picks a free one; name one where the authorization server knows the whole redirect URI */
  port?: number;
  /** default `/callback` */
  path?: string;
}

/**
 * Listens on 127.0.0.1 for the user to come back, as long as a flow lasts. It opens no browser.
 * Source: https://www.rfc-editor.org/rfc/rfc8252.html#section-7.3
 * @example
 * const redirect = loopbackRedirect({ show: (url) => console.error(`sign in at ${url.href}`) });
 * const auth = oauth({ clientName: 'Example', redirect });
 */
export function loopbackRedirect({
  show,
  port = 0,
  path = '/callback',
}: LoopbackOptions): () => Promise<Redirection> {
  if (!/^\/[\w./-]*$/.test(path))
    throw new TypeError('path must begin with a slash and hold plain characters');
  return async () => {
    const { createServer } = await import('node:http');
    const listener = new Listener(createServer(), show, path);
    await listener.listen(port);
    return listener;
  };
}

class Listener implements Redirection {
  readonly #server: Server;
  readonly #show: LoopbackOptions['show'];
  readonly #path: string;
  #origin = '';
  #waiting: { state: string; resolve: (url: URL) => void } | undefined;

  constructor(server: Server, show: LoopbackOptions['show'], path: string) {
    this.#server = server;
    this.#show = show;
    this.#path = path;
    server.requestTimeout = 10_000;
    server.on('request', (request, response) => {
      guarded(
        () => this.#hear(request, response),
        () => response.destroy(),
      )();
    });
  }

  get redirectUri(): string {
    return `${this.#origin}${this.#path}`;
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const failed = (cause: Error): void =>
        reject(new AuthorizationError('callback', `port ${port} of 127.0.0.1 is not free`, { cause }));
      this.#server.once('error', failed);
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', failed);
        // a connection that cannot be taken may be made again
        this.#server.on('error', () => {});
        // a listening server on an address has one
        this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
        resolve();
      });
    });
  }

  authorize(url: URL): Promise<URL> {
    const state = url.searchParams.get('state') ?? '';
    const answer = new Promise<URL>((resolve) => {
      this.#waiting = { state, resolve };
    });
    const shown = Promise.resolve(this.#show(url));
    return Promise.race([answer, shown.then(() => answer)]);
  }

  close(): void {
    this.#waiting = undefined;
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  /** Takes the one answer that holds the state of the flow; other pages and programs can neither end nor see it. */
  #hear({ method, url = '/', headers }: IncomingMessage, response: ServerResponse): void {
    const at = this.#locate(url, headers.host);
    const waiting = this.#waiting;
    if (at === undefined) reply(response, 404, 'Nothing is here.');
    else if (method !== 'GET') reply(response, 405, 'Only GET is served.');
    else if (waiting === undefined || at.searchParams.get('state') !== waiting.state) {
      reply(response, 400, 'This answer belongs to no sign-in that is going on.');
    } else {
      this.#waiting = undefined;
      reply(response, 200, 'The answer has arrived. This window can be closed.');
      waiting.resolve(at);
    }
  }

  /** The URL of a request to the redirect URI under its own name. */
  #locate(path: string, host: string | undefined): URL | undefined {
    if (`http://${host}` !== this.#origin || !URL.canParse(path, this.#origin)) return undefined;
    const url = new URL(path, this.#origin);
    return url.origin === this.#origin && url.pathname === this.#path ? url : undefined;
  }
}

function reply(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
    ...(status === 405 && { Allow: 'GET' }),
  });
  response.end(`${text}\n`);
}
