import { dirname, join } from 'node:path';
import { locate, readSmall, type Scope, showPath, statEntry, textOfBytes } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName } from '../../porcelain/names.ts';
import { isNotFound } from '../../repository/refusals.ts';
import { command } from '../../run/command.ts';
import { insideWorktrees } from './prune-worktrees.ts';
import { readOnly } from './worktree-name.ts';
import type { Arguments, WorktreeResult } from './worktree-schema.ts';

/** Bytes of a gitfile: a line with a path. */
const MOST_BYTES = 8_192;

/** Has git connect work trees with the repository again, after a check of the files that it writes. */
export async function repair(opened: Opened, { path, dry_run }: Arguments): Promise<WorktreeResult> {
  const { roots } = opened.repository.opened;
  for (const facts of await insideWorktrees(opened))
    if (!facts.main) assertPlain(roots, join(textOfBytes(bytesOfName(facts.path!)), '.git'));
  const moved = path === undefined ? [] : [locate(roots, path).path];
  for (const folder of moved) assertLeadsHere(opened, folder);
  if (dry_run) return {};
  // one that cannot be repaired does not stop the others
  const { stdout, stderr } = await opened.run(command('worktree repair', { paths: moved }), { okay: [0, 1] });
  const lines = `${stdout.toString()}\n${stderr}`.split('\n');
  return { repaired: lines.filter((line) => /^(?:repair|error): /.test(line)).map((line) => showPath(line)) };
}

/** git follows a link when it rewrites a `.git`, and takes any file there for a broken one */
function assertPlain(roots: Scope, file: string): void {
  if (roots.rootOf(file)?.readOnly !== false) throw readOnly();
  try {
    if (statEntry(roots, file).stat.isFile()) return;
  } catch (error) {
    if (isNotFound(error)) return;
    throw error;
  }
  throw unrepairable();
}

/** git writes the path of a work tree wherever its `.git` says that the repository is */
function assertLeadsHere({ repository: { opened, reach, commonDir } }: Opened, folder: string): void {
  const file = join(folder, '.git');
  assertPlain(opened.roots, file);
  const text = readSmall(opened.roots, file, MOST_BYTES)?.bytes.toString() ?? '';
  const [, gitDir] = /^gitdir: (.*[^\n])\n*$/s.exec(text) ?? [];
  if (gitDir === undefined || dirname(gitDir) !== join(commonDir, 'worktrees')) throw unrepairable();
  if (!statEntry(reach, gitDir).stat.isDirectory()) throw unrepairable();
  if (!statEntry(reach, join(gitDir, 'gitdir')).stat.isFile()) throw unrepairable();
}

function unrepairable(): ToolError {
  return new ToolError('the file that git would rewrite does not belong to this repository', {
    code: 'unsupported',
    hint: 'make the work tree anew with action "add"',
  });
}
