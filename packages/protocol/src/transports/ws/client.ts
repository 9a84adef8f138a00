import { randomBytes } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientAuth } from '../../auth/client-auth.ts';
import type { Channel, ChannelEvents, Transport } from '../../client/transport.ts';
import { ConnectionError } from '../../jsonrpc/errors.ts';
import type { JsonText } from '../../jsonrpc/message.ts';
import { DEFAULT_MESSAGE_LIMIT } from '../stream.ts';
import { closeCodes } from './codes.ts';
import { acceptOf, SUBPROTOCOL, VERSION } from './handshake.ts';
import { Wire } from './wire.ts';

/**
 * Options of a WebSocket transport.
 * @example
 * const options: WebSocketClientOptions = { headers: { 'X-Api-Key': 'from the environment' }, pingInterval: 10_000 };
 * webSocket('wss://mcp.example.com/ws', options);
 */
export interface WebSocketClientOptions {
  /** headers of the upgrade request, such as `Authorization` */
  headers?: Readonly<Record<string, string>>;
  /** adds credentials, and others if the server refuses them */
  auth?: ClientAuth;
  /** maximum size of a message of the server in bytes; a longer one ends the connection. Default 64 MiB */
  messageLimit?: number;
  /** timeout of the connection attempt in milliseconds; default 30,000 */
  connectTimeout?: number;
  /** milliseconds between two pings, and in which the server must send something after one; default 30,000 */
  pingInterval?: number;
  /** milliseconds without reading after which a server with unread data is disconnected; default 120,000 */
  stallTimeout?: number;
}

type Options = Readonly<
  Required<Omit<WebSocketClientOptions, 'auth'>> & Pick<WebSocketClientOptions, 'auth'>
>;

/**
 * Returns a transport that connects to a server over WebSocket, at a `ws:` or `wss:` URL.
 * @example
 * const listening = await serveWebSocket(server);
 * const client = await connect(webSocket(listening.url), { name: 'me', version: '1.0.0' });
 * (await client.listTools()).map(({ name }) => name); // => ['add']
 * await client.close();
 * await listening.close();
 */
export function webSocket(url: string | URL, options: WebSocketClientOptions = {}): Transport {
  const target = new URL(url);
  if (target.protocol !== 'ws:' && target.protocol !== 'wss:') {
    throw new TypeError(`url must begin with ws: or wss:, not ${target.protocol}`);
  }
  const normal: Options = Object.freeze({
    headers: {},
    messageLimit: DEFAULT_MESSAGE_LIMIT,
    connectTimeout: 30_000,
    pingInterval: 30_000,
    stallTimeout: 120_000,
    ...options,
  });
  return { open: () => open(httpUrlOf(target), normal) };
}

/** Returns the http or https URL, to which credentials belong. */
function httpUrlOf(url: URL): URL {
  const http = new URL(url);
  http.protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
  http.hash = '';
  return http;
}

async function open(url: URL, options: Options): Promise<Channel> {
  const { auth } = options;
  for (let attempt = 1; ; attempt++) {
    const credentials = (await auth?.headers({ method: 'GET', url })) ?? {};
    const answer = await ask(url, { ...options.headers, ...credentials }, options);
    if ('socket' in answer) return new WebSocketChannel(answer.socket, answer.head, options);
    const { statusCode: status = 0, headers } = answer.refused;
    const challenge = {
      status,
      url,
      header: (name: string) => headerOf(headers, name),
      revision: undefined,
    };
    const again = [400, 401, 403].includes(status) && (await auth?.challenged(challenge, attempt)) === true;
    if (!again) throw failure(url, `the server responded with ${status} instead of an upgrade`);
  }
}

function headerOf(headers: IncomingMessage['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value.join(', ') : value;
}

type Answer = { socket: Socket; head: Buffer } | { refused: IncomingMessage };

/** Requests the upgrade; rejects if the server cannot be reached, or does not upgrade to this protocol. */
async function ask(url: URL, headers: Readonly<Record<string, string>>, options: Options): Promise<Answer> {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const key = randomBytes(16).toString('base64');
  const asked = request(url, {
    agent: false,
    headers: {
      ...headers,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': VERSION,
      'Sec-WebSocket-Key': key,
      'Sec-WebSocket-Protocol': SUBPROTOCOL,
    },
  });
  return answerTo(asked, url, key, options.connectTimeout);
}

function answerTo(asked: ClientRequest, url: URL, key: string, timeout: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: Error): void => {
      clearTimeout(timer);
      asked.destroy();
      reject(failure(url, reason, cause));
    };
    const timer = setTimeout(() => fail(`no response within ${timeout} ms`), timeout);
    asked.on('error', (error) => fail(error.message, error));
    asked.on('response', (response) => {
      clearTimeout(timer);
      response.destroy();
      resolve({ refused: response });
    });
    asked.on('upgrade', (response, socket, head) => {
      const fault = faultOf(response, key);
      if (fault === undefined) {
        clearTimeout(timer);
        resolve({ socket, head });
        return;
      }
      socket.destroy();
      fail(fault);
    });
    asked.end();
  });
}

/** Returns the fault of an upgrade response, or undefined. */
function faultOf({ headers }: IncomingMessage, key: string): string | undefined {
  if (headers.upgrade?.toLowerCase() !== 'websocket')
    return 'the server upgraded to a protocol other than websocket';
  if (headers['sec-websocket-accept'] !== acceptOf(key))
    return 'the server sent a wrong Sec-WebSocket-Accept';
  if (headers['sec-websocket-protocol'] !== SUBPROTOCOL)
    return `the server does not support the subprotocol ${SUBPROTOCOL}`;
  if (headers['sec-websocket-extensions'] !== undefined)
    return 'the server uses an extension that was not offered';
  return undefined;
}

function failure(url: URL, reason: string, cause?: Error): ConnectionError {
  const options = cause === undefined ? undefined : { cause };
  // a query may contain secrets
  return new ConnectionError('closed', `cannot connect to ${url.host}${url.pathname}: ${reason}`, options);
}

/** A connection to a server over one WebSocket. */
class WebSocketChannel implements Channel {
  readonly #wire: Wire;
  #timer: NodeJS.Timeout | undefined;
  #drained: Promise<void> | undefined;
  #release: (() => void) | undefined;

  constructor(socket: Socket, head: Buffer, { messageLimit, pingInterval, stallTimeout }: Options) {
    socket.setNoDelay(true);
    this.#wire = new Wire(socket, head, { role: 'client', messageLimit, pingInterval, stallTimeout });
    // the wire decides when a ping is due
    this.#timer = setInterval(() => this.#wire.tick(), pingInterval / 2).unref();
  }

  start(events: ChannelEvents): void {
    this.#wire.start({
      message: (text) => events.message(text),
      drained: () => {
        if (!this.#wire.congested) this.#release?.();
      },
      closed: (reason) => {
        clearInterval(this.#timer);
        this.#release?.();
        events.closed(reason);
      },
    });
  }

  send(text: JsonText): void {
    this.#wire.send(text);
  }

  drained(): Promise<void> | undefined {
    if (!this.#wire.congested) return undefined;
    this.#drained ??= new Promise((resolve) => {
      this.#release = () => {
        this.#drained = undefined;
        this.#release = undefined;
        resolve();
      };
    });
    return this.#drained;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#wire.close(closeCodes.Normal, 'the client closed the connection');
  }
}
