import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Boundary, type ClientRootsPolicy, readSmall, replaceFile, toFileUri } from '../../src/boundary.ts';
import { codeOf, failure, useTree } from './tree.ts';

describe('client roots and the operator roots', () => {
  const tree = useTree();

  function boundary(policy: ClientRootsPolicy, ...roots: string[]): Boundary {
    for (const folder of ['root/a/b', 'root/c', 'other', 'elsewhere'])
      mkdirSync(join(tree.top, folder), { recursive: true });
    return new Boundary({
      policy,
      roots: roots.map((root) => ({
        path: join(tree.top, root.replace(':ro', '')),
        readOnly: root.endsWith(':ro'),
      })),
    });
  }

  const offer = (...paths: string[]) =>
    paths.map((path) => ({ uri: path.includes(':') ? path : toFileUri(join(tree.top, path)) }));

  /** policy, operator roots, then what the client offers call by call and the roots that result */
  const table: [ClientRootsPolicy, string[], [string[] | undefined, string[]][]][] = [
    ['narrow', ['root'], [[undefined, ['root']]]],
    ['narrow', ['root'], [[[], ['root']]]],
    ['narrow', ['root'], [[['elsewhere'], ['root']]]],
    ['narrow', ['root'], [[['root'], ['root']]]],
    ['narrow', ['root'], [[['root/a'], ['root/a']]]],
    [
      'narrow',
      ['root'],
      [
        [
          ['root/a', 'root/c', 'elsewhere'],
          ['root/a', 'root/c'],
        ],
      ],
    ],
    ['narrow', ['root', 'other'], [[['.'], ['root', 'other']]]],
    ['narrow', ['root', 'other'], [[['file:///'], ['root', 'other']]]],
    ['narrow', ['root', 'other'], [[['root/a'], ['root/a']]]],
    ['narrow', ['root:ro'], [[['root/a'], ['root/a:ro']]]],
    ['narrow', ['root', 'root/a:ro'], [[['root'], ['root', 'root/a:ro']]]],
    ['narrow', ['root', 'root/a:ro'], [[['root/a/b'], ['root/a/b:ro']]]],
    [
      'narrow',
      ['root'],
      [[['https://host/root', 'file://host/root', 'nonsense', 'file:///%ff', 'root:'], ['root']]],
    ],
    // once narrowed, never wider
    [
      'narrow',
      ['root'],
      [
        [['root/a'], ['root/a']],
        [[], []],
        [['elsewhere'], []],
        [undefined, []],
        [['root/c'], ['root/c']],
      ],
    ],
    [
      'narrow',
      ['root'],
      [
        [['elsewhere'], ['root']],
        [['root/a'], ['root/a']],
        [['elsewhere'], []],
      ],
    ],
    // a folder that does not exist yet narrows by its name
    [
      'narrow',
      ['root'],
      [
        [['root/missing'], []],
        [[], []],
      ],
    ],
    ['narrow', ['root', 'missing'], [[['missing/x'], []]]],
    ['narrow', ['root'], [[['root2/missing'], ['root']]]],
    ['strict', ['root'], [[undefined, []]]],
    ['strict', ['root'], [[[], []]]],
    ['strict', ['root'], [[['elsewhere'], []]]],
    [
      'strict',
      ['root'],
      [
        [['root/a'], ['root/a']],
        [['.'], ['root']],
      ],
    ],
    [
      'ignore',
      ['root'],
      [
        [['root/a'], ['root']],
        [undefined, ['root']],
      ],
    ],
    ['ignore', [], [[['root'], []]]],
    [
      'narrow',
      [],
      [
        [
          ['root', 'other'],
          ['root', 'other'],
        ],
        [['other'], ['other']],
        [[], []],
        [undefined, []],
      ],
    ],
    [
      'strict',
      [],
      [
        [['root'], ['root']],
        [['https://host/'], []],
      ],
    ],
    ['narrow', [], [[['missing'], []]]],
  ];

  test.each(table)('%s %j: %j', (policy, operator, calls) => {
    const narrowing = boundary(policy, ...operator).narrowing();
    for (const [client, expected] of calls) {
      const { roots, reason } = narrowing.scope(client && offer(...client));
      const displayed = roots.map(
        (root) => root.path.slice(tree.top.length + 1) + (root.readOnly ? ':ro' : ''),
      );
      expect([client, displayed]).toEqual([client, expected]);
      expect(reason).toMatch(/^[a-z][^\n.]+$/);
    }
  });

  test('a client root that is a link to outside the operator roots gives nothing', () => {
    const operator = boundary('strict', 'root');
    symlinkSync('../elsewhere', join(tree.root, 'link'));
    symlinkSync('root/a', join(tree.top, 'by-link'));
    const narrowing = operator.narrowing();
    expect(narrowing.scope(offer('root/link')).roots).toEqual([]);
    expect(narrowing.scope(offer('by-link')).roots.map((root) => root.real)).toEqual([join(tree.root, 'a')]);
  });

  test('what was narrowed away is as missing, from the next call on', () => {
    const narrowing = boundary('narrow', 'root').narrowing();
    const full = tree.write('root/c/f', 'x');
    expect(readSmall(narrowing.scope(undefined), full, 10)?.bytes.toString()).toBe('x');
    expect(codeOf(() => readSmall(narrowing.scope(offer('root/a')), full, 10))).toBe('not-found');
    expect(codeOf(() => readSmall(narrowing.scope(offer('root/a')), '../c/f', 10))).toBe('not-found');
  });

  test('one connection does not narrow another', () => {
    const operator = boundary('narrow', 'root');
    operator.narrowing().scope(offer('root/a'));
    expect(operator.narrowing().scope(undefined).roots).toEqual(operator.operatorRoots());
  });

  test('a refusal without roots says why and how to add one', () => {
    const narrowing = boundary('narrow').narrowing();
    for (const call of [
      () => readSmall(narrowing.scope(undefined), 'f', 10),
      () => replaceFile(narrowing.scope([]), 'f', 'x'),
    ])
      expect(failure(call)).toMatchObject({
        code: 'no-roots',
        message: expect.stringMatching(
          /^nothing is allowed: the operator named no root and the client offers/,
        ),
        hint: "name a folder on the server's command line, or let the client offer one as a root",
      });
  });

  test('an unchanged list gives the same scope, a changed one another', () => {
    const narrowing = boundary('narrow', 'root').narrowing();
    const first = narrowing.scope(offer('root/a'));
    expect(narrowing.scope(offer('root/a'))).toBe(first);
    expect(narrowing.scope(offer('root/c'))).not.toBe(first);
  });

  test('a client root that is removed takes its scope with it, and comes back with it', () => {
    const narrowing = boundary('narrow', 'root').narrowing();
    expect(narrowing.scope(offer('root/c')).roots).toHaveLength(1);
    rmSync(join(tree.root, 'c'), { recursive: true });
    expect(narrowing.scope(offer('root/c')).roots).toEqual([]);
    mkdirSync(join(tree.root, 'c'));
    expect(narrowing.scope(offer('root/c')).roots).toHaveLength(1);
  });

  test('the name that the client gives a root is kept', () => {
    const narrowing = boundary('narrow', 'root').narrowing();
    const uri = toFileUri(join(tree.root, 'a'));
    expect(narrowing.scope([{ uri, name: 'Project' }]).roots[0]).toMatchObject({ uri, name: 'Project' });
    expect(narrowing.scope([{ uri }]).roots[0]).toMatchObject({ uri, name: 'a' });
  });
});
