import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import type { Served, Setting } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

/** Two repositories in a folder: a bare one that is served, and one in the root that has it as its origin. */
export interface Pair extends Scratch {
  /** the folder that holds the bare one */
  readonly shared: string;
  readonly bare: string;
  readonly root: string;
  readonly work: string;
  /** Adds a commit to the served one, by somebody else: its id. */
  commitThere(message: string, branch?: string): string;
  /** Adds one to the repository of the root. */
  commitHere(message: string): string;
  idOf(repository: string, revision: string): string;
}

/** Every test has its own pair, copied from one that is made once. */
export function pairs(): () => Pair {
  const made = scratch();
  const pattern = join(made.folder, 'pattern');
  let count = 0;
  return () => {
    if (count === 0) makePattern(made, pattern);
    const folder = join(made.folder, String(count++));
    execFileSync('cp', ['-r', pattern, folder]);
    const [shared, root] = [join(folder, 'shared'), join(folder, 'root')];
    const [bare, work] = [join(shared, 'bare.git'), join(root, 'work')];
    const { git } = made;
    const idOf = (repository: string, revision: string) =>
      git(repository, 'rev-parse', revision).toString().trim();
    return {
      ...made,
      ...{ shared, bare, root, work, idOf },
      commitThere: (message, branch = 'main') => {
        const tree = idOf(bare, 'main^{tree}');
        const id = git(bare, 'commit-tree', '-p', branch, '-m', message, tree).toString().trim();
        git(bare, 'update-ref', `refs/heads/${branch}`, id);
        return id;
      },
      commitHere: (message) => {
        git(work, 'commit', '-qm', message, '--allow-empty');
        return idOf(work, 'HEAD');
      },
    };
  };
}

function makePattern({ git, write }: Scratch, pattern: string): void {
  const work = join(pattern, 'root/work');
  write('pattern/root/work/file.txt', 'one\n');
  write('pattern/shared/placeholder', '');
  // without the samples of hooks, which would be copied each time
  git(work, 'init', '-q', '--template=');
  git(work, 'add', '.');
  git(work, 'commit', '-qm', 'one');
  git(work, 'branch', 'side');
  git(work, 'clone', '-q', '--bare', '--template=', '.', '../../shared/bare.git');
  git(work, 'remote', 'add', 'origin', 'https://host.invalid/bare.git');
  git(work, 'config', 'branch.main.remote', 'origin');
  git(work, 'config', 'branch.main.merge', 'refs/heads/main');
}

/** A client of a server over the root, whose origin is at an address by any protocol. */
export function clientOf(
  served: Served,
  { git, work }: Pair,
  address: string,
  { root = work, ...setting }: Setting & { root?: string } = {},
): Promise<Client> {
  git(work, 'remote', 'set-url', 'origin', address);
  return served.client([root], {
    ...setting,
    extra: { 'allow-protocol': ['https', 'ssh', 'http', 'git', 'file'], ...setting.extra },
  });
}
