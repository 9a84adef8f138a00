import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { sampled } from '../seeds.ts';
import { copyOf } from './diverging.ts';
import { lookAt } from './undoing.ts';

const served = new Served();
const made = scratch();
const { folder, git } = made;
const first = base();

/** A sparse checkout with a submodule; `a` is changed, `s` is staged, `n` is new. */
function base(): string {
  const path = join(folder, 'base');
  const inner = join(folder, 'inner');
  git(folder, 'init', '-q', inner);
  made.write('inner/x', 'one\n');
  git(inner, 'add', '.');
  git(inner, 'commit', '-qm', 'one');
  git(folder, 'init', '-q', path);
  git(path, 'config', 'user.name', 'Ann Example');
  git(path, 'config', 'user.email', 'ann@example.org');
  for (const name of ['a', 's', 'kept/in', 'left/out']) made.write(join('base', name), 'one\n');
  made.write('base/.gitignore', '*.log\n');
  git(path, 'submodule', 'add', '-q', '../inner', 'sub');
  git(path, 'add', '.');
  git(path, 'commit', '-qm', 'one');
  git(path, 'sparse-checkout', 'set', '--cone', 'kept');
  writeFileSync(join(path, 'a'), 'two\n');
  writeFileSync(join(path, 'n'), 'new\n');
  writeFileSync(join(path, 'ignored.log'), 'log\n');
  writeFileSync(join(path, 's'), 'two\n');
  git(path, 'add', 's');
  return path;
}

/** Paths that git refuses, or has nothing to do for. */
const others: Readonly<Record<string, (path: string) => string>> = {
  'a missing path': () => 'missing',
  'an ignored path': () => 'ignored.log',
  'a path outside of the sparse cone': (path) => {
    mkdirSync(join(path, 'left'), { recursive: true });
    writeFileSync(join(path, 'left/new'), 'new\n');
    return 'left/new';
  },
  'a tracked path outside of the sparse cone': () => 'left/out',
  'a path in a submodule': () => 'sub/x',
  'a submodule': () => 'sub',
  'a path below a file': () => 's/below',
  'a path in .git': () => '.git/config',
  'a path outside': () => '../other',
  'an empty path': () => '',
};

const calls: Readonly<Record<string, (paths: string[]) => Record<string, unknown>>> = {
  git_add: (files) => ({ files }),
  git_commit: (paths) => ({ message: 'x', paths }),
  git_reset: (paths) => ({ paths }),
  git_restore: (paths) => ({ paths, confirm: true }),
  git_stash: (paths) => ({ action: 'push', paths, include_untracked: true }),
  git_clean: (paths) => ({ paths, dry_run: false, confirm: true, ignored: true }),
};

const stateOf = (path: string) => ({
  ...lookAt(made, path),
  head: git(path, 'rev-parse', 'HEAD').toString(),
  stashes: git(path, 'stash', 'list').toString(),
});

describe.each(sampled(Object.entries(others), 4))('%s beside others', (_kind, other) => {
  test.each(Object.entries(calls))('has %s do all or nothing', async (tool, argsOf) => {
    const path = copyOf(first, randomUUID());
    const bad = other(path);
    const client = await served.client([path]);
    for (const paths of [
      ['a', 'n', 's', bad],
      [bad, 's', 'n', 'a'],
    ]) {
      const before = stateOf(path);
      const { failed, text } = await call(client, tool, argsOf(paths));
      // git has nothing to do for some paths; then it did the others
      if (!failed) {
        expect(stateOf(path)).not.toEqual(before);
        break;
      }
      expect(stateOf(path)).toEqual(before);
      expect(text).not.toBe('');
    }
    rmSync(path, { recursive: true, force: true });
  });
});
