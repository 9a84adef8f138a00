import { type Ceiling, type ClientRootsPolicy, distinct, Narrowing } from './scope/narrowing.ts';
import { LiveRoot, type RootSpec } from './scope/roots.ts';
import { type Containment, type Root, Scope } from './scope/scope.ts';
import { kernelVerifies } from './verifying/kernel.ts';

export interface BoundaryOptions {
  roots: readonly RootSpec[];
  policy: ClientRootsPolicy;
  /** whether roots that only the client names are read-only; each of the operator's roots states it itself */
  readOnly?: boolean;
  /** default: the strongest that this machine offers */
  containment?: Containment;
  /** patterns of names and paths that do not exist for the client, see `defaultDeny`; default none */
  deny?: readonly string[];
}

/** The operator's ceiling, one per process. */
export class Boundary implements Ceiling {
  readonly containment: Containment;
  readonly policy: ClientRootsPolicy;
  readonly readOnly: boolean;
  readonly operatorPaths: readonly string[];
  readonly deny: readonly string[];
  readonly #live: readonly LiveRoot[];
  #seen: readonly (Root | undefined)[] = [];
  #roots: readonly Root[] = [];
  #operatorScope: Scope | undefined;

  constructor(options: BoundaryOptions) {
    if (options.containment === 'kernel' && !kernelVerifies())
      throw new TypeError('containment "kernel" needs Linux with /proc; leave it out or use "best-effort"');
    this.containment = options.containment ?? (kernelVerifies() ? 'kernel' : 'best-effort');
    this.policy = options.policy;
    this.readOnly = options.readOnly ?? false;
    this.deny = Object.freeze([...(options.deny ?? [])]);
    this.#live = options.roots.map((spec) => new LiveRoot(spec));
    this.operatorPaths = this.#live.map((root) => root.path);
    this.operatorRoots();
  }

  get hasOperatorRoots(): boolean {
    return this.#live.length > 0;
  }

  /** Returns the operator's roots that exist now, in the given order; the same array while nothing changed. */
  operatorRoots(): readonly Root[] {
    const reach = this.#roots.map((root) => root.real);
    let changed = false;
    const now = this.#live.map((live, index) => {
      const root = live.current(reach);
      if (root !== this.#seen[index]) changed = true;
      return root;
    });
    if (changed) {
      this.#seen = now;
      this.#roots = Object.freeze(distinct(now.filter((root) => root !== undefined)));
    }
    return this.#roots;
  }

  /** Returns the operator's roots that do not exist now, as given. */
  missingRoots(): readonly string[] {
    const present = new Set(this.operatorRoots().map((root) => root.path));
    return this.operatorPaths.filter((path) => !present.has(path));
  }

  /**
   * Returns the scope of the operator's roots alone, for work without a client to ask; the same scope while nothing
   * changed.
   */
  operatorScope(): Scope {
    const roots = this.operatorRoots();
    if (this.#operatorScope?.roots !== roots) {
      const reason = this.#whyOperatorAlone(roots);
      const { containment, deny } = this;
      this.#operatorScope = new Scope({ roots, reason, containment, deny });
    }
    return this.#operatorScope;
  }

  /** Returns the narrowing of one connection's client roots: ask it for the scope of every call. */
  narrowing({ asked = true } = {}): Narrowing {
    return new Narrowing(this, asked);
  }

  #whyOperatorAlone(roots: readonly Root[]): string {
    if (roots.length > 0) return "the client is not asked for roots here, so the operator's roots apply";
    if (this.hasOperatorRoots) return "none of the operator's roots exists now";
    return 'the operator named no root, and the client is not asked for roots here';
  }
}
