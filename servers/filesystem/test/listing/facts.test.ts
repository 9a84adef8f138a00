import { chmodSync, mkdirSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { halves, pages, servedTests } from './served.ts';

const tests = servedTests();

test('get_file_info returns typed fields, and lines of key and value as text', async () => {
  const file = tests.put('notes.md', 'twelve bytes');
  chmodSync(file, 0o640);
  utimesSync(file, 1_700_000_000, 1_700_000_001);
  const served = await tests.session();
  const { content, structuredContent } = await served.call('get_file_info', { path: 'notes.md' });
  expect(structuredContent).toEqual({
    path: 'notes.md',
    type: 'file',
    size: 12,
    created: statSync(file).birthtime.toISOString(),
    modified: '2023-11-14T22:13:21.000Z',
    accessed: '2023-11-14T22:13:20.000Z',
    permissions: '640',
    owner: statSync(file).uid,
    group: statSync(file).gid,
    links: 1,
    mimeType: 'text/markdown',
    encoding: 'utf-8',
    etag: expect.stringMatching(/^\d+-12-\d+$/),
    writable: true,
  });
  expect(content[0]!.text.split('\n')).toEqual(
    Object.entries(structuredContent).map(([key, value]) => `${key}: ${String(value)}`),
  );
});

test('the etag is that of read_text_file', async () => {
  tests.put('a.txt', 'text');
  const served = await tests.session();
  const info = await served.call('get_file_info', { path: 'a.txt' });
  const read = await served.call('read_text_file', { path: 'a.txt' });
  expect(info.structuredContent.etag).toBe(read.structuredContent.etag);
});

test('a directory has no size, and entries below a read-only root are not writable', async () => {
  mkdirSync(join(tests.root, 'sub'));
  const served = await tests.session(102_400, true);
  const { structuredContent } = await served.call('get_file_info', { path: 'sub' });
  expect(structuredContent).toMatchObject({ type: 'directory', writable: false });
  expect(structuredContent).not.toHaveProperty('size');
});

test('a link is described, with its target if it is inside the roots', async () => {
  tests.put('sub/target.txt', '12345');
  symlinkSync('sub/target.txt', join(tests.root, 'link'));
  const served = await tests.session();
  const { content, structuredContent } = await served.call('get_file_info', { path: 'link' });
  const path = join(tests.root, 'sub/target.txt');
  expect(structuredContent).toMatchObject({ type: 'symlink', target: { path, type: 'file', size: 5 } });
  expect(structuredContent).not.toHaveProperty('size');
  expect(content[0]!.text).toContain(`\ntarget: ${path} (file, 5 bytes)`);
});

test('a time out of range is omitted', async () => {
  const file = tests.put('old.txt');
  const served = await tests.session();
  utimesSync(file, 1, 8.64e12 + 1);
  // file systems with 32 or 34 bits of time store another time, which is then returned
  const kept = statSync(file).mtime;
  const { structuredContent } = await served.call('get_file_info', { path: 'old.txt' });
  expect(structuredContent.modified).toBe(Number.isNaN(kept.getTime()) ? undefined : kept.toISOString());
});

test('the roots are listed with their reason and containment', async () => {
  mkdirSync(join(tests.root, 'docs'));
  const served = await tests.serve({
    roots: [
      { path: tests.root, readOnly: false },
      { path: join(tests.root, 'docs'), readOnly: true },
    ],
    maxOutput: 102_400,
  });
  const { content, structuredContent } = await served.call('list_allowed_directories');
  const { reason, containment } = structuredContent;
  expect(structuredContent).toMatchObject({
    roots: [
      { path: tests.root, uri: `file://${tests.root}`, name: 'root', readOnly: false },
      { path: join(tests.root, 'docs'), uri: `file://${tests.root}/docs`, name: 'docs', readOnly: true },
    ],
    reason: "the client offers no roots, so the operator's roots apply",
    containment: process.platform === 'linux' ? 'kernel' : 'best-effort',
    truncated: false,
  });
  expect(content[0]!.text).toContain(
    `Allowed directories:\n${tests.root}\n${tests.root}/docs (read-only)\n[${reason}; containment: ${containment}]`,
  );
});

test('without a root the result is empty, not an error', async () => {
  const served = await tests.serve({ roots: [], maxOutput: 102_400 });
  const { isError, structuredContent } = await served.call('list_allowed_directories');
  expect([isError, structuredContent.roots]).toEqual([undefined, []]);
  expect(structuredContent.reason).toBe('the operator named no root and the client offers no roots');
});

test('many roots are listed in pages within the size limit', async () => {
  const paths = Array.from({ length: 60 }, (_, index) => join(tests.root, `folder-${index}`));
  for (const path of paths) mkdirSync(path);
  const served = await tests.serve({
    roots: paths.map((path) => ({ path, readOnly: false })),
    maxOutput: 2000,
  });
  const all = await pages(served, 'list_allowed_directories', {});
  for (const page of all) expect(Math.max(...halves(page))).toBeLessThanOrEqual(2000);
  const listed = all.flatMap(({ structuredContent }) => structuredContent.roots);
  expect(listed.map((root) => root.path)).toEqual(paths);
});

test('every tool here is annotated as read-only and has an output schema', async () => {
  const served = await tests.session();
  const tools = await served.tools();
  const names = [
    'list_directory',
    'directory_tree',
    'get_file_info',
    'list_allowed_directories',
    'search_files',
    'search_content',
  ];
  const ours = tools.filter(({ name }) => names.includes(name));
  expect(ours.map(({ name }) => name).sort()).toEqual(names.sort());
  for (const { annotations, outputSchema } of ours) {
    expect(annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
    expect(outputSchema).toMatchObject({ type: 'object' });
  }
});
