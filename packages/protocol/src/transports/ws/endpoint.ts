import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Authorizer, type Identity, isRefusal, refusalHeaders } from '../../auth/authorizer.ts';
import type { Server } from '../../server/server.ts';
import { Guard, type GuardOptions } from '../http/guard.ts';
import { type ConnectionLimits, type Limits, normaliseLimits, sweepInterval, Tenure } from '../limits.ts';
import { ownerOf, ownerOfPrincipal } from '../owner.ts';
import { Roster } from '../roster.ts';
import { acceptance, faultOf, type Refused, refusal } from './handshake.ts';
import { WebSocketSession } from './session.ts';
import { Wire } from './wire.ts';

/**
 * Where WebSockets come in, from whom, and within which bounds.
 * @example
 * const options: WebSocketOptions = { path: '/ws', pingInterval: 10_000, connectionCap: 100 };
 */
export interface WebSocketOptions extends ConnectionLimits, GuardOptions {
  /** where clients connect; default `/ws` */
  path?: string;
  /** of the HTTP server that it shares a port with; default one by the options beside this */
  guard?: Guard;
  /** decides who may connect, before the upgrade; default anybody */
  authorizer?: Authorizer;
  /** milliseconds between two pings, and in which a client must show a sign of life after one. Default 30,000 */
  pingInterval?: number;
}

/**
 * A place for WebSockets on an HTTP server of node:http or node:https.
 * @example
 * const endpoint: WebSocketEndpoint = webSocketEndpoint(server);
 * endpoint.connections; // => 0
 * await endpoint.close();
 */
export interface WebSocketEndpoint {
  /** Takes the request of an `upgrade` event if it is for its path; false leaves the socket to others. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** clients that are connected */
  readonly connections: number;
  /** Takes no further clients, lets requests in progress answer for up to `grace` milliseconds (default 5,000), and closes. */
  close(grace?: number): Promise<void>;
}

export const DEFAULT_PATH = '/ws';
const DEFAULT_PING_INTERVAL_MS = 30_000;
const CLOSE_GRACE_MS = 5000;
/** How long a client that was refused may take to read why. */
const REFUSAL_GRACE_MS = 2000;

/**
 * Serves clients over WebSocket on an HTTP server that exists already: a connection is a session, a text message is
 * one JSON-RPC message, and the subprotocol is `mcp`. Messages are never compressed.
 * @example
 * const endpoint = webSocketEndpoint(server);
 * const { listener, close } = await serveHttp(server, { port: 0 });
 * listener.on('upgrade', (request, socket, head) => endpoint.upgrade(request, socket, head) || socket.destroy());
 * await endpoint.close();
 * await close();
 */
export function webSocketEndpoint<S>(server: Server<S>, options: WebSocketOptions = {}): WebSocketEndpoint {
  return new Endpoint(server, options);
}

class Endpoint<S> implements WebSocketEndpoint {
  readonly #server: Server<S>;
  readonly #path: string;
  readonly #guard: Guard;
  readonly #authorizer: Authorizer | undefined;
  readonly #limits: Limits;
  readonly #pingInterval: number;
  readonly #roster: Roster;

  constructor(server: Server<S>, options: WebSocketOptions) {
    const { path = DEFAULT_PATH, authorizer, pingInterval = DEFAULT_PING_INTERVAL_MS } = options;
    this.#server = server;
    this.#path = path;
    this.#guard = options.guard ?? new Guard(options);
    this.#authorizer = authorizer;
    this.#limits = normaliseLimits(options);
    this.#pingInterval = pingInterval;
    const every = Math.min(sweepInterval(this.#limits), pingInterval);
    this.#roster = new Roster({
      most: this.#limits.connectionCap,
      each: this.#limits.connectionShare,
      every,
    });
  }

  get connections(): number {
    return this.#roster.size;
  }

  upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): boolean {
    const [path = ''] = (request.url ?? '').split('?');
    if (path !== this.#path) return false;
    const socket = duplex as Socket; // holds: node:http gives the connection itself, which TLS extends
    socket.on('error', () => {
      // a connection that broke is closed next, which says enough
    });
    if (this.#roster.reserve() !== undefined) {
      const message = this.#roster.ending
        ? 'the server is shutting down'
        : 'the server has as many connections as it takes; try again later';
      turnAway(socket, { status: 503, message, headers: { 'Retry-After': '5' } });
      return true;
    }
    this.#admit(request, socket, head).catch((error: unknown) => {
      this.#server.report(error);
      this.#roster.free();
      turnAway(socket, { status: 500, message: 'the server has a fault' });
    });
    return true;
  }

  async close(grace = CLOSE_GRACE_MS): Promise<void> {
    await this.#roster.end(grace);
  }

  async #admit(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const outcome = await this.#decide(request);
    if (outcome !== undefined && 'status' in outcome) {
      this.#roster.free();
      turnAway(socket, outcome);
      return;
    }
    // the place was taken before anybody was known
    this.#roster.free();
    if (socket.destroyed || this.#roster.ending) {
      socket.destroy();
      return;
    }
    const owner = outcome === undefined ? ownerOf(socket.remoteAddress) : ownerOfPrincipal(outcome.principal);
    if (this.#roster.reserve(owner) !== undefined) {
      const message = `too many connections of yours, ${this.#limits.connectionShare} is the most; close one first`;
      turnAway(socket, { status: 429, message, headers: { 'Retry-After': '1' } });
      return;
    }
    socket.write(acceptance(request));
    socket.setNoDelay(true);
    this.#begin(socket, head, { identity: outcome, owner });
  }

  #begin(
    socket: Socket,
    head: Buffer,
    { identity, owner }: { identity: Identity | undefined; owner: string | undefined },
  ): void {
    const { messageLimit, stallTimeout } = this.#limits;
    const wire = new Wire(socket, head, {
      role: 'server',
      messageLimit,
      stallTimeout,
      pingInterval: this.#pingInterval,
    });
    const session = new WebSocketSession({
      server: this.#server,
      wire,
      tenure: new Tenure(this.#limits),
      identity,
      permit: this.#authorizer?.permit?.bind(this.#authorizer),
    });
    this.#roster.add(session, owner);
    socket.once('close', () => this.#roster.delete(session));
  }

  /** Who may come in, or why nobody does; undefined when nobody is asked who they are. */
  async #decide(request: IncomingMessage): Promise<Identity | Refused | undefined> {
    const header = (name: string): string | undefined => {
      const value = request.headers[name];
      return typeof value === 'object' ? value.join(', ') : value;
    };
    const unwanted = this.#guard.refusal({ header });
    if (unwanted !== undefined) return { status: 403, message: unwanted };
    const outcome = await this.#authorizer?.authorize({
      method: request.method ?? '',
      path: this.#path,
      header,
    });
    if (outcome !== undefined && isRefusal(outcome)) {
      const { status, message } = outcome;
      return { status, message, headers: refusalHeaders(outcome) };
    }
    return faultOf(request) ?? outcome;
  }
}

/** Answers an upgrade that is not made, and closes. */
export function turnAway(socket: Socket, refused: Refused): void {
  socket.end(refusal(refused));
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), REFUSAL_GRACE_MS);
  socket.once('close', () => clearTimeout(timer));
}
