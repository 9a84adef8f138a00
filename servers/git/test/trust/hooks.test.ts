import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { call, Served } from '../harness.ts';
import { clientOf, pairs } from '../remotes/pair.ts';
import { httpRemote } from '../remotes/serving.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const pair = pairs();

/** A repository with files at its top and in a folder, and a hook of it. */
function hooked(hook: string, lines: string) {
  const { folder, git, write } = scratch();
  const path = join(folder, 'repository');
  git(folder, 'init', '--quiet', '--template=', path);
  write('repository/top.txt', 'one\n');
  write('repository/app.js', 'one\n');
  write('repository/sub/inner.txt', 'one\n');
  git(path, 'config', 'user.name', 'Ann');
  git(path, 'config', 'user.email', 'ann@example.org');
  git(path, 'add', '.');
  git(path, 'commit', '--quiet', '-m', 'one');
  write(`repository/.git/hooks/${hook}`, `#!/bin/sh\nset -e\n${lines}\n`, 0o755);
  const say = (...args: string[]) => git(path, ...args).toString();
  const client = () => served.client([path], { extra: { trust: [path] } });
  return { folder, path, write, say, client };
}

describe('a hook of a trusted repository', () => {
  test('stages what has changed in its folder, and deletes nothing elsewhere', async () => {
    const { write, say, client } = hooked('pre-commit', 'cd sub && git add -u');
    write('repository/top.txt', 'two\n');
    write('repository/sub/inner.txt', 'two\n');
    const { failed } = await call(await client(), 'git_commit', { message: 'x', all: true });
    expect([failed, say('show', '--format=', '--name-status', 'HEAD')]).toEqual([
      false,
      'M\tsub/inner.txt\nM\ttop.txt\n',
    ]);
    expect(say('ls-files')).toBe('app.js\nsub/inner.txt\ntop.txt\n');
  });

  test('makes a repository of its own elsewhere, commits there, and not onto the branch', async () => {
    const lines = [
      'fixture=$(mktemp -d)',
      'trap \'rm -rf "$fixture"\' EXIT',
      'cd "$fixture"',
      'git init --quiet .',
      'git config user.name fixture',
      'git config user.email fixture@example.org',
      'echo x >x',
      'git add x',
      'git commit --quiet -m fixture',
      'git log --format=%s >&2',
    ];
    const { path, write, say, client } = hooked('pre-commit', lines.join('\n'));
    const before = readFileSync(join(path, '.git/config'), 'utf8');
    write('repository/top.txt', 'two\n');
    say('add', '.');
    const { failed, text } = await call(await client(), 'git_commit', { message: 'x' });
    expect([failed, text]).toEqual([false, expect.stringContaining('fixture')]);
    expect(say('log', '--format=%s')).toBe('x\none\n');
    expect(readFileSync(join(path, '.git/config'), 'utf8')).toBe(before);
    expect(existsSync(join(path, 'x'))).toBe(false);
  });

  test('works in the repository of the call, though the server was started by a hook of another', async () => {
    const { folder, git } = scratch();
    git(folder, 'init', '--quiet', '--template=', 'other');
    for (const [name, value] of [
      ['GIT_DIR', join(folder, 'other/.git')],
      ['GIT_WORK_TREE', join(folder, 'other')],
      ['GIT_INDEX_FILE', join(folder, 'other/.git/index')],
      ['GIT_PREFIX', 'sub/'],
    ] as const)
      vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { write, client } = hooked('pre-commit', 'git rev-parse --show-toplevel --show-prefix >&2');
    write('repository/top.txt', 'two\n');
    const serving = await client();
    const { failed, text } = await call(serving, 'git_commit', { message: 'x', all: true });
    const { repository } = (await call(serving, 'git_overview')).facts;
    expect([failed, text.split('\n').slice(-2)]).toEqual([false, [repository, 'hooks: on']]);
    expect(existsSync(join(folder, 'other/.git/index'))).toBe(false);
  });

  test.each([
    ['pre-commit', 'git_commit', { message: 'x', allow_empty: true }],
    ['post-checkout', 'git_checkout', { branch_name: 'x', create: true }],
    ['reference-transaction', 'git_tag', { tag_name: 'x' }],
    ['post-rewrite', 'git_commit', { message: 'x', amend: true, allow_empty: true }],
  ] as const)('%s has the environment with which the server was started, by %s', async (name, tool, args) => {
    const { folder, git } = scratch();
    // what git itself takes for its place, and a server that a hook started may have
    const ofPlace = git(folder, 'rev-parse', '--local-env-vars').toString().trim().split('\n');
    const others = {
      JAVA_HOME: '/opt/java',
      NVM_DIR: '/opt/nvm',
      LC_TIME: 'de_DE.UTF-8',
      COMPANY_TOKEN: 'x',
    };
    for (const variable of ofPlace) vi.stubEnv(variable, join(folder, 'elsewhere'));
    for (const [variable, value] of Object.entries({ ...others, GIT_NO_REPLACE_OBJECTS: '1' }))
      vi.stubEnv(variable, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const seen = join(folder, 'seen');
    const { client } = hooked(name, `env >'${seen}'`);
    expect((await call(await client(), tool, args)).failed).toBe(false);
    const lines = readFileSync(seen, 'utf8').split('\n');
    const values = new Map(lines.map((line) => [line.split('=', 1)[0]!, line.slice(line.indexOf('=') + 1)]));
    for (const [variable, value] of Object.entries({ ...process.env, ...others })) {
      if (
        ofPlace.includes(variable) ||
        value === undefined ||
        /^(?:GIT_|SSH_ASKPASS|PWD$|_$|SHLVL$|PATH$)/.test(variable)
      )
        continue;
      if (!value.includes('\n')) expect([variable, values.get(variable)]).toEqual([variable, value]);
    }
    // git puts its own programs before the others
    expect(values.get('PATH')?.endsWith(process.env.PATH!)).toBe(true);
    expect(lines.filter((line) => line.includes(join(folder, 'elsewhere')))).toEqual([]);
  });

  test('finds its files by a pattern', async () => {
    const { write, client } = hooked(
      'pre-commit',
      'found=$(git diff --cached --name-only -- \'*.js\')\necho "found: $found" >&2\ntest -n "$found"',
    );
    write('repository/app.js', 'two\n');
    const { failed, text } = await call(await client(), 'git_commit', { message: 'x', all: true });
    expect([failed, text]).toEqual([false, expect.stringContaining('found: app.js')]);
  });

  test('is heard by its words on both outputs where a push goes on', async () => {
    const here = pair();
    const hook = join(here.work, '.git/hooks/pre-push');
    here.write(hook.slice(here.folder.length), '#!/bin/sh\necho checked\necho twice >&2\n', 0o755);
    here.commitHere('two');
    const extra = { trust: [here.work] };
    const roots = { root: here.folder, extra };
    const client = await clientOf(served, here, `file://${here.bare}`, roots);
    const { failed, facts, text } = await call(client, 'git_push', { repo_path: here.work });
    expect([failed, facts.output]).toEqual([false, 'checked\ntwice']);
    expect(text).toContain('checked\ntwice');
  });

  test('clones a folder before a push', async () => {
    const here = pair();
    const { address } = await httpRemote(here.shared);
    const fixture = join(here.shared, 'fixture');
    here.git(here.shared, 'init', '--quiet', '--template=', fixture);
    here.git(fixture, 'commit', '--quiet', '--allow-empty', '-m', 'fixture');
    const target = join(here.shared, 'cloned');
    const hook = join(here.work, '.git/hooks/pre-push');
    here.write(hook.slice(here.folder.length), '', 0o755);
    writeFileSync(hook, `#!/bin/sh\ncat >/dev/null\ngit clone --quiet '${fixture}' '${target}'\n`);
    here.commitHere('two');
    const client = await clientOf(served, here, `${address}/bare.git`, { extra: { trust: [here.work] } });
    const { failed, text } = await call(client, 'git_push');
    expect([failed && text, here.git(target, 'log', '--format=%s').toString()]).toEqual([false, 'fixture\n']);
  });
});
