import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Revision } from '@rootbound/protocol';
import type { Client } from '@rootbound/protocol/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { call, newest, Served } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

interface Notified {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

const served = new Served();

const COMMITS = full ? 3000 : 1500;
/** of what a call asks for at most 2000 */
const most = Math.min(2000, COMMITS);
/** long, so that git prints more of them than a pipe holds */
const MANY = 'many'.repeat(25);
const BODY = 'why '.repeat(250);
const history = grown();

/** Each commit adds a line to one file, and another file; by turns they are of two people. */
function grown(): Scratch {
  const made = scratch();
  made.git(made.folder, 'init', '-q');
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  let content = '';
  const commits = Array.from({ length: COMMITS }, (_, index) => {
    content += `line ${index}\n`;
    const person = `${index % 2 === 0 ? 'even' : 'odd'} <a@b> ${1_767_225_600 + index} +0000`;
    const head = `commit refs/heads/main\nauthor ${person}\ncommitter ${person}\n${data(`on ${index}\n\n${BODY}`)}`;
    return `${head}M 100644 inline grown\n${data(content)}M 100644 inline ${MANY}/${index}\n${data('x')}`;
  });
  made.git(made.folder, 'fast-import', '--quiet', { input: commits.join('\n') });
  made.git(made.folder, 'reset', '-q', '--hard');
  return made;
}

const reading: readonly [
  what: string,
  tool: string,
  args: Record<string, unknown>,
  count: number,
  one: RegExp,
][] = [
  ['a log', 'git_log', { author: 'even', max_count: 2000 }, COMMITS / 2, /^\d+ commits?$/],
  [
    'a log that compares',
    'git_log',
    { occurs: 'line 1', max_count: 2000 },
    full ? 1111 : 611,
    /^\d+ commits?$/,
  ],
  // each page looks for one more
  ['a log with files', 'git_log', { files: true, body: true, max_count: 90 }, 91, /^\d+ commits?$/],
  ['a graph', 'git_log', { graph: true, max_count: 2000 }, most, /^\d+ commits?$/],
  ['a blame', 'git_blame', { path: 'grown' }, COMMITS, /^\d+ lines?$/],
  ['a search', 'git_search', { pattern: 'x', limit: 2000 }, most, /^\d+ match(es)?$/],
  ['a search for files', 'git_search', { pattern: 'x', output: 'files', limit: 2000 }, most, /^\d+ files?$/],
];

describe.each<Revision>(full ? ['2025-11-25', newest] : [newest])('in %s', (revision) => {
  test.each(reading)(
    '%s tells how much it has read, up to the end',
    async (_, tool, args, count, message) => {
      const client = await served.client([history.folder], { revision, maxOutput: 1_000_000 });
      const reported = await notifiedBy(client, tool, args);
      const values = reported.map(({ progress }) => progress);
      expect(values.length).toBeGreaterThan(1);
      expect(values).toEqual([...new Set(values)].toSorted((one, other) => one - other));
      expect(values.at(-1)).toBe(count);
      expect(reported.filter((update) => !message.test(update.message ?? ''))).toEqual([]);
      expect(reported.filter(({ progress, total = progress }) => progress > total)).toEqual([]);
    },
  );
});

test('how many commits a long log has is counted beside it, and told while it is read', async () => {
  const counts = countingFirst();
  const client = await served.client([history.folder], { maxOutput: 1_000_000 });
  const reported = await notifiedBy(client, 'git_log', { author: 'even', max_count: 2000 });
  expect(reported[0]).toEqual({ progress: 0, total: COMMITS / 2, message: '0 commits' });
  const page = await notifiedBy(client, 'git_log', { author: 'even', max_count: 200 });
  expect(page[0]).toEqual({ progress: 0, total: 201, message: '0 commits' });
  expect(counts()).toBe(2);
});

test('who does not ask is told nothing, and nothing is counted for it', async () => {
  const counts = countingFirst({ waits: false });
  const notified: string[] = [];
  const onNotification = (method: string): void => void notified.push(method);
  const client = await served.client([history.folder], { onNotification });
  for (const [, tool, args] of reading) expect((await call(client, tool, args)).failed).toBe(false);
  expect([notified, counts()]).toEqual([[], 0]);
});

afterEach(() => void vi.unstubAllEnvs());

/** Puts a git on PATH whose log waits until a count has been printed: how many counts there were. */
function countingFirst({ waits = true } = {}): () => number {
  const { folder, git, write } = scratch();
  const real = join(git(folder, '--exec-path').toString().trim(), 'git');
  const [reported, counted] = [join(folder, 'told'), join(folder, 'counted')];
  spawnSync('mkfifo', [reported]);
  const count = `rev-list) "${real}" "$@"; echo >> "${counted}"${waits ? `; echo > "${reported}"` : ''};;`;
  const log = waits ? `log) read -r line < "${reported}"; exec "${real}" "$@";;` : '';
  write('git', `#!/bin/sh\ncase "$1" in ${count} ${log} *) exec "${real}" "$@";; esac\n`, 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  return () => (existsSync(counted) ? readFileSync(counted, 'utf8').length : 0);
}

async function notifiedBy(client: Client, tool: string, args: Record<string, unknown>): Promise<Notified[]> {
  const reported: Notified[] = [];
  const { failed, text } = await call(client, tool, args, { onProgress: (update) => reported.push(update) });
  expect([failed, failed && text]).toEqual([false, false]);
  return reported;
}
