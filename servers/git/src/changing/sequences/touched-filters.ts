import type { Opened } from '../../call/open-repository.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import { recordsOf } from '../../porcelain/records.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { type Range, symmetric } from '../../run/operand.ts';
import { refuseFiltered } from '../safety/filters.ts';

const names = ['--name-only', '-z', '--no-renames'] as const;

/** Throws when changes would come into the work tree through a filter that is suppressed. */
export async function refuseFilteredChanges(
  opened: Opened,
  head: Oid | undefined,
  incoming: { readonly tips?: readonly Oid[]; readonly commits?: readonly Oid[] },
): Promise<void> {
  const { tips = [], commits = [] } = incoming;
  const changed = async (): Promise<string[]> => {
    const found = new Set<string>();
    for (const tip of tips) {
      const revisions: (Oid | Range)[] = head === undefined ? [tip] : [symmetric(head, tip)];
      add(found, await opened.run(command('diff', { flags: names, revisions })));
    }
    if (commits.length > 0) {
      const input = Buffer.from(`${commits.join('\n')}\n`);
      const flags = [...names, '-r', '-m', '--root', '--no-commit-id', '--stdin'] as const;
      add(found, await opened.run(command('diff-tree', { flags, input })));
    }
    return [...found];
  };
  const [target] = tips;
  await refuseFiltered(opened, changed, target === undefined ? {} : { target });
}

function add(found: Set<string>, { stdout }: { readonly stdout: Buffer }): void {
  for (const record of recordsOf(stdout)) if (record !== '') found.add(nameOfByteString(record));
}
