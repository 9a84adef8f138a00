import type { JsonText } from '../../jsonrpc/message.ts';
import { decodeBody, tooLong } from './body.ts';
import { BodyError, type Exchange, type Headers, type OpenBody } from './exchange.ts';

/** A web-standard request; `response` resolves with the answer to it. */
export class WebExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly response: Promise<Response>;
  readonly #request: Request;
  readonly #host: string;
  #resolve: (response: Response) => void = () => {};
  #onGone: (() => void)[] = [];
  #gone = false;

  constructor(request: Request) {
    const url = new URL(request.url);
    this.method = request.method;
    this.path = url.pathname;
    this.search = url.search;
    this.#request = request;
    this.#host = url.host;
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    request.signal.addEventListener('abort', () => this.#leave(), { once: true });
  }

  header(name: string): string | undefined {
    // a web-standard request carries its Host in its URL
    return this.#request.headers.get(name) ?? (name === 'host' ? this.#host : undefined);
  }

  async body(limit: number): Promise<string> {
    const { body, bodyUsed } = this.#request;
    if (body === null) return '';
    if (bodyUsed || body.locked) throw new BodyError(400, READ_BEFORE);
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        if (bytes > limit) throw tooLong(limit);
        chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      }
    } catch (error) {
      if (error instanceof BodyError) throw error;
      throw new BodyError(400, 'the body was broken off');
    }
    const text = decodeBody(chunks, bytes);
    if (typeof text !== 'string') throw text;
    return text;
  }

  takeBody(limit: number, use: (body: string | BodyError) => void): void {
    // holds: `body` rejects with nothing else
    void this.body(limit).then(use, (error: unknown) => use(error as BodyError));
  }

  respond(status: number, headers: Headers, body: JsonText = ''): void {
    const text = typeof body === 'string' ? body : joined(body);
    this.#resolve(new Response(text.length === 0 ? null : text, { status, headers }));
  }

  open(status: number, headers: Headers): OpenBody {
    const body = new WebBody(() => this.#leave());
    this.#resolve(new Response(body.stream, { status, headers }));
    return body;
  }

  onGone(listener: () => void): void {
    if (this.#gone) listener();
    else this.#onGone.push(listener);
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    for (const listener of this.#onGone) listener();
    this.#onGone = [];
  }
}

const READ_BEFORE =
  'the body was read before it came to this handler; pass new Request(request, { body }) with its text';

/** Bytes that may wait in a stream that nobody reads. */
const HIGH_WATER = 64 * 1024;

class WebBody implements OpenBody {
  readonly stream: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #onDrain: (() => void)[] = [];
  #ended = false;

  constructor(left: () => void) {
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
  }

  onDrain(listener: () => void): void {
    this.#onDrain.push(listener);
  }

  destroy(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#controller?.error(new Error('the server cut the connection'));
  }
}

function joined(pieces: readonly (string | Uint8Array)[]): Buffer<ArrayBuffer> {
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}
