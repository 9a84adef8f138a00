import type { Socket } from 'node:net';
import { guarded } from '../../jsonrpc/guarded.ts';
import type { JsonText } from '../../jsonrpc/message.ts';
import type { CloseCode } from './codes.ts';
import { closePayload, encodeFrame, type Opcode, opcodes } from './frame.ts';
import { FrameReader } from './reader.ts';

/** Receives the events of a wire. */
export interface WireEvents {
  message(text: string): void;
  /** the other side has read all unsent bytes */
  drained(): void;
  /** the connection is closed; called once, after all other events */
  closed(reason: string): void;
}

export interface WireOptions {
  role: 'client' | 'server';
  /** maximum size of a message in bytes */
  messageLimit: number;
  /** milliseconds between two pings, and in which the other side must send something after one */
  pingInterval: number;
  /** milliseconds without reading after which the other side with unread data is disconnected */
  stallTimeout: number;
}

/** The number of unsent bytes above which no more messages are read. */
const HIGH_WATER = 1024 * 1024;
/** The longest time for the answer to a Close frame, in milliseconds. */
const CLOSE_GRACE_MS = 2000;
/** The code for a Close frame without one. */
const NO_CODE = 1005;

/**
 * One WebSocket after its handshake: messages in both directions, pings, and the closing handshake. No
 * extension is negotiated, so nothing is compressed, and a small frame cannot expand to a huge one.
 */
export class Wire {
  readonly #socket: Socket;
  readonly #options: WireOptions;
  readonly #reader: FrameReader;
  readonly #gone: Promise<void>;
  #events: WireEvents | undefined;
  #ended: string | undefined;
  #error: Error | undefined;
  /** `closing`: this side has sent a Close frame. `over`: both have, or nothing more can be read */
  #state: 'open' | 'closing' | 'over' = 'open';
  /** true if nothing has arrived since the last ping */
  #silent = false;
  #pinged = performance.now();
  /** the newest ping without a pong */
  #pendingPing: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `head` is the data after the handshake. */
  constructor(socket: Socket, head: Buffer, options: WireOptions) {
    this.#socket = socket;
    this.#options = options;
    const { role, messageLimit, stallTimeout } = options;
    this.#reader = new FrameReader(
      {
        text: (text) => this.#onMessage(text),
        ping: (payload) => this.#pong(payload),
        pong: () => {
          // any byte is a sign of life, so no extra check is needed
        },
        close: (code, reason) => this.#answerClose(code, reason),
        fail: (code, reason) => this.fail(code, reason),
      },
      { limit: messageLimit, masked: role === 'server' },
    );
    this.#gone = new Promise((resolve) => socket.once('close', () => resolve()));
    void this.#gone.then(() => this.#onClosed());
    // node:http leaves a listener that would end a quiet connection
    socket.removeAllListeners('timeout');
    // with a callback argument, setTimeout would call it only once, even for a quiet connection
    socket.setTimeout(stallTimeout).on('timeout', () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    socket.on('error', (error) => {
      this.#error = error;
    });
    socket.on(
      'end',
      guarded(() => this.#finish(), this.#onFault),
    );
    socket.on(
      'drain',
      guarded(() => this.#drained(), this.#onFault),
    );
    if (head.length > 0) socket.unshift(head);
  }

  get congested(): boolean {
    return this.#socket.writableLength > HIGH_WATER;
  }

  /** Starts reading. */
  start(events: WireEvents): void {
    this.#events = events;
    if (this.#ended !== undefined) {
      const reason = this.#ended;
      queueMicrotask(() => events.closed(reason));
      return;
    }
    this.#socket.on(
      'data',
      guarded((chunk: Buffer) => this.#read(chunk), this.#onFault),
    );
  }

  send(text: JsonText): void {
    if (this.#state === 'open') this.#write(opcodes.text, text);
  }

  /** Combines the messages of `work` into one write. */
  together(work: () => void): void {
    this.#socket.cork();
    try {
      work();
    } finally {
      this.#socket.uncork();
    }
  }

  /** Sends a Close frame and resolves when the connection is closed; messages until then are dropped. */
  async close(code: CloseCode, reason: string): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'closing';
      this.#write(opcodes.close, closePayload(code, reason));
      this.#end(reason);
      this.#hurry();
    }
    await this.#gone;
  }

  /** Closes the connection because of a fault. */
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

  /** Sends a ping when it is due, and closes the connection if there was no sign of life since the last one. */
  tick(): void {
    const now = performance.now();
    if (this.#state !== 'open' || now - this.#pinged < this.#options.pingInterval) return;
    // a ping behind unsent data would arrive late; stallTimeout covers that case
    if (this.#socket.writableLength > 0) return;
    if (this.#silent) {
      this.#end('the other side does not respond');
      this.#socket.destroy();
      return;
    }
    this.#silent = true;
    this.#pinged = now;
    this.#write(opcodes.ping, '');
  }

  /** Closes this connection after a fault while reading. */
  readonly #onFault = (error: unknown): void => {
    this.#error ??= error instanceof Error ? error : new Error(String(error));
    this.#socket.destroy();
  };

  #read(chunk: Buffer): void {
    this.#silent = false;
    this.together(() => this.#reader.push(chunk));
    // a client always reads; otherwise two sides that wait for each other would block
    if (this.#options.role === 'server' && this.congested) this.#socket.pause();
  }

  #onMessage(text: string): void {
    if (this.#state === 'open') this.#events?.message(text);
  }

  #pong(payload: Uint8Array): void {
    if (this.#state !== 'open') return;
    // only the newest ping needs a pong, so that a flood of pings does not cause a flood of pongs
    if (this.congested) this.#pendingPing = Buffer.from(payload);
    else this.#write(opcodes.pong, payload);
  }

  #drained(): void {
    if (this.#state === 'open' && this.#pendingPing !== undefined && !this.congested) {
      this.#write(opcodes.pong, this.#pendingPing);
      this.#pendingPing = undefined;
    }
    if (this.#ended === undefined) this.together(() => this.#events?.drained());
    if (!this.congested) this.#socket.resume();
  }

  /** Answers a Close frame with the same code. */
  #answerClose(code: number | undefined, reason: string): void {
    const payload = code === undefined ? Buffer.alloc(0) : closePayload(code, '');
    if (this.#state === 'open') this.#write(opcodes.close, payload);
    const words = reason === '' ? '' : `: ${reason}`;
    this.#end(`the other side closed the connection with code ${code ?? NO_CODE}${words}`);
    this.#state = 'over';
    // the server closes first, so that the client's port is free at once
    if (this.#options.role === 'server') this.#finish();
    else this.#hurry();
  }

  /** Stops writing and reporting; later data is discarded. */
  #finish(): void {
    this.#state = 'over';
    this.#socket.end();
    this.#socket.resume();
    this.#end('the connection was lost');
    this.#hurry();
  }

  /** Handles the end of the connection. */
  #onClosed(): void {
    clearTimeout(this.#timer);
    this.#state = 'over';
    this.#reader.stop();
    this.#end(
      this.#error === undefined
        ? 'the connection was lost'
        : `the connection was lost: ${this.#error.message}`,
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
