import { Denial, type DeniedNames } from '../deny/deny.ts';

/** The strength of a scope's containment: `kernel` verifies handles, `best-effort` compares names twice. */
export type Containment = 'kernel' | 'best-effort';

/** A folder (or one file) that may be used, with everything below it. */
export interface Root {
  /** absolute, as it was given */
  readonly path: string;
  /** the same without symbolic links */
  readonly real: string;
  readonly readOnly: boolean;
  readonly uri: string;
  readonly name: string;
}

export interface ScopeFacts {
  readonly roots: readonly Root[];
  readonly reason: string;
  readonly containment: Containment;
  /** patterns of paths that do not exist for the caller, in the language of `Denial` */
  readonly deny?: readonly string[] | undefined;
  /**
   * the real folders to which these patterns relate, the roots unless given: a client's narrowing moves none of them
   */
  readonly anchors?: readonly string[] | undefined;
}

/**
 * The paths that one call may use; plain data, so that a worker can rebuild it: `new Scope(structuredClone(scope))`.
 */
export class Scope implements ScopeFacts {
  readonly roots: readonly Root[];
  readonly reason: string;
  readonly containment: Containment;
  readonly deny: readonly string[] | undefined;
  readonly anchors: readonly string[] | undefined;
  readonly #denial: Denial | undefined;
  /** the roots, the most specific first, so that the first match decides read-only */
  readonly #specific: readonly Root[];

  constructor(facts: ScopeFacts) {
    this.roots = facts.roots;
    this.reason = facts.reason;
    this.containment = facts.containment;
    this.deny = facts.deny;
    this.anchors = facts.anchors;
    if (facts.deny !== undefined && facts.deny.length > 0)
      this.#denial = new Denial(facts.deny, facts.anchors ?? facts.roots.map((root) => root.real));
    this.#specific =
      facts.roots.length < 2
        ? facts.roots
        : facts.roots.toSorted(
            (a, b) => b.real.length - a.real.length || Number(b.readOnly) - Number(a.readOnly),
          );
  }

  /** Returns the most specific root that contains this real path, or undefined when it is outside. */
  rootOf(real: string): Root | undefined {
    for (const root of this.#specific) if (isInside(real, root.real)) return root;
    return undefined;
  }

  /** Returns whether anything may be denied. */
  get denies(): boolean {
    return this.#denial !== undefined;
  }

  /** Returns whether this real path, or a folder above it below its root, is denied. */
  hides(real: string): boolean {
    return this.#denial?.hides(real) === true;
  }

  /** Returns the test for the names in one real folder that is not denied itself: whether a name is denied. */
  hiddenIn(folder: string): DeniedNames {
    return this.#denial?.hiddenIn(folder) ?? nothing;
  }

  /** Returns whether the content of a folder stays denied when the folder moves. */
  hidesAfterMove(from: string, to: string): boolean {
    return this.#denial?.holdsAfterMove(from, to) ?? true;
  }

  /** Returns whether this real path is itself one of the roots. */
  isRoot(real: string): boolean {
    return this.roots.some((root) => root.real === real);
  }

  /** Returns whether one of the roots is this real path or lies below it. */
  holdsRoot(real: string): boolean {
    return this.roots.some((root) => isInside(root.real, real));
  }
}

const nothing: DeniedNames = () => false;

/** Returns whether `path` is `folder` or below it; both absolute and normalised. */
export function isInside(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  if (path.length === folder.length) return true;
  // "/" and "C:\" end in the separator already
  return isSeparator(folder.charCodeAt(folder.length - 1)) || isSeparator(path.charCodeAt(folder.length));
}

function isSeparator(code: number): boolean {
  return code === 47 || (code === 92 && process.platform === 'win32');
}
