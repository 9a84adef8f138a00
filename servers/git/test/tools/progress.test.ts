import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test, vi } from 'vitest';
import { allRevisions, call, Served } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

interface Told {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

const served = new Served();

const COMMITS = 3000;
/** git prints more than one chunk of each */
const asked: readonly [tool: string, args: Record<string, unknown>, count: number, one: RegExp][] = [
  ['git_log', { author: 'even', max_count: 2000 }, COMMITS / 2, /^\d+ commits?$/],
  ['git_log', { paths: ['grown'], files: true, max_count: 90 }, 91, /^\d+ commits?$/],
  ['git_log', { graph: true, max_count: 2000 }, 2000, /^\d+ commits?$/],
  ['git_blame', { path: 'grown' }, COMMITS, /^\d+ lines?$/],
  ['git_search', { pattern: 'line', limit: 2000 }, 2000, /^\d+ match(es)?$/],
  ['git_search', { pattern: 'x', output: 'files', limit: 2000 }, 2000, /^\d+ files?$/],
];

/** Each commit adds a line to one file, and another file; by turns they are of two people. */
const { folder, git } = grown();

function grown(): Scratch {
  const made = scratch();
  made.git(made.folder, 'init', '-q');
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  let content = '';
  const commits = Array.from({ length: COMMITS }, (_, index) => {
    content += `line ${index}\n`;
    const person = `${index % 2 === 0 ? 'even' : 'odd'} <a@b> ${1_767_225_600 + index} +0000`;
    const head = `commit refs/heads/main\nauthor ${person}\ncommitter ${person}\n${data(`on ${index}`)}`;
    const changed = `M 100644 inline grown\n${data(content)}M 100644 inline many/${index}\n${data('x')}`;
    return head + changed;
  });
  made.git(made.folder, 'fast-import', '--quiet', { input: commits.join('\n') });
  made.git(made.folder, 'reset', '-q', '--hard');
  return made;
}

async function toldBy(client: Client, tool: string, args: Record<string, unknown>): Promise<Told[]> {
  const told: Told[] = [];
  const { failed, text } = await call(client, tool, args, { onProgress: (update) => told.push(update) });
  expect([failed, failed ? text : ''], tool).toEqual([false, '']);
  return told;
}

describe.each(allRevisions)('in %s', (revision) => {
  test('who asks for progress is told how much a log, a blame and a search have read, up to all', async () => {
    const client = await served.client([folder], { revision, maxOutput: 1_000_000 });
    for (const [tool, args, count, message] of asked) {
      const told = await toldBy(client, tool, args);
      const values = told.map(({ progress }) => progress);
      console.log(tool, JSON.stringify(told).slice(0,600));
      expect(values, tool).toEqual([...new Set(values)].toSorted((one, other) => one - other));
      expect(values.length, tool).toBeGreaterThan(1);
      expect(values.at(-1), tool).toBe(count);
    }
  });
});
