import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Authorizer, type Identity, isRefusal, refusalHeaders } from '../../auth/authorizer.ts';
import type { Server } from '../../server/server.ts';
import { Guard, type GuardOptions } from '../http/guard.ts';
import {
  type ConnectionLimits,
  ConnectionTimeouts,
  type Limits,
  normaliseLimits,
  sweepInterval,
} from '../limits.ts';
import { ownerOf, ownerOfPrincipal } from '../owner.ts';
import { Roster } from '../roster.ts';
import { acceptance, faultOf, type Refused, refusal } from './handshake.ts';
import { WebSocketSession } from './session.ts';
import { Wire } from './wire.ts';

/**
 * Options of a WebSocket endpoint.
 * @example
 * const options: WebSocketOptions = { path: '/ws', pingInterval: 10_000, connectionCap: 100 };
 */
export interface WebSocketOptions extends ConnectionLimits, GuardOptions {
  /** path on which clients connect; default `/ws` */
  path?: string;
  /** the guard of the HTTP server whose port it shares; default one with these options */
  guard?: Guard;
  /** authorizes clients before the upgrade; default none */
  authorizer?: Authorizer;
  /** milliseconds between two pings, and in which a client must send something after one; default 30,000 */
  pingInterval?: number;
}

/**
 * A WebSocket endpoint on an HTTP server of node:http or node:https.
 * @example
 * const endpoint: WebSocketEndpoint = webSocketEndpoint(server);
 * endpoint.connections; // => 0
 * await endpoint.close();
 */
export interface WebSocketEndpoint {
  /** Handles an `upgrade` event for its path; returns false for other paths. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** number of connected clients */
  readonly connections: number;
  /**
   * Accepts no more clients, waits up to `grace` milliseconds (default 5,000) for requests in progress, and
   * closes.
   */
  close(grace?: number): Promise<void>;
}

export const DEFAULT_PATH = '/ws';
const DEFAULT_PING_INTERVAL_MS = 30_000;
const CLOSE_GRACE_MS = 5000;
/** The longest time for a refused client to read the response, in milliseconds. */
const REFUSAL_GRACE_MS = 2000;

/**
 * Returns an endpoint that serves clients over WebSocket on an existing HTTP server: a connection is a
 * session, a text message is one JSON-RPC message, and the subprotocol is `mcp`. Messages are never
 * compressed.
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
    const socket = duplex as Socket; // node:http passes the socket, of which TLS sockets are a subclass
    socket.on('error', () => {
      // the close event follows
    });
    if (this.#roster.reserve() !== undefined) {
      const message = this.#roster.ending
        ? 'the server is shutting down'
        : 'the server has reached its limit of connections; try again later';
      refuseUpgrade(socket, { status: 503, message, headers: { 'Retry-After': '5' } });
      return true;
    }
    this.#admit(request, socket, head).catch((error: unknown) => {
      this.#server.report(error);
      this.#roster.free();
      refuseUpgrade(socket, { status: 500, message: 'internal server error' });
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
      refuseUpgrade(socket, outcome);
      return;
    }
    // the slot was reserved before the owner was known
    this.#roster.free();
    if (socket.destroyed || this.#roster.ending) {
      socket.destroy();
      return;
    }
    const owner = outcome === undefined ? ownerOf(socket.remoteAddress) : ownerOfPrincipal(outcome.principal);
    if (this.#roster.reserve(owner) !== undefined) {
      const message = `too many connections of yours, at most ${this.#limits.connectionShare}; close one first`;
      refuseUpgrade(socket, { status: 429, message, headers: { 'Retry-After': '1' } });
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
      timeouts: new ConnectionTimeouts(this.#limits),
      identity,
      permit: this.#authorizer?.permit?.bind(this.#authorizer),
    });
    this.#roster.add(session, owner);
    socket.once('close', () => this.#roster.delete(session));
  }

  /** Returns the identity or the refusal of a request; undefined without an authorizer. */
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

/** Refuses an upgrade and closes the connection. */
export function refuseUpgrade(socket: Socket, refused: Refused): void {
  socket.end(refusal(refused));
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), REFUSAL_GRACE_MS);
  socket.once('close', () => clearTimeout(timer));
}
