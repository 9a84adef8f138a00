import type { Opened } from '../../call/open-repository.ts';
import type { ConflictedPath } from '../../porcelain/conflicts.ts';
import { bytesOfName } from '../../porcelain/names.ts';
import { recordsOf } from '../../porcelain/records.ts';
import { command } from '../../run/command.ts';

const notOne: ReadonlySet<string> = new Set(['unspecified', 'set', 'unset', '']);

/** Returns the encoding that a file has in the work tree by its attributes; undefined for UTF-8, which git stores. */
export async function encodingOf(opened: Opened, path: string): Promise<string | undefined> {
  const input = Buffer.concat([bytesOfName(path), Buffer.from('\0')]);
  const asked = command('check-attr', { flags: ['-z', '--stdin', 'working-tree-encoding'], input });
  const [, , value = ''] = recordsOf((await opened.run(asked)).stdout);
  return notOne.has(value) || /^utf-?8$/i.test(value) ? undefined : value;
}

/** Stages UTF-8 as the content of a path, and has git write it to the work tree in the encoding of the file. */
export async function stageEncoded(
  opened: Opened,
  { path, base, ours, theirs }: ConflictedPath,
  content: Buffer,
): Promise<void> {
  const name = bytesOfName(path);
  const stored = await opened.run(command('hash-object', { flags: ['-w'], input: content }));
  const oid = stored.stdout.toString('latin1').trim();
  const { mode } = (ours ?? theirs ?? base)!;
  const entry = [`0 ${'0'.repeat(oid.length)}\t`, name, `\0${mode} ${oid} 0\t`, name, '\0'];
  const input = Buffer.concat(entry.map((part) => Buffer.from(part as string)));
  await opened.run(command('update-index', { flags: ['-z', '--index-info'], input }));
  await opened.run(command('restore', { flags: ['--worktree'], paths: [name] }));
  // attributes decide how ends of lines are stored
  await opened.run(command('add', { flags: ['--sparse', '--renormalize'], paths: [name] }));
}
