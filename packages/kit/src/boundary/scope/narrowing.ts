import { parse } from 'node:path';
import { Denial } from '../deny/deny.ts';
import { pathOfUri } from '../names/root-uris.ts';
import { LiveRoot } from './roots.ts';
import { type Containment, isInside, type Root, Scope } from './scope.ts';

/** The effect of a connection's client roots on the operator's: narrow once they overlap, always narrow, or none. */
export type ClientRootsPolicy = 'narrow' | 'strict' | 'ignore';

/** A root as a client offers it. */
export interface ClientRoot {
  uri: string;
  name?: string | undefined;
}

/** The operator's side, as a narrowing needs it. */
export interface Ceiling {
  readonly containment: Containment;
  readonly policy: ClientRootsPolicy;
  readonly hasOperatorRoots: boolean;
  readonly readOnly: boolean;
  readonly deny: readonly string[];
  /** every root the operator named, as given, whether it exists or not */
  readonly operatorPaths: readonly string[];
  /** those that exist now; the same array while nothing changed */
  operatorRoots(): readonly Root[];
}

interface Decision {
  roots: readonly Root[];
  reason: string;
}

/** The narrowing of the operator's roots by one connection's client roots so far. */
export class Narrowing {
  readonly #ceiling: Ceiling;
  readonly #asked: boolean;
  #narrowed = false;
  #offered: readonly ClientRoot[] | undefined;
  #client: readonly LiveRoot[] = [];
  #last: { operator: readonly Root[]; client: readonly (Root | undefined)[]; scope: Scope } | undefined;

  /** `asked` is whether a client that offers roots is asked for them. */
  constructor(ceiling: Ceiling, asked: boolean) {
    this.#ceiling = ceiling;
    this.#asked = asked;
  }

  /** The scope of the next call; `clientRoots` is what the client offers now, undefined when it offers no roots. */
  scope(clientRoots: readonly ClientRoot[] | undefined): Scope {
    const ceiling = this.#ceiling;
    this.#take(ceiling.policy === 'ignore' ? undefined : clientRoots);
    const operator = ceiling.operatorRoots();
    const reach = ceiling.hasOperatorRoots ? operator.map((root) => root.real) : realsOf(this.#client);
    const client = this.#client.map((root) => root.current(reach));
    const last = this.#last;
    if (last !== undefined && last.operator === operator && sameRoots(last.client, client)) return last.scope;
    const { containment, deny } = ceiling;
    const anchors = this.#anchors(operator, client);
    const denial = new Denial(deny, anchors);
    // a root that the client names inside something denied is as good as missing; the operator's own are not
    const allowed = client.map((root) => (root !== undefined && denial.hides(root.real) ? undefined : root));
    if (!ceiling.hasOperatorRoots) anchors.push(...allowed.flatMap((root) => root?.real ?? []));
    const scope = new Scope({ ...this.#decide(operator, allowed), containment, deny, anchors });
    this.#last = { operator, client, scope };
    return scope;
  }

  #take(clientRoots: readonly ClientRoot[] | undefined): void {
    if (this.#last !== undefined && sameOffer(this.#offered, clientRoots)) return;
    const kept = new Map(this.#client.map((root) => [`${root.path}\0${root.name}`, root]));
    this.#offered = clientRoots?.map(({ uri, name }) => ({ uri, name }));
    this.#client = (clientRoots ?? []).flatMap(({ uri, name }) => {
      const path = pathOfUri(uri);
      if (path === undefined) return [];
      const fresh = new LiveRoot({ path, readOnly: this.#ceiling.readOnly, ...(name ? { name } : {}) });
      return [kept.get(`${fresh.path}\0${fresh.name}`) ?? fresh];
    });
    this.#last = undefined;
  }

  /** Where the patterns of the deny list begin: at the operator's roots, however a client narrows them. */
  #anchors(operator: readonly Root[], client: readonly (Root | undefined)[]): string[] {
    if (this.#ceiling.hasOperatorRoots) return operator.map((root) => root.real);
    // every folder on the way to a client's root counts
    return client.flatMap((root) => (root === undefined ? [] : parse(root.real).root));
  }

  #decide(operator: readonly Root[], client: readonly (Root | undefined)[]): Decision {
    const { policy, hasOperatorRoots } = this.#ceiling;
    if (policy === 'ignore') return ignoring(operator, hasOperatorRoots);
    if (!hasOperatorRoots) return this.#clientAlone(client);
    const roots = overlapOf(operator, client);
    if (roots.length > 0 || this.#touches(operator, client)) this.#narrowed = true;
    if (roots.length > 0) return { roots, reason: "the client's roots narrow the operator's roots" };
    const why = this.#whyNoOverlap();
    if (policy === 'strict') return { roots, reason: `${why}, and only what both name is allowed` };
    if (this.#narrowed)
      return { roots, reason: `${why}, and they have narrowed the operator's roots before` };
    if (operator.length === 0) return { roots, reason: "none of the operator's roots exists now" };
    return { roots: operator, reason: `${why}, so the operator's roots apply` };
  }

  #clientAlone(client: readonly (Root | undefined)[]): Decision {
    const roots = distinct(client.filter((root) => root !== undefined));
    if (roots.length > 0) return { roots, reason: "the operator named no root, so the client's roots apply" };
    const why =
      this.#offered === undefined
        ? 'the client offers no roots'
        : this.#offered.length === 0
          ? 'the client offers an empty list of roots'
          : "none of the client's roots is a folder that exists";
    return { roots, reason: `the operator named no root and ${why}` };
  }

  /** A root that is missing now overlaps by name: it must not let the connection keep more than it asked for. */
  #touches(operator: readonly Root[], client: readonly (Root | undefined)[]): boolean {
    const named = [...this.#ceiling.operatorPaths, ...operator.map((root) => root.real)];
    const absent = this.#ceiling.operatorPaths.filter((path) => !operator.some((root) => root.path === path));
    return this.#client.some((root, index) => {
      const others = client[index] === undefined ? named : absent;
      return others.some((other) => isInside(root.path, other) || isInside(other, root.path));
    });
  }

  #whyNoOverlap(): string {
    if (this.#offered === undefined)
      return this.#asked ? 'the client offers no roots' : 'the client is not asked for roots here';
    if (this.#offered.length === 0) return 'the client offers an empty list of roots';
    return "the client's roots are elsewhere";
  }
}

function ignoring(operator: readonly Root[], named: boolean): Decision {
  if (!named) return { roots: operator, reason: 'the operator named no root and client roots are ignored' };
  if (operator.length === 0) return { roots: operator, reason: "none of the operator's roots exists now" };
  return { roots: operator, reason: "client roots are ignored, so the operator's roots apply" };
}

function overlapOf(operator: readonly Root[], client: readonly (Root | undefined)[]): readonly Root[] {
  const found: Root[] = [];
  for (const own of client) {
    if (own === undefined) continue;
    const holders = operator.filter((root) => isInside(own.real, root.real));
    if (holders.length > 0) {
      const closest = holders.reduce((a, b) => (b.real.length > a.real.length ? b : a));
      found.push(Object.freeze({ ...own, readOnly: closest.readOnly }));
    }
    // also below a root that holds the client's, so that a read-only root inside stays read-only
    for (const root of operator)
      if (root.real !== own.real && isInside(root.real, own.real)) found.push(root);
  }
  return distinct(found);
}

/** One root per real folder, in order; read-only wins. */
export function distinct(roots: readonly Root[]): readonly Root[] {
  const byReal = new Map<string, Root>();
  for (const root of roots) {
    const seen = byReal.get(root.real);
    if (seen === undefined) byReal.set(root.real, root);
    else if (root.readOnly && !seen.readOnly)
      byReal.set(root.real, Object.freeze({ ...seen, readOnly: true }));
  }
  return [...byReal.values()];
}

function realsOf(roots: readonly LiveRoot[]): string[] {
  return roots.flatMap((root) => root.real ?? []);
}

function sameRoots(a: readonly (Root | undefined)[], b: readonly (Root | undefined)[]): boolean {
  return a.length === b.length && a.every((root, index) => root === b[index]);
}

function sameOffer(a: readonly ClientRoot[] | undefined, b: readonly ClientRoot[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.length === b.length &&
    a.every((root, index) => root.uri === b[index]!.uri && root.name === b[index]!.name)
  );
}
