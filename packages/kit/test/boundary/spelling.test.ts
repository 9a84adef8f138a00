import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  Boundary,
  locate,
  makeDirectory,
  moveEntry,
  openDirectory,
  readSmall,
  replaceFile,
  statEntry,
} from '../../src/boundary.ts';
import { atOnce, codeOf, containments, failure, useTree } from './tree.ts';

const composed = 'caf\u00e9';
const decomposed = 'cafe\u0301';

describe.each(containments)('names that look the same, %s', (containment) => {
  const tree = useTree();
  const read = (path: string) => readSmall(tree.scope(containment), path, 100)?.bytes.toString();

  test('a name is found in the other normal form, both ways', () => {
    tree.write(`root/${decomposed}.txt`, 'apart');
    tree.write('root/re\u0301sume\u0301/\u00fc', 'one');
    expect([read(`${composed}.txt`), read('r\u00e9sum\u00e9/u\u0308')]).toEqual(['apart', 'one']);
    expect(read(join(tree.root, `${composed}.txt`))).toBe('apart');
  });

  test('a space finds the space that macOS and others write instead', () => {
    tree.write('root/Screenshot at 10.04.12\u202fAM.png', 'narrow');
    tree.write('root/a\u00a0b', 'no break');
    tree.write('root/plain name', 'plain');
    expect([read('Screenshot at 10.04.12 AM.png'), read('a b'), read('plain\u202fname')]).toEqual([
      'narrow',
      'no break',
      'plain',
    ]);
  });

  test('the name itself comes before what looks like it', () => {
    tree.write(`root/${composed}`, 'one');
    tree.write(`root/${decomposed}`, 'apart');
    expect([read(composed), read(decomposed)]).toEqual(['one', 'apart']);
  });

  test('of two that fit none is taken, and the refusal tells them apart', () => {
    tree.write('root/a\u00a0b', '1');
    tree.write('root/a\u202fb', '2');
    expect(failure(() => read('a b'))).toEqual({
      code: 'ambiguous',
      message: 'more than one name looks like this: a b',
      hint: String.raw`these names look the same: "a\u00a0b", "a\u202fb"; write one of them exactly`,
    });
    expect(codeOf(() => replaceFile(tree.scope(containment), 'a b', 'new'))).toBe('ambiguous');
  });

  test('looking, listing, writing, making folders, moving and watching find it as well', async () => {
    tree.write(`root/${decomposed}/file name`, 'old');
    const scope = tree.scope(containment);
    const file = join(tree.root, decomposed, 'file name');
    expect(statEntry(scope, `${composed}/file\u00a0name`).path).toBe(file);
    expect(locate(scope, `${composed}/file\u00a0name`)).toEqual({ path: file, exists: true });
    openDirectory(scope, composed).close();
    atOnce(() => replaceFile(scope, `${composed}/file\u00a0name`, 'new'));
    expect(read(file)).toBe('new');
    atOnce(() => replaceFile(scope, `${composed}/other name`, 'made'));
    expect((await makeDirectory(scope, `${composed}/x/y`)).created).toBe(true);
    expect((await makeDirectory(scope, composed)).created).toBe(false);
    expect(readdirSync(tree.root)).toEqual([decomposed]);
    expect(readdirSync(join(tree.root, decomposed)).sort()).toEqual(['file name', 'other name', 'x']);
    tree.write('root/source', 'x');
    expect(codeOf(() => moveEntry(scope, 'source', `${composed}/file\u00a0name`))).toBe('exists');
    expect((await moveEntry(scope, `${composed}/file\u00a0name`, 'moved')).from).toBe(file);
  });

  test('nothing outside is found that way, and a folder that looks the same does not hide what is missing', () => {
    tree.write(`outside/${decomposed}`, 'out');
    symlinkSync('../outside', join(tree.root, 'out side'));
    tree.write(`root/${decomposed}/x`, 'in');
    for (const path of [
      `../outside/${composed}`,
      `out side/${composed}`,
      `out\u00a0side/${composed}`,
      `${composed}/y`,
    ])
      expect([path, codeOf(() => read(path))]).toEqual([path, 'not-found']);
  });

  test('a denied name is neither found that way nor told of', () => {
    tree.write('root/key\u00a0a', 'denied');
    tree.write('root/key\u202fb', 'denied');
    tree.write('root/key\u2009b', 'allowed');
    const deny = ['key\u00a0*', 'key\u202f*'];
    const roots = [{ path: tree.root, readOnly: false }];
    const scope = new Boundary({ roots, policy: 'narrow', containment, deny }).operatorScope();
    expect(codeOf(() => readSmall(scope, 'key a', 100))).toBe('not-found');
    expect(readSmall(scope, 'key b', 100)?.bytes.toString()).toBe('allowed');
  });

  test('other letters are other names', () => {
    for (const name of ['ﬁle', 'Ａ', 'a-b', 'stra\u00dfe']) tree.write(`root/${name}`, name);
    for (const path of ['file', 'A', 'a\u2010b', 'strasse', 'a b'])
      expect([path, codeOf(() => read(path))]).toEqual([path, 'not-found']);
  });
});
