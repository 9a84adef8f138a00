import type { Boundary, Narrowing, Scope } from '@rootbound/kit/boundary';
import { roots, type ScopeRequest, type Session } from '@rootbound/protocol';

/** Decides what each call may touch: the operator's roots, narrowed by those of the client that calls. */
export class Scopes {
  readonly #boundary: Boundary;
  readonly #narrowings = new WeakMap<Session, Narrowing>();
  /** for stateless calls that name no roots: it is never narrowed */
  readonly #unasked: Narrowing;

  constructor(boundary: Boundary) {
    this.#boundary = boundary;
    this.#unasked = boundary.narrowing();
  }

  /** Whether a stateless call has to ask the client for its roots. */
  get asks(): boolean {
    return this.#boundary.policy === 'strict' || !this.#boundary.hasOperatorRoots;
  }

  scopeOf({ facts, ask }: ScopeRequest): Scope | Promise<Scope> {
    const { session } = facts;
    if (session === undefined) return this.#statelessScope(facts, ask);
    let narrowing = this.#narrowings.get(session);
    if (narrowing === undefined) {
      narrowing = this.#boundary.narrowing();
      this.#narrowings.set(session, narrowing);
    }
    const known = session.clientRoots();
    if (!(known instanceof Promise)) return narrowing.scope(known);
    const waiting = narrowing;
    return known.then((clientRoots) => waiting.scope(clientRoots));
  }

  #statelessScope(facts: ScopeRequest['facts'], ask: ScopeRequest['ask']): Scope | Promise<Scope> {
    if (!this.asks || ask === undefined || facts.capabilities.roots === undefined) return this.#unasked.scope(undefined);
    // nothing is remembered between stateless calls, so each is narrowed on its own
    return ask({ client_roots: roots() }).then(({ client_roots: offered }) => this.#boundary.narrowing().scope(offered));
  }
}
