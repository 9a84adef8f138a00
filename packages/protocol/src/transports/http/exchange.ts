import type { JsonText } from '../../jsonrpc/message.ts';

/**
 * Header names in the case in which they are sent, with their values.
 * @example const headers: Headers = { 'Cache-Control': 'no-store' };
 */
export type Headers = Readonly<Record<string, string>>;

/**
 * One HTTP request and the way to answer it, whatever carries it: node:http or a web-standard handler.
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
  /** the query with its question mark, or nothing */
  readonly search: string;
  /** whom the request counts for: its principal, or where nobody says who they are its address; undefined on loopback */
  readonly owner: string | undefined;
  /** Has it count for a principal. */
  belongsTo(principal: string): void;
  /** a header by its lower-case name; repeated ones are joined as HTTP has it */
  header(name: string): string | undefined;
  /** the body as text; rejects with BodyError when it is too long, too slow, broken off or not UTF-8 */
  body(limit: number): Promise<string>;
  /** the same without a promise: calls `use` once, with the text or with what is wrong */
  takeBody(limit: number, use: (body: string | BodyError) => void): void;
  /** answers with headers and body at once */
  respond(status: number, headers: Headers, body?: JsonText): void;
  /** answers with headers now and body piece by piece */
  open(status: number, headers: Headers): OpenBody;
  /** called once when the other side has gone before the answer was complete; at once when it has gone already */
  onGone(listener: () => void): void;
  /** called once when the answer is complete or the other side has gone */
  onOver(listener: () => void): void;
}

/**
 * The body of an answer that is written piece by piece.
 * @example
 * const count = (body: OpenBody): void => {
 *   for (const number of [1, 2, 3]) body.write(`${number}\n`);
 *   body.end();
 * };
 */
export interface OpenBody {
  write(text: JsonText): void;
  end(): void;
  /** bytes that the other side has not taken yet */
  readonly unsent: number;
  /** calls back, once, when what was unsent has been taken */
  onDrain(listener: () => void): void;
  /** cuts the connection without completing the body */
  destroy(): void;
}

/**
 * A body that could not be read, with the status that says so.
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
