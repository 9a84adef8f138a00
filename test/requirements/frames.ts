import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Message } from './message.ts';

/** One WebSocket frame. */
export interface Frame {
  /** 1 text, 2 binary, 8 close, 9 ping, 10 pong */
  opcode: number;
  final: boolean;
  text: string;
}

/** One end of a WebSocket that reads and writes frames of short messages. */
export class Frames {
  readonly seen: Frame[] = [];
  readonly #socket: Socket;
  readonly #masks: boolean;
  #rest: Buffer = Buffer.alloc(0);
  #waiting: (() => void)[] = [];
  ended = false;

  /** `masks`: true for the client's end */
  constructor(socket: Socket, head: Buffer, masks: boolean) {
    this.#socket = socket;
    this.#masks = masks;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', () => this.#end());
    socket.on('close', () => this.#end());
    this.#take(head);
  }

  say(message: object): void {
    this.frame(1, JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  frame(opcode: number, text: string | Buffer): void {
    const payload = Buffer.from(text);
    const mask = randomBytes(4);
    const short = payload.length < 126;
    const head = Buffer.alloc(short ? 2 : 4);
    head[0] = 0x80 | opcode;
    head[1] = (this.#masks ? 0x80 : 0) | (short ? payload.length : 126);
    if (!short) head.writeUInt16BE(payload.length, 2);
    const body = this.#masks
      ? Buffer.concat([mask, payload.map((byte, at) => byte ^ mask[at % 4]!)])
      : payload;
    this.#socket.write(Buffer.concat([head, body]));
  }

  /** Resolves with the next message in a text frame. */
  async message(wanted: (message: Message) => boolean = () => true): Promise<Message> {
    for (let at = 0; ; at++) {
      while (this.seen.length <= at) {
        if (this.ended) throw new Error('the socket ended');
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
      const { opcode, text } = this.seen[at]!;
      if (opcode !== 1) continue;
      const message: Message = JSON.parse(text);
      if (wanted(message)) return message;
    }
  }

  /** Resolves when the other end is closed. */
  async over(): Promise<void> {
    while (!this.ended) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let frame = this.#cut(); frame !== undefined; frame = this.#cut()) this.seen.push(frame);
    this.#wake();
  }

  #cut(): Frame | undefined {
    const bytes = this.#rest;
    if (bytes.length < 2) return undefined;
    const [first, second] = [bytes[0]!, bytes[1]!];
    const masked = (second & 0x80) !== 0;
    const size = second & 0x7f;
    if (size === 126 && bytes.length < 4) return undefined;
    const length = size === 126 ? bytes.readUInt16BE(2) : size;
    const start = 2 + (size === 126 ? 2 : 0) + (masked ? 4 : 0);
    if (bytes.length < start + length) return undefined;
    const mask = bytes.subarray(start - 4, start);
    const payload = bytes
      .subarray(start, start + length)
      .map((byte, at) => (masked ? byte ^ mask[at % 4]! : byte));
    this.#rest = bytes.subarray(start + length);
    return { opcode: first & 0x0f, final: (first & 0x80) !== 0, text: Buffer.from(payload).toString() };
  }

  #end(): void {
    this.ended = true;
    this.#wake();
  }

  #wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

/** Opens a WebSocket; returns the client's end, or the status of the refusal. */
export function dial(url: string, headers: Record<string, string> = {}): Promise<Frames | number> {
  return new Promise((resolve, reject) => {
    const asked = request(url.replace(/^ws/, 'http'), {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Protocol': 'mcp',
        ...headers,
      },
    });
    asked.on('upgrade', (_response, socket: Socket, head: Buffer) => {
      onTestFinished(() => void socket.destroy());
      resolve(new Frames(socket, head, true));
    });
    asked.on('response', ({ statusCode = 0 }) => resolve(statusCode));
    asked.on('error', reject);
    asked.end();
  });
}

/** Starts a WebSocket server whose connections are handled by the test. */
export async function answerDials(
  play: (frames: Frames, headers: IncomingHttpHeaders) => void,
): Promise<string> {
  const server = createServer();
  server.on('upgrade', (upgrade, socket: Socket, head: Buffer) => {
    const key = `${upgrade.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: mcp\r\n\r\n`,
    );
    play(new Frames(socket, head, false), upgrade.headers);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`;
}
