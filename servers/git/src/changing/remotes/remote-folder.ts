import { ToolError } from '@rootbound/protocol';
import type { Repositories } from '../../call/repositories.ts';
import type { Audit } from '../../repository/audit.ts';
import { realOf } from '../../repository/named.ts';
import { makeLogs, readingPlace } from '../../repository/private-dir.ts';
import type { Repository } from '../../repository/repository.ts';
import { addSettings, type Setting, settings } from '../../run/settings.ts';
import type { Call } from './transfer-call.ts';

/**
 * The other repository of a transfer where it is a folder: git starts a program there, with that repository's
 * configuration.
 */
export interface OtherSide {
  /**
   * assignments of variables before the name of the program, which confine it as they confine a run in this repository
   */
  readonly prefix: string;
}

/** The programs that a push makes another repository run. */
const receiving =
  /^hooks\/(?:(?:pre|proc|post)-receive|update|post-update|reference-transaction|push-to-checkout)(?:\.exe)?$/i;

/**
 * Checks a folder with which git will communicate: it lies in the roots, and the programs that it would execute are
 * known and suppressed.
 */
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
    if (direction === 'fetch') return confinedSide(repository, audit, []);
    if (readOnly)
      throw new ToolError('the other repository is in a root that may only be read', { code: 'read-only' });
    const hooks = state === 'trusted' ? [] : receivingHooks(audit);
    if (hooks.length > 0) {
      throw new ToolError(`the other repository has hooks that would not run: ${hooks.join(', ')}`, {
        code: 'unsupported',
        hint: 'trust that repository, or push from a terminal',
      });
    }
    // never into a work tree, whatever its configuration says
    return state === 'trusted'
      ? { prefix: assignments({ GIT_EXEC_PATH: '', ...settingsOf([refusing]) }) }
      : confinedSide(repository, audit, [refusing]);
  });
}

function receivingHooks({ hooks: { names, isHidden } }: Audit): string[] {
  const known = names.map((name) => `hooks/${name}`).filter((name) => receiving.test(name));
  // a folder that leads outside is not read: it may have some
  return isHidden ? ['core.hookspath', ...known] : known;
}

const refusing: Setting = ['receive.denyCurrentBranch', 'refuse'];

function confinedSide(repository: Repository, { given }: Audit, added: readonly Setting[]): OtherSide {
  makeLogs(repository);
  const { commonDir, operatorConfig } = readingPlace(repository, given, true);
  return {
    prefix: assignments({
      GIT_COMMON_DIR: commonDir!,
      ...(operatorConfig !== undefined && { GIT_CONFIG_GLOBAL: operatorConfig, GIT_CONFIG_NOSYSTEM: '1' }),
      ...settingsOf([...settings, ...added]),
    }),
  };
}

function settingsOf(added: readonly Setting[]): Record<string, string> {
  const environment: Record<string, string> = {};
  addSettings(environment, added);
  return environment;
}

/** Returns assignments for the shell. */
function assignments(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'`)
    .join(' ');
}

function noRepository(): ToolError {
  return new ToolError('the folder of the other repository is not its top', { code: 'not-a-repository' });
}
