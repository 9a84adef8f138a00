import { connect, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import type { Server } from '../../src/index.ts';
import { serveWebSocket, type WebSocketListener, type WebSocketListenerOptions } from '../../src/ws.ts';
import type { Message } from '../wire/message.ts';

/** The sample key of RFC 6455 section 1.3, and its Sec-WebSocket-Accept. */
export const sampleKey = 'dGhlIHNhbXBsZSBub25jZQ==';
export const sampleAccept = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';

export interface FrameParts {
  opcode: number;
  payload?: Uint8Array | string;
  /** default true */
  fin?: boolean;
  /** the three reserved bits as one number */
  reserved?: number;
  /** the masking key, or undefined to send unmasked; default a fixed key */
  mask?: readonly [number, number, number, number] | undefined;
  /** the encoding of the length; default the shortest */
  lengthForm?: 7 | 16 | 64;
  /** the length in the header; default that of the payload */
  announced?: bigint;
}

/** Returns one frame in the format of RFC 6455 section 5.2, valid or not. */
export function frame({ opcode, fin = true, reserved = 0, ...rest }: FrameParts): Buffer {
  const payload = Buffer.from(rest.payload ?? '');
  const mask = 'mask' in rest ? rest.mask : ([0x37, 0xfa, 0x21, 0x3d] as const);
  const length = rest.announced ?? BigInt(payload.length);
  const form = rest.lengthForm ?? (length < 126n ? 7 : length < 65536n ? 16 : 64);
  const head = Buffer.alloc(form === 7 ? 2 : form === 16 ? 4 : 10);
  head[0] = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  head[1] = (mask === undefined ? 0 : 0x80) | (form === 7 ? Number(length) : form === 16 ? 126 : 127);
  if (form === 16) head.writeUInt16BE(Number(length), 2);
  if (form === 64) head.writeBigUInt64BE(length, 2);
  if (mask === undefined) return Buffer.concat([head, payload]);
  return Buffer.concat([head, Buffer.from(mask), payload.map((byte, at) => byte ^ mask[at % 4]!)]);
}

export const textFrame = (payload: string): Buffer => frame({ opcode: 1, payload });
export const closeFrame = (code: number, reason = ''): Buffer => {
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
  payload.writeUInt16BE(code);
  payload.write(reason, 2);
  return frame({ opcode: 8, payload });
};

export interface Heard {
  opcode: number;
  fin: boolean;
  /** the masking key of a client's frame */
  mask: string | undefined;
  payload: Buffer;
}

/** The other end of a WebSocket, at the level of bytes. */
export class RawSocket {
  readonly socket: Socket;
  /** every frame of the server, in order */
  readonly heard: Heard[] = [];
  #rest = Buffer.alloc(0);
  #taken = 0;
  #over = false;
  #waiting: (() => void)[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.#rest = Buffer.concat([this.#rest, chunk]);
      while (this.#cut());
      this.#wake();
    });
    socket.on('close', () => {
      this.#over = true;
      this.#wake();
    });
    socket.on('error', () => {
      // the server may close the connection during a write
    });
  }

  write(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Sends one message. */
  say(text: string): void {
    this.write(textFrame(text));
  }

  /** Returns the next frame, or undefined when the server has closed. */
  async next(): Promise<Heard | undefined> {
    while (this.heard.length === this.#taken) {
      if (this.#over) return undefined;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.heard[this.#taken++];
  }

  /** Returns the next frame of an opcode; earlier ones stay in `heard`. */
  async until(opcode: number): Promise<Heard> {
    for (let heard = await this.next(); heard !== undefined; heard = await this.next()) {
      if (heard.opcode === opcode) return heard;
    }
    throw new Error(`the server closed without a frame ${opcode}`);
  }

  /** Returns the next message. */
  async message(): Promise<Message> {
    const heard = await this.next();
    if (heard?.opcode !== 1) throw new Error(`not a message but ${JSON.stringify(heard)}`);
    return JSON.parse(heard.payload.toString());
  }

  /** Returns the code and the reason of the server's Close frame, and answers it; earlier frames stay in `heard`. */
  async goodbye(): Promise<[code: number | undefined, reason: string]> {
    const { payload } = await this.until(8);
    this.write(frame({ opcode: 8, payload: payload.subarray(0, 2) }));
    await this.over();
    return payload.length < 2 ? [undefined, ''] : [payload.readUInt16BE(), payload.toString('utf8', 2)];
  }

  async over(): Promise<void> {
    while (!this.#over) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #cut(): boolean {
    const bytes = this.#rest;
    if (bytes.length < 2) return false;
    const masked = (bytes[1]! & 0x80) !== 0;
    const short = bytes[1]! & 0x7f;
    const head = (short === 126 ? 4 : short === 127 ? 10 : 2) + (masked ? 4 : 0);
    if (bytes.length < head) return false;
    const length =
      short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    if (bytes.length < head + length) return false;
    const payload = Buffer.from(bytes.subarray(head, head + length));
    const mask = bytes.subarray(head - 4, head);
    if (masked) for (const at of payload.keys()) payload[at]! ^= mask[at % 4]!;
    this.heard.push({
      opcode: bytes[0]! & 0x0f,
      fin: (bytes[0]! & 0x80) !== 0,
      mask: masked ? mask.toString('hex') : undefined,
      payload,
    });
    this.#rest = bytes.subarray(head + length);
    return true;
  }

  #wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

/** The response of the server to an upgrade: the status line, the headers and the received body. */
export interface Answer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** Listeners and clients of one test file; all end with the test. */
export class Sockets {
  readonly #listeners: WebSocketListener[] = [];
  readonly #sockets = new Set<Socket>();

  constructor() {
    afterEach(async () => {
      for (const socket of this.#sockets) socket.destroy();
      await Promise.all(this.#listeners.splice(0).map((listener) => listener.close(0)));
    });
  }

  async serve<S>(server: Server<S>, options: WebSocketListenerOptions = {}): Promise<WebSocketListener> {
    const listener = await serveWebSocket(server, options);
    this.#listeners.push(listener);
    return listener;
  }

  async dial(url: string): Promise<Socket> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.setNoDelay(true);
    return socket;
  }

  /** Sends the lines of a request as they are, and returns the response with all received data. */
  async ask(url: string, lines: readonly string[]): Promise<Answer> {
    const socket = await this.dial(url);
    socket.write([...lines, '', ''].join('\r\n'));
    let all = '';
    socket.setEncoding('latin1');
    for await (const text of socket) {
      all += String(text);
      // an upgrade has no end
      if (all.startsWith('HTTP/1.1 101') && all.includes('\r\n\r\n')) break;
    }
    return readAnswer(all);
  }

  /** Returns a client after its upgrade; `after` is sent together with the request. */
  async open(url: string, after: Uint8Array = Buffer.alloc(0)): Promise<RawSocket> {
    const socket = await this.dial(url);
    socket.write(Buffer.concat([Buffer.from([...upgradeLines(url), '', ''].join('\r\n')), after]));
    const head = await headOf(socket);
    const { status } = readAnswer(head);
    if (status !== 101) throw new Error(`no upgrade but ${head}`);
    return new RawSocket(socket);
  }
}

/** Returns the lines of a valid upgrade request, with some of its headers changed or, if undefined, left out. */
export function upgradeLines(
  url: string,
  changes: Readonly<Record<string, string | undefined>> = {},
): string[] {
  const { host, pathname } = new URL(url);
  const headers: Record<string, string | undefined> = {
    Host: host,
    Connection: 'keep-alive, Upgrade',
    Upgrade: 'WebSocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': sampleKey,
    'Sec-WebSocket-Protocol': 'soap, mcp',
    ...changes,
  };
  const kept = Object.entries(headers).filter(([, value]) => value !== undefined);
  return [`GET ${pathname} HTTP/1.1`, ...kept.map(([name, value]) => `${name}: ${value}`)];
}

async function headOf(socket: Socket): Promise<string> {
  const seen: Buffer[] = [];
  for (;;) {
    await new Promise((resolve) => socket.once('readable', resolve));
    for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) seen.push(chunk);
    const all = Buffer.concat(seen);
    const end = all.indexOf('\r\n\r\n');
    if (end < 0 && !socket.readableEnded) continue;
    if (end >= 0 && end + 4 < all.length) socket.unshift(all.subarray(end + 4));
    return all.toString('latin1', 0, end < 0 ? all.length : end + 4);
  }
}

function readAnswer(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines
    .map((line) => line.split(/:\s*(.*)/s, 2))
    .map(([name = '', value = '']) => [name, value]);
  return {
    status: Number(first.split(' ')[1]),
    headers: new Map(headers.map(([name, value]) => [name!.toLowerCase(), value!])),
    body: text.slice(end + 4),
  };
}
