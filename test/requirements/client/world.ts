import { expect, onTestFinished, test } from 'vitest';
import type { LedgerRevision } from '../ledger.ts';
import { type Proves, provesAt } from '../prove.ts';
import { isStateless } from '../revisions.ts';
import { Script, type ScriptOptions } from './script.ts';

/** The helpers of a client test for one revision. */
export interface World {
  revision: LedgerRevision;
  stateless: boolean;
  proves: Proves;
  /** Creates a server with scripted answers. */
  script(options?: ScriptOptions): Script;
}

/** Defines a test of the client for each revision; it fails for invalid messages of the client. */
export function over(
  revisions: readonly LedgerRevision[],
  name: string,
  body: (world: World) => void | Promise<void>,
): void {
  test.each([...revisions])(`%s: ${name}`, async (revision) => {
    const scripts: Script[] = [];
    onTestFinished(async () => {
      for (const script of scripts) await script.close();
    });
    await body({
      revision,
      stateless: isStateless(revision),
      proves: provesAt('client', revision),
      script: (options) => {
        const script = new Script(revision, options);
        scripts.push(script);
        return script;
      },
    });
    for (const { misfits } of scripts) expect(misfits).toEqual([]);
  });
}
