import type { Socket } from 'node:net';
import { guarded } from '../../jsonrpc/guarded.ts';
import { failureText } from '../../jsonrpc/text.ts';
import { rpcError } from '../../protocol/errors.ts';
import type { Server } from '../../server/server.ts';
import { within } from '../grace.ts';
import { type Limits, Tenure } from '../limits.ts';
import type { Member } from '../roster.ts';
import { ServerStream } from '../stream.ts';

/** How long requests in progress may take to answer once the client has closed its side. */
const END_GRACE_MS = 1500;
/** How long the client may take to close its side once this one is closed. */
const CLOSE_GRACE_MS = 2000;

export interface SocketConnectionOptions {
  limits: Limits;
  principal: string | undefined;
  /** whether what is no message at the very start ends the connection */
  strictStart: boolean;
}

/** One client on one socket. */
export class SocketConnection<S> implements Member {
  readonly #socket: Socket;
  readonly #tenure: Tenure;
  readonly #begin: () => ServerStream<S>;
  readonly #gone: Promise<void>;
  #stream: ServerStream<S> | undefined;
  #bytesRead = 0;
  #closing = false;

  constructor(
    server: Server<S>,
    socket: Socket,
    { limits, principal, strictStart }: SocketConnectionOptions,
  ) {
    this.#socket = socket;
    this.#tenure = new Tenure(limits);
    this.#begin = () =>
      new ServerStream(server, socket, socket, {
        messageLimit: limits.messageLimit,
        outputCopies: true,
        ...(principal !== undefined && { principal }),
      });
    this.#gone = new Promise((resolve) => socket.once('close', () => resolve()));
    void this.#gone.then(() => this.#stream?.connection.close('the client closed the connection'));
    socket.on(
      'end',
      guarded(
        () => this.#ended(),
        () => socket.destroy(),
      ),
    );
    // its callback would be called once, also for a connection that is merely quiet
    socket.setTimeout(limits.stallTimeout).on('timeout', () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    if (strictStart) this.#peek();
    else this.#stream = this.#begin();
  }

  tick(): void {
    const { bytesRead } = this.#socket;
    if (bytesRead !== this.#bytesRead) this.#tenure.heard();
    this.#bytesRead = bytesRead;
    const reason = this.#tenure.lost(this.#stream?.connection.busy ?? false);
    if (reason !== undefined) this.#close(reason);
  }

  async drain(): Promise<void> {
    await this.#stream?.connection.drain();
    this.#close('the server is shutting down');
    await this.#gone;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Looks at the first bytes: a web page can make a browser send HTTP here, with messages in its body. */
  #peek(): void {
    const socket = this.#socket;
    const peek = (): void => {
      const first: Buffer | null = socket.read();
      // it has ended without a word, which is told next
      if (first === null) return;
      if (!beginsMessage(first)) {
        turnAway(
          socket,
          rpcError('ParseError', 'parse error: send one JSON message a line, from the first byte on'),
        );
        return;
      }
      socket.unshift(first);
      this.#stream = this.#begin();
    };
    socket.once(
      'readable',
      guarded(peek, () => socket.destroy()),
    );
  }

  /** The client has closed its side: it may still read. */
  async #ended(): Promise<void> {
    if (this.#stream !== undefined) {
      await this.#stream.finish();
      await within(END_GRACE_MS, this.#stream.connection.drain());
    }
    this.#close('the client closed its side');
  }

  #close(reason: string): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#stream?.connection.close(reason);
    leave(this.#socket);
  }
}

/** Tells a client why it is not served, and closes. */
export function turnAway(socket: Socket, { code, message }: { code: number; message: string }): void {
  socket.write(`${failureText(null, { code, message })}\n`);
  leave(socket);
}

/** Closes this side once everything is written, and waits a while for the other side to do the same. */
function leave(socket: Socket): void {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), CLOSE_GRACE_MS);
  socket.once('close', () => clearTimeout(timer));
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const WHITESPACE: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);

/** Whether bytes can be the start of JSON text of a message; whitespace alone can. */
function beginsMessage(bytes: Buffer): boolean {
  const marked = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
  const first = bytes.subarray(marked ? BYTE_ORDER_MARK.length : 0).find((byte) => !WHITESPACE.has(byte));
  return first === undefined || first === 0x7b || first === 0x5b;
}
