import type { Readable, Writable } from 'node:stream';
import { guarded } from '../jsonrpc/guarded.ts';
import { LineReader } from '../jsonrpc/lines.ts';
import { rpcError } from '../protocol/errors.ts';
import { ServerConnection } from '../server/connection.ts';
import type { Server } from '../server/server.ts';
import { Intake } from './intake.ts';
import { Outbox } from './outbox.ts';

/**
 * The bounds of one stream of messages, and who is at its other end.
 * @example const options: StreamOptions = { messageLimit: 1024 * 1024, principal: 'ada' };
 */
export interface StreamOptions {
  /** longest message in bytes; a longer one is answered with an error. Default 64 MiB */
  messageLimit?: number;
  /** who the transport has authenticated */
  principal?: string;
  /** whether the output copies what it is given, as pipes and sockets do; then buffers are used again. Default false */
  outputCopies?: boolean;
}

export const DEFAULT_MESSAGE_LIMIT = 64 * 1024 * 1024;
/** Unsent bytes above which no further message is taken in. */
const HIGH_WATER = 1024 * 1024;

/**
 * One server on one pair of byte streams, a message a line.
 * @example
 * const { input, output } = serveMemory(createServer({ name: 'other', version: '1.0.0' }));
 * const stream = new ServerStream(server, input, output);
 * stream.connection.close('the example is over');
 */
export class ServerStream<S> {
  readonly connection: ServerConnection<S>;
  readonly #output: Writable;
  readonly #reader: LineReader;
  readonly #outbox: Outbox;
  readonly #intake: Intake;
  #onServed: (() => void) | undefined;

  constructor(server: Server<S>, input: Readable, output: Writable, options: StreamOptions = {}) {
    const { messageLimit = DEFAULT_MESSAGE_LIMIT, principal, outputCopies = false } = options;
    this.#output = output;
    this.#outbox = new Outbox(output, outputCopies);
    const congested = () => output.writableLength > HIGH_WATER;
    this.#intake = new Intake(congested);
    this.connection = new ServerConnection(server, {
      write: (text) => this.#outbox.add(text),
      congested,
      held: congested,
      ...(principal !== undefined && { principal }),
    });
    this.#reader = new LineReader(
      {
        line: (text) => this.#intake.take(() => this.connection.receive(text)),
        fault: (reason) => this.#intake.take(() => this.connection.refuse(faultOf(reason, messageLimit))),
      },
      messageLimit,
    );
    const report = (error: unknown): void => server.report(error);
    const drained = (): void => {
      this.#outbox.together(() => this.#intake.release());
      this.#settleServed();
      if (this.#intake.holding) return;
      this.connection.drained();
      if (!congested()) input.resume();
    };
    const read = (chunk: Buffer): void => {
      this.#outbox.together(() => this.#reader.push(chunk));
      if (this.#intake.holding) input.pause();
    };
    output.on('drain', guarded(drained, report));
    input.on('data', guarded(read, report));
  }

  /** Takes what came without a line end as a last message; resolves when all that came has been served. */
  finish(): Promise<void> {
    this.#outbox.together(() => this.#reader.end());
    return new Promise((resolve) => {
      this.#onServed = resolve;
      this.#settleServed();
    });
  }

  /** Resolves when everything written has been handed to the operating system. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.destroyed || this.#output.writableLength === 0) resolve();
      else this.#output.write('', () => resolve());
    });
  }

  #settleServed(): void {
    if (!this.#intake.holding) this.#onServed?.();
  }
}

function faultOf(reason: 'too-long' | 'not-utf8', limit: number): ReturnType<typeof rpcError> {
  if (reason === 'not-utf8') return rpcError('ParseError', 'parse error: the message is not valid UTF-8');
  return rpcError(
    'InvalidRequest',
    `the message is longer than ${limit} bytes, the most that this server takes`,
  );
}
