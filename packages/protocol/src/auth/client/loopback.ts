import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guarded } from '../../jsonrpc/guarded.ts';
import { AuthorizationError } from './error.ts';
import type { Redirection } from './redirection.ts';

/**
 * Options of a loopback redirect.
 * @example
 * const options: LoopbackOptions = { show: (url) => console.error(`sign in at ${url.href}`), port: 33_418 };
 */
export interface LoopbackOptions {
  /** shows the user a URL, for example by printing it */
  show: (url: URL) => void | Promise<void>;
  /** default 0, which picks a free one; set it if the authorization server requires the exact redirect URI */
  port?: number;
  /** default `/callback` */
  path?: string;
}

/**
 * Returns a redirection that listens on 127.0.0.1 for the user's response, while a flow lasts. It does not
 * open a browser.
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
    throw new TypeError('path must begin with a slash and contain only plain characters');
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
        () => this.#handle(request, response),
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
        // a failed connection may be retried
        this.#server.on('error', () => {});
        // a server that listens on an address has one
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
    const display = Promise.resolve(this.#show(url));
    return Promise.race([answer, display.then(() => answer)]);
  }

  close(): void {
    this.#waiting = undefined;
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  /**
   * Accepts the one response with the state of the flow; other pages and programs can neither end nor read
   * the flow.
   */
  #handle({ method, url = '/', headers }: IncomingMessage, response: ServerResponse): void {
    const at = this.#locate(url, headers.host);
    const waiting = this.#waiting;
    if (at === undefined) reply(response, 404, 'Not found.');
    else if (method !== 'GET') reply(response, 405, 'Only GET is served.');
    else if (waiting === undefined || at.searchParams.get('state') !== waiting.state) {
      reply(response, 400, 'This response does not belong to a sign-in in progress.');
    } else {
      this.#waiting = undefined;
      reply(response, 200, 'Sign-in response received. This window can be closed.');
      waiting.resolve(at);
    }
  }

  /** Returns the URL of a request to the redirect URI, if the host is its own. */
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
