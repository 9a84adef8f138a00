import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, inEveryRevision, Scene } from '../harness.ts';

const scene = new Scene();
const posix = process.platform !== 'win32';

inEveryRevision((revision) => {
  test.runIf(posix)(
    'a FIFO, a socket, a device and a folder are refused, and the session continues',
    async () => {
      spawnSync('mkfifo', [scene.at('fifo')]);
      const socket = createServer().listen(scene.at('socket'));
      scene.atEnd(async () => socket.close());
      await new Promise((resolve) => socket.on('listening', resolve));
      mkdirSync(scene.at('folder'));
      scene.put('a.txt', 'still here');
      // creating a device needs privileges that a test may lack
      const device = spawnSync('mknod', [scene.at('device'), 'c', '1', '5']).status === 0 ? ['device'] : [];
      const client = await scene.client({ revision });
      for (const path of ['fifo', 'socket', 'folder', ...device, '.']) {
        for (const tool of ['read_text_file', 'read_media_file']) {
          const { failed, text, code } = await call(client, tool, { path });
          const what = path === 'folder' || path === '.' ? '\nit is a folder' : '';
          expect([failed, code, text]).toEqual([true, 'not-a-file', `not a regular file: ${path}${what}`]);
        }
      }
      // more than the thread pool has threads
      const stuck = await Promise.all(
        Array.from({ length: 8 }, () => call(client, 'read_text_file', { path: 'fifo' })),
      );
      expect(stuck.map((one) => one.failed)).toEqual(stuck.map(() => true));
      expect((await call(client, 'read_text_file', { path: 'a.txt' })).text).toBe('still here');
    },
  );

  test('paths outside the roots and missing paths have the same error in every tool', async () => {
    writeFileSync(join(scene.outside, 'secret.txt'), 'secret');
    symlinkSync(join(scene.outside, 'secret.txt'), scene.at('leak.txt'));
    symlinkSync(join(scene.outside, 'nothing.txt'), scene.at('dangling.txt'));
    symlinkSync(scene.outside, scene.at('leak'));
    const client = await scene.client({ revision });
    const paths = {
      missing: 'missing.txt',
      'outside, absolute': join(scene.outside, 'secret.txt'),
      'outside, missing': join(scene.outside, 'nothing.txt'),
      'outside, climbing': '../outside/secret.txt',
      'outside, by URI': `file://${scene.outside}/secret.txt`,
      'a link to outside': 'leak.txt',
      'a link to nothing outside': 'dangling.txt',
      'below a link to outside': 'leak/secret.txt',
      'below nothing': 'none/secret.txt',
    };
    const tools: [string, (path: string) => object][] = [
      ['read_text_file', (path) => ({ path })],
      ['read_media_file', (path) => ({ path })],
      ['edit_file', (path) => ({ path, edits: [{ oldText: 'a', newText: 'b' }] })],
      ['move_file', (path) => ({ source: path, destination: 'moved.txt' })],
    ];
    for (const [tool, args] of tools) {
      for (const [what, path] of Object.entries(paths)) {
        // a move applies to the link itself
        if (tool === 'move_file' && (path === 'leak.txt' || path === 'dangling.txt')) continue;
        const { failed, text } = await call(client, tool, { ...args(path) });
        expect([failed, text], `${tool}: ${what}`).toEqual([
          true,
          `no such file or folder: ${path}\nit does not exist or is outside the allowed roots`,
        ]);
      }
    }
  });

  test('a failure names no path that the caller did not send', async () => {
    writeFileSync(join(scene.outside, 'secret.txt'), 'secret');
    const client = await scene.client({ revision });
    const { result } = await call(client, 'read_text_file', { path: '../outside/secret.txt' });
    expect(JSON.stringify(result)).not.toContain(scene.top);
  });

  test('invalid paths are refused with one line that has the fix', async () => {
    const client = await scene.client({ revision });
    for (const path of [
      '',
      'a\0b',
      'x'.repeat(5000),
      `${'y'.repeat(300)}.txt`,
      'file://host/a',
      'file:///%zz',
    ]) {
      const { failed, text } = await call(client, 'read_text_file', { path });
      expect([failed, text.length < 600, text.split('\n').length <= 2], path.slice(0, 20)).toEqual([
        true,
        true,
        true,
      ]);
    }
    expect(scene.faults).toEqual([]);
  });
});

describe('arguments', () => {
  inEveryRevision((revision) => {
    test('unknown and wrong arguments are refused with one line', async () => {
      const client = await scene.client({ revision });
      const messageOf = async (args: object): Promise<string> => {
        try {
          const { failed, text } = await call(client, 'read_text_file', { ...args });
          expect(failed).toBe(true);
          return text;
        } catch (error) {
          // older revisions answer with an error response
          return (error as Error).message;
        }
      };
      expect(await messageOf({})).toContain('path is required');
      expect(await messageOf({ path: 1 })).toContain('path: expected string');
      expect(await messageOf({ path: 'a', lines: 3 })).toContain(
        'unknown argument "lines"; this tool takes path, head, tail, startLine, endLine, cursor',
      );
      expect(await messageOf({ path: 'a', head: 0 })).toContain('head');
    });
  });
});
