import type { JsonText } from '../../jsonrpc/message.ts';
import { ownerOfPrincipal } from '../owner.ts';
import { BodyBytes, decodeBody, tooLong } from './body.ts';
import { BodyError, type Exchange, type Headers, type OpenBody } from './exchange.ts';
import type { UnfinishedBodies } from './unfinished.ts';

/** A web-standard request; `response` resolves with its response. */
export class WebExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly response: Promise<Response>;
  /** the address of a web-standard request is unknown */
  owner: string | undefined;
  readonly #request: Request;
  readonly #host: string;
  readonly #unfinished: UnfinishedBodies;
  #resolve: (response: Response) => void = () => {};
  #onGone: (() => void)[] = [];
  #gone = false;
  #onOver: (() => void)[] = [];
  #over = false;

  constructor(request: Request, unfinished: UnfinishedBodies) {
    const url = new URL(request.url);
    this.method = request.method;
    this.path = url.pathname;
    this.search = url.search;
    this.#request = request;
    this.#unfinished = unfinished;
    this.#host = url.host;
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    request.signal.addEventListener('abort', () => this.#onAbort(), { once: true });
  }

  belongsTo(principal: string): void {
    this.owner = ownerOfPrincipal(principal);
  }

  header(name: string): string | undefined {
    // a web-standard request has its Host in the URL
    return this.#request.headers.get(name) ?? (name === 'host' ? this.#host : undefined);
  }

  async body(limit: number): Promise<string> {
    const { body, bodyUsed } = this.#request;
    if (body === null) return '';
    if (bodyUsed || body.locked) throw new BodyError(400, READ_BEFORE);
    const held = new BodyBytes();
    let bytes = 0;
    const reader = body.getReader();
    let reason: BodyError | undefined;
    let giveUp = (_reason: BodyError): void => {};
    const given = new Promise<BodyError>((resolve) => {
      giveUp = resolve;
    });
    const unfinished = this.#unfinished.begin(this.owner, giveUp);
    try {
      while (reason === undefined) {
        const read = await Promise.race([reader.read(), given]);
        if (read instanceof BodyError) reason = read;
        else if (read.done) break;
        else {
          const { value: chunk } = read;
          bytes += chunk.length;
          if (bytes > limit) reason = tooLong(limit);
          else {
            held.add(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
            unfinished.grew(chunk.length);
          }
        }
      }
    } catch {
      // the reason why a connection broke is not sent
      reason = new BodyError(400, 'the body is incomplete');
    } finally {
      unfinished.end();
    }
    if (reason !== undefined) {
      reader.cancel(reason).catch(() => {
        // a failed body needs no cancellation
      });
      throw reason;
    }
    const text = decodeBody(held.take());
    if (typeof text !== 'string') throw text;
    return text;
  }

  takeBody(limit: number, use: (body: string | BodyError) => void): void {
    // `body` rejects with BodyError only
    void this.body(limit).then(use, (error: unknown) => use(error as BodyError));
  }

  respond(status: number, headers: Headers, body: JsonText = ''): void {
    const text = typeof body === 'string' ? body : joined(body);
    this.#resolve(new Response(text.length === 0 ? null : text, { status, headers }));
    this.#end();
  }

  open(status: number, headers: Headers): OpenBody {
    const body = new WebBody(
      () => this.#onAbort(),
      () => this.#end(),
    );
    this.#resolve(new Response(body.stream, { status, headers }));
    return body;
  }

  onGone(listener: () => void): void {
    if (this.#gone) listener();
    else this.#onGone.push(listener);
  }

  onOver(listener: () => void): void {
    if (this.#over) listener();
    else this.#onOver.push(listener);
  }

  #onAbort(): void {
    if (this.#gone) return;
    this.#gone = true;
    for (const listener of this.#onGone) listener();
    this.#onGone = [];
    this.#end();
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    for (const listener of this.#onOver) listener();
    this.#onOver = [];
  }
}

const READ_BEFORE =
  'the body was read before this handler; pass new Request(request, { body }) with its text';

/** The number of bytes that may wait in an unread stream. */
const HIGH_WATER = 64 * 1024;

class WebBody implements OpenBody {
  readonly stream: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #onDrain: (() => void)[] = [];
  readonly #over: () => void;
  #ended = false;

  constructor(left: () => void, over: () => void) {
    this.#over = over;
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          const waiting = this.#onDrain;
          this.#onDrain = [];
          for (const listener of waiting) listener();
        },
        cancel: () => {
          this.#ended = true;
          left();
        },
      },
      { highWaterMark: HIGH_WATER, size: (chunk) => chunk.byteLength },
    );
  }

  get unsent(): number {
    return this.#ended ? 0 : HIGH_WATER - (this.#controller?.desiredSize ?? HIGH_WATER);
  }

  write(text: JsonText): void {
    if (this.#ended) return;
    this.#controller?.enqueue(typeof text === 'string' ? Buffer.from(text) : joined(text));
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#controller?.close();
    this.#over();
  }

  onDrain(listener: () => void): void {
    this.#onDrain.push(listener);
  }

  destroy(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#controller?.error(new Error('the server closed the connection'));
    this.#over();
  }
}

function joined(pieces: readonly (string | Uint8Array)[]): Buffer<ArrayBuffer> {
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}
