import { type Authorizer, type Identity, requestsOf } from '../../auth/authorizer.ts';
import { boundsFault } from '../../jsonrpc/bounds.ts';
import { type Classified, classify, type Id } from '../../jsonrpc/message.ts';
import { failureText } from '../../jsonrpc/text.ts';
import { rpcError } from '../../protocol/errors.ts';
import { ServerConnection } from '../../server/connection.ts';
import type { Server } from '../../server/server.ts';
import { Intake } from '../intake.ts';
import type { ConnectionTimeouts } from '../limits.ts';
import type { Member } from '../roster.ts';
import { closeCodes } from './codes.ts';
import type { Wire } from './wire.ts';

export interface SessionOptions<S> {
  server: Server<S>;
  wire: Wire;
  timeouts: ConnectionTimeouts;
  /** undefined without authorization */
  identity: Identity | undefined;
  /** checks the permissions of the identity; undefined allows everything */
  permit: Authorizer['permit'];
}

/** One client on one WebSocket: the connection is the session. */
export class WebSocketSession<S> implements Member {
  readonly #server: Server<S>;
  readonly #wire: Wire;
  readonly #timeouts: ConnectionTimeouts;
  readonly #identity: Identity | undefined;
  readonly #permit: Authorizer['permit'];
  readonly #connection: ServerConnection<S>;

  constructor({ server, wire, timeouts, identity, permit }: SessionOptions<S>) {
    this.#server = server;
    this.#wire = wire;
    this.#timeouts = timeouts;
    this.#identity = identity;
    this.#permit = permit;
    const congested = () => wire.congested;
    this.#connection = new ServerConnection(server, {
      write: (text) => wire.send(text),
      congested,
      held: congested,
      ...(identity !== undefined && { principal: identity.principal }),
    });
    const intake = new Intake(congested);
    wire.start({
      message: (text) => {
        timeouts.received();
        intake.take(() => this.#serve(text));
      },
      drained: () => {
        intake.release();
        if (!intake.holding) this.#connection.drained();
      },
      closed: (reason) => this.#connection.close(reason),
    });
  }

  tick(): void {
    const reason = this.#timeouts.expired(this.#connection.busy);
    if (this.#expired)
      this.#close(closeCodes.PolicyViolation, 'the token has expired; connect with a new one');
    else if (reason !== undefined) this.#close(closeCodes.PolicyViolation, reason);
    else this.#wire.tick();
  }

  async drain(): Promise<void> {
    await this.#connection.drain();
    const reason = 'the server is shutting down';
    this.#connection.close(reason);
    await this.#wire.close(closeCodes.GoingAway, reason);
  }

  destroy(): void {
    this.#wire.destroy();
  }

  get #expired(): boolean {
    const expiresAt = this.#identity?.expiresAt;
    return expiresAt !== undefined && Date.now() / 1000 >= expiresAt;
  }

  #close(code: (typeof closeCodes)['PolicyViolation'], reason: string): void {
    this.#connection.close(reason);
    void this.#wire.close(code, reason);
  }

  #serve(text: string): void {
    if (this.#expired) {
      this.#close(closeCodes.PolicyViolation, 'the token has expired; connect with a new one');
      return;
    }
    try {
      if (this.#permit === undefined || this.#identity === undefined) this.#connection.receive(text);
      else this.#receivePermitted(text, this.#identity);
    } catch (error) {
      this.#server.report(error);
      this.#wire.fail(closeCodes.InternalError, 'internal server error');
    }
  }

  /** Serves a message if the identity may send each request in it. */
  #receivePermitted(text: string, identity: Identity): void {
    if (boundsFault(text) !== undefined) {
      this.#connection.receive(text);
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // the connection reports the fault in the form of the revision
      this.#connection.receive(text);
      return;
    }
    const refused = this.#permit?.(identity, requestsOf(value))?.message;
    if (refused === undefined) {
      this.#connection.accept(value, { respond: (answer) => this.#wire.send(answer) });
      return;
    }
    const parts = (Array.isArray(value) ? value : [value]).map((part: unknown) => classify(part));
    // over HTTP the whole POST would get a 403; here each request of the message gets its own error
    const failures = parts.flatMap((part) => {
      const id = idOf(part);
      return id === undefined
        ? []
        : [failureText(id, { code: rpcError('InvalidRequest').code, message: refused })];
    });
    if (failures.length > 0)
      this.#wire.send(Array.isArray(value) ? `[${failures.join(',')}]` : failures.join(''));
  }
}

function idOf(part: Classified): Id | undefined {
  if (part.kind === 'request') return part.message.id;
  return part.kind === 'malformed' ? part.id : undefined;
}
