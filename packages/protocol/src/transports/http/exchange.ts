import type { JsonText } from '../../jsonrpc/message.ts';

/**
 * Header names in the case in which they are sent, with their values.
 * @example const headers: Headers = { 'Cache-Control': 'no-store' };
 */
export type Headers = Readonly<Record<string, string>>;

/**
 * One HTTP request and its response, for node:http or a web-standard handler.
 * @example
 * const greet: Mount = (exchange: Exchange) => {
 *   if (exchange.path !== '/hello') return false;
 *   exchange.respond(200, { 'Content-Type': 'text/plain' }, 'hello');
 *   return true;
 * };
 * createHttpHandler(server, { mounts: [greet] });
 */
export interface Exchange {
  /** upper case */
  readonly method: string;
  /** without the query */
  readonly path: string;
  /** the query with its question mark, or an empty string */
  readonly search: string;
  /** the owner whose limits apply: the principal, or without authorization the address; undefined on loopback */
  readonly owner: string | undefined;
  /** Sets the principal whose limits apply. */
  belongsTo(principal: string): void;
  /** returns a header by its lower-case name; repeated headers are joined as HTTP defines */
  header(name: string): string | undefined;
  /** returns the body as text; rejects with BodyError if it is too long, too slow, incomplete or not UTF-8 */
  body(limit: number): Promise<string>;
  /** reads the body without a promise; calls `use` once, with the text or the error */
  takeBody(limit: number, use: (body: string | BodyError) => void): void;
  /** sends the headers and the whole body */
  respond(status: number, headers: Headers, body?: JsonText): void;
  /** sends the headers, and returns a body that is written in pieces */
  open(status: number, headers: Headers): OpenBody;
  /** called once if the other side disconnects before the response is complete; at once if it already has */
  onGone(listener: () => void): void;
  /** called once when the response is complete or the other side has disconnected */
  onOver(listener: () => void): void;
}

/**
 * A response body that is written in pieces.
 * @example
 * const count = (body: OpenBody): void => {
 *   for (const number of [1, 2, 3]) body.write(`${number}\n`);
 *   body.end();
 * };
 */
export interface OpenBody {
  write(text: JsonText): void;
  end(): void;
  /** bytes that the other side has not read yet */
  readonly unsent: number;
  /** calls the listener once when the unsent bytes have been read */
  onDrain(listener: () => void): void;
  /** closes the connection without completing the body */
  destroy(): void;
}

/**
 * A body that could not be read, with the HTTP status of the response.
 * @example
 * const tooLong = new BodyError(413, 'the body is too long');
 * tooLong.status; // => 413
 */
export class BodyError extends Error {
  readonly status: 400 | 408 | 413 | 429 | 503;

  constructor(status: BodyError['status'], message: string) {
    super(message);
    this.name = 'BodyError';
    this.status = status;
  }
}
