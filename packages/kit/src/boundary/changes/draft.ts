import { fstatSync, type Stats } from 'node:fs';
import type { Scope } from '../scope/scope.ts';
import { isUnchanged } from '../verifying/identity.ts';
import type { Staged } from './staging.ts';

interface Kept {
  readonly staged: Staged;
  readonly bytes: number;
  readonly stat: Stats;
}

/**
 * Keeps the bytes that a failed `streamFile` has written, under a temporary name where the next start of a server finds
 * those of a killed one; a later `streamFile` continues after them. Its creator must discard it.
 */
export class Draft {
  #kept: Kept | undefined;

  /** The number of bytes that are kept. */
  get bytes(): number {
    return this.#kept?.bytes ?? 0;
  }

  /** Returns whether the kept file is unchanged, and may become a file of this scope. */
  fits(scope: Scope): boolean {
    if (this.#kept === undefined) return false;
    const { staged, stat } = this.#kept;
    const root = scope.rootOf(staged.folder);
    return root?.readOnly === false && isUnchanged(fstatSync(staged.fd), stat);
  }

  /** Removes the kept file. */
  discard(): void {
    this.take()?.staged.finish(false);
  }

  /** For `streamFile`: the temporary file to continue. */
  take(): Kept | undefined {
    const kept = this.#kept;
    this.#kept = undefined;
    return kept;
  }

  /** For `streamFile`: keeps the file of a failure. */
  hold(staged: Staged, bytes: number): void {
    this.discard();
    this.#kept = { staged, bytes, stat: fstatSync(staged.fd) };
  }
}
