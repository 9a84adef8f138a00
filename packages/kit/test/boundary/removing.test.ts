import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { etagOf, moveEntry, removeEntry } from '../../src/boundary.ts';
import {
  atOnce,
  Cancelled,
  canMount,
  codeOf,
  containments,
  denying,
  failureOf,
  Gate,
  useTree,
} from './tree.ts';

describe.each(containments)('deleting, %s', (containment) => {
  const tree = useTree();
  const scope = () => tree.scope(containment);
  const everything = () => readdirSync(tree.top, { recursive: true, encoding: 'utf8' }).sort();
  const names = () => readdirSync(tree.root).sort();

  test('a file, an empty folder, a FIFO and a link go, and what the link leads to stays', () => {
    const full = tree.write('root/f', 'x');
    mkdirSync(join(tree.root, 'd'));
    symlinkSync('../outside/secret.txt', join(tree.root, 'outer'));
    symlinkSync('../outside', join(tree.root, 'folder'));
    execFileSync('mkfifo', [join(tree.root, 'fifo')]);
    expect(atOnce(() => removeEntry(scope(), 'f'))).toEqual({
      path: full,
      kind: 'file',
      entries: 1,
      trashed: false,
    });
    expect(atOnce(() => removeEntry(scope(), 'd/')).kind).toBe('directory');
    expect(atOnce(() => removeEntry(scope(), 'outer')).kind).toBe('symlink');
    expect(atOnce(() => removeEntry(scope(), 'folder', { recursive: true })).kind).toBe('symlink');
    expect(atOnce(() => removeEntry(scope(), 'fifo')).kind).toBe('other');
    expect(everything()).toEqual(['outside', 'outside/secret.txt', 'root']);
  });

  test('a folder that holds anything needs the word, and then goes whole', async () => {
    tree.write('root/a/b/f', 'x');
    tree.write('root/a/g', 'x');
    symlinkSync('../../../outside', join(tree.root, 'a/b/out'));
    expect(codeOf(() => removeEntry(scope(), 'a'))).toBe('not-empty');
    expect(readFileSync(join(tree.root, 'a/b/f'), 'utf8')).toBe('x');
    const reported: (number | undefined)[][] = [];
    const removed = await removeEntry(scope(), 'a', {
      recursive: true,
      progress: (...step) => reported.push(step),
    });
    expect([removed.entries, reported.at(-1)]).toEqual([5, [5, 5]]);
    expect(everything()).toEqual(['outside', 'outside/secret.txt', 'root']);
  });

  test('nothing outside is deleted, and what is missing is not found', () => {
    symlinkSync('../outside', join(tree.root, 'out'));
    const before = everything();
    for (const path of [
      '../outside/secret.txt',
      'out/secret.txt',
      'none',
      tree.outside,
      `${tree.root}/../outside`,
    ])
      expect([path, codeOf(() => removeEntry(scope(), path, { recursive: true }))]).toEqual([
        path,
        'not-found',
      ]);
    expect(everything()).toEqual(before);
  });

  test('roots stay, and what holds one, and what is in a read-only one', () => {
    tree.write('root/a/b/f', 'x');
    const nested = tree.scope(containment, 'root', 'root/a/b:ro');
    const before = everything();
    for (const path of ['.', 'a', 'a/b', tree.root])
      expect([path, codeOf(() => removeEntry(nested, path, { recursive: true }))]).toEqual([
        path,
        'permission',
      ]);
    expect(codeOf(() => removeEntry(nested, 'a/b/f'))).toBe('read-only');
    expect(everything()).toEqual(before);
  });

  test('what the caller may not see is not deleted, nor a folder that holds it', async () => {
    for (const name of ['a/b/.env', 'a/f', '.env', 'only/.env']) tree.write(`root/${name}`, 'x');
    const deny = denying(scope(), '.env');
    const before = everything();
    for (const path of ['a', 'a/b', 'only'])
      expect(await failureOf(() => removeEntry(deny, path, { recursive: true }))).toMatchObject({
        code: 'permission',
      });
    expect(codeOf(() => removeEntry(deny, '.env'))).toBe('permission');
    expect(everything()).toEqual(before);
    await removeEntry(deny, 'a/f');
    expect(everything()).toEqual(before.filter((name) => name !== 'root/a/f'));
  });

  test('nor is what comes into the folder while it is looked through', async () => {
    for (let file = 0; file < 1000; file++) tree.write(`root/a/b/${file}`, 'x');
    const secret = tree.write('root/c/.env', 'x');
    const deny = denying(scope(), '.env');
    const gate = new Gate();
    setImmediate(gate.open);
    const removed = failureOf(() => removeEntry(deny, 'a', { recursive: true }));
    await gate.passed;
    renameSync(join(tree.root, 'c'), join(tree.root, 'a/b/c'));
    expect(await removed).toMatchObject({ code: 'permission' });
    expect([existsSync(secret), existsSync(join(tree.root, 'a/b/c/.env'))]).toEqual([false, true]);
    expect(names()).toEqual(['a']);
  });

  test('what waits for its place is of no caller', async () => {
    const temporary = `.rootbound-x-1-${'a'.repeat(24)}.tmp`;
    for (const name of ['.rootbound-staging/f', temporary, `a/${temporary}/f`])
      tree.write(`root/${name}`, 'x');
    for (const path of ['.rootbound-staging', '.rootbound-staging/f', temporary, `a/${temporary}`]) {
      expect([path, codeOf(() => removeEntry(scope(), path, { recursive: true }))]).toEqual([
        path,
        'permission',
      ]);
      expect([path, codeOf(() => moveEntry(scope(), path, 'moved'))]).toEqual([path, 'permission']);
    }
  });

  test('an etag that no longer holds keeps the file', () => {
    const full = tree.write('root/f', 'x');
    expect(codeOf(() => removeEntry(scope(), 'f', { ifMatch: 'other' }))).toBe('changed');
    expect(atOnce(() => removeEntry(scope(), 'f', { ifMatch: etagOf(statSync(full)) })).entries).toBe(1);
  });

  test('a name that ends in a separator is that of a folder', () => {
    tree.write('root/f', 'x');
    expect(codeOf(() => removeEntry(scope(), 'f/'))).toBe('not-a-directory');
    expect(names()).toEqual(['f']);
  });

  test('other names of a deleted file stay', () => {
    const full = tree.write('root/f', 'x');
    linkSync(full, join(tree.outside, 'same'));
    atOnce(() => removeEntry(scope(), 'f', { hardLinks: 'refuse' }));
    expect(readFileSync(join(tree.outside, 'same'), 'utf8')).toBe('x');
  });

  if (containment === 'kernel' && canMount()) {
    test('a folder at which something is mounted stays whole, also of the same file system', async () => {
      const kept = tree.write('outside/kept', 'x');
      mkdirSync(join(tree.root, 'a/b'), { recursive: true });
      execFileSync('mount', ['--bind', tree.outside, join(tree.root, 'a/b')]);
      try {
        const refused = await failureOf(() => removeEntry(scope(), 'a', { recursive: true }));
        expect([existsSync(kept), refused]).toMatchObject([true, { code: 'permission' }]);
      } finally {
        execFileSync('umount', ['-l', join(tree.root, 'a/b')]);
      }
    });
  }

  test('a large file that is deleted while the call is cancelled is told to be gone', async () => {
    truncateSync(tree.write('root/f', ''), 64 * 1024 * 1024);
    const cancelled = new Cancelled();
    const removed = removeEntry(scope(), 'f', { signal: cancelled.signal });
    cancelled.now();
    expect([await removed, names()]).toMatchObject([{ entries: 1 }, []]);
  });

  test('cancelled before it has begun it leaves all; once out of sight a folder goes to its end', async () => {
    for (let index = 0; index < 300; index++) tree.write(`root/a/d${index % 20}/f${index}`, `${index}`);
    const before = everything();
    const early = new Cancelled();
    const leaving = failureOf(() => removeEntry(scope(), 'a', { recursive: true, signal: early.signal }));
    early.now();
    expect([await leaving, everything()]).toEqual([early.reason, before]);
    const late = new Cancelled();
    const progress = (): void => {
      expect(existsSync(join(tree.root, 'a'))).toBe(false);
      late.now();
    };
    expect(
      (await removeEntry(scope(), 'a', { recursive: true, signal: late.signal, progress })).entries,
    ).toBe(321);
    expect(names()).toEqual([]);
  });

  // resolved from the top at each step, the portable way takes too long for a test
  if (containment === 'kernel')
    test('folders deeper than 500 are refused', async () => {
      mkdirSync(join(tree.root, 'a', ...Array(510).fill('d')), { recursive: true });
      expect(await failureOf(() => removeEntry(scope(), 'a', { recursive: true }))).toMatchObject({
        code: 'too-large',
      });
      expect(names()).toEqual(['a']);
    });
});
