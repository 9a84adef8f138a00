import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import {
  cuts,
  Dues,
  hostileMessages,
  PER_ROUND,
  rounds,
  seed,
} from '../../packages/protocol/test/socket/hostile.ts';
import { cli } from './servers.ts';
import { Workspace } from './workspace.ts';

const hello =
  '{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"fuzz","version":"1"}}}\n';

const MOST_GROWTH_KB = 64 * 1024;

test(`${rounds * PER_ROUND} hostile messages over stdio (seed ${seed}) are all answered within bounded memory`, async () => {
  const workspace = new Workspace();
  onTestFinished(() => workspace.remove());
  // a young generation that is small: V8 fills it before it looks, and what is resident would be mostly garbage
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=2', cli, '--log-level', 'emergency', workspace.root],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let dues = new Dues([{ text: '', bytes: Buffer.alloc(0), due: ['"hello"'] }]);
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) dues.hear(JSON.parse(line));
  });
  child.stdin.write(hello);
  await dues.until(0);
  const before = residentKb(child.pid);
  for (let round = 0; round < rounds; round++) {
    const messages = hostileMessages(PER_ROUND, seed + round);
    dues = new Dues(messages);
    const all = Buffer.concat(messages.flatMap(({ bytes }) => [bytes, Buffer.from('\n')]));
    for (const piece of cuts(all, seed + round)) {
      if (!child.stdin.write(piece)) await once(child.stdin, 'drain');
    }
    await dues.until(0);
    expect([seed + round, dues.wrong()]).toEqual([seed + round, []]);
  }
  expect(residentKb(child.pid) - before).toBeLessThan(MOST_GROWTH_KB);
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number | null];
  expect([code, rest]).toEqual([0, '']);
});

/** Resident memory; 0 where the system does not tell. */
function residentKb(pid: number | undefined): number {
  try {
    const [, kb] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kb ?? 0);
  } catch {
    return 0;
  }
}
