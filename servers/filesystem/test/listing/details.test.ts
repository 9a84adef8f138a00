import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampled } from '../../../../test/extent.ts';
import { call, inEveryRevision, Scene, structuredRevisions, whereStructured } from '../harness.ts';

const scene = new Scene();

interface Listed {
  entries: { name: string; type: string; size?: number; target?: string }[];
  total?: number;
  totals?: object;
  truncated: boolean;
  nextCursor?: string;
}

const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const timeless = (text: string): string => text.replace(time, 'TIME');

whereStructured((revision) => {
  test('details have the target of a link inside the roots, and of no other', async () => {
    scene.put('sub/file.txt', '12345');
    symlinkSync('sub/file.txt', scene.at('to-file'));
    symlinkSync('sub', scene.at('to-folder'));
    symlinkSync(scene.outside, scene.at('to-outside'));
    symlinkSync('nothing', scene.at('to-nothing'));
    const client = await scene.client({ revision });
    for (const sort of ['name', 'none']) {
      const { facts, text } = await call(client, 'list_directory', { path: '.', details: true, sort });
      const listed = facts as unknown as Listed;
      const links = listed.entries
        .filter(({ type }) => type === 'symlink')
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
      expect(links).toEqual([
        { name: 'to-file', type: 'symlink', modified: expect.any(String), target: scene.at('sub/file.txt') },
        { name: 'to-folder', type: 'symlink', modified: expect.any(String), target: `${scene.at('sub')}/` },
        { name: 'to-nothing', type: 'symlink', modified: expect.any(String) },
        { name: 'to-outside', type: 'symlink', modified: expect.any(String) },
      ]);
      const lines = timeless(text).split('\n');
      expect(lines).toContain(`[LINK] to-file  TIME  -> ${scene.at('sub/file.txt')}`);
      expect(lines).toContain('[LINK] to-outside  TIME');
    }
    const plain = await call(client, 'list_directory', { path: '.' });
    expect(JSON.stringify(plain.result)).not.toContain('target');
  });

  test('a target is a path below its root as the root was given', async () => {
    mkdirSync(scene.at('real/deep'), { recursive: true });
    writeFileSync(scene.at('real/deep/file'), '');
    symlinkSync('deep/file', scene.at('real/link'));
    symlinkSync(scene.at('real'), join(scene.top, 'alias'));
    const root = join(scene.top, 'alias');
    const client = await scene.client({ revision, roots: [{ path: root, readOnly: false }] });
    const { facts } = await call(client, 'list_directory', { path: root, details: true });
    const link = (facts as unknown as Listed).entries.find(({ name }) => name === 'link');
    expect(link?.target).toBe(join(root, 'deep/file'));
  });
});

inEveryRevision((revision) => {
  test('denied entries are not listed, not counted, and not named as the target of a link', async () => {
    scene.put('secret.key', '12345');
    scene.put('plain.txt', '123');
    symlinkSync('secret.key', scene.at('link'));
    const client = await scene.client({ revision, extra: { deny: ['*.key'] } });
    for (const sort of ['name', 'none', 'size', 'modified']) {
      const { text } = await call(client, 'list_directory', { path: '.', details: true, sort });
      expect(timeless(text).split('\n').sort()).toEqual([
        '[FILE] plain.txt  3 bytes  TIME',
        '[LINK] link  TIME',
      ]);
    }
    const { text } = await call(client, 'list_directory_with_sizes', { path: '.' });
    expect(text).toContain('Total: 1 files, 0 directories, 1 others\nCombined size: 3 bytes');
    expect(text).not.toContain('secret');
  });

  test('list_directory_with_sizes sorts by name or size and ends with the totals of the directory', async () => {
    scene.put('a.txt', 'x'.repeat(10));
    scene.put('b.txt', 'x'.repeat(2048));
    mkdirSync(scene.at('sub'));
    const client = await scene.client({ revision });
    const byName = await call(client, 'list_directory_with_sizes', { path: '.' });
    expect(timeless(byName.words)).toBe(
      [
        '[FILE] a.txt  10 bytes  TIME',
        '[FILE] b.txt  2 KB  TIME',
        '[DIR] sub  TIME',
        '',
        'Total: 2 files, 1 directories',
        'Combined size: 2 KB',
      ].join('\n'),
    );
    const bySize = await call(client, 'list_directory_with_sizes', { path: '.', sortBy: 'size' });
    expect(
      bySize.text
        .split('\n')
        .slice(0, 3)
        .map((line) => line.split('  ')[0]),
    ).toEqual(['[FILE] b.txt', '[FILE] a.txt', '[DIR] sub']);
    expect(bySize.facts === undefined).toBe(!structuredRevisions.includes(revision));
  });
});

test('the totals cover the whole directory on every page, even without the snapshot of the first', async () => {
  for (let index = 0; index < 300; index++) scene.put(`many/${index}`, 'x'.repeat(index % 7));
  const sum = Array.from({ length: 300 }, (_, index) => index % 7).reduce((a, b) => a + b);
  const filesystem = scene.filesystem({ maxOutput: 2000 });
  const client = await scene.join(filesystem);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await call(client, 'list_directory_with_sizes', { path: 'many', sortBy: 'size', cursor });
    const { entries, total, totals, nextCursor, truncated } = page.facts as unknown as Listed;
    expect([total, totals]).toEqual([300, { files: 300, directories: 0, others: 0, size: sum }]);
    expect(page.text).toContain('\nTotal: 300 files, 0 directories\n');
    expect(truncated).toBe(nextCursor !== undefined);
    expect(Buffer.byteLength(JSON.stringify(page.facts))).toBeLessThanOrEqual(2000);
    names.push(...entries.map(({ name }) => name));
    cursor = nextCursor;
  } while (cursor !== undefined);
  expect(new Set(names).size).toBe(300);
});

test('both tools refuse a directory that cannot be listed with the same message', async () => {
  scene.put('file');
  const client = await scene.client();
  for (const path of ['none', 'file', scene.outside]) {
    const official = await call(client, 'list_directory_with_sizes', { path });
    const ours = await call(client, 'list_directory', { path });
    expect([official.failed, official.text]).toEqual([true, ours.text]);
  }
});

test.each(sampled(['none', 'name', 'size'], 3))(
  'a page of thousands by %s is complete, and the next one continues after it',
  async (sort) => {
    mkdirSync(scene.at('many'));
    for (let index = 0; index < 2600; index++) writeFileSync(scene.at(`many/${index}`), '');
    const client = await scene.client({ maxOutput: 1_000_000 });
    const args = { path: 'many', sort, limit: 2500, details: true };
    const first = (await call(client, 'list_directory', args)).facts as unknown as Listed;
    const { nextCursor: cursor } = first;
    const rest = (await call(client, 'list_directory', { ...args, cursor })).facts as unknown as Listed;
    expect([first.entries.length, rest.entries.length, rest.truncated]).toEqual([2500, 100, false]);
    expect(new Set([...first.entries, ...rest.entries].map(({ name }) => name)).size).toBe(2600);
  },
);
