import type { Socket } from 'node:net';
import { guarded } from '../../jsonrpc/guarded.ts';
import type { JsonText } from '../../jsonrpc/message.ts';
import type { CloseCode } from './codes.ts';
import { closePayload, encodeFrame, type Opcode, opcodes } from './frame.ts';
import { FrameReader } from './reader.ts';

/** What a wire tells the side that uses it. */
export interface WireEvents {
  message(text: string): void;
  /** the other side has taken what was unsent */
  drained(): void;
  /** the conversation is over; told once, and nothing is told after it */
  closed(reason: string): void;
}

export interface WireOptions {
  role: 'client' | 'server';
  /** longest message in bytes */
  messageLimit: number;
  /** milliseconds between two pings, and in which a ping must be answered by a sign of life */
  pingInterval: number;
  /** milliseconds after which the other side is cut off that reads nothing of what waits for it */
  stallTimeout: number;
}

/** Unsent bytes above which no further message is taken in. */
const HIGH_WATER = 1024 * 1024;
/** How long the other side may take to answer a goodbye. */
const CLOSE_GRACE_MS = 2000;
/** The code that stands for a goodbye without one. */
const NO_CODE = 1005;

/**
 * One WebSocket after its handshake: messages in both directions, pings, and an orderly end. No extension is agreed
 * on, so nothing is compressed: a small frame that unpacks to a huge one does not exist.
 * Source: RFC 6455 sections 5 to 7
 */
export class Wire {
  readonly #socket: Socket;
  readonly #options: WireOptions;
  readonly #reader: FrameReader;
  readonly #gone: Promise<void>;
  #events: WireEvents | undefined;
  #ended: string | undefined;
  #error: Error | undefined;
  /** `closing`: this side has said goodbye. `over`: both have, or nothing can be read any more */
  #state: 'open' | 'closing' | 'over' = 'open';
  /** nothing has come since the last ping */
  #silent = false;
  #pinged = performance.now();
  /** the newest ping that could not be answered yet */
  #owed: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `head` is what came behind the handshake. */
  constructor(socket: Socket, head: Buffer, options: WireOptions) {
    this.#socket = socket;
    this.#options = options;
    const { role, messageLimit, stallTimeout } = options;
    this.#reader = new FrameReader(
      {
        text: (text) => this.#told(text),
        ping: (payload) => this.#pong(payload),
        pong: () => {
          // any byte is a sign of life, so that it needs no look of its own
        },
        close: (code, reason) => this.#leave(code, reason),
        fail: (code, reason) => this.fail(code, reason),
      },
      { limit: messageLimit, masked: role === 'server' },
    );
    this.#gone = new Promise((resolve) => socket.once('close', () => resolve()));
    void this.#gone.then(() => this.#lost());
    // node:http leaves one that would end a quiet connection
    socket.removeAllListeners('timeout');
    // its callback would be called once, also for a connection that is merely quiet
    socket.setTimeout(stallTimeout).on('timeout', () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    socket.on('error', (error) => {
      this.#error = error;
    });
    socket.on(
      'end',
      guarded(() => this.#finish(), this.#broken),
    );
    socket.on(
      'drain',
      guarded(() => this.#drained(), this.#broken),
    );
    if (head.length > 0) socket.unshift(head);
  }

  get congested(): boolean {
    return this.#socket.writableLength > HIGH_WATER;
  }

  /** Begins to read. */
  start(events: WireEvents): void {
    this.#events = events;
    if (this.#ended !== undefined) {
      const reason = this.#ended;
      queueMicrotask(() => events.closed(reason));
      return;
    }
    this.#socket.on(
      'data',
      guarded((chunk: Buffer) => this.#read(chunk), this.#broken),
    );
  }

  send(text: JsonText): void {
    if (this.#state === 'open') this.#write(opcodes.text, text);
  }

  /** Writes what is sent meanwhile together. */
  together(work: () => void): void {
    this.#socket.cork();
    try {
      work();
    } finally {
      this.#socket.uncork();
    }
  }

  /** Says goodbye and resolves when the connection is gone; what comes until then is no longer told. */
  async close(code: CloseCode, reason: string): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'closing';
      this.#write(opcodes.close, closePayload(code, reason));
      this.#end(reason);
      this.#hurry();
    }
    await this.#gone;
  }

  /** Ends a conversation that cannot go on, and says why. */
  fail(code: CloseCode, reason: string): void {
    if (this.#state === 'over') return;
    if (this.#state === 'open') this.#write(opcodes.close, closePayload(code, reason));
    this.#end(reason);
    this.#reader.stop();
    this.#finish();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Pings when it is time, and cuts off what did not answer the last one. */
  tick(): void {
    const now = performance.now();
    if (this.#state !== 'open' || now - this.#pinged < this.#options.pingInterval) return;
    // behind unread data a ping would not be seen; that such data is read is watched by its own timeout
    if (this.#socket.writableLength > 0) return;
    if (this.#silent) {
      this.#end('the other side no longer answers');
      this.#socket.destroy();
      return;
    }
    this.#silent = true;
    this.#pinged = now;
    this.#write(opcodes.ping, '');
  }

  /** A fault while something was taken in ends this connection alone. */
  readonly #broken = (error: unknown): void => {
    this.#error ??= error instanceof Error ? error : new Error(String(error));
    this.#socket.destroy();
  };

  #read(chunk: Buffer): void {
    this.#silent = false;
    this.together(() => this.#reader.push(chunk));
    // a client always reads, or two that both wait would wait for ever
    if (this.#options.role === 'server' && this.congested) this.#socket.pause();
  }

  #told(text: string): void {
    if (this.#state === 'open') this.#events?.message(text);
  }

  #pong(payload: Uint8Array): void {
    if (this.#state !== 'open') return;
    // only the newest ping needs an answer, so that a flood of them is not answered with one
    if (this.congested) this.#owed = Buffer.from(payload);
    else this.#write(opcodes.pong, payload);
  }

  #drained(): void {
    if (this.#state === 'open' && this.#owed !== undefined && !this.congested) {
      this.#write(opcodes.pong, this.#owed);
      this.#owed = undefined;
    }
    if (this.#ended === undefined) this.together(() => this.#events?.drained());
    if (!this.congested) this.#socket.resume();
  }

  /** The other side says goodbye: the answer is the same. */
  #leave(code: number | undefined, reason: string): void {
    const payload = code === undefined ? Buffer.alloc(0) : closePayload(code, '');
    if (this.#state === 'open') this.#write(opcodes.close, payload);
    const words = reason === '' ? '' : `: ${reason}`;
    this.#end(`the other side closed the connection with code ${code ?? NO_CODE}${words}`);
    this.#state = 'over';
    // the server closes first, so that the client's port is free at once
    if (this.#options.role === 'server') this.#finish();
    else this.#hurry();
  }

  /** Nothing more is written or told; what still comes is thrown away. */
  #finish(): void {
    this.#state = 'over';
    this.#socket.end();
    this.#socket.resume();
    this.#end('the connection broke off');
    this.#hurry();
  }

  /** The connection is gone. */
  #lost(): void {
    clearTimeout(this.#timer);
    this.#state = 'over';
    this.#reader.stop();
    this.#end(
      this.#error === undefined
        ? 'the connection broke off'
        : `the connection broke off: ${this.#error.message}`,
    );
  }

  #hurry(): void {
    this.#timer ??= setTimeout(() => this.#socket.destroy(), CLOSE_GRACE_MS);
  }

  #end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#events?.closed(reason);
  }

  #write(opcode: Opcode, payload: JsonText | Uint8Array): void {
    if (!this.#socket.writable) return;
    for (const piece of encodeFrame(opcode, payload, this.#options.role === 'client'))
      this.#socket.write(piece);
  }
}
