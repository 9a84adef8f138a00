import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampled } from '../../../../test/extent.ts';
import { halves, pages, type Result, type Served, servedTests } from './served.ts';

const tests = servedTests();
const MANY = 20_000;

function fill(count: number, folder = join(tests.root, 'many')): string[] {
  mkdirSync(folder, { recursive: true });
  // 7919 is coprime to the counts here, so this visits every number, out of order
  const names = Array.from(
    { length: count },
    (_, index) => `f${String((index * 7919) % count).padStart(6, '0')}`,
  );
  for (const name of names) writeFileSync(join(folder, name), '');
  return names.sort();
}

let big = '';
let bigNames: string[] = [];
beforeAll(() => {
  big = mkdtempSync(join(realpathSync(tmpdir()), 'rootbound-big-'));
  bigNames = fill(MANY, big);
});
afterAll(() => rmSync(big, { recursive: true, force: true }));

const bigSession = (): Promise<Served> =>
  tests.serve({ roots: [{ path: big, readOnly: false }], maxOutput: 102_400 });

function namesIn(results: Result[]): string[] {
  return results.flatMap(({ structuredContent }) => structuredContent.entries.map((entry) => entry.name));
}

async function refusal(served: Served, name: string, args: Record<string, unknown>): Promise<string> {
  const { isError, content, structuredContent } = await served.call(name, args);
  expect([isError, structuredContent]).toEqual([true, undefined]);
  return content[0]!.text;
}

test('entries are sorted by name, with their types, the total, and one line each', async () => {
  tests.put('b.txt', 'text');
  tests.put('a/inner.txt');
  const served = await tests.session();
  const { content, structuredContent } = await served.call('list_directory', { path: '.' });
  expect(content[0]!.text).toBe('[DIR] a\n[FILE] b.txt');
  expect(structuredContent).toEqual({
    path: '.',
    entries: [
      { name: 'a', type: 'directory' },
      { name: 'b.txt', type: 'file' },
    ],
    total: 2,
    truncated: false,
  });
});

test('an empty directory is reported as empty', async () => {
  const served = await tests.session();
  for (const sort of ['none', 'name', 'size']) {
    const { content, structuredContent } = await served.call('list_directory', { path: '.', sort });
    expect([content[0]!.text, structuredContent.entries]).toEqual(['[no entries]', []]);
  }
});

test('the largest and the newest come first, ties by name, with sizes and times', async () => {
  for (const [name, size, day] of [
    ['a', 5, 1],
    ['b', 9, 3],
    ['c', 5, 2],
    ['d', 0, 3],
  ] as const) {
    utimesSync(tests.put(name, 'x'.repeat(size)), 0, day * 86_400);
  }
  const served = await tests.session();
  const bySize = await served.call('list_directory', { path: '.', sort: 'size' });
  const byTime = await served.call('list_directory', { path: '.', sort: 'modified' });
  expect(namesIn([bySize])).toEqual(['b', 'a', 'c', 'd']);
  expect(namesIn([byTime])).toEqual(['b', 'd', 'c', 'a']);
  expect(bySize.structuredContent.entries[0]).toEqual({
    name: 'b',
    type: 'file',
    size: 9,
    modified: '1970-01-04T00:00:00.000Z',
  });
  expect(bySize.content[0]!.text.split('\n')[0]).toBe('[FILE] b  9 bytes  1970-01-04T00:00:00.000Z');
});

test('pipes and sockets have the type other, links the type symlink', async () => {
  execFileSync('mkfifo', [join(tests.root, 'pipe')]);
  symlinkSync('pipe', join(tests.root, 'link'));
  const socket = createServer();
  await new Promise<void>((resolve) => socket.listen(join(tests.root, 'socket'), resolve));
  const served = await tests.session();
  const { content } = await served.call('list_directory', { path: '.' });
  const unsorted = await served.call('list_directory', { path: '.', sort: 'none' });
  socket.close();
  expect(content[0]!.text).toBe('[LINK] link\n[OTHER] pipe\n[OTHER] socket');
  expect(unsorted.content[0]!.text.split('\n').sort()).toEqual(content[0]!.text.split('\n'));
});

test('a link reveals nothing about its target, whether that exists or not', async () => {
  writeFileSync(join(tests.outside, 'secret'), 'x'.repeat(4321));
  const served = await tests.session();
  const seen: string[] = [];
  for (const target of [join(tests.outside, 'secret'), join(tests.outside, 'no-such-thing-here')]) {
    symlinkSync(target, join(tests.root, 'link'));
    const listed = await served.call('list_directory', { path: '.', details: true });
    const info = await served.call('get_file_info', { path: 'link' });
    seen.push(JSON.stringify([listed, info]).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'));
    rmSync(join(tests.root, 'link'));
  }
  expect(seen[0]).toBe(seen[1]);
  expect(seen[0]).not.toMatch(/4321|secret|outside/);
});

test('paths outside the roots and missing paths have the same message', async () => {
  symlinkSync(tests.outside, join(tests.root, 'exit'));
  const served = await tests.session();
  const calls: [string, object][] = [
    ['list_directory', {}],
    ['list_directory', { sort: 'none' }],
    ['directory_tree', {}],
    ['search_files', { pattern: 'x' }],
    ['search_content', { pattern: 'x' }],
    ['get_file_info', {}],
  ];
  for (const [name, args] of calls) {
    const texts: string[] = [];
    for (const path of [
      tests.outside,
      '../outside',
      'exit/secret',
      'missing',
      join(tests.root, 'missing/x'),
    ]) {
      texts.push((await refusal(served, name, { path, ...args })).replace(path, 'PATH'));
    }
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/^no such file or folder: PATH\n/);
  }
});

test('a file is refused', async () => {
  tests.put('file');
  const served = await tests.session();
  for (const sort of ['name', 'none']) {
    expect(await refusal(served, 'list_directory', { path: 'file', sort })).toMatch(/^not a folder: file/);
  }
});

test('pages of a large directory list every entry once: sorted with the total, unsorted without', async () => {
  const served = await bigSession();
  const sorted = await pages(served, 'list_directory', { path: big, limit: 1500 });
  expect(sorted.map(({ structuredContent: { total } }) => total)).toEqual(Array(14).fill(MANY));
  expect(namesIn(sorted)).toEqual(bigNames);
  const unsorted = await pages(served, 'list_directory', { path: big, sort: 'none', limit: 1500 });
  expect(unsorted.map(({ structuredContent: { total } }) => total)).toEqual(Array(14).fill(undefined));
  expect(namesIn(unsorted).sort()).toEqual(bigNames);
  expect(unsorted[0]!.content[0]!.text).toMatch(/\n\[1500 entries; more with cursor \S+\]$/);
});

test('a page with the last entry is not truncated', async () => {
  fill(100);
  const served = await tests.session();
  for (const sort of ['none', 'name', 'size', 'modified']) {
    const whole = await served.call('list_directory', { path: 'many', sort, limit: 100 });
    const short = await served.call('list_directory', { path: 'many', sort, limit: 99 });
    expect(
      [whole, short].map(({ structuredContent: { truncated, nextCursor } }) => [truncated, nextCursor]),
    ).toEqual([
      [false, undefined],
      [true, expect.any(String)],
    ]);
  }
});

test.each(sampled(['name', 'size', 'modified', 'none'], 3))(
  'entries that stay in a directory are listed once by %s, whatever else changes between pages',
  async (sort) => {
    const names = fill(3000);
    const served = await tests.session();
    const listed: string[] = [];
    const gone = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page === 0 || cursor !== undefined; page++) {
      const result = await served.call('list_directory', {
        path: 'many',
        sort,
        limit: 400,
        ...(cursor && { cursor }),
      });
      listed.push(...namesIn([result]));
      cursor = result.structuredContent.nextCursor;
      const victim = names[2999 - page * 7]!;
      rmSync(join(tests.root, 'many', victim));
      if (!listed.includes(victim)) gone.add(victim);
      writeFileSync(join(tests.root, 'many', `a-new-${page}`), '');
      appendFileSync(join(tests.root, 'many', names[page * 11]!), 'grown');
    }
    const left = new Set(readdirSync(join(tests.root, 'many')));
    const times = new Map<string, number>();
    for (const name of listed) times.set(name, (times.get(name) ?? 0) + 1);
    expect(names.filter((name) => left.has(name) && times.get(name) !== 1)).toEqual([]);
    // a directory stream may have read a name ahead of its removal
    if (sort !== 'none') expect(listed.filter((name) => gone.has(name))).toEqual([]);
  },
);

test.each(sampled(['name', 'size', 'modified', 'none'], 3))(
  'a cursor by %s continues without a snapshot for its owner',
  async (sort) => {
    const names = fill(3000);
    const first = await tests.session();
    const page = await first.call('list_directory', { path: 'many', sort, limit: 1234 });
    const other = await tests.serve({
      roots: [{ path: tests.root, readOnly: false }],
      maxOutput: 102_400,
      principal: 'someone else',
    });
    const cursor = page.structuredContent.nextCursor;
    const rest = await other.call('list_directory', {
      path: 'many',
      sort,
      limit: 10_000,
      cursor,
      details: false,
    });
    expect(namesIn([page, rest]).sort()).toEqual(names);
  },
);

test.each(sampled(['name', 'size', 'modified'], 3))(
  'a cursor by %s continues after its entry without a snapshot, even if earlier entries have changed',
  async (sort) => {
    const names = fill(2000);
    const served = await tests.session();
    const page = await served.call('list_directory', { path: 'many', sort, limit: 1000 });
    const listed = namesIn([page]);
    for (const name of listed.slice(0, 300)) rmSync(join(tests.root, 'many', name));
    const other = await tests.serve({
      roots: [{ path: tests.root, readOnly: false }],
      maxOutput: 102_400,
      principal: 'someone else',
    });
    const { nextCursor: cursor } = page.structuredContent;
    const rest = await other.call('list_directory', {
      path: 'many',
      sort,
      limit: 10_000,
      cursor,
      details: false,
    });
    expect(namesIn([page, rest]).sort()).toEqual(names);
  },
);

test('an unsorted cursor continues by count if its entry was deleted', async () => {
  fill(3000);
  const served = await tests.session();
  const whole = await served.call('list_directory', { path: 'many', sort: 'none', limit: 10_000 });
  const page = await served.call('list_directory', { path: 'many', sort: 'none', limit: 1000 });
  const order = namesIn([whole]);
  rmSync(join(tests.root, 'many', order[999]!));
  const other = await tests.serve({
    roots: [{ path: tests.root, readOnly: false }],
    maxOutput: 102_400,
    principal: 'someone else',
  });
  const { nextCursor: cursor } = page.structuredContent;
  const rest = await other.call('list_directory', { path: 'many', sort: 'none', limit: 10_000, cursor });
  expect(namesIn([rest])).toEqual(order.slice(1001));
});

test('the same cursor returns the same page again', async () => {
  fill(300);
  const served = await tests.session();
  for (const sort of ['none', 'name', 'size']) {
    const first = await served.call('list_directory', { path: 'many', sort, limit: 100 });
    const again = { path: 'many', sort, limit: 100, cursor: first.structuredContent.nextCursor };
    const [second, repeated] = [
      await served.call('list_directory', again),
      await served.call('list_directory', again),
    ];
    expect(namesIn([repeated])).toEqual(namesIn([second]));
    expect(namesIn([first, second])).toHaveLength(200);
  }
});

test('abandoned pages keep a bounded number of descriptors open', async () => {
  fill(300);
  const served = await tests.session();
  const open = (): number => readdirSync('/proc/self/fd').length;
  const before = open();
  const cursors: string[] = [];
  for (let index = 0; index < 40; index++) {
    const page = await served.call('list_directory', { path: 'many', sort: 'none', limit: 10 });
    cursors.push(page.structuredContent.nextCursor!);
  }
  expect(open() - before).toBeLessThanOrEqual(8);
  const oldest = await served.call('list_directory', {
    path: 'many',
    sort: 'none',
    limit: 10,
    cursor: cursors[0]!,
  });
  const newest = await served.call('list_directory', {
    path: 'many',
    sort: 'none',
    limit: 10,
    cursor: cursors[39]!,
  });
  expect(namesIn([oldest])).toEqual(namesIn([newest]));
});

test('a directory that was replaced by a link to outside between two pages is reported as missing', async () => {
  fill(300);
  const served = await tests.session();
  for (const sort of ['none', 'name']) {
    const page = await served.call('list_directory', { path: 'many', sort, limit: 10 });
    renameSync(join(tests.root, 'many'), join(tests.outside, 'many'));
    symlinkSync(join(tests.outside, 'many'), join(tests.root, 'many'));
    const cursor = page.structuredContent.nextCursor;
    expect(await refusal(served, 'list_directory', { path: 'many', sort, cursor })).toMatch(
      /^no such file or folder/,
    );
    rmSync(join(tests.root, 'many'));
    renameSync(join(tests.outside, 'many'), join(tests.root, 'many'));
  }
});

test.each(['none', 'name'])(
  'a page by %s of a directory that was replaced lists the new one',
  async (sort) => {
    fill(300);
    const served = await tests.session();
    const page = await served.call('list_directory', { path: 'many', sort, limit: 100 });
    renameSync(join(tests.root, 'many'), join(tests.root, 'old'));
    tests.put('many/z-new');
    const { nextCursor: cursor } = page.structuredContent;
    const rest = await served.call('list_directory', { path: 'many', sort, cursor });
    expect(namesIn([rest])).toEqual(sort === 'name' ? ['z-new'] : []);
  },
);

test('a cursor of another tool, of other arguments or of another server is refused', async () => {
  fill(10);
  tests.put('other/file');
  const served = await tests.session();
  const page = await served.call('list_directory', { path: 'many', limit: 3 });
  const { nextCursor: cursor } = page.structuredContent;
  const foreign = /^cursor is not one of this server's/;
  expect(await refusal(served, 'directory_tree', { path: 'many', cursor })).toMatch(foreign);
  expect(await refusal(served, 'list_directory', { path: 'many', cursor: 'made up' })).toMatch(foreign);
  expect(await refusal(served, 'list_directory', { path: 'many', cursor: `${cursor}A` })).toMatch(foreign);
  const misused = /^cursor continues a call with other arguments\nrepeat the arguments/;
  expect(await refusal(served, 'list_directory', { path: 'other', cursor })).toMatch(misused);
  expect(await refusal(served, 'list_directory', { path: 'many', sort: 'size', cursor })).toMatch(misused);
  // its cursors have another kind of position
  expect(await refusal(served, 'list_directory', { path: 'many', sort: 'none', cursor })).toMatch(misused);
});

test('odd names take one line of text, and are unchanged in the structured half', async () => {
  const invalid = Buffer.from('bad-\xff\xfe', 'latin1');
  tests.put('line\nbreak');
  tests.put('esc\u001b[31m');
  tests.put('grün');
  writeFileSync(Buffer.concat([Buffer.from(`${tests.root}/`), invalid]), '');
  const served = await tests.session();
  for (const sort of ['name', 'none', 'size', 'modified']) {
    const { content, structuredContent } = await served.call('list_directory', {
      path: '.',
      sort,
      details: false,
    });
    const lines = content[0]!.text.split('\n').sort();
    expect(lines).toEqual([
      '[FILE] bad-\\xff\\xfe',
      '[FILE] esc\\u001b[31m',
      '[FILE] grün',
      '[FILE] line\\nbreak',
    ]);
    expect(structuredContent.entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'bad-\\xff\\xfe', bytes: invalid.toString('base64'), type: 'file' },
      { name: 'esc\u001b[31m', type: 'file' },
      { name: 'grün', type: 'file' },
      { name: 'line\nbreak', type: 'file' },
    ]);
  }
});

test("this server's temporary files are never listed", async () => {
  tests.put('.rootbound-staging/half-written', 'needle');
  tests.put('.rootbound-1a2b3c-4711-0123456789abcdef01234567.tmp', 'needle');
  tests.put('sub/.rootbound-1a2b3c-4711-0123456789abcdef01234567.tmp', 'needle');
  tests.put('sub/.rootbound-notes', 'needle');
  const served = await tests.session();
  for (const sort of ['none', 'name', 'size', 'modified']) {
    const { structuredContent } = await served.call('list_directory', { path: '.', sort });
    expect(structuredContent.entries.map((entry) => entry.name)).toEqual(['sub']);
  }
  const found = [
    await served.call('directory_tree', { path: '.', excludePatterns: [] }),
    await served.call('search_files', { path: '.', pattern: '**/.rootbound*', excludePatterns: [] }),
    await served.call('search_content', {
      path: '.',
      pattern: 'needle',
      output: 'files',
      excludePatterns: [],
    }),
  ];
  expect(found.map(({ content }) => content[0]!.text)).toEqual([
    'sub/\n  .rootbound-notes',
    'sub/.rootbound-notes',
    'sub/.rootbound-notes',
  ]);
});

test.each(sampled(['none', 'name', 'size'], 3))(
  'both halves of every page by %s stay within the size limit, and the pages are complete',
  async (sort) => {
    for (let index = 0; index < 300; index++)
      tests.put(`many/${index}-\u0001\u0002\u0003"\\ü\n${'x'.repeat(index % 90)}`);
    const served = await tests.session(2000);
    const all = await pages(served, 'list_directory', { path: 'many', sort, details: true });
    for (const page of all) expect(Math.max(...halves(page))).toBeLessThanOrEqual(2000);
    expect(namesIn(all).sort()).toEqual(readdirSync(join(tests.root, 'many')).sort());
  },
);

test('a long sort reports rising progress and lets other calls run', async () => {
  const served = await bigSession();
  const order: string[] = [];
  const { answer } = served.start('list_directory', { path: big, sort: 'size' });
  const small = served.call('list_allowed_directories');
  await Promise.all([answer.then(() => order.push('listing')), small.then(() => order.push('roots'))]);
  expect(order).toEqual(['roots', 'listing']);
  const values = served.progress.map(({ progress }) => progress);
  expect(values.length).toBeGreaterThan(0);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(served.progress[0]).toEqual({ progress: 1000, total: MANY });
});

test('a cancelled sort stops at once and has no response', async () => {
  const served = await bigSession();
  const holds = (): boolean =>
    readdirSync('/proc/self/fd').some((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === big;
      } catch {
        // the descriptor of this listing is closed
        return false;
      }
    });
  const { id, progressed } = served.start('list_directory', { path: big, sort: 'modified' });
  await progressed;
  expect(holds()).toBe(true);
  served.cancel(id);
  await served.call('list_allowed_directories');
  // the rest of the work would take many more turns of the event loop
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect([holds(), served.answered.has(id)]).toEqual([false, false]);
});

test('every result is the same with best-effort containment', async () => {
  fill(1500);
  tests.put('sub/a.txt', 'hit\n');
  symlinkSync('sub/a.txt', join(tests.root, 'link'));
  symlinkSync(tests.outside, join(tests.root, 'exit'));
  const [kernel, bestEffort] = [await tests.session(), await tests.bestEffort()];
  const calls: [string, Record<string, unknown>][] = [
    ...['none', 'name', 'size', 'modified'].map((sort): [string, Record<string, unknown>] => [
      'list_directory',
      { path: 'many', sort, limit: 400, details: true },
    ]),
    ['list_directory', { path: '.' }],
    ['directory_tree', { path: '.' }],
    ['search_files', { path: '.', pattern: 'a.txt' }],
    ['search_content', { path: 'link', pattern: 'hit' }],
  ];
  const entriesOf = (results: Result[]): unknown[] =>
    results.map(({ structuredContent: { nextCursor: _own, ...rest } }) => rest);
  for (const [name, args] of calls) {
    expect(entriesOf(await pages(bestEffort, name, args))).toEqual(
      entriesOf(await pages(kernel, name, args)),
    );
  }
  expect(await refusal(bestEffort, 'list_directory', { path: 'exit' })).toMatch(
    /^no such file or folder: exit\n/,
  );
});
