import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesOfText, textOfBytes } from '../../src/boundary/names/bytes.ts';
import {
  fromFileUri,
  locate,
  makeDirectory,
  moveEntry,
  openDirectory,
  readEntries,
  readSmall,
  replaceFile,
  showName,
  statEntry,
  toFileUri,
  updateFile,
} from '../../src/boundary.ts';
import { atOnce, codeOf, containments, useTree } from './tree.ts';

test('any bytes are text, and the text is those bytes again', () => {
  for (const hex of [
    'ff',
    '61ff62',
    'c3',
    'c3a9ff',
    'e282',
    'eda080',
    'f0908080ff',
    'c0af',
    '80bf',
    'efbfbdff',
  ]) {
    const bytes = Buffer.from(hex, 'hex');
    expect([hex, bytesOfText(textOfBytes(bytes)).toString('hex')]).toEqual([hex, hex]);
  }
  expect(textOfBytes(Buffer.from('caf\u00e9'))).toBe('caf\u00e9');
  expect(textOfBytes(Buffer.from([0x61, 0xff]))).toBe('a\udcff');
  expect(showName('a\udcff\ud83d\ude00\u202e')).toBe('a\\xff\ud83d\ude00\\u202e');
});

// other systems have no such names
describe.runIf(process.platform === 'linux').each(containments)(
  'names that are not UTF-8, %s',
  (containment) => {
    const tree = useTree();
    const named = (...parts: (string | number)[]) =>
      Buffer.concat([
        Buffer.from(`${tree.root}/`),
        ...parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))),
      ]);
    const uri = (below: string) => `${toFileUri(tree.root)}/${below}`;
    const read = (path: string) => readSmall(tree.scope(containment), path, 100)?.bytes.toString();

    test('are listed with escapes and read, looked at and changed by a URI that escapes their bytes', () => {
      writeFileSync(named('bad', 0xff, '.txt'), 'odd');
      writeFileSync(named('bad\ufffd.txt'), 'decoy');
      const scope = tree.scope(containment);
      const folder = openDirectory(scope, '.');
      expect([...readEntries(folder, '.')].map((entry) => entry.name).sort()).toEqual([
        String.raw`bad\xff.txt`,
        'bad\ufffd.txt',
      ]);
      folder.close();
      expect([read(uri('bad%FF.txt')), read(uri('bad%ff.txt')), read('bad\ufffd.txt')]).toEqual([
        'odd',
        'odd',
        'decoy',
      ]);
      expect(statEntry(scope, uri('bad%FF.txt')).stat.size).toBe(3);
      atOnce(() => replaceFile(scope, uri('bad%FF.txt'), 'new one'));
      atOnce(() => updateFile(scope, uri('bad%FF.txt'), (bytes) => `${bytes.toString()}!`));
      expect(readFileSync(named('bad', 0xff, '.txt'), 'utf8')).toBe('new one!');
      expect(readFileSync(named('bad\ufffd.txt'), 'utf8')).toBe('decoy');
    });

    test('so are the folders on the way, and what is in them', async () => {
      mkdirSync(named(0xe9));
      writeFileSync(named(0xe9, '/f'), 'below');
      const scope = tree.scope(containment);
      expect(read(uri('%E9/f'))).toBe('below');
      const folder = openDirectory(scope, uri('%e9'));
      expect([...readEntries(folder, '.')].map((entry) => entry.name)).toEqual(['f']);
      folder.close();
      expect((await makeDirectory(scope, uri('%E9/%FE/x'))).created).toBe(true);
      atOnce(() => replaceFile(scope, uri('%E9/%FE/x/%FD'), 'deep'));
      expect(readFileSync(named(0xe9, '/', 0xfe, '/x/', 0xfd), 'utf8')).toBe('deep');
      expect(fromFileUri(toFileUri(locate(scope, uri('%E9/f')).path))).toBe(locate(scope, uri('%E9/f')).path);
    });

    test('are moved from and to, links among them', async () => {
      writeFileSync(named('a', 0xff), 'x');
      const scope = tree.scope(containment);
      expect((await moveEntry(scope, uri('a%FF'), uri('b%FE'))).to).toBe(join(tree.root, 'b\udcfe'));
      atOnce(() => moveEntry(scope, uri('b%FE'), 'plain'));
      expect(readdirSync(tree.root)).toEqual(['plain']);
    });

    test('lead nowhere else: not outside, not by an escaped separator, not by half a character', () => {
      writeFileSync(named('a', 0xff), 'x');
      expect(codeOf(() => read(`${uri('..')}/outside/secret.txt%FF`))).toBe('not-found');
      expect(codeOf(() => read(uri('%FF%2F..%2F..%2Foutside%2Fsecret.txt')))).toBe('invalid-path');
      expect(codeOf(() => read(uri('%FF/../../outside/secret.txt')))).toBe('not-found');
      expect(codeOf(() => read(uri('%C0%AF..%C0%AFoutside')))).toBe('not-found');
      expect(codeOf(() => read('a\ud800'))).toBe('invalid-path');
    });
  },
);
