import type { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { hostOf } from '../guard/hosts.ts';
import { portOf } from '../guard/ports.ts';
import { listsHost, type PrivateHosts, parsePrivateHosts } from '../guard/private-hosts.ts';
import type { ProxyServer } from './proxies.ts';
import { connectProxy, connectThrough } from './tunnel.ts';

type Connect = buildConnector.connector;

/** Bytes of response headers that undici accepts; the limit of a request is checked when they have arrived. */
const HEADER_CEILING = 256 * 1024;
const IDLE_MS = 4000;
const LONGEST_IDLE_MS = 60_000;

export interface ConnectionOptions {
  /** makes connectors that refuse what the guard does not allow */
  readonly connector: (options: buildConnector.BuildOptions) => Connect;
  /** hosts whose certificates are not verified, on every port or on one */
  readonly insecureTls: readonly string[];
  /** most unused connections that are kept */
  readonly idle: number;
}

/** A connection to one origin, for one request at a time. */
export class Connection {
  readonly client: Client;
  /** whether it was used for earlier requests */
  reused = false;
  readonly #pool: Connections;
  readonly key: string;
  readonly #parts: (() => void)[] = [];
  #socket: Socket | undefined;
  #killed = false;

  constructor(pool: Connections, key: string, origin: string, connect: Connect) {
    this.#pool = pool;
    this.key = key;
    this.client = new Client(origin, {
      connect: (target, done) => this.#dial(connect, target, done),
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: LONGEST_IDLE_MS,
      maxHeaderSize: HEADER_CEILING,
    });
    this.client.on('disconnect', () => this.#pool.forget(this));
  }

  get open(): boolean {
    return !this.#killed && this.#socket !== undefined && !this.#socket.destroyed;
  }

  /** bytes received so far */
  get bytesRead(): number {
    return this.#socket?.bytesRead ?? 0;
  }

  /** Closes the connection at once, also while it is being made. */
  kill(error: Error): void {
    if (this.#killed) return;
    this.#killed = true;
    this.#pool.forget(this);
    this.client.destroy(error, () => {});
    this.#socket?.destroy();
    for (const end of this.#parts) end();
  }

  /** Keeps the connection for the next request to the same origin. */
  release(): void {
    this.reused = true;
    this.#pool.keep(this);
  }

  #dial(connect: Connect, target: buildConnector.Options, done: buildConnector.Callback): void {
    this.reused = false;
    // undici's connectors return the socket at once, unlike their types
    const socket: unknown = connect(target, (...[error, made]) => {
      if (error !== null) return done(error, null);
      this.#socket = made;
      made.prependListener('error', renameReset);
      if (this.#killed) made.destroy();
      done(null, made);
    });
    if (isSocket(socket)) this.#socket = socket;
  }

  /** Registers a function that aborts a part of connecting; it is called when this connection is killed. */
  include(end: () => void): void {
    this.#parts.push(end);
    if (this.#killed) end();
  }
}

/** A pool of connections by origin, which keeps them for a while after use. */
export class Connections {
  readonly #options: ConnectionOptions;
  readonly #idle = new Map<string, Connection[]>();
  readonly #secure: Connect;
  readonly #insecure: Connect | undefined;
  readonly #throughSecure: Connect;
  readonly #throughInsecure: Connect;
  readonly #unchecked: PrivateHosts;
  #count = 0;
  #closed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#unchecked = parsePrivateHosts(options.insecureTls, '--insecure-tls');
    this.#secure = options.connector({ timeout: 0 });
    if (options.insecureTls.length > 0)
      this.#insecure = options.connector({ timeout: 0, rejectUnauthorized: false });
    this.#throughSecure = buildConnector({ timeout: 0 });
    this.#throughInsecure = buildConnector({ timeout: 0, rejectUnauthorized: false });
  }

  /** Returns a connection to the origin of a URL: an idle one, unless `fresh` is set. */
  take(url: URL, proxy: ProxyServer | undefined, fresh: boolean): Connection {
    const key = proxy === undefined ? url.origin : `${proxy.url.origin} ${url.origin}`;
    const idle = this.#idle.get(key);
    while (!fresh && idle !== undefined && idle.length > 0) {
      const connection = idle.at(-1)!;
      this.forget(connection);
      if (connection.open) return connection;
    }
    return this.#open(url, proxy, key);
  }

  keep(connection: Connection): void {
    if (this.#closed || !connection.open) return;
    const idle = this.#idle.get(connection.key);
    if (idle === undefined) this.#idle.set(connection.key, [connection]);
    else idle.push(connection);
    this.#count++;
    if (this.#count > this.#options.idle) this.#oldest()?.kill(new Error('too many idle connections'));
  }

  forget(connection: Connection): void {
    const idle = this.#idle.get(connection.key);
    const at = idle?.indexOf(connection) ?? -1;
    if (idle === undefined || at < 0) return;
    idle.splice(at, 1);
    this.#count--;
    if (idle.length === 0) this.#idle.delete(connection.key);
  }

  close(): void {
    this.#closed = true;
    for (const idle of [...this.#idle.values()])
      for (const connection of [...idle]) connection.kill(new Error('closed'));
  }

  #oldest(): Connection | undefined {
    for (const [first] of this.#idle.values()) return first;
    return undefined;
  }

  #open(url: URL, proxy: ProxyServer | undefined, key: string): Connection {
    const host = hostOf(url);
    const checked = host === undefined || !listsHost(this.#unchecked, host, portOf(url));
    if (proxy === undefined) {
      const connect = checked ? this.#secure : (this.#insecure ?? this.#secure);
      return new Connection(this, key, url.origin, connect);
    }
    if (url.protocol === 'http:') return new Connection(this, key, proxy.url.origin, connectProxy(proxy));
    const secure = checked ? this.#throughSecure : this.#throughInsecure;
    const connection: Connection = new Connection(
      this,
      key,
      url.origin,
      connectThrough(proxy, secure, (end) => connection.include(end)),
    );
    return connection;
  }
}

function isSocket(value: unknown): value is Socket {
  return typeof value === 'object' && value !== null && 'destroy' in value;
}

/**
 * undici takes a reset for the end of a response without length, and throws from its listener while paused; with
 * another code it does neither.
 */
function renameReset(error: NodeJS.ErrnoException): void {
  if (error.code === 'ECONNRESET') error.code = 'ECONNABORTED';
}
