import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { content, names, searchTests } from './harness.ts';

const { start, tree, open, builtDirectory } = searchTests();

test('a worker crash fails its search with one line, and the next search works', async () => {
  const path = tree({ 'a.txt': 'NEEDLE' });
  const marker = join(tree(), 'crashed');
  const workerFile = join(tree(), 'worker.cjs');
  writeFileSync(
    workerFile,
    `const fs = require('node:fs');
     const { parentPort } = require('node:worker_threads');
     parentPort.on('message', (message) => {
       if (fs.existsSync(${JSON.stringify(marker)})) return;
       fs.writeFileSync(${JSON.stringify(marker)}, '');
       throw new Error('planted');
     });
     require(${JSON.stringify(join(builtDirectory(), 'search-worker.js'))});`,
  );
  const engine = start({ workerFile, workers: 2 });
  await engine.warm();
  const failed = engine.search(content(open(path), 'NEEDLE'));
  await expect(failed).rejects.toMatchObject({
    code: 'worker',
    message: 'a search worker stopped unexpectedly: try again',
  });
  expect(existsSync(marker)).toBe(true);
  expect((await engine.search(content(open(path), 'NEEDLE'))).matches).toHaveLength(1);
});

test('a missing worker file fails the search', async () => {
  const engine = start({ workerFile: join(tree(), 'none.js') });
  await expect(engine.search(names(open(tree())))).rejects.toMatchObject({ code: 'worker' });
  await expect(engine.warm()).rejects.toThrow('none.js');
});

test('the built engine finds its worker, and idle workers do not keep a process alive', () => {
  const path = tree({ 'a.txt': 'NEEDLE' });
  const ran = spawnSync(
    process.execPath,
    [
      '-e',
      `const { createSearch } = require(${JSON.stringify(join(builtDirectory(), 'index.js'))});
      const fd = require('node:fs').openSync(${JSON.stringify(path)});
      const engine = createSearch();
      engine.warm().then(() => engine.search({ kind: 'names', root: { fd, path: ${JSON.stringify(path)} },
        include: [], exclude: [], limit: 10 })).then((outcome) => console.log(JSON.stringify(outcome.names)));`,
    ],
    { encoding: 'utf8', timeout: 120_000 },
  );
  expect([ran.stdout, ran.stderr, ran.status]).toEqual(['[{"path":"a.txt","type":"file"}]\n', '', 0]);
});

test('concurrent searches each get their own outcome', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 200 }, (_, file) => [`d${file % 9}/f${file}.txt`, `n${file}\n`]),
  );
  const root = open(tree(files));
  const { search } = start({ workers: 2 });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, file) => search(content(root, `^n${file}$`, { mode: 'regex' }))),
  );
  expect(answers.map(({ matches }) => matches.map(({ path }) => path))).toEqual(
    Array.from({ length: 40 }, (_, file) => [`d${file % 9}/f${file}.txt`]),
  );
});

test('an abort before or right after the start rejects with its reason, and progress only grows', async () => {
  const root = open(tree({ 'a/b.txt': 'x' }));
  const { search } = start();
  await expect(search(names(root), { signal: AbortSignal.abort('early') })).rejects.toBe('early');
  const abort = new AbortController();
  const late = search(names(root), { signal: abort.signal });
  abort.abort('late');
  await expect(late).rejects.toBe('late');
  const seen: number[] = [];
  await search(content(root, 'x'), { onProgress: ({ filesSearched }) => seen.push(filesSearched) });
  expect(seen.at(-1)).toBe(1);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
});

test('close rejects running searches and refuses new ones', async () => {
  const root = open(tree({ 'a.txt': 'x' }));
  const engine = start();
  const running = expect(engine.search(names(root))).rejects.toMatchObject({ code: 'closed' });
  await engine.close();
  await running;
  await expect(engine.search(names(root))).rejects.toMatchObject({ code: 'closed' });
});
