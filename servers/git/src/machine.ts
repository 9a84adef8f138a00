import { Boundary } from '@rootbound/kit/boundary';
import type { Check } from '@rootbound/kit/cli';
import { findGit } from './run/git.ts';

/** The lines of `--doctor` that only this server has: which git there is, and how places are verified. */
export async function checkMachine(): Promise<readonly Check[]> {
  return [await checkGit(), checkContainment()];
}

async function checkGit(): Promise<Check> {
  try {
    const git = findGit();
    const version = await git.version();
    return { state: 'ok', what: `git ${version.text} at ${git.path}` };
  } catch (error) {
    return {
      state: 'fail',
      what: error instanceof Error ? error.message : String(error),
      fix: 'install git 2.39 or newer',
    };
  }
}

function checkContainment(): Check {
  const { containment } = new Boundary({ roots: [], policy: 'ignore' });
  return {
    state: 'ok',
    what: `containment ${containment} for every look at a repository, best-effort for git itself, which opens paths`,
  };
}
