import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
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

const MiB = 1024 * 1024;
const MOST_GROWTH = 8 * MiB;

const measured = join(import.meta.dirname, 'measured.mjs');

test(`${rounds * PER_ROUND} hostile messages over stdio (seed ${seed}) are all answered within bounded memory`, async () => {
  const workspace = new Workspace();
  onTestFinished(() => workspace.remove());
  // V8 aborts a server above this, such as one that keeps its responses
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=48', '--import', measured, cli, '--log-level', 'emergency', workspace.root],
    { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const [stdin, stdout] = [child.stdin!, child.stdout!];
  let dues = new Dues([{ text: '', bytes: Buffer.alloc(0), due: ['"hello"'] }]);
  let rest = '';
  stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) dues.hear(JSON.parse(line));
  });
  stdin.write(hello);
  await dues.until(0);
  const before = await liveBytes(child);
  for (let round = 0; round < rounds; round++) {
    const messages = hostileMessages(PER_ROUND, seed + round);
    dues = new Dues(messages);
    const all = Buffer.concat(messages.flatMap(({ bytes }) => [bytes, Buffer.from('\n')]));
    for (const piece of cuts(all, seed + round)) {
      if (!stdin.write(piece)) await once(stdin, 'drain');
    }
    await dues.until(0);
    expect([seed + round, dues.wrong()]).toEqual([seed + round, []]);
  }
  expect((await liveBytes(child)) - before).toBeLessThan(MOST_GROWTH);
  stdin.end();
  const [code] = (await once(child, 'close')) as [number | null];
  expect([code, rest]).toEqual([0, '']);
});

/** Returns the live memory of a server that was started with `measured.mjs`. */
async function liveBytes(child: ChildProcess): Promise<number> {
  child.send('measure');
  const [bytes] = (await once(child, 'message')) as [number];
  return bytes;
}
