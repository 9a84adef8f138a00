import type { Readable, Writable } from 'node:stream';
import { LineReader } from '../jsonrpc/lines.ts';
import { rpcError } from '../protocol/errors.ts';
import { ServerConnection } from '../server/connection.ts';
import type { Server } from '../server/server.ts';
import { Intake } from './intake.ts';
import { Outbox } from './outbox.ts';

/**
 * Options of a stream of messages.
 * @example const options: StreamOptions = { messageLimit: 1024 * 1024, principal: 'ada' };
 */
export interface StreamOptions {
  /** maximum size of a message in bytes; the response to a longer one is an error. Default 64 MiB */
  messageLimit?: number;
  /** the principal that the transport authenticated */
  principal?: string;
  /** true if the output copies written data, as pipes and sockets do; buffers are then reused. Default false */
  outputCopies?: boolean;
}

export const DEFAULT_MESSAGE_LIMIT = 64 * 1024 * 1024;
/** The number of unsent bytes above which no more messages are read. */
const HIGH_WATER = 1024 * 1024;

/**
 * A server on a pair of byte streams, with one message per line.
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
    // reports a fault, so that it does not end the process
    const guard = <T>(run: (value: T) => void): ((value: T) => void) => {
      return (value) => {
        try {
          run(value);
        } catch (error) {
          server.report(error);
        }
      };
    };
    output.on(
      'drain',
      guard(() => {
        this.#outbox.together(() => this.#intake.release());
        this.#settleServed();
        if (this.#intake.holding) return;
        this.connection.drained();
        if (!congested()) input.resume();
      }),
    );
    input.on(
      'data',
      guard((chunk: Buffer) => {
        this.#outbox.together(() => this.#reader.push(chunk));
        if (this.#intake.holding) input.pause();
      }),
    );
  }

  /** Takes the rest after the last line end as a message; resolves when all messages have been served. */
  finish(): Promise<void> {
    this.#outbox.together(() => this.#reader.end());
    return new Promise((resolve) => {
      this.#onServed = resolve;
      this.#settleServed();
    });
  }

  /** Resolves when everything written has been passed to the operating system. */
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
  return rpcError('InvalidRequest', `the message is longer than the limit of ${limit} bytes`);
}
