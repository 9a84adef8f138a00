import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';

/** What happens to a connection once its bytes are up. */
export type Ending =
  /** both sides hear a reset */
  | 'reset'
  /** both sides hear an ordinary end */
  | 'end'
  /** nothing passes any more in either direction, and nobody hears of it */
  | 'stall'
  /** the client hears an end, and its words still pass */
  | 'half';

/** A fault that strikes one connection: the next one over which the client says something, unless it says which. */
export interface Fault {
  /** `down`: bytes of the server count; `up`: those of the client, from the piece on that the fault waits for */
  way: 'up' | 'down';
  /** how many bytes pass before it strikes */
  after: number;
  ending: Ending;
  /** text that the client says */
  marker?: string;
  /** text of the last words on a connection that is open already, such as the request whose answer still comes */
  last?: string;
}

/** A fault that waits for its connection. */
export interface Armed extends Fault {
  /** the connection whose bytes it counts */
  on: Connection | undefined;
  left: number;
  struck: boolean;
  /** resolves when it has struck */
  readonly strikes: Promise<void>;
  strike(): void;
  /** what passed before it struck, a character for each byte */
  passed: string;
}

/** A place of node:net. */
export type Place = { port: number; host: string } | { path: string };

/** Bytes that a marker may be split over. */
const OVERLAP = 64;

/** Passes bytes between clients and a server, and breaks them off on demand. */
export class FaultProxy {
  readonly #listener: Server;
  readonly #to: () => Place;
  readonly connections = new Set<Connection>();
  /** passes every byte by itself */
  dribbles = false;
  /** the directions in which nothing passes, on whatever connection */
  readonly #stalled = new Set<Fault['way']>();
  #waiting: (() => void)[] = [];
  /** the fault that waits, or that counts */
  fault: Armed | undefined;
  /** bytes that servers said in answer to the client, over all connections */
  down = 0;
  /** bytes that clients said */
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

  /** Lets a fault wait for its connection. */
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

  /** The newest open connection by what its client said last: one of before may not have closed on both sides yet. */
  newest(text: string): Connection | undefined {
    return [...this.connections].findLast(({ last }) => last.includes(text));
  }

  disarm(): void {
    this.fault = undefined;
  }

  /** Passes nothing in these directions, on connections of before and of later. */
  stall(...directions: Fault['way'][]): void {
    for (const way of directions) this.#stalled.add(way);
  }

  /** Passes everything again that waits. */
  resume(): void {
    this.#stalled.clear();
    for (const connection of this.connections) connection.stalled = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves when words may pass. */
  async pass(connection: Connection, way: Fault['way']): Promise<void> {
    while (this.#stalled.has(way) || connection.stalled)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Takes every client away; with `silently` the server does not hear of it, and its words are no longer read. */
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

/** One client and the server's end that belongs to it. */
export class Connection {
  readonly #proxy: FaultProxy;
  readonly #client: Socket;
  readonly #server: Socket;
  /** resolves when both ends are gone */
  readonly over: Promise<void>;
  /** the last words of the client */
  last = '';
  /** nothing passes in either direction, and an end that is lost is not told to the other */
  stalled = false;
  /** the client has gone without a word, and the server is never told */
  #vanished = false;

  constructor(proxy: FaultProxy, client: Socket, server: Socket) {
    this.#proxy = proxy;
    this.#client = client;
    this.#server = server;
    const ends = [client, server].map((end) => {
      end.on('error', () => {
        // whoever broke off, the other end hears of it below
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

  /** Takes the client away without a word to the server. */
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
      // an end that broke off takes the other one with it, as soon as that may be heard
      await this.#proxy.pass(this, way);
      if (!this.#vanished) destroy(to, true);
    }
  }

  /** Takes the fault that waits, if it waits for this. */
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
    // it may have been disarmed meanwhile, and then nobody resumes what it stalls
    const strikes = this.#proxy.fault === fault;
    if (strikes) this.#strike(fault);
    if (strikes && fault.ending !== 'stall') return;
    // what is behind a stall is late, not lost
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
      // so that what it comes to can be read before the next one comes
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
  // a socket of a path knows no reset
  if (broken && end.remotePort !== undefined) end.resetAndDestroy();
  else end.destroy();
}
