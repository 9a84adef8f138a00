import { Boundary, parseRootSpec } from '@rootbound/kit/boundary';
import { openRepository } from '../../src/repository/open.ts';
import type { Repository } from '../../src/repository/repository.ts';
import { findGit, type Git } from '../../src/run/git.ts';

/** A repository below a folder that is the one root, and a git for an operator whose home is `home`. */
export function opened(folder: string, path: string, home: string): { git: Git; repository: Repository } {
  const boundary = new Boundary({ roots: [parseRootSpec(folder)], policy: 'narrow' });
  const scope = boundary.narrowing().scope(undefined);
  const environment = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  return { git: findGit({ environment }), repository: openRepository(scope, path, { commonDirs: [] }) };
}
