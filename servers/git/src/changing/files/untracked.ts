import { toPaths } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import { recordsOf } from '../../porcelain/records.ts';
import { command } from '../../run/command.ts';
import type { Loss } from '../safety/consent.ts';
import { someOf, stampOf } from '../safety/names.ts';

/** The untracked files of a work tree, by name. */
export interface Untracked {
  readonly files: readonly string[];
  /** repositories in the work tree: no tool removes them */
  readonly repositories: readonly string[];
}

export interface Chosen {
  readonly paths?: readonly string[] | undefined;
  /** true to include ignored files */
  readonly ignored?: boolean | undefined;
}

export async function untrackedOf(opened: Opened, { paths, ignored = false }: Chosen): Promise<Untracked> {
  const { stdout } = await opened.run(
    command('ls-files', {
      flags: ['-z', '--others', ...(ignored ? [] : (['--exclude-standard'] as const))],
      ...(paths !== undefined && { paths: toPaths(paths) }),
    }),
  );
  const records = recordsOf(stdout);
  return {
    files: records.filter((record) => !record.endsWith('/')).map(nameOfByteString),
    repositories: records.filter((record) => record.endsWith('/')).map(nameOfByteString),
  };
}

export function lossOf(opened: Opened, { files }: Untracked): Loss | undefined {
  if (files.length === 0) return undefined;
  return {
    question: `Delete ${files.length === 1 ? 'the untracked file' : `${files.length} untracked files`} ${someOf(files)}?`,
    label: 'Delete them',
    facts: [opened.repository.identity, files.map((name) => stampOf(opened, name))],
  };
}
