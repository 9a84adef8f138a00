import { fstatSync, type Stats } from 'node:fs';
import { isUnchanged } from '../identity.ts';
import type { Scope } from '../scope.ts';
import type { Staged } from './staging.ts';

interface Kept {
  readonly staged: Staged;
  readonly bytes: number;
  readonly stat: Stats;
}

/**
 * Holds what a failed `streamFile` had written, under a temporary name where the next start of a server finds what a
 * killed one left; a later `streamFile` goes on behind it. Whoever makes one discards it.
 */
export class Draft {
  #kept: Kept | undefined;

  /** How much is held. */
  get bytes(): number {
    return this.#kept?.bytes ?? 0;
  }

  /** Whether what is held is still what was written, and may become a file of this scope. */
  fits(scope: Scope): boolean {
    if (this.#kept === undefined) return false;
    const { staged, stat } = this.#kept;
    const root = scope.rootOf(staged.folder);
    return root?.readOnly === false && isUnchanged(fstatSync(staged.fd), stat);
  }

  /** Removes what is held. */
  discard(): void {
    this.take()?.staged.finish(false);
  }

  /** For `streamFile`: the temporary file, to go on with. */
  take(): Kept | undefined {
    const kept = this.#kept;
    this.#kept = undefined;
    return kept;
  }

  /** For `streamFile`: what a failure leaves. */
  hold(staged: Staged, bytes: number): void {
    this.discard();
    this.#kept = { staged, bytes, stat: fstatSync(staged.fd) };
  }
}
