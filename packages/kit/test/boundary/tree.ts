import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolError } from '@rootbound/protocol';
import { afterEach, beforeEach, vi } from 'vitest';
import { Boundary, type Containment, parseRootSpec, Scope } from '../../src/boundary.ts';

export const containments: readonly Containment[] =
  process.platform === 'linux' ? ['kernel', 'best-effort'] : ['best-effort'];

/** A fresh folder for each test with `root` (allowed) and `outside` (not), and scopes on it. */
export class Tree {
  top = '';

  get root(): string {
    return join(this.top, 'root');
  }

  get outside(): string {
    return join(this.top, 'outside');
  }

  scope(containment: Containment, ...roots: string[]): Scope {
    const specs = (roots.length === 0 ? ['root'] : roots).map((root) => parseRootSpec(join(this.top, root)));
    return new Boundary({ roots: specs, policy: 'narrow', containment }).narrowing().scope(undefined);
  }

  write(path: string, content: string | Buffer): string {
    const full = join(this.top, path);
    mkdirSync(join(full, '..'), { recursive: true });
    writeFileSync(full, content);
    return full;
  }
}

export function useTree(): Tree {
  const tree = new Tree();
  beforeEach(() => {
    tree.top = mkdtempSync(join(realpathSync(tmpdir()), 'boundary-'));
    mkdirSync(tree.root);
    mkdirSync(tree.outside);
    tree.write('outside/secret.txt', 'the secret');
  });
  afterEach(() => rmSync(tree.top, { recursive: true, force: true }));
  return tree;
}

/** The failure of a call, as the caller would see it; fails when the call succeeds. */
export function failure(call: () => unknown): { code: string; message: string; hint: string | undefined } {
  let value: unknown;
  try {
    value = withoutPauses(call);
  } catch (error) {
    // whatever else is thrown has no code and fails the comparison in the test
    const { code, message, hint } = error as ToolError;
    return { code, message, hint };
  }
  throw new Error(`succeeded with ${JSON.stringify(value)}`);
}

export function codeOf(call: () => unknown): string {
  return failure(call).code;
}

/** Calls while the clock stands still: on a busy machine a short change may take long enough to pause. */
function withoutPauses<T>(call: () => T): T {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  try {
    return call();
  } finally {
    clock.mockRestore();
  }
}

/** The value of a call that needs no waiting; fails when it is a promise. */
export function atOnce<T>(call: () => T | Promise<T>): T {
  const value = withoutPauses(call);
  if (value instanceof Promise) throw new Error('it was not done at once');
  return value;
}

/** Returns the failure that a call throws, at once or later; fails when it succeeds. */
export async function failureOf(call: () => unknown): Promise<unknown> {
  let value: unknown;
  try {
    value = await call();
  } catch (error) {
    return error;
  }
  throw new Error(`succeeded with ${JSON.stringify(value)}`);
}

/** Something to wait for that the test lets happen. */
export class Gate {
  open!: () => void;
  readonly passed = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

/** A caller that cancels, once for each call. */
export class Cancelled {
  readonly reason = new Error('cancelled');
  #controller = new AbortController();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  now(): void {
    this.#controller.abort(this.reason);
  }

  again(): void {
    this.#controller = new AbortController();
  }
}

/** The same scope, with names denied. */
export function denying({ roots, reason, containment }: Scope, ...deny: string[]): Scope {
  return new Scope({ roots, reason, containment, deny });
}

/** Whether this process may mount. */
export function canMount(): boolean {
  return process.platform === 'linux' && spawnSync('unshare', ['-m', 'true']).status === 0;
}
