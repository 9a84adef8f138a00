import type { Dispatcher } from 'undici';
import { WebError } from '../failure.ts';
import { BodyQueue } from './body-queue.ts';
import type { Connection } from './connections.ts';
import { codeOf, toWebError } from './failures.ts';
import type { VisitLimits } from './visit.ts';

type Controller = Dispatcher.DispatchController;
/** Header field values by lower-case name, a character for each byte. */
export type RawHeaders = Record<string, string | string[] | undefined>;

const INFORMATIONAL = 20;
/** Limits of the framing around a body, such as chunk headers: multiples of the body's limit, and bytes in any case. */
const FRAMING = 2;
const FRAMING_LEAST = 1024 * 1024;
/** error codes of a connection that the server had closed before the request arrived */
const stale = new Set(['UND_ERR_SOCKET', 'ECONNABORTED', 'ECONNRESET', 'EPIPE']);

export interface ExchangeRequest {
  readonly method: string;
  /** with the query; the whole URL if it is sent to a proxy */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** name of the host in failures */
  readonly host: string;
  readonly limits: VisitLimits;
}

export interface Head {
  readonly status: number;
  readonly headers: RawHeaders;
}

/** One request and its response over one connection, which is kept if the response is complete, else closed. */
export class Exchange implements Dispatcher.DispatchHandler {
  /** rejects when the connection fails, at a limit, and when it is stopped */
  readonly head: Promise<Head>;
  readonly wire: BodyQueue;
  /** bytes of the body received so far */
  wireBytes = 0;
  /** whether the server may not have received the request: it was sent over a reused connection that was closed */
  unheard = false;
  /** whether the whole response was received */
  complete = false;
  readonly #connection: Connection;
  readonly #request: ExchangeRequest;
  readonly #onSent: () => void;
  readonly #listeners: (() => void)[] = [];
  #controller: Controller | undefined;
  /** bytes of the connection before this request */
  #before = 0;
  #informational = 0;
  #answered = false;
  #over = false;
  #settle: { resolve(head: Head): void; reject(error: unknown): void } | undefined;

  constructor(connection: Connection, request: ExchangeRequest, onSent: () => void) {
    this.#connection = connection;
    this.#request = request;
    this.#onSent = onSent;
    this.head = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.wire = new BodyQueue({
      pause: () => this.#controller?.pause(),
      resume: () => this.#controller?.resume(),
    });
    const { method, path, headers, body } = request;
    connection.client.dispatch({ method, path, headers, body: body ?? null }, this);
  }

  /** Calls back once when the connection is kept or closed. */
  onOver(listener: () => void): void {
    if (this.#over) listener();
    else this.#listeners.push(listener);
  }

  /** Closes the connection unless the response is complete; readers get the reason. */
  stop(reason: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#connection.kill(new Error('stopped'));
    if (this.#settle === undefined) this.wire.fail(reason);
    else this.#settle.reject(reason);
    this.#settle = undefined;
    this.#tellOver();
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    this.#before = this.#connection.bytesRead;
    this.#onSent();
  }

  onResponseStart(controller: Controller, status: number, headers: RawHeaders): void {
    if (this.#over) return;
    this.#answered = true;
    const problem = status < 200 ? this.#judgeInformational() : this.#judgeHead(controller);
    if (problem !== undefined) this.stop(problem);
    if (problem !== undefined || status < 200) return;
    this.#settle?.resolve({ status, headers });
    this.#settle = undefined;
    const length = this.#request.method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0);
    if (length > this.#request.limits.wireBytes) this.stop(this.#tooLarge(length));
  }

  onResponseData(_controller: Controller, piece: Buffer): void {
    if (this.#over) return;
    this.wireBytes += piece.length;
    const most = this.#request.limits.wireBytes;
    // the framing of many small chunks does not count as body, and may exceed it by far
    const around = this.#connection.bytesRead - this.#before - FRAMING * most;
    if (this.wireBytes > most || around > FRAMING_LEAST) this.stop(this.#tooLarge());
    else this.wire.push(piece);
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#over = true;
    this.complete = true;
    this.#connection.release();
    this.wire.end();
    this.#tellOver();
  }

  onResponseError(_controller: Controller | undefined, error: Error): void {
    this.unheard = !this.#answered && this.#connection.reused && stale.has(codeOf(error));
    this.stop(this.#explain(error));
  }

  #explain(error: Error): WebError {
    const { host } = this.#request;
    // undici reports contradictory headers as a body that is too short
    if (!this.#answered && codeOf(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
      return new WebError(`the response headers of ${host} contradict each other`, {
        code: 'invalid-response',
      });
    return toWebError(error, host, this.#controller !== undefined);
  }

  #tellOver(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }

  #judgeInformational(): WebError | undefined {
    if (++this.#informational <= INFORMATIONAL) return undefined;
    return new WebError(`${this.#request.host} sends too many informational responses`, {
      code: 'invalid-response',
    });
  }

  #judgeHead({ rawHeaders }: Controller): WebError | undefined {
    const { headerBytes, headerFields } = this.#request.limits;
    // undici's client passes an array of names and values in turn
    const raw = rawHeaders as Buffer[];
    const bytes = raw.reduce((sum, part) => sum + part.length + 2, 0);
    if (bytes <= headerBytes && raw.length <= 2 * headerFields) return undefined;
    return new WebError(`the response headers of ${this.#request.host} are too large`, {
      code: 'too-large',
    });
  }

  #tooLarge(length?: number): WebError {
    const { limits, host } = this.#request;
    const bytes = limits.wireBytes.toLocaleString('en');
    const says = length === undefined ? '' : `${length.toLocaleString('en')} bytes, `;
    return new WebError(`the response of ${host} has ${says}more than ${bytes} bytes, the limit`, {
      code: 'too-large',
      hint: 'save it with download, whose limit is larger',
    });
  }
}
