import type { Ask, ScopeRequest, Session } from '@rootbound/protocol';
import type { Boundary } from '../boundary/boundary.ts';
import type { Narrowing } from '../boundary/scope/narrowing.ts';
import type { Root, Scope } from '../boundary/scope/scope.ts';

type ClientRootList = Parameters<Narrowing['scope']>[0];

/** Decides which paths each call may use: the operator's roots, narrowed by those of the calling client. */
export class Scopes {
  readonly #boundary: Boundary;
  readonly #narrowings = new WeakMap<Session, Narrowing>();
  /** for stateless calls of clients that offer no roots, and of those that are not asked: neither is ever narrowed */
  readonly #rootless: Narrowing;
  readonly #unasked: Narrowing;
  /** the scope that the calls of one chunk of input share: they are served without a pause in between */
  #recent: { narrowing: Narrowing; known: ClientRootList; scope: Scope } | undefined;
  readonly #forgetRecent = (): void => {
    this.#recent = undefined;
  };

  readonly #rootsChanged: () => void;
  #operatorRoots: readonly Root[];

  /** `rootsChanged` is called when a call has found other operator's roots than the call before. */
  constructor(boundary: Boundary, rootsChanged: () => void) {
    this.#boundary = boundary;
    this.#rootless = boundary.narrowing();
    this.#unasked = boundary.narrowing({ asked: false });
    this.#rootsChanged = rootsChanged;
    this.#operatorRoots = boundary.operatorRoots();
  }

  /** Checks the operator's roots now: whether one has appeared or vanished. */
  lookAtRoots(): void {
    const roots = this.#boundary.operatorRoots();
    if (roots === this.#operatorRoots) return;
    this.#operatorRoots = roots;
    this.#rootsChanged();
  }

  /** Returns whether a stateless call must ask the client for its roots. */
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
    if (!(known instanceof Promise)) return this.#sharedScope(narrowing, known);
    const waiting = narrowing;
    return known.then((clientRoots) => waiting.scope(clientRoots));
  }

  /** checks the roots once for all calls of one chunk */
  #sharedScope(narrowing: Narrowing, known: ClientRootList): Scope {
    const recent = this.#recent;
    if (recent !== undefined && recent.narrowing === narrowing && recent.known === known) return recent.scope;
    const scope = narrowing.scope(known);
    this.lookAtRoots();
    // a whole round trip within one process can end before an immediate, but not before this
    if (recent === undefined) queueMicrotask(this.#forgetRecent);
    this.#recent = { narrowing, known, scope };
    return scope;
  }

  /** Returns the scope for lists, completion and subscriptions, which cannot ask a stateless client. */
  #operatorScope(): Scope {
    this.lookAtRoots();
    return this.#boundary.operatorScope();
  }

  #statelessScope(facts: ScopeRequest['facts'], ask: ScopeRequest['ask']): Scope | Promise<Scope> {
    if (ask === undefined) return this.#operatorScope();
    if (facts.capabilities.roots === undefined) return this.#sharedScope(this.#rootless, undefined);
    if (!this.asks) return this.#sharedScope(this.#unasked, undefined);
    // nothing is remembered between stateless calls, so each is narrowed on its own
    return this.#askedScope(ask);
  }

  async #askedScope(ask: Ask): Promise<Scope> {
    const { roots } = await import('./questions.ts');
    const { client_roots: offered } = await ask({ client_roots: roots() });
    return this.#boundary.narrowing().scope(offered);
  }
}
