import { ToolError } from '@rootbound/protocol';
import type { Repositories } from '../repositories.ts';
import { realOf } from '../repository/named.ts';
import { configOf, suppressedIn } from '../repository/trust.ts';
import { noHooks, type Setting, settings } from '../run/settings.ts';
import type { Call } from './call.ts';

/** The other side where it is a folder: git starts a program there, by that repository's configuration. */
export interface OtherSide {
  /** what disarms that repository, first of all that a run is given; hooks of it never run on this side */
  readonly config: readonly Setting[];
  /** before the name of the program that is started there, so that it is given the same */
  readonly prefix: string;
}

/** What a push makes another repository run. */
const receiving =
  /^hooks\/(?:(?:pre|proc|post)-receive|update|post-update|reference-transaction|push-to-checkout)(?:\.exe)?$/i;

/** Looks at a folder that git will speak with: it lies in the roots, and what it would execute is known and off. */
export function otherSideOf(
  repositories: Repositories,
  { scope: { scope }, signal }: Call,
  folder: string,
  direction: 'fetch' | 'push',
): Promise<OtherSide> {
  return repositories.use(scope, folder, signal, async ({ repository, audit, state }) => {
    const { place, readOnly } = repository;
    // git would not look above, and may not look beside
    if (![place.workTree, place.gitDir].includes(realOf(folder))) throw noRepository();
    if (direction === 'fetch') return sideOf(configOf(audit, 'untrusted', 'fetch'));
    if (readOnly)
      throw new ToolError('the other repository is in a root that may only be read', { code: 'read-only' });
    // a folder of hooks that leads outside is not looked into: there may be some
    const hooks = suppressedIn(audit, state).filter(
      ({ key, submodule }) =>
        submodule === undefined &&
        (receiving.test(key) || (key === 'core.hookspath' && audit.hooks === undefined)),
    );
    if (hooks.length > 0) {
      throw new ToolError(
        `the other repository has hooks that would not run: ${hooks.map(({ key }) => key).join(', ')}`,
        {
          code: 'unsupported',
          hint: 'trust that repository, or push from a terminal',
        },
      );
    }
    // never into files that somebody works with, whatever it says for itself
    return sideOf([...configOf(audit, state, 'push'), ['receive.denyCurrentBranch', 'refuse']]);
  });
}

/** The program on the other side is not given the settings of a run unless it is told their number anew. */
function sideOf(config: readonly Setting[]): OtherSide {
  return {
    config: [...config, ['core.hooksPath', noHooks]],
    prefix: `GIT_CONFIG_COUNT=${settings.length + config.length}`,
  };
}

function noRepository(): ToolError {
  return new ToolError('the folder of the other repository is not its top', { code: 'not-a-repository' });
}
