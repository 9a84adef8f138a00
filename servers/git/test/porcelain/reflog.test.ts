import { expect, test } from 'vitest';
import { parseReflog, type ReflogOptions, reflogCommand } from '../../src/porcelain/reflog.ts';
import { refName } from '../../src/run/operand.ts';
import { scratch } from '../scratch.ts';
import { printed } from './printed.ts';

function repository() {
  const made = scratch();
  made.git(made.folder, 'init');
  made.git(made.folder, 'commit', '--allow-empty', '-m', 'one');
  made.git(made.folder, 'commit', '--allow-empty', '-m', 'two: of two');
  made.git(made.folder, 'commit', '--allow-empty', '--amend', '-m', 'zwei: größe');
  made.git(made.folder, 'reset', '--hard', 'HEAD~1');
  const oid = (revision: string) => made.git(made.folder, 'rev-parse', revision).toString().trim();
  return { ...made, oid };
}

const reflogOf = async (folder: string, ref: string, options: ReflogOptions) =>
  parseReflog(await printed(folder, reflogCommand(refName(ref), options)), options);

test('each entry says what moved the ref, who did it, when, and from where', async () => {
  const { folder, oid } = repository();
  const { entries, more } = await reflogOf(folder, 'HEAD', { limit: 10 });
  expect(more).toBe(false);
  expect(entries.map(({ position, action, message }) => [position, action, message])).toEqual([
    [0, 'reset', 'moving to HEAD~1'],
    [1, 'commit (amend)', 'zwei: größe'],
    [2, 'commit', 'two: of two'],
    [3, 'commit (initial)', 'one'],
  ]);
  expect(entries.map(({ commit }) => commit)).toEqual([0, 1, 2, 3].map((at) => oid(`HEAD@{${at}}`)));
  expect(entries.map(({ previous }) => previous)).toEqual([
    ...[1, 2, 3].map((at) => oid(`HEAD@{${at}}`)),
    undefined,
  ]);
  expect(entries[0]).toMatchObject({ name: 'Ann Example', email: 'ann@example.org' });
  const times = entries.map(({ time }) => time);
  expect(times).toEqual([4, 3, 2, 1].map((minute) => times[3]! + (minute - 1) * 60));
});

test('a page says what its last entry follows, and whether there are more', async () => {
  const { folder, oid } = repository();
  const page = await reflogOf(folder, 'refs/heads/main', { skip: 1, limit: 2 });
  expect(page.more).toBe(true);
  expect(page.entries.map(({ position }) => position)).toEqual([1, 2]);
  expect(page.entries[1]?.previous).toBe(oid('main@{3}'));
  expect(await reflogOf(folder, 'refs/heads/main', { skip: 2, limit: 2 })).toMatchObject({ more: false });
});

test('a message that names no action is the whole message', async () => {
  const { folder, git } = repository();
  git(folder, 'update-ref', '-m', 'by hand', '--create-reflog', 'refs/heads/side', 'HEAD');
  expect(await reflogOf(folder, 'refs/heads/side', { limit: 5 })).toMatchObject({
    entries: [{ action: '', message: 'by hand' }],
  });
});

test('a ref without a reflog has no entries', async () => {
  const { folder, git } = repository();
  git(folder, '-c', 'core.logAllRefUpdates=false', 'branch', 'quiet');
  expect(await reflogOf(folder, 'refs/heads/quiet', { limit: 5 })).toEqual({ entries: [], more: false });
});
