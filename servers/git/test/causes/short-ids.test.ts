import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { made } from '../writing/repository.ts';

const served = new Served();
const long = /[0-9a-f]{40}/;

test.each([
  ['git_diff', { target: 'HEAD~1..HEAD' }],
  ['git_diff', {}],
  ['git_show', { revision: 'HEAD' }],
] as const)(
  '%s %j has short ids in its text, whose patch git applies, and whole ones beside it',
  async (tool, args) => {
    const { folder, git, write } = made();
    write('a', 'two\n');
    write('new', 'one\n');
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'second');
    write('a', 'three\n');
    const client = await served.client([folder]);
    const { text, facts } = await call<{ patch: string }>(client, tool, args);
    expect(text).toMatch(/^index [0-9a-f]{12}\.\.[0-9a-f]{12}(?: 100644)?$/m);
    expect(text).not.toMatch(/^index .*[0-9a-f]{40}/m);
    expect(facts.patch).toMatch(long);
    const patch = text.slice(text.indexOf('diff --git')).replace(/\n\nhunk ids:.*/s, '');
    git(
      folder,
      'apply',
      '--check',
      '--reverse',
      ...(tool === 'git_diff' && 'target' in args ? ['--cached'] : []),
      ...(tool === 'git_show' ? ['--cached'] : []),
      { input: `${patch}\n` },
    );
  },
);

test('a line of a file that reads as such a header stays as it is', async () => {
  const { folder, git, write } = made();
  const line = `index ${'a'.repeat(40)}..${'b'.repeat(40)}`;
  write('a', `one\n${line}\n`);
  const client = await served.client([folder]);
  expect((await call(client, 'git_diff')).text.split('\n')).toContain(`+${line}`);
  git(folder, 'commit', '-qam', 'second');
  expect((await call(client, 'git_show', { revision: 'HEAD' })).text.split('\n')).toContain(`+${line}`);
});
