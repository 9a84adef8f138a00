import { expect, test } from 'vitest';
import { instructionsFor } from '../../src/instructions.ts';
import { spec, toolsets } from '../../src/spec.ts';
import { call, Served, structuredRevisions } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();

function repository(): string {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q');
  write('a', 'one\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'one');
  return folder;
}

test.each(structuredRevisions)(
  'in %s an undo whose tool is off names the flag that offers it',
  async (revision) => {
    const client = await served.client([repository()], { revision, tools: spec.defaultTools });
    const { undo, facts } = await call(client, 'git_create_branch', { branch_name: 'new' });
    const expected =
      'git_update_branch with branch_name "new" and action "delete" ' +
      '(off: git_update_branch, until the server starts with --tools default,git_update_branch)';
    expect([undo, facts.undo]).toEqual([expected, expected]);
  },
);

test('a next step whose tool is off names the flag, in the text and in the list', async () => {
  const folder = repository();
  const client = await served.client([folder], { tools: ['git_commit', 'git_revert', 'git_continue'] });
  const { text, facts } = await call(client, 'git_revert', { commits: ['HEAD'], no_commit: true });
  expect(facts.next).toEqual(['git_commit', expect.stringMatching(/^git_continue /)]);
  expect(text).not.toContain('off:');
  const alone = await served.client([repository()], { tools: ['git_revert', 'git_continue'] });
  const offered = await call(alone, 'git_revert', { commits: ['HEAD'], no_commit: true });
  const flag = 'git_commit, until the server starts with --tools default,git_commit';
  expect(offered.facts.next).toEqual([`git_commit (off: ${flag})`, expect.stringMatching(/^git_continue /)]);
  expect(offered.text).toContain(flag);
});

test('a hint whose tool is off names the flag, and one that is on names none', async () => {
  const { folder, git } = scratch();
  git(folder, 'init', '-q', '--bare');
  const ask = async (tools: readonly string[], readOnly = false) =>
    (await call(await served.client([folder], { tools, readOnly }), 'git_list', { kind: 'submodules' })).text;
  const hint = 'git_list_files with a revision lists the recorded commits';
  const off = 'git_list_files, until the server starts with --tools default,git_list_files';
  expect(await ask(spec.defaultTools)).toMatch(`${hint} (off: ${off})`);
  expect(await ask(spec.tools, true)).toMatch(new RegExp(`${hint}$`));
});

test('the instructions name what is off, and not what --read-only forbids', () => {
  const offers = (tool: string): boolean => (spec.defaultTools as readonly string[]).includes(tool);
  const off = [...toolsets.browse, ...toolsets.remote, ...toolsets.advanced].join(', ');
  expect(instructionsFor({ readOnly: false, offers })).toContain(
    `Off until the operator adds them, as by --tools default,git_list_files: ${off}.`,
  );
  expect(instructionsFor({ readOnly: true, offers })).toMatch(/: git_list_files, git_read_file\.$/);
  expect(instructionsFor({ readOnly: false, offers: () => true })).not.toContain('Off until');
});
