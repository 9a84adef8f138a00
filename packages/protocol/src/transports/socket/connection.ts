import type { Socket } from 'node:net';
import { guarded } from '../../jsonrpc/guarded.ts';
import { failureText } from '../../jsonrpc/text.ts';
import { rpcError } from '../../protocol/errors.ts';
import type { Server } from '../../server/server.ts';
import { within } from '../grace.ts';
import { ConnectionTimeouts, type Limits } from '../limits.ts';
import type { Member } from '../roster.ts';
import { ServerStream } from '../stream.ts';

/** The longest time for requests in progress after the client has closed its side, in milliseconds. */
const END_GRACE_MS = 1500;
/** The longest time in which the client may close its side after this one, in milliseconds. */
const CLOSE_GRACE_MS = 2000;

export interface SocketConnectionOptions {
  limits: Limits;
  principal: string | undefined;
  /** true to close a connection whose first bytes are not a message */
  strictStart: boolean;
}

/** One client on one socket. */
export class SocketConnection<S> implements Member {
  readonly #socket: Socket;
  readonly #timeouts: ConnectionTimeouts;
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
    this.#timeouts = new ConnectionTimeouts(limits);
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
    // with a callback argument, setTimeout would call it only once, even for a quiet connection
    socket.setTimeout(limits.stallTimeout).on('timeout', () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    if (strictStart) this.#peek();
    else this.#stream = this.#begin();
  }

  tick(): void {
    const { bytesRead } = this.#socket;
    if (bytesRead !== this.#bytesRead) this.#timeouts.received();
    this.#bytesRead = bytesRead;
    const reason = this.#timeouts.expired(this.#stream?.connection.busy ?? false);
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

  /** Checks the first bytes: a web page can make a browser send HTTP to this port, with messages in the body. */
  #peek(): void {
    const socket = this.#socket;
    const peek = (): void => {
      const first: Buffer | null = socket.read();
      // the connection has ended without data; the end event follows
      if (first === null) return;
      if (!beginsMessage(first)) {
        refuseClient(
          socket,
          rpcError('ParseError', 'parse error: send one JSON message per line, from the first byte'),
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

  /** Handles the end of the client's side; it may still read. */
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
    closeGently(this.#socket);
  }
}

/** Sends an error to a client that is not served, and closes. */
export function refuseClient(socket: Socket, { code, message }: { code: number; message: string }): void {
  socket.write(`${failureText(null, { code, message })}\n`);
  closeGently(socket);
}

/** Closes this side when everything is written, and waits a while for the other side to close. */
function closeGently(socket: Socket): void {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), CLOSE_GRACE_MS);
  socket.once('close', () => clearTimeout(timer));
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const WHITESPACE: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);

/** Returns true if bytes may be the start of a JSON message; whitespace may be. */
function beginsMessage(bytes: Buffer): boolean {
  const marked = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
  const first = bytes.subarray(marked ? BYTE_ORDER_MARK.length : 0).find((byte) => !WHITESPACE.has(byte));
  return first === undefined || first === 0x7b || first === 0x5b;
}
