import { join } from 'node:path';
import { readOperations } from '../../porcelain/operation.ts';
import type { Repository } from '../../repository/repository.ts';
import { RefFiles } from './ref-files.ts';
import { filesIn, type Trace } from './trace.ts';

/** Returns a text for all stashes: the newest one is a ref, the others are in its log. */
export function stashWord(trace: Trace, refs: RefFiles, commonDir: string): string {
  const log = trace.read(join(commonDir, 'logs', 'refs', 'stash'))?.toString('latin1') ?? '';
  return `${refs.value('refs/stash')}\n${log}`;
}

/** Returns a text for the operations in progress. */
export function operationsWord(trace: Trace, gitDir: string): string {
  return JSON.stringify(readOperations(filesIn(trace, gitDir)));
}

/** Returns a text for the linked work trees and their paths. */
export function worktreesWord(trace: Trace, { commonDir }: Pick<Repository, 'commonDir'>): string {
  const folder = join(commonDir, 'worktrees');
  const texts = trace.entries(folder).map(({ name }) => {
    const gitDir = join(folder, name);
    const files = filesIn(trace, gitDir);
    const refs = new RefFiles(trace, { place: { gitDir, workTree: undefined }, commonDir });
    const contents = ['gitdir', 'locked'].map((file) => files.read(file)?.toString('latin1'));
    return [name, refs.value('HEAD'), ...contents];
  });
  return JSON.stringify(texts.sort(([a], [b]) => (a! < b! ? -1 : 1)));
}
