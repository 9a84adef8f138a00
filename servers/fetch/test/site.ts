import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A site on loopback that counts its requests. */
export class Site {
  readonly #server: Server;
  /** the response of each path; others are 404 */
  readonly paths = new Map<string, Answer>();
  /** requests so far, by path */
  readonly asked: string[] = [];

  constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '/';
      if (path !== '/robots.txt') this.asked.push(path);
      const answer = this.paths.get(path);
      if (answer !== undefined) answer(request, response);
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing is here');
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  /** host and port, in the form of `--allow-private` */
  get host(): string {
    return `localhost:${(this.#server.address() as AddressInfo).port}`; // it listens on a port
  }

  url(path: string): string {
    return `http://${this.host}${path}`;
  }

  /** Adds a path with this content. */
  page(
    path: string,
    content: string | Buffer,
    type = 'text/html; charset=utf-8',
    headers: Record<string, string> = {},
  ): string {
    this.paths.set(path, (_, response) => {
      response.writeHead(200, { 'content-type': type, ...headers }).end(content);
    });
    return this.url(path);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Returns an article with this many sections of some paragraphs each. */
export function article(sections: number): string {
  const body = Array.from({ length: sections }, (_, index) => {
    const words = `Section ${index} speaks of kettles and of the water in them, of which there is always some. `;
    return `<h2>Part ${index}</h2><p>${words.repeat(4)}</p><p>${words.repeat(3)}</p>`;
  }).join('');
  return `<!doctype html><html lang="en"><head><title>Kettles</title><meta name="description" content="On kettles"></head>
    <body><nav><a href="/">Home</a><a href="/more">More</a></nav>
    <main><article><h1>Kettles</h1>${body}<p>See <a href="/tea">tea</a>.</p></article></main>
    <footer>All rights reserved</footer></body></html>`;
}
