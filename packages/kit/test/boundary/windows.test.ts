import { win32 } from 'node:path';
import { describe, expect, test } from 'vitest';
import { retryHeld } from '../../src/boundary/changes/rename.ts';
import { plainPath } from '../../src/boundary/opening/paths.ts';
import { isSameEntry, placeByIdentity } from '../../src/boundary/verifying/identity.ts';
import { fromFileUri, type Root, toFileUri } from '../../src/boundary.ts';
import { failure } from './tree.ts';

const onWindows = (path: string) => plainPath(path, 'win32');

test.each([
  ['C:\\Users\\me\\a.txt', 'C:\\Users\\me\\a.txt'],
  ['c:\\users', 'C:\\users'],
  ['c:/Users/me/a b.txt', 'C:\\Users\\me\\a b.txt'],
  ['C:\\Users/me\\..\\you', 'C:\\Users\\me\\..\\you'],
  ['\\\\server\\share\\x', '\\\\server\\share\\x'],
  ['//server/share/x', '\\\\server\\share\\x'],
  ['\\\\?\\C:\\very\\long', 'C:\\very\\long'],
  ['//?/c:/x', 'C:\\x'],
  ['\\??\\C:\\x', 'C:\\x'],
  ['\\\\?\\UNC\\server\\share\\x', '\\\\server\\share\\x'],
  ['\\\\?\\unc\\server\\share', '\\\\server\\share'],
  ['src\\a.ts', 'src\\a.ts'],
  ['src/a.ts', 'src\\a.ts'],
  ['.\\a', '.\\a'],
  ['100%', '100%'],
  ['%2e%2e\\x', '%2e%2e\\x'],
  ['PROGRA~1', 'PROGRA~1'],
  ['~user', '~user'],
  ['.env', '.env'],
  ['console.log', 'console.log'],
  ['com10', 'com10'],
  ['common\\auxiliary\\nullable.ts', 'common\\auxiliary\\nullable.ts'],
  ['file:///c%3A/a%20b', 'C:\\a b'],
  ['file:///C|/x', 'C:\\x'],
  ['file:///C:/x', 'C:\\x'],
  ['file:///C:\\x', 'C:\\x'],
  ['file:/C:/x', 'C:\\x'],
  ['file://C:/x', 'C:\\x'],
  ['file:///c:', 'C:\\'],
  ['file://localhost/C:/x', 'C:\\x'],
  ['file://server/share/a%20b', '\\\\server\\share\\a b'],
  ['file:////server/share/x', '\\\\server\\share\\x'],
])('on Windows %s is %s', (path, plain) => {
  expect(onWindows(path)).toBe(plain);
});

test.each<[string, string]>([
  ['\\\\.\\C:', 'device'],
  ['\\\\.\\pipe\\x', 'device'],
  ['//./nul', 'device'],
  ['\\\\?\\GLOBALROOT\\Device\\x', 'device'],
  ['\\\\?\\Volume{b75e2c83-0000-0000-0000-602f00000000}\\x', 'device'],
  ['\\\\?\\pipe', 'device'],
  ['C:', 'write C:\\'],
  ['C:x', 'write C:\\'],
  ['c:..\\x', 'write C:\\'],
  ['\\\\server', '\\\\server\\share\\name'],
  ['\\\\server\\', '\\\\server\\share\\name'],
  ['\\xy', 'name the drive'],
  ['/c/Users/me', 'write C:\\Users\\me'],
  ['/mnt/d/work', 'write D:\\work'],
  ['/cygdrive/c/x', 'write C:\\x'],
  ['/c', 'write C:\\'],
  ['file:///etc/passwd', 'name the drive'],
  ...['CON', 'nul', 'a\\Aux.txt', 'C:\\x\\com1', 'COM¹.log', 'lpt³', 'prn .txt', 'nul.tar.gz', 'CONIN$'].map(
    (path): [string, string] => [path, 'device'],
  ),
  ['C:\\x\\secret.txt.', 'dot or space'],
  ['C:\\x\\secret.txt ', 'dot or space'],
  ['.env. .', 'dot or space'],
  ['folder.\\x', 'dot or space'],
  ['...', 'dot or space'],
  ['a.txt:stream', 'none of < > :'],
  ['a.txt::$DATA', 'none of < > :'],
  ['C:\\x\\folder:$I30:$INDEX_ALLOCATION', 'none of < > :'],
  ['a?b', 'none of < > :'],
  ['"C:\\x"', 'none of < > :'],
  ['a\u0001b', 'none of < > :'],
  [`C:\\${'a'.repeat(256)}`, '255'],
  ['', 'empty'],
  ['a\0b', 'NUL'],
  ['file:///C:/a%5Cb', 'file:///C:/folder/name'],
  ['file:///C:/a%2Fb', 'file:///C:/folder/name'],
  ['file:///C:/%zz', 'file:///C:/folder/name'],
])('on Windows %s is refused with what to write', (path, hint) => {
  expect(failure(() => onWindows(path))).toMatchObject({
    code: 'invalid-path',
    hint: expect.stringContaining(hint) as string,
  });
});

test('on Windows a path may be longer than 260 and than 4,096 characters, up to 32,000', () => {
  const deep = `C:\\${'abc\\'.repeat(7000)}x`;
  expect(onWindows(deep)).toBe(deep);
  expect(failure(() => onWindows(deep + deep.slice(2))).hint).toContain('32000');
});

test.each([
  ['C:\\Users\\me\\a b.txt', 'file:///C:/Users/me/a%20b.txt'],
  ['C:\\', 'file:///C:/'],
  ['\\\\server\\share\\ü', 'file://server/share/%C3%BC'],
  ['D:\\100%#?', 'file:///D:/100%25%23%3F'],
])('on Windows %s is %s as a URI, and back', (path, uri) => {
  expect(toFileUri(path, 'win32')).toBe(uri);
  expect(win32.normalize(fromFileUri(uri, 'win32')!)).toBe(path);
});

test.each([
  ['C:\\Users\\me\\x', 'under WSL it is /mnt/c/Users/me/x'],
  ['d:/work', 'under WSL it is /mnt/d/work'],
  ['\\\\server\\share', 'a path of Windows'],
])('elsewhere %s is refused as a path of Windows', (path, hint) => {
  expect(failure(() => plainPath(path, 'linux'))).toMatchObject({
    code: 'invalid-path',
    hint: expect.stringContaining(hint) as string,
  });
});

describe('where case does not tell names apart', () => {
  const root = (path: string, real = path): Root => ({ path, real, readOnly: false, uri: '', name: '' });
  const looked: string[] = [];
  const place = (roots: Root[], path: string, same = true) =>
    placeByIdentity(win32, roots, path, (a, b) => {
      looked.push(a, b);
      return same;
    });

  test('another spelling of a root is that root when it is the same folder', () => {
    const roots = [root('C:\\Users\\Me\\Project')];
    expect(place(roots, 'C:\\users\\ME\\project\\Src\\a.ts')).toBe('C:\\Users\\Me\\Project\\Src\\a.ts');
    expect(place(roots, 'C:\\USERS\\me\\PROJECT')).toBe('C:\\Users\\Me\\Project');
    expect(place([root('C:\\Caf\u00e9')], 'C:\\cafe\u0301\\x')).toBe('C:\\Caf\u00e9\\x');
  });

  test('one that is another folder is outside', () => {
    expect(place([root('C:\\Users\\Me')], 'C:\\users\\me\\x', false)).toBeUndefined();
  });

  test('the deepest root that fits is meant, by its given and its real name', () => {
    const roots = [root('C:\\a'), root('C:\\a\\b'), root('Z:\\', '\\\\server\\share\\team')];
    expect(place(roots, 'C:\\A\\B\\c')).toBe('C:\\a\\b\\c');
    expect(place(roots, 'Z:\\plan.md')).toBe('\\\\server\\share\\team\\plan.md');
    expect(place(roots, '\\\\SERVER\\Share\\Team\\plan.md')).toBe('\\\\server\\share\\team\\plan.md');
  });

  test('nothing but spellings of a root is looked at', () => {
    looked.length = 0;
    for (const path of ['C:\\Users\\You', 'C:\\Users\\Me2\\x', '\\\\evil\\share\\x', 'C:\\', 'D:\\Users\\Me'])
      expect(place([root('C:\\Users\\Me')], path)).toBeUndefined();
    expect(looked).toEqual([]);
  });
});

test('one entry is one, also where two looks give its volume at two lengths', () => {
  const long = { dev: 0x1234_5678_9abc_def0n, ino: 2n ** 60n + 1n };
  const short = { dev: 0x9abc_def0n, ino: 2n ** 60n + 1n };
  expect(isSameEntry(long, short, 'win32')).toBe(true);
  expect(isSameEntry(long, short, 'linux')).toBe(false);
  expect(isSameEntry(long, { ...long, ino: 2n ** 60n + 2n }, 'win32')).toBe(false);
  expect(isSameEntry(long, { ...long, dev: 1n }, 'win32')).toBe(false);
});

describe('a rename on Windows', () => {
  const held = (code: string) => Object.assign(new Error(code), { code });
  const attempts = (failures: number, code = 'EPERM') => {
    const paused: number[] = [];
    let calls = 0;
    const work = () => {
      calls++;
      if (calls <= failures) throw held(code);
    };
    const run = () => retryHeld(work, 'a.txt', (ms) => paused.push(ms));
    return { run, paused, calls: () => calls };
  };

  test('waits for who holds the file, a little longer each time', () => {
    for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
      const { run, paused, calls } = attempts(3, code);
      run();
      expect([paused, calls()]).toEqual([[1, 2, 4], 4]);
    }
  });

  test('ends within 50 ms as busy, to be tried again', () => {
    const { run, paused, calls } = attempts(99);
    expect(failure(run)).toMatchObject({ code: 'busy', message: 'busy, try again: a.txt' });
    expect(paused.reduce((sum, ms) => sum + ms)).toBeLessThan(50);
    expect(calls()).toBe(paused.length + 1);
  });

  test('fails at once for any other reason', () => {
    const { run, paused } = attempts(1, 'ENOENT');
    expect(failure(run).code).toBe('ENOENT');
    expect(paused).toEqual([]);
  });
});
