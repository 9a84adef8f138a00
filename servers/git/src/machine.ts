import { Boundary } from '@rootbound/kit/boundary';
import type { Check, ServeOptions } from '@rootbound/kit/cli';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { Programs } from './call/programs.ts';
import { Repositories } from './call/repositories.ts';
import { canStayLocal } from './repository/facts.ts';
import type { Git } from './run/git.ts';
import { isAtLeast } from './run/version.ts';

type Options = Pick<ServeOptions, 'roots' | 'readOnly'> & {
  readonly extra: { readonly trust: readonly string[]; readonly 'allow-common-dir': readonly string[] };
};

const OLDEST = '2.39';
const INSTALL = `install git ${OLDEST} or newer`;
/** Milliseconds for one repository at most. */
const LOOK_MS = 15_000;

/** Returns the lines of `--doctor` for git: its version, and whether it works with the repositories in the roots. */
export async function checkMachine(options: Options): Promise<readonly Check[]> {
  let git: Git;
  try {
    git = new Programs(options.roots.map(({ path }) => path)).gitFor({ roots: [] });
    const found = await checkVersion(git);
    if (found.state === 'fail') return [found];
    return [found, ...(await checkRepositories(options))];
  } catch (error) {
    return [failed(error, INSTALL)];
  }
}

async function checkVersion(git: Git): Promise<Check> {
  const version = await git.version();
  const what = `git ${version.text} at ${git.path}`;
  if (!isAtLeast(version, '2.38'))
    return { state: 'fail', what: `${what} is too old: conflicts cannot be foreseen`, fix: INSTALL };
  if (!isAtLeast(version, OLDEST))
    return { state: 'fail', what: `${what} is older than what this server is made for`, fix: INSTALL };
  if (canStayLocal(version)) return { state: 'ok', what };
  const fix = 'install git 2.45 or newer where there are some';
  return { state: 'warn', what: `${what} cannot be kept from fetching, so partial clones are refused`, fix };
}

/** Checks the repositories that are roots; repositories deeper in a root are not checked. */
async function checkRepositories({ roots, readOnly, extra }: Options): Promise<readonly Check[]> {
  const given = roots.map((root) => ({ ...root, readOnly: root.readOnly || readOnly }));
  const scope = new Boundary({ roots: given, policy: 'ignore' }).operatorScope();
  const repositories = new Repositories({
    roots: roots.map(({ path }) => path),
    trusted: extra.trust,
    commonDirs: extra['allow-common-dir'],
  });
  const checks: Check[] = [];
  for (const { path } of scope.roots) {
    const check = await checkRepository(path, () =>
      repositories.use(
        scope,
        path,
        AbortSignal.timeout(LOOK_MS),
        async ({ audit }) => audit.suppressed.length,
      ),
    );
    if (check !== undefined) checks.push(check);
  }
  return checks;
}

async function checkRepository(path: string, open: () => Promise<number>): Promise<Check | undefined> {
  try {
    const kept = await open();
    const notice = kept === 0 ? '' : `, kept from running ${kept} of its settings, as git_overview tells`;
    return { state: 'ok', what: `repository ${path}${notice}` };
  } catch (error) {
    if (error instanceof ToolError && error.code === 'not-a-repository') return undefined;
    const { what, fix } = failed(error, 'run git there to see why');
    return { state: 'warn', what: `repository ${path}: ${what}`, ...defined({ fix }) };
  }
}

function failed(error: unknown, fix: string): Check {
  const hint = error instanceof ToolError ? error.hint : undefined;
  return { state: 'fail', what: error instanceof Error ? error.message : String(error), fix: hint ?? fix };
}
