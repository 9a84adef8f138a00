import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, official, ours, type Program } from './side.ts';

let base = '';
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-drop-in-')));
  for (const folder of ['one', 'two', 'with space']) {
    mkdirSync(join(base, folder));
    writeFileSync(join(base, folder, 'file.txt'), folder);
  }
  symlinkSync('one', join(base, 'link'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Started {
  roots: string[];
  /** content of `file.txt` by its relative path */
  read: string;
}

/** Returns what a server serves if it is started in the base folder, which is its home; undefined if it does not start. */
async function started(program: Program, args: readonly string[]): Promise<Started | undefined> {
  const client = await launch(program, args, { cwd: base, home: base }).catch(() => undefined);
  if (client === undefined) return undefined;
  try {
    const text = async (name: string, given: object): Promise<string> => {
      const { content, isError } = await client.callTool({ name, arguments: given });
      return isError === true ? 'refused' : (content[0]?.text ?? '');
    };
    const listed = (await text('list_allowed_directories', {})).split('\n');
    return {
      roots: listed.filter((line) => line.startsWith(base)).map((line) => line.slice(base.length + 1)),
      read: await text('read_text_file', { path: 'file.txt' }),
    };
  } finally {
    await client.close();
  }
}

const same: [string, string[]][] = [
  ['an absolute path', ['<base>/one']],
  ['a relative path', ['one']],
  ['a path below home', ['~/one']],
  ['a slash at the end', ['<base>/one/']],
  ['a space', ['with space']],
  ['several', ['<base>/two', '<base>/one']],
];

test.each(same)('the command line of the official server has the same effect: %s', async (_what, args) => {
  const given = args.map((arg) => arg.replace('<base>', base));
  const [theirs, own] = await Promise.all([started(official, given), started(ours, given)]);
  expect(theirs?.roots.length).toBeGreaterThan(0);
  expect(own).toEqual(theirs);
});

test('a link is one root, and its target is not another one', async () => {
  const [theirs, own] = await Promise.all([started(official, ['link']), started(ours, ['link'])]);
  expect(theirs).toEqual({ roots: ['link', 'one'], read: 'one' });
  expect(own).toEqual({ roots: ['link'], read: 'one' });
});

test('a missing folder is served once it exists', async () => {
  expect(await Promise.all([started(official, ['none']), started(ours, ['none'])])).toEqual([
    undefined,
    { roots: [], read: 'refused' },
  ]);
  const args = ['none', 'one'];
  expect(await Promise.all([started(official, args), started(ours, args)])).toEqual([
    { roots: ['one'], read: 'one' },
    { roots: ['one'], read: 'one' },
  ]);
});
