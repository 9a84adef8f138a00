import type { IncomingMessage, ServerResponse } from 'node:http';
import { guarded } from '../../jsonrpc/guarded.ts';
import type { JsonText } from '../../jsonrpc/message.ts';
import { ownerOf, ownerOfPrincipal } from '../owner.ts';
import { HIGH_WATER } from './answer.ts';
import { BodyBytes, decodeBody, tooLong } from './body.ts';
import { BodyError, type Exchange, type Headers, type OpenBody } from './exchange.ts';
import { bodyReadBefore } from './parsed.ts';
import type { UnfinishedBodies } from './unfinished.ts';

/** A request of node:http and its response. */
export class NodeExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #stallTimeout: number;
  readonly #unfinished: UnfinishedBodies;
  #principal: string | undefined;

  /** `stallTimeout`: milliseconds that a client with unread data may read nothing. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    stallTimeout: number,
    unfinished: UnfinishedBodies,
  ) {
    const { method = 'GET', url = '/' } = request;
    const query = url.indexOf('?');
    this.method = method;
    this.path = query < 0 ? url : url.slice(0, query);
    this.search = query < 0 ? '' : url.slice(query);
    this.#request = request;
    this.#response = response;
    this.#stallTimeout = stallTimeout;
    this.#unfinished = unfinished;
  }

  get owner(): string | undefined {
    return this.#principal ?? ownerOf(this.#request.socket.remoteAddress);
  }

  belongsTo(principal: string): void {
    this.#principal = ownerOfPrincipal(principal);
  }

  header(name: string): string | undefined {
    // node:http keeps only the first of several in `headers`
    if (name === 'authorization') return this.#request.headersDistinct[name]?.join(', ');
    const value = this.#request.headers[name];
    return typeof value === 'object' ? value.join(', ') : value;
  }

  body(limit: number): Promise<string> {
    return new Promise((resolve, reject) => {
      this.takeBody(limit, (body) => (typeof body === 'string' ? resolve(body) : reject(body)));
    });
  }

  takeBody(limit: number, use: (body: string | BodyError) => void): void {
    const request = this.#request;
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limit) {
      use(tooLong(limit));
      return;
    }
    const before = bodyReadBefore(request, limit);
    if (before !== undefined) {
      use(before);
      return;
    }
    const held = new BodyBytes();
    let bytes = 0;
    let over = false;
    const finish = (body: string | BodyError): void => {
      if (over) return;
      over = true;
      unfinished.end();
      use(body);
    };
    const giveUp = (reason: BodyError): void => {
      held.clear();
      request.pause();
      finish(reason);
    };
    const unfinished = this.#unfinished.begin(this.owner, giveUp);
    const fail = (): void => giveUp(new BodyError(400, 'the body could not be read'));
    const take = (chunk: Buffer): void => {
      if (over) return;
      bytes += chunk.length;
      if (bytes > limit) giveUp(tooLong(limit));
      else {
        held.add(chunk);
        unfinished.grew(chunk.length);
      }
    };
    request.on('data', guarded(take, fail));
    request.on(
      'end',
      guarded(() => finish(decodeBody(held.take())), fail),
    );
    const breakOff = (): void => finish(new BodyError(400, 'the body is incomplete'));
    // a request that was already destroyed emits nothing
    if (request.destroyed) breakOff();
    else request.on('error', breakOff);
  }

  respond(status: number, headers: Headers, body: JsonText = ''): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    const length = lengthOf(body);
    // node:http writes a flat list of headers fastest
    const lines: string[] = [];
    for (const name in headers) lines.push(name, headers[name]!);
    // RFC 9110 section 8.6: a 204 has no Content-Length
    if (status !== 204) lines.push('Content-Length', String(length));
    // the rest of an unread body would be parsed as the next request
    if (!this.#request.complete && hasBody(this.#request)) lines.push('Connection', 'close');
    response.writeHead(status, lines);
    if (typeof body === 'string' && length > 0) {
      response.write(body, length === body.length ? 'latin1' : 'utf8');
      // if it ended in the same turn, node:http would send two packets, which is slower
      process.nextTick(end, response, this.#stallTimeout);
      return;
    }
    if (typeof body !== 'string') for (const piece of body) response.write(piece);
    end(response, this.#stallTimeout);
  }

  open(status: number, headers: Headers): OpenBody {
    const response = this.#response;
    response.writeHead(status, headers);
    response.flushHeaders();
    return new NodeBody(response, this.#stallTimeout);
  }

  onOver(listener: () => void): void {
    if (this.#response.destroyed) listener();
    else this.#response.once('close', listener);
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
  readonly #stallTimeout: number;
  #watched = false;

  constructor(response: ServerResponse, stallTimeout: number) {
    this.#response = response;
    this.#stallTimeout = stallTimeout;
  }

  get unsent(): number {
    return this.#response.writableLength;
  }

  write(text: JsonText): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    if (typeof text === 'string') response.write(text);
    else {
      response.cork();
      for (const piece of text) response.write(piece);
      response.uncork();
    }
    if (this.#watched || response.writableLength < HIGH_WATER) return;
    this.#watched = true;
    cutWhenStalled(response, this.#stallTimeout);
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

/** Disconnects a client that has unread responses and has read nothing for so long. */
function cutWhenStalled(response: ServerResponse, milliseconds: number): void {
  response.setTimeout(milliseconds, () => {
    if (response.writableLength > 0) response.destroy();
  });
}

/** Returns true if a request has a body, read or not. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

function lengthOf(body: JsonText): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  let length = 0;
  for (const piece of body) length += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
  return length;
}

function end(response: ServerResponse, stallTimeout: number): void {
  response.end();
  if (response.writableLength > 0) cutWhenStalled(response, stallTimeout);
}
