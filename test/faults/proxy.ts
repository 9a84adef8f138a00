import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';

/** The fault of a connection after its number of bytes. */
export type Ending =
  /** both sides get a reset */
  | 'reset'
  /** both sides get an ordinary end */
  | 'end'
  /** nothing passes in either direction, without a notice */
  | 'stall'
  /** the client gets an end, and its data still passes */
  | 'half';

/** A fault that hits one connection: the next one over which the client sends data, unless selected. */
export interface Fault {
  /** `down`: bytes of the server are counted; `up`: those of the client, from the selecting data on */
  way: 'up' | 'down';
  /** number of bytes that pass before */
  after: number;
  ending: Ending;
  /** selects the connection by text that the client sends */
  marker?: string;
  /** selects an open connection by the last text of its client, such as a pending request */
  last?: string;
}

/** An armed fault. */
export interface Armed extends Fault {
  /** the selected connection */
  on: Connection | undefined;
  left: number;
  struck: boolean;
  /** resolves after the fault */
  readonly strikes: Promise<void>;
  strike(): void;
  /** the data before the fault, one character per byte */
  passed: string;
}

/** An address for node:net. */
export type Place = { port: number; host: string } | { path: string };

/** Maximum length of a marker that may be split between chunks, in bytes. */
const OVERLAP = 64;

/** A proxy between clients and a server with faults on demand. */
export class FaultProxy {
  readonly #listener: Server;
  readonly #to: () => Place;
  readonly connections = new Set<Connection>();
  /** whether every byte is passed by itself */
  dribbles = false;
  /** directions that are stalled on all connections */
  readonly #stalled = new Set<Fault['way']>();
  #waiting: (() => void)[] = [];
  /** the armed fault */
  fault: Armed | undefined;
  /** bytes from servers over all connections */
  down = 0;
  /** bytes from clients over all connections */
  up = 0;

  constructor(to: () => Place) {
    this.#to = to;
    this.#listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
      const connection = new Connection(
        this,
        client,
        dial({ ...this.#to(), allowHalfOpen: true, noDelay: true }),
      );
      this.connections.add(connection);
      void connection.over.then(() => this.connections.delete(connection));
    });
  }

  /** Listens at a path, or on a free port. */
  async listen(at: { path: string } | undefined): Promise<Place> {
    await new Promise<void>((resolve) =>
      this.#listener.listen(at ?? { port: 0, host: '127.0.0.1' }, resolve),
    );
    return at ?? { port: (this.#listener.address() as AddressInfo).port, host: '127.0.0.1' }; // no path
  }

  /** Arms a fault. */
  arm(fault: Fault): Armed {
    const { last, after } = fault;
    const on = last === undefined ? undefined : this.newest(last);
    if (last !== undefined && on === undefined)
      throw new Error(`no connection waits for an answer to ${last}`);
    let strike: () => void = () => {};
    const strikes = new Promise<void>((resolve) => {
      strike = resolve;
    });
    this.fault = { ...fault, on, left: after, struck: false, strikes, strike, passed: '' };
    return this.fault;
  }

  /** Returns the newest open connection by its client's last text; an older one may not be closed yet. */
  newest(text: string): Connection | undefined {
    return [...this.connections].findLast(({ last }) => last.includes(text));
  }

  disarm(): void {
    this.fault = undefined;
  }

  /** Stalls these directions on existing and later connections. */
  stall(...directions: Fault['way'][]): void {
    for (const way of directions) this.#stalled.add(way);
  }

  /** Resumes all stalled directions. */
  resume(): void {
    this.#stalled.clear();
    for (const connection of this.connections) connection.stalled = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves when a direction is not stalled. */
  async pass(connection: Connection, way: Fault['way']): Promise<void> {
    while (this.#stalled.has(way) || connection.stalled)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Disconnects every client; with `silently` the server is not notified, and its data is no longer read. */
  cut(silently = false): void {
    for (const connection of [...this.connections]) {
      if (silently) connection.vanish();
      else connection.break('reset');
    }
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#listener.close(() => resolve()));
    for (const connection of this.connections) connection.break('reset');
    await closed;
  }
}

/** One client connection and its connection to the server. */
export class Connection {
  readonly #proxy: FaultProxy;
  readonly #client: Socket;
  readonly #server: Socket;
  /** resolves when both are closed */
  readonly over: Promise<void>;
  /** the client's last text */
  last = '';
  /** whether both directions are stalled, and a closed end is not passed on */
  stalled = false;
  /** whether the client has disconnected without a notice to the server */
  #vanished = false;

  constructor(proxy: FaultProxy, client: Socket, server: Socket) {
    this.#proxy = proxy;
    this.#client = client;
    this.#server = server;
    const ends = [client, server].map((end) => {
      end.on('error', () => {
        // the other end is closed below
      });
      return new Promise<void>((resolve) => end.once('close', () => resolve()));
    });
    this.over = Promise.all(ends).then(() => {});
    client.once('close', () => void (this.stalled || destroy(server, client.errored !== null)));
    server.once('close', () => void (this.stalled || destroy(client, server.errored !== null)));
    void this.#pass(client, server, 'up');
    void this.#pass(server, client, 'down');
  }

  break(ending: 'reset' | 'end'): void {
    for (const end of [this.#client, this.#server]) {
      if (ending === 'reset') destroy(end, true);
      else {
        end.end();
        end.destroySoon();
      }
    }
  }

  /** Disconnects the client without a notice to the server. */
  vanish(): void {
    this.#vanished = true;
    this.stalled = true;
    this.#client.destroy();
  }

  async #pass(from: Socket, to: Socket, way: Fault['way']): Promise<void> {
    try {
      for await (const chunk of from.iterator({ destroyOnReturn: false })) {
        await this.#proxy.pass(this, way);
        if (way === 'up') this.#notice(chunk as Buffer);
        await this.#forward(chunk as Buffer, to, way);
      }
      await this.#proxy.pass(this, way);
      to.end();
    } catch {
      // a closed end closes the other one, once it is not stalled
      await this.#proxy.pass(this, way);
      if (!this.#vanished) destroy(to, true);
    }
  }

  /** Selects this connection for the armed fault if it matches. */
  #notice(chunk: Buffer): void {
    const { fault } = this.#proxy;
    const text = chunk.toString('latin1');
    const isMarked = fault?.marker === undefined || (this.last.slice(-OVERLAP) + text).includes(fault.marker);
    this.last = text;
    if (fault !== undefined && fault.on === undefined && isMarked) fault.on = this;
  }

  async #forward(chunk: Buffer, to: Socket, way: Fault['way']): Promise<void> {
    this.#proxy[way] += chunk.length;
    const { fault } = this.#proxy;
    const counts = fault !== undefined && fault.on === this && fault.way === way && !fault.struck;
    const bytes = counts ? chunk.subarray(0, fault.left) : chunk;
    if (bytes.length > 0) await this.#write(bytes, to);
    if (!counts) return;
    fault.left -= bytes.length;
    fault.passed += bytes.toString('latin1');
    if (fault.left > 0) return;
    // if the fault was disarmed meanwhile, nothing would resume the stalled data
    const strikes = this.#proxy.fault === fault;
    if (strikes) this.#strike(fault);
    if (strikes && fault.ending !== 'stall') return;
    // data after a stall is delayed, not lost
    await this.#proxy.pass(this, way);
    await this.#write(chunk.subarray(bytes.length), to);
  }

  async #write(bytes: Buffer, to: Socket): Promise<void> {
    if (!this.#proxy.dribbles) {
      await written(to, bytes);
      return;
    }
    for (let at = 0; at < bytes.length; at++) {
      await written(to, bytes.subarray(at, at + 1));
      // so that the effect of each byte can be read before the next one
      await new Promise(setImmediate);
    }
  }

  #strike(fault: Armed): void {
    fault.struck = true;
    fault.strike();
    if (fault.ending === 'stall') this.stalled = true;
    else if (fault.ending === 'half') this.#client.end();
    else this.break(fault.ending);
  }
}

function written(to: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    to.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

function destroy(end: Socket, broken: boolean): void {
  // a Unix socket has no reset
  if (broken && end.remotePort !== undefined) end.resetAndDestroy();
  else end.destroy();
}
