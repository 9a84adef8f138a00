import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { childProcess, RpcError } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { call, inEveryRevision, program, run, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();
const posix = process.platform !== 'win32';

inEveryRevision((revision) => {
  test('a file is created with exactly the content', async () => {
    const client = await scene.client({ revision });
    const content = 'one\r\n\u0000 é 😀 \u2028';
    const { failed, text } = await call(client, 'write_file', { path: 'a.txt', content });
    const bytes = Buffer.byteLength(content);
    expect([failed, text.replace(/\S+$/, 'E')]).toEqual([false, `created a.txt, ${bytes} bytes, etag E`]);
    expect(scene.bytes('a.txt').toString()).toBe(content);
    expect(scene.names()).toEqual(['a.txt']);
  });

  test('a file is replaced and keeps its mode', async () => {
    chmodSync(scene.put('a.sh', '#!/bin/sh\n# long before\n'), 0o754);
    const client = await scene.client({ revision });
    const { text } = await call(client, 'write_file', { path: 'a.sh', content: 'new' });
    expect(text).toMatch(/^replaced a\.sh, 3 bytes, etag \S+$/);
    expect(scene.bytes('a.sh').toString()).toBe('new');
    if (posix) expect(statSync(scene.at('a.sh')).mode & 0o777).toBe(0o754);
    expect(scene.names()).toEqual(['a.sh']);
  });

  test('a write through a link inside the root changes its target and keeps the link', async () => {
    scene.put('dir/a.txt', 'old');
    symlinkSync('dir/a.txt', scene.at('link'));
    const client = await scene.client({ revision });
    await call(client, 'write_file', { path: 'link', content: 'new' });
    expect([lstatSync(scene.at('link')).isSymbolicLink(), readlinkSync(scene.at('link'))]).toEqual([
      true,
      'dir/a.txt',
    ]);
    expect(scene.bytes('dir/a.txt').toString()).toBe('new');
  });

  test('a link to outside is refused and nothing outside changes', async () => {
    writeFileSync(join(scene.outside, 'a.txt'), 'outside');
    symlinkSync(join(scene.outside, 'a.txt'), scene.at('file'));
    symlinkSync(join(scene.outside, 'new.txt'), scene.at('dangling'));
    symlinkSync(scene.outside, scene.at('folder'));
    const client = await scene.client({ revision });
    for (const path of [
      'file',
      'dangling',
      'folder/a.txt',
      'folder/new.txt',
      '../outside/new.txt',
      join(scene.outside, 'a.txt'),
    ]) {
      const { failed, code } = await call(client, 'write_file', { path, content: 'new' });
      expect([failed, code], path).toEqual([true, 'not-found']);
    }
    expect(scene.names(scene.outside)).toEqual(['a.txt']);
    expect(readFileSync(join(scene.outside, 'a.txt'), 'utf8')).toBe('outside');
  });

  test('a missing parent is refused and not created', async () => {
    const client = await scene.client({ revision });
    for (const path of ['none/a.txt', '../outside/none/a.txt', '../outside/a.txt']) {
      const { code, text } = await call(client, 'write_file', { path, content: 'x' });
      expect([code, text]).toEqual([
        'not-found',
        `no such file or folder: ${path}\nit does not exist or is outside the allowed roots; set createParents to create missing folders`,
      ]);
    }
    expect([scene.names(), scene.names(scene.outside)]).toEqual([[], []]);
  });

  test('a root, a folder and a name that ends in a separator are refused, without leftover files', async () => {
    mkdirSync(scene.at('folder'));
    const client = await scene.client({ revision });
    for (const path of [scene.root, '.', 'folder', 'folder/', 'new/', scene.top]) {
      expect((await call(client, 'write_file', { path, content: 'x' })).failed, path).toBe(true);
    }
    expect(scene.names()).toEqual(['folder']);
    expect(scene.names(scene.top)).toEqual(['outside', 'root']);
    expect(scene.names(scene.at('folder'))).toEqual([]);
  });

  test('a root given as read-only is read and not written', async () => {
    scene.put('a.txt', 'old');
    const client = await scene.client({ revision, roots: [{ path: scene.root, readOnly: true }] });
    expect((await call(client, 'read_text_file', { path: 'a.txt' })).text).toBe('old');
    const calls: [string, object][] = [
      ['write_file', { path: 'a.txt', content: 'new' }],
      ['write_file', { path: 'b.txt', content: 'new' }],
      ['edit_file', { path: 'a.txt', edits: [{ oldText: 'old', newText: 'new' }] }],
      ['create_directory', { path: 'dir' }],
      ['move_file', { source: 'a.txt', destination: 'b.txt' }],
    ];
    for (const [tool, args] of calls) {
      const { failed, code, text } = await call(client, tool, { ...args });
      expect([failed, code, text.split('\n')[1]], tool).toEqual([
        true,
        'read-only',
        'this root was given as read-only',
      ]);
    }
    expect(scene.names()).toEqual(['a.txt']);
  });

  test('a read-only root inside a writable one is not written', async () => {
    scene.put('kept/a.txt', 'old');
    const roots = [
      { path: scene.root, readOnly: false },
      { path: scene.at('kept'), readOnly: true },
    ];
    const client = await scene.client({ revision, roots });
    for (const path of ['kept/a.txt', 'kept/b.txt', scene.at('kept/a.txt')]) {
      expect((await call(client, 'write_file', { path, content: 'new' })).code, path).toBe('read-only');
    }
    expect((await call(client, 'move_file', { source: 'kept/a.txt', destination: 'a.txt' })).failed).toBe(
      true,
    );
    expect((await call(client, 'write_file', { path: scene.at('b.txt'), content: 'new' })).failed).toBe(
      false,
    );
    expect(scene.bytes('kept/a.txt').toString()).toBe('old');
  });

  test('a read-only server neither lists nor accepts tools that write', async () => {
    scene.put('a.txt', 'old');
    const client = await scene.client({ revision, readOnly: true });
    const names = (await client.listTools()).map((tool) => tool.name);
    for (const tool of ['write_file', 'edit_file', 'create_directory', 'move_file']) {
      expect(names).not.toContain(tool);
      const refused = await call(client, tool, { path: 'a.txt', content: 'new' }).catch(
        (error: unknown) => error,
      );
      expect(refused).toBeInstanceOf(RpcError);
      expect(refused).toMatchObject({
        code: -32602,
        message: `unknown tool "${tool}"; tools/list names them`,
      });
    }
    expect(names).toContain('read_text_file');
    expect(scene.bytes('a.txt').toString()).toBe('old');
  });

  test('12 MB are written in one message', async () => {
    const content = 'a line of text, "quoted"\n'.repeat(480_000);
    const client = await scene.client({ revision });
    const { failed } = await call(client, 'write_file', { path: 'a.txt', content });
    expect([failed, scene.bytes('a.txt').equals(Buffer.from(content))]).toEqual([false, true]);
  });
});

whereStructured((revision) => {
  test('the structured half has path, bytes, etag and created', async () => {
    const client = await scene.client({ revision });
    const created = await call(client, 'write_file', { path: 'a.txt', content: 'é\n' });
    expect(created.text.endsWith(`, etag ${created.facts.etag}`)).toBe(true);
    expect(created.facts).toEqual({ path: 'a.txt', created: true, bytes: 3, etag: expect.any(String) });
    const replaced = await call(client, 'write_file', { path: 'a.txt', content: '' });
    expect(replaced.facts).toEqual({ path: 'a.txt', created: false, bytes: 0, etag: expect.any(String) });
  });

  test('the etag of a read is valid for one write', async () => {
    scene.put('a.txt', 'one');
    const client = await scene.client({ revision });
    const { etag } = (await call(client, 'read_text_file', { path: 'a.txt' })).facts;
    const first = await call(client, 'write_file', { path: 'a.txt', content: 'two', ifMatch: etag });
    const second = await call(client, 'write_file', { path: 'a.txt', content: 'three', ifMatch: etag });
    expect([first.failed, second.failed, second.code]).toEqual([false, true, 'changed']);
    expect(second.text).toContain('read it again');
    expect(
      (await call(client, 'write_file', { path: 'a.txt', content: 'four', ifMatch: first.facts.etag }))
        .failed,
    ).toBe(false);
    expect(scene.bytes('a.txt').toString()).toBe('four');
  });

  test('ifMatch of a deleted file is refused', async () => {
    const client = await scene.client({ revision });
    const { failed, code } = await call(client, 'write_file', {
      path: 'a.txt',
      content: 'x',
      ifMatch: 'any',
    });
    expect([failed, code, scene.names()]).toEqual([true, 'not-found', []]);
  });

  test('a lone surrogate in the content is refused', async () => {
    const client = await scene.client({ revision });
    const { failed, facts } = await call(client, 'write_file', { path: 'a.txt', content: 'a\ud83db' });
    if (failed) expect(scene.names()).toEqual([]);
    else expect(JSON.stringify(facts)).toMatch(/U\+FFFD|lossy/);
  });

  test.runIf(posix)('a hard link outside the root keeps the old content', async () => {
    scene.put('a.txt', 'old');
    linkSync(scene.at('a.txt'), join(scene.outside, 'same.txt'));
    const client = await scene.client({ revision });
    await call(client, 'write_file', { path: 'a.txt', content: 'new' });
    expect(readFileSync(join(scene.outside, 'same.txt'), 'utf8')).toBe('old');
  });

  test('a hundred concurrent writes leave exactly one of the contents', async () => {
    const client = await scene.client({ revision });
    const contents = Array.from({ length: 100 }, (_, index) => `${index}\n`.repeat(1000));
    const outcomes = await Promise.all(
      contents.map((content) => call(client, 'write_file', { path: 'a.txt', content })),
    );
    expect(outcomes.map((outcome) => outcome.failed)).toEqual(contents.map(() => false));
    expect(contents).toContain(scene.bytes('a.txt').toString());
    expect(scene.names()).toEqual(['a.txt']);
  });
});

test('the built program writes 12 MB in one message, and the session continues', async () => {
  const content = 'a line of text, "quoted"\n'.repeat(480_000);
  const transport = childProcess({ command: process.execPath, args: [program, scene.root] });
  const client = await scene.connect(transport, { revision: '2025-11-25' });
  expect((await call(client, 'write_file', { path: 'a.txt', content })).failed).toBe(false);
  expect(scene.bytes('a.txt').equals(Buffer.from(content))).toBe(true);
  expect((await call(client, 'read_text_file', { path: 'a.txt', head: 1 })).facts.text).toBe(
    'a line of text, "quoted"\n',
  );
});

test('the program with --read-only and with :ro refuses like the server in this process', async () => {
  scene.put('a.txt', 'old');
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const write = {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'write_file', arguments: { path: 'a.txt', content: 'new' } },
  };
  const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const answers = async (args: string[]) => {
    const { stdout } = await run(args, [hello, ready, write]);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number });
  };
  const [, unknown] = await answers(['--read-only', scene.root]);
  expect(unknown).toMatchObject({ id: 2, error: { code: -32602 } });
  const [, refused] = await answers([`${scene.root}:ro`]);
  expect(refused).toMatchObject({
    id: 2,
    result: { isError: true, _meta: { failure: { code: 'read-only' } } },
  });
  expect(scene.bytes('a.txt').toString()).toBe('old');
});
