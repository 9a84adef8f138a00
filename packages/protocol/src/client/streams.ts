import type { Readable, Writable } from 'node:stream';
import { guarded } from '../jsonrpc/guarded.ts';
import { LineReader } from '../jsonrpc/lines.ts';
import type { JsonText } from '../jsonrpc/message.ts';
import { AnswerError } from './errors.ts';
import type { Channel, ChannelEvents, Transport } from './transport.ts';

/**
 * The client's end of a pair of byte streams.
 * @example const pair: StreamPair = serveMemory(server);
 */
export interface StreamPair {
  /** messages of the server */
  input: Readable;
  /** messages to the server; ending it ends the session */
  output: Writable;
}

/**
 * Options of a transport over byte streams.
 * @example const small = streams(() => serveMemory(server), { messageLimit: 1024 * 1024 });
 */
export interface StreamOptions {
  /** maximum size of a message of the server in bytes; a longer one is dropped and reported. Default 64 MiB */
  messageLimit?: number;
}

const DEFAULT_MESSAGE_LIMIT = 64 * 1024 * 1024;
/** The number of unsent bytes above which new requests wait. */
const HIGH_WATER = 1024 * 1024;
/** The longest time in which the other side may end its stream after this side has, in milliseconds. */
const CLOSE_GRACE_MS = 2000;

/**
 * Returns a transport over byte streams with one message per line, such as the memory pair or a socket.
 * @example
 * const client = await connect(streams(() => serveMemory(server)), { name: 'me', version: '1.0.0' });
 * await client.close();
 */
export function streams(
  open: () => StreamPair | Promise<StreamPair>,
  options: StreamOptions = {},
): Transport {
  return { open: async () => new StreamChannel(await open(), options) };
}

/** A channel over a pair of streams, with one message per line. */
export class StreamChannel implements Channel {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #limit: number;
  #events: ChannelEvents | undefined;
  #drained: Promise<void> | undefined;
  #release: (() => void) | undefined;
  #ended: string | undefined;

  /** `gone` is called when a stream has ended, perhaps more than once; by default it ends the channel. */
  constructor(
    { input, output }: StreamPair,
    { messageLimit = DEFAULT_MESSAGE_LIMIT }: StreamOptions = {},
    gone: (reason: string) => void = (reason) => this.end(reason),
  ) {
    this.#input = input;
    this.#output = output;
    this.#limit = messageLimit;
    output.on('drain', () => this.#release?.());
    output.on('error', (error) => gone(`the server no longer reads: ${error.message}`));
    input.on('error', (error) => gone(`the server can no longer be read: ${error.message}`));
    input.on('end', () => gone('the server closed the connection'));
    input.on('close', () => gone('the server closed the connection'));
  }

  start(events: ChannelEvents): void {
    this.#events = events;
    const ended = this.#ended;
    if (ended !== undefined) {
      queueMicrotask(() => events.closed(ended));
      return;
    }
    const reader = new LineReader(
      {
        line: (text) => this.#open?.message(text),
        fault: (reason) => this.#open?.fault(faultOf(reason, this.#limit)),
      },
      this.#limit,
    );
    const broken = (error: unknown): void =>
      this.end(`a message could not be processed: ${error instanceof Error ? error.message : String(error)}`);
    this.#input.on(
      'data',
      guarded((chunk: Buffer) => reader.push(chunk), broken),
    );
    this.#input.prependListener(
      'end',
      guarded(() => reader.end(), broken),
    );
  }

  send(text: JsonText): void {
    if (this.#ended !== undefined || !this.#output.writable) return;
    if (typeof text === 'string') {
      this.#output.write(`${text}\n`);
      return;
    }
    this.#output.cork();
    for (const piece of text) this.#output.write(piece);
    this.#output.write('\n');
    this.#output.uncork();
  }

  drained(): Promise<void> | undefined {
    if (this.#ended !== undefined || this.#output.writableLength <= HIGH_WATER) return undefined;
    this.#drained ??= new Promise<void>((resolve) => {
      this.#release = () => {
        this.#drained = undefined;
        this.#release = undefined;
        resolve();
      };
    });
    return this.#drained;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#input.destroy();
        this.#output.destroy();
        resolve();
      };
      const timer = setTimeout(done, CLOSE_GRACE_MS);
      if (this.#input.readableEnded || this.#input.destroyed) {
        done();
        return;
      }
      this.#input.once('end', done).once('close', done);
      this.#input.resume();
      this.#output.end();
    });
  }

  /** Notifies the client, once, that the connection is closed and why. */
  end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#release?.();
    this.#events?.closed(reason);
  }

  get #open(): ChannelEvents | undefined {
    return this.#ended === undefined ? this.#events : undefined;
  }
}

function faultOf(reason: 'too-long' | 'not-utf8', limit: number): Error {
  if (reason === 'not-utf8') return new AnswerError('the server sent a line that is not valid UTF-8');
  return new AnswerError(`the server sent a line longer than ${limit} bytes; raise messageLimit to read it`);
}
