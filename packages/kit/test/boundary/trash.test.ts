import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Boundary, removeEntry } from '../../src/boundary.ts';
import { atOnce, codeOf, useTree } from './tree.ts';

const posixUid = process.getuid?.();

// Trash specification 1.0 of freedesktop.org
describe.runIf(process.platform === 'linux')('the trash', () => {
  const tree = useTree();
  const scope = () => tree.scope('kernel');
  const home = () => join(tree.top, 'data/Trash');
  const trash = (path: string, more = {}) => removeEntry(scope(), path, { trash: true, ...more });
  let before: string | undefined;

  beforeEach(() => {
    before = process.env.XDG_DATA_HOME;
    process.env.XDG_DATA_HOME = join(tree.top, 'data');
  });
  afterEach(() => {
    if (before === undefined) delete process.env.XDG_DATA_HOME;
    else process.env.XDG_DATA_HOME = before;
  });

  test('gets a file whole, with a note where it was and when it went', () => {
    const full = tree.write('root/a b%ü/f.txt', 'content');
    expect(atOnce(() => trash('a b%ü/f.txt'))).toEqual({
      path: full,
      kind: 'file',
      entries: 1,
      trashed: true,
    });
    expect(readFileSync(join(home(), 'files/f.txt'), 'utf8')).toBe('content');
    const note = readFileSync(join(home(), 'info/f.txt.trashinfo'), 'utf8').split('\n');
    const escaped = tree.root.split('/').map(encodeURIComponent).join('/');
    expect([note[0], note[1], note.length]).toEqual([
      '[Trash Info]',
      `Path=${escaped}/a%20b%25%C3%BC/f.txt`,
      4,
    ]);
    expect(note[2]).toMatch(/^DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    expect([existsSync(full), lstatSync(home()).mode & 0o777]).toEqual([false, 0o700]);
    expect(readdirSync(tree.root)).toEqual(['a b%ü']);
  });

  test('gets what has a name that is not UTF-8, and notes its bytes', () => {
    const name = Buffer.from('bad\xff', 'latin1');
    writeFileSync(Buffer.concat([Buffer.from(`${tree.root}/`), name]), 'content');
    expect(atOnce(() => trash('bad\udcff')).trashed).toBe(true);
    expect(readdirSync(join(home(), 'files'), 'buffer')).toEqual([name]);
    const note = Buffer.concat([Buffer.from(`${home()}/info/`), name, Buffer.from('.trashinfo')]);
    expect(readFileSync(note, 'utf8')).toMatch(/\/%62%61%64%ff\n/);
  });

  test('gets folders and links, and keeps all of one name', async () => {
    for (const name of ['1/f.txt', '2/f.txt', '3/f.txt']) tree.write(`root/${name}`, name);
    for (const name of ['1', '2', '3']) await trash(`${name}/f.txt`);
    tree.write('root/d/e/g', 'deep');
    symlinkSync('../outside', join(tree.root, 'link'));
    expect(codeOf(() => trash('d'))).toBe('not-empty');
    expect(await trash('d', { recursive: true })).toMatchObject({ entries: 3, trashed: true });
    await trash('link');
    const files = join(home(), 'files');
    expect(readdirSync(files).sort()).toEqual(['d', 'f.2.txt', 'f.3.txt', 'f.txt', 'link']);
    expect(readdirSync(join(home(), 'info')).sort()).toEqual(
      ['d', 'f.2.txt', 'f.3.txt', 'f.txt', 'link'].map((name) => `${name}.trashinfo`),
    );
    expect(
      ['f.txt', 'f.2.txt', 'f.3.txt', 'd/e/g'].map((name) => readFileSync(join(files, name), 'utf8')),
    ).toEqual(['1/f.txt', '2/f.txt', '3/f.txt', 'deep']);
    expect([readlinkSync(join(files, 'link')), readdirSync(tree.outside)]).toEqual([
      '../outside',
      ['secret.txt'],
    ]);
  });

  test('never gets something over what is there without a note, nor a name too long for one', async () => {
    tree.write('data/Trash/files/f', 'orphan');
    tree.write('root/f', 'x');
    await trash('f');
    const long = 'é'.repeat(120);
    tree.write(`root/${long}`, 'long');
    await trash(long);
    const files = readdirSync(join(home(), 'files')).sort();
    expect(files).toEqual(['f', 'f.2', 'é'.repeat(115)]);
    expect(readdirSync(join(home(), 'info')).sort()).toEqual([
      'f.2.trashinfo',
      `${'é'.repeat(115)}.trashinfo`,
    ]);
    expect(readFileSync(join(home(), 'files/f'), 'utf8')).toBe('orphan');
  });

  test('of another file system is at its top: shared and sticky, or of this user alone', async () => {
    if (!existsSync('/dev/shm') || posixUid === undefined) return;
    const away = mkdtempSync('/dev/shm/boundary-');
    const own = `/dev/shm/.Trash-${posixUid}`;
    const shared = '/dev/shm/.Trash';
    if (existsSync(own) || existsSync(shared)) return;
    try {
      const there = new Boundary({ roots: [{ path: away, readOnly: false }], policy: 'narrow' })
        .narrowing()
        .scope(undefined);
      const put = async (name: string): Promise<void> => {
        mkdirSync(join(away, name));
        await removeEntry(there, name, { trash: true });
      };
      // the trash of the home is on another file system, or a link, which could lead anywhere
      await put('one');
      process.env.XDG_DATA_HOME = away;
      mkdirSync(join(away, 'elsewhere'));
      symlinkSync('elsewhere', join(away, 'Trash'));
      await put('again');
      expect(readdirSync(join(away, 'elsewhere'))).toEqual([]);
      // without the sticky bit it may not be used
      mkdirSync(shared, { mode: 0o777 });
      await put('two');
      chmodSync(shared, 0o1777);
      await put('three');
      expect([readdirSync(`${own}/files`).sort(), readdirSync(`${shared}/${posixUid}/files`)]).toEqual([
        ['again', 'one', 'two'],
        ['three'],
      ]);
      const note = readFileSync(`${own}/info/one.trashinfo`, 'utf8');
      expect(note).toContain(`\nPath=${away.slice('/dev/shm/'.length)}/one\n`);
    } finally {
      for (const path of [away, own, shared]) rmSync(path, { recursive: true, force: true });
    }
  });
});
