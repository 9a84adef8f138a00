import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childProcess, connect } from '@rootbound/protocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canMount, Mounts } from '../../../../test/system/mounts.ts';
import { buildFolder } from '../bundle.ts';
import { call, newest } from '../harness.ts';
import { bundleServer } from './program.ts';
import { Downloads, type Saved } from './setting.ts';

describe.runIf(canMount())('on a full disk', () => {
  const downloads = new Downloads();
  let built: string;
  let program: string;
  let mounts: Mounts;
  let root: string;
  beforeAll(async () => {
    built = buildFolder('full-disk');
    program = await bundleServer(built);
    root = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-fetch-disk-')));
    mounts = await Mounts.open();
    mounts.mountMemory(root, 'size=2m');
  });
  afterAll(async () => {
    await mounts.close();
    for (const folder of [built, root]) rmSync(folder, { recursive: true, force: true });
  });

  test('a download for which there is no room says so, leaves nothing, and a smaller one is saved', async () => {
    const [command = '', ...before] = mounts.entering;
    const args = [...before, process.execPath, program, '--allow-private', downloads.site.host, root];
    const client = await connect(childProcess({ command, args, stderr: 'ignore' }), {
      name: 'test',
      version: '1.0.0',
      timeout: 120_000,
      era: { pinned: newest },
    });
    try {
      const large = downloads.site.page('/large.bin', Buffer.alloc(4_000_000), 'text/plain', { etag: '"1"' });
      const { failed, code } = await call<Saved>(client, 'download', { url: large });
      expect([failed, code, readdirSync(mounts.at(root))]).toEqual([true, 'no-space', []]);
      const small = downloads.site.page('/small.bin', Buffer.alloc(1_000_000), 'text/plain');
      expect((await call<Saved>(client, 'download', { url: small })).failed).toBe(false);
      expect(readdirSync(mounts.at(root))).toEqual(['small.bin']);
    } finally {
      await client.close();
    }
  });
});
