import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface WebRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface WebAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | object;
}

export interface Web {
  readonly origin: string;
  /** all requests so far */
  readonly requests: WebRequest[];
}

type Answering = (request: WebRequest) => WebAnswer | undefined | Promise<WebAnswer | undefined>;

/** Serves the requests to an origin. */
export function answering(
  origin: string,
  answer: Answering,
): (incoming: IncomingMessage, response: ServerResponse) => void {
  return (incoming, response) => {
    void respond().catch((error: unknown) => response.writeHead(500).end(String(error)));
    async function respond(): Promise<void> {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer); // without an encoding it yields buffers
      const {
        status,
        headers,
        body = '',
      } = (await answer({
        method: incoming.method ?? '',
        url: new URL(incoming.url ?? '/', origin),
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString(),
      })) ?? { status: 404, body: 'not found' };
      const json = typeof body === 'object';
      response.writeHead(status, { ...(json && { 'content-type': 'application/json' }), ...headers });
      response.end(json ? JSON.stringify(body) : body);
    }
  };
}

/** Starts a web server on loopback that ends with the test. */
export async function serve(answer: Answering): Promise<Web> {
  const requests: WebRequest[] = [];
  let handle: ReturnType<typeof answering> = () => {};
  const server = createServer((incoming, response) => handle(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on an address
  handle = answering(origin, (request) => {
    requests.push(request);
    return answer(request);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin, requests };
}

/** Returns the requested paths of a server, in order. */
export function pathsOf({ requests }: Web): string[] {
  return requests.map(({ url }) => url.pathname);
}
