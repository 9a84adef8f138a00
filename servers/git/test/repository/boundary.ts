import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Boundary, type Containment, parseRootSpec, type Scope } from '@rootbound/kit/boundary';
import type { ToolError } from '@rootbound/protocol';
import { type Scratch, scratch } from '../scratch.ts';

export const containments: readonly Containment[] =
  process.platform === 'linux' ? ['kernel', 'best-effort'] : ['best-effort'];

/** A scratch folder with `root`, which is allowed, and `outside`, which is not. */
export interface Bounded extends Scratch {
  readonly root: string;
  readonly outside: string;
  /** a scope of roots below the scratch folder, `root` unless given */
  scope(containment: Containment, ...roots: string[]): Scope;
}

export function bounded(): Bounded {
  const made = scratch();
  const [root, outside] = [join(made.folder, 'root'), join(made.folder, 'outside')];
  mkdirSync(root);
  mkdirSync(outside);
  const scope = (containment: Containment, ...names: string[]): Scope => {
    const roots = (names.length === 0 ? ['root'] : names).map((name) =>
      parseRootSpec(join(made.folder, name)),
    );
    return new Boundary({ roots, policy: 'narrow', containment }).narrowing().scope(undefined);
  };
  return { ...made, root, outside, scope };
}

/** The failure of a call, as the caller would see it; fails when the call succeeds. */
export function failure(call: () => unknown): { code: string; message: string; hint: string | undefined } {
  let value: unknown;
  try {
    value = call();
  } catch (error) {
    // whatever else is thrown has no code and fails the comparison in the test
    const { code, message, hint } = error as ToolError;
    return { code, message, hint };
  }
  throw new Error(`succeeded with ${JSON.stringify(value)}`);
}
