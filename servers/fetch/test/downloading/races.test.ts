import { lstatSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Downloads, everything } from './setting.ts';

const downloads = new Downloads();

/** Adds a path whose response ends after a change on disk. */
function meanwhile(deed: () => void): string {
  downloads.site.paths.set('/slow.txt', (_, response) => {
    response.writeHead(200).write('half', () => {
      deed();
      response.end(' and half');
    });
  });
  return downloads.site.url('/slow.txt');
}

test('a file that appears during the download stays unchanged', async () => {
  const root = downloads.folder();
  const path = join(root, 'slow.txt');
  const url = meanwhile(() => writeFileSync(path, 'mine'));
  const { code } = await downloads.download(await downloads.client([root]), url, { path });
  expect([code, readFileSync(path, 'utf8'), everything(root)]).toEqual(['exists', 'mine', ['slow.txt']]);
});

test.each([false, true])(
  'a link that appears during the download is not followed, overwrite: %s',
  async (overwrite) => {
    const root = downloads.folder();
    const outside = join(downloads.folder(), 'outside.txt');
    writeFileSync(outside, 'theirs');
    const path = join(root, 'slow.txt');
    const url = meanwhile(() => symlinkSync(outside, path));
    const { failed } = await downloads.download(await downloads.client([root]), url, { path, overwrite });
    expect([failed, readFileSync(outside, 'utf8')]).toEqual([!overwrite, 'theirs']);
    // an overwrite replaces the link itself
    expect(lstatSync(path).isSymbolicLink()).toBe(!overwrite);
  },
);

test('a folder that is moved away and replaced by a link meanwhile leads nowhere else', async () => {
  const root = downloads.folder();
  const outside = downloads.folder();
  await mkdir(join(root, 'in'));
  const url = meanwhile(() => {
    renameSync(join(root, 'in'), join(root, 'moved'));
    symlinkSync(outside, join(root, 'in'));
  });
  await downloads.download(await downloads.client([root]), url, { path: join(root, 'in', 'slow.txt') });
  expect(everything(outside)).toEqual([]);
});

test('a folder that is removed during the download is a failure, and nothing is left', async () => {
  const root = downloads.folder();
  await mkdir(join(root, 'in'));
  const url = meanwhile(() => rmSync(join(root, 'in'), { recursive: true }));
  const { failed } = await downloads.download(await downloads.client([root]), url, {
    path: join(root, 'in', 'slow.txt'),
  });
  expect([failed, everything(root)]).toEqual([true, []]);
});

test('of two downloads to one path one succeeds, and the other fails', async () => {
  const root = downloads.folder();
  const client = await downloads.client([root]);
  const path = join(root, 'same.txt');
  const urls = ['one', 'two'].map((name) => downloads.site.page(`/${name}`, name, 'text/plain'));
  const outcomes = await Promise.all(urls.map((url) => downloads.download(client, url, { path })));
  expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set(['exists', undefined]));
  expect(['one', 'two']).toContain(readFileSync(path, 'utf8'));
  expect(everything(root)).toEqual(['same.txt']);
});
