import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonText } from '../../jsonrpc/message.ts';
import { decodeBody, tooLong } from './body.ts';
import { BodyError, type Exchange, type Headers, type OpenBody } from './exchange.ts';

/** A request of node:http and its response. */
export class NodeExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    const { method = 'GET', url = '/' } = request;
    const query = url.indexOf('?');
    this.method = method;
    this.path = query < 0 ? url : url.slice(0, query);
    this.search = query < 0 ? '' : url.slice(query);
    this.#request = request;
    this.#response = response;
  }

  header(name: string): string | undefined {
    // of several, node:http keeps the first in `headers`
    if (name === 'authorization') return this.#request.headersDistinct[name]?.join(', ');
    const value = this.#request.headers[name];
    return typeof value === 'object' ? value.join(', ') : value;
  }

  body(limit: number): Promise<string> {
    const request = this.#request;
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limit) return Promise.reject(tooLong(limit));
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= limit) chunks.push(chunk);
        else {
          request.pause();
          reject(tooLong(limit));
        }
      });
      request.on('end', () => {
        try {
          resolve(decodeBody(chunks, bytes));
        } catch (error) {
          reject(error as BodyError); // decodeBody throws nothing else
        }
      });
      request.on('error', () => reject(new BodyError(400, 'the body was broken off')));
    });
  }

  respond(status: number, headers: Headers, body: JsonText = ''): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    // a body that was not read to its end would be taken for the next request
    const cut = !this.#request.complete && { Connection: 'close' };
    const length = lengthOf(body);
    response.writeHead(status, { ...headers, 'Content-Length': length, ...cut });
    if (typeof body === 'string') response.end(body);
    else {
      for (const piece of body) response.write(piece);
      response.end();
    }
  }

  open(status: number, headers: Headers): OpenBody {
    const response = this.#response;
    response.writeHead(status, headers);
    response.flushHeaders();
    return new NodeBody(response);
  }

  onGone(listener: () => void): void {
    const response = this.#response;
    if (response.destroyed) listener();
    else
      response.once('close', () => {
        if (!response.writableFinished) listener();
      });
  }
}

class NodeBody implements OpenBody {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get unsent(): number {
    return this.#response.writableLength;
  }

  write(text: JsonText): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    if (typeof text === 'string') {
      response.write(text);
      return;
    }
    response.cork();
    for (const piece of text) response.write(piece);
    response.uncork();
  }

  end(): void {
    if (!this.#response.writableEnded) this.#response.end();
  }

  onDrain(listener: () => void): void {
    this.#response.once('drain', listener);
  }

  destroy(): void {
    this.#response.destroy();
  }
}

function lengthOf(body: JsonText): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  let length = 0;
  for (const piece of body) length += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
  return length;
}
