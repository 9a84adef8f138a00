import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  Boundary,
  type ClientRootsPolicy,
  completePath,
  locate,
  makeDirectory,
  moveEntry,
  openDirectory,
  openFile,
  parseRootSpec,
  readSmall,
  replaceFile,
  type Scope,
  statEntry,
  toFileUri,
} from '../../src/boundary.ts';
import { containments, failure, useTree } from './tree.ts';

const tree = useTree();
const deny = ['.env', '.env.*', '!.env.example', '.git', 'build/secrets', '*.pem'];

function boundary(
  roots: readonly string[],
  more: Partial<ConstructorParameters<typeof Boundary>[0]> = {},
): Boundary {
  return new Boundary({
    roots: roots.map((root) => parseRootSpec(join(tree.top, root))),
    policy: 'narrow',
    deny,
    ...more,
  });
}

/** The failure of a change, which may come at once or later. */
async function refusal(change: () => unknown): Promise<{ code: string; message: string }> {
  try {
    await change();
  } catch (error) {
    const { code, message } = error as { code: string; message: string }; // a ToolError, or the comparison fails
    return { code, message };
  }
  throw new Error('nothing was refused');
}

beforeEach(() => {
  tree.write('root/.env', 'secret');
  tree.write('root/.env.example', 'example');
  tree.write('root/.git/config', 'secret');
  tree.write('root/.git/hooks/pre-commit', 'secret');
  tree.write('root/build/secrets/key', 'secret');
  tree.write('root/build/open', 'open');
  tree.write('root/plain.txt', 'plain');
  symlinkSync('.env', join(tree.root, 'to-env'));
  symlinkSync('.git', join(tree.root, 'to-git'));
  symlinkSync('build', join(tree.root, 'to-build'));
  symlinkSync('plain.txt', join(tree.root, 'plain.pem'));
});

const hidden = [
  '.env',
  '.ENV',
  '.git',
  '.git/config',
  '.git/none',
  'build/secrets',
  'build/secrets/key',
  'to-env',
  'to-git/config',
  'to-git',
  'to-build/secrets',
  'to-build/secrets/key',
  'plain.pem',
  './.git/../.env',
  'build/../.env',
  'to-git/hooks/..',
];

describe.each(containments)('with %s containment', (containment) => {
  let scope: Scope;
  beforeEach(() => {
    scope = boundary(['root'], { containment }).operatorScope();
  });

  test.each(hidden)('%s is missing for every way to look at it', (path) => {
    for (const displayed of [path, join(tree.root, path), toFileUri(join(tree.root, path))]) {
      const missing = { code: 'not-found', message: `no such file or folder: ${displayed}` };
      expect(failure(() => readSmall(scope, displayed, 100))).toMatchObject(missing);
      expect(failure(() => openFile(scope, displayed))).toMatchObject(missing);
      expect(failure(() => openDirectory(scope, displayed))).toMatchObject(missing);
    }
  });

  test('a link to something denied is itself there, and tells nothing of its target', () => {
    const { stat, target } = statEntry(scope, 'to-env');
    expect([stat.isSymbolicLink(), target]).toEqual([true, undefined]);
    expect(failure(() => statEntry(scope, 'plain.pem')).code).toBe('not-found');
  });

  test('what is not denied beside it is read as ever', () => {
    expect(readSmall(scope, '.env.example', 100)?.bytes.toString()).toBe('example');
    expect(readSmall(scope, 'to-build/open', 100)?.bytes.toString()).toBe('open');
  });

  test('completion leaves it out, and finds nothing in it', () => {
    const all = completePath(scope, `${tree.root}/`, 100).values;
    expect(all.map((path) => path.slice(tree.root.length + 1))).toEqual([
      '.env.example',
      'build/',
      'plain.txt',
      'to-build',
      'to-env',
      'to-git',
    ]);
    for (const start of ['.git/', 'to-git/', 'build/secrets/', 'to-build/s', '.env'])
      expect(completePath(scope, `${tree.root}/${start}`, 100).values).toEqual(
        start === '.env' ? [`${tree.root}/.env.example`] : [],
      );
  });

  test('a place to watch is refused as missing, also one that does not exist yet', () => {
    for (const path of ['.env', '.env.none', '.git/none', 'to-git/none', 'to-build/secrets', 'to-env'])
      expect(failure(() => locate(scope, path)).code).toBe('not-found');
    expect(locate(scope, 'none').exists).toBe(false);
  });

  test.each([
    '.env',
    '.env.none',
    '.git/config',
    '.git/none/a',
    'build/secrets',
    'new/.git',
    'A.PEM',
    '.GIT/x',
  ])('%s can be neither made nor changed, in the same words whether it exists or not', async (path) => {
    const denied = { code: 'permission', message: `the operator's policy denies this name: ${path}` };
    expect(await refusal(() => replaceFile(scope, path, 'x'))).toMatchObject(denied);
    expect(await refusal(() => replaceFile(scope, path, 'x', { createParents: true }))).toMatchObject(denied);
    expect(await refusal(() => makeDirectory(scope, path))).toMatchObject(denied);
    expect(await refusal(() => moveEntry(scope, path, 'moved'))).toMatchObject(denied);
    expect(await refusal(() => moveEntry(scope, 'plain.txt', path))).toMatchObject(denied);
    expect(readSmall(scope, 'plain.txt', 100)?.bytes.toString()).toBe('plain');
  });

  test('through a link it cannot be changed either, in the words for links that lead outside', async () => {
    symlinkSync('../outside/secret.txt', join(tree.root, 'to-outside'));
    const outside = await refusal(() => replaceFile(scope, 'to-outside', 'x'));
    expect(await refusal(() => replaceFile(scope, 'to-env', 'x'))).toMatchObject({ code: outside.code });
    for (const path of ['to-git/config', 'to-git/none', 'to-git/hooks/post-commit'])
      expect(await refusal(() => replaceFile(scope, path, 'x'))).toMatchObject({ code: outside.code });
    expect((await refusal(() => replaceFile(scope, 'to-build/secrets/x', 'x'))).code).toBe('not-found');
  });

  test('folders that are made on the way are held to it, wherever links lead', async () => {
    mkdirSync(join(tree.root, 'other'));
    symlinkSync('../build', join(tree.root, 'other', 'b'));
    expect((await refusal(() => makeDirectory(scope, 'other/b/secrets/x'))).code).toBe('permission');
    expect((await refusal(() => makeDirectory(scope, 'new/.git/hooks'))).code).toBe('permission');
  });

  test('a folder does not go where a path would no longer name what it holds', async () => {
    expect(await refusal(() => moveEntry(scope, 'build', 'moved'))).toMatchObject({ code: 'permission' });
    mkdirSync(join(tree.root, 'free'));
    tree.write('root/free/.env', 'x');
    expect(await refusal(() => moveEntry(scope, 'free', 'freed'))).toMatchObject({ code: 'permission' });
  });

  test('another hard link of a denied file is a name of its own', () => {
    linkSync(join(tree.root, '.env'), join(tree.root, 'copy'));
    expect(readSmall(scope, 'copy', 100)?.bytes.toString()).toBe('secret');
  });

  test('a relative path means the first root in which it is not denied', () => {
    tree.write('more/build/secrets', 'allowed there');
    const both = boundary(['root', 'more/build'], { containment }).operatorScope();
    expect(readSmall(both, 'secrets', 100)?.bytes.toString()).toBe('allowed there');
    expect(failure(() => readSmall(both, '.env', 100)).code).toBe('not-found');
  });
});

describe('roots of the client', () => {
  const offer = (...paths: string[]) => paths.map((path) => ({ uri: toFileUri(join(tree.top, path)) }));

  test.each<ClientRootsPolicy>(['narrow', 'strict'])('under %s do not lead into what is denied', (policy) => {
    for (const inside of ['root/.git', 'root/.git/hooks', 'root/build/secrets', 'root/to-git']) {
      const narrowing = boundary(['root'], { policy }).narrowing();
      expect(narrowing.scope(offer(inside)).roots).toEqual([]);
      const missing = boundary(['root'], { policy }).narrowing();
      expect(missing.scope(offer('root/none')).roots).toEqual([]);
    }
  });

  test('look the same whether what is denied exists or not', () => {
    const reasonOf = (path: string): string => boundary(['root']).narrowing().scope(offer(path)).reason;
    expect(reasonOf('root/.git')).toBe(reasonOf('root/build/.git'));
  });

  test('move no path of the list', () => {
    const scope = boundary(['root']).narrowing().scope(offer('root/build'));
    expect(scope.roots.map((root) => root.real)).toEqual([join(tree.root, 'build')]);
    expect(failure(() => readSmall(scope, 'secrets/key', 100)).code).toBe('not-found');
    expect(readSmall(scope, 'open', 100)?.bytes.toString()).toBe('open');
  });

  test('that stand alone are held to the names on the way to them too', () => {
    const alone = (...paths: string[]) =>
      boundary([])
        .narrowing()
        .scope(offer(...paths));
    expect(alone('root/.git').roots).toEqual([]);
    expect(alone('root/.git/hooks', 'root/build').roots.map((root) => root.name)).toEqual(['build']);
    const scope = alone('root');
    expect(failure(() => readSmall(scope, '.env', 100)).code).toBe('not-found');
    expect(failure(() => readSmall(scope, 'build/secrets/key', 100)).code).toBe('not-found');
  });
});

test("the operator's own root may be one that the list denies, and the list holds below it", () => {
  const scope = boundary(['root/.git']).operatorScope();
  expect(readSmall(scope, 'config', 100)?.bytes.toString()).toBe('secret');
  tree.write('root/.git/.env', 'x');
  expect(failure(() => readSmall(scope, '.env', 100)).code).toBe('not-found');
  const both = boundary(['root', 'root/.git']).operatorScope();
  expect(readSmall(both, join(tree.root, '.git/config'), 100)?.bytes.toString()).toBe('secret');
});
