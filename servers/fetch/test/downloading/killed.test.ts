import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { buildFolder } from '../bundle.ts';
import { bundleServer, startCalling } from './program.ts';
import { Downloads, everything } from './setting.ts';

const downloads = new Downloads();
let folder: string;
let program: string;
beforeAll(async () => {
  folder = buildFolder('killed');
  program = await bundleServer(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a server that is killed while it downloads leaves nothing under the name, and the next start removes the rest', async () => {
  const root = downloads.folder();
  downloads.site.paths.set('/large.bin', (_, response) => {
    response.writeHead(200, { 'content-length': 1_000_000, etag: '"1"' }).write(Buffer.alloc(300_000));
  });
  const url = downloads.site.url('/large.bin');
  const command = [process.execPath, program, '--allow-private', downloads.site.host, root];
  const child = startCalling(command, 'download', { url, path: join(root, 'large.bin') });
  await vi.waitUntil(() => everything(root).some((name) => name.endsWith('.tmp')), { timeout: 120_000 });
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(everything(root)).toEqual(['.rootbound-staging', expect.stringMatching(/\.tmp$/)]);
  const next = startCalling(command, 'no_such_tool', {});
  onTestFinished(async () => {
    const over = once(next, 'exit');
    next.kill();
    await over;
  });
  await vi.waitUntil(() => everything(root).length === 0, { timeout: 120_000 });
});
