import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toFileUri } from '@rootbound/kit/boundary';
import { describe, expect, test } from 'vitest';
import { call, inEveryRevision, Scene } from '../harness.ts';

// other systems do not allow such names
describe.runIf(process.platform === 'linux')('a name that is not UTF-8', () => {
  inEveryRevision((revision) => {
    const scene = new Scene();
    const setting = { revision, extra: { 'allow-delete': true, confirm: 'never' } } as const;
    const bytes = (name: string) => Buffer.concat([Buffer.from(join(scene.root, name)), Buffer.of(0xff)]);
    const uri = (name: string) => `${toFileUri(scene.root)}/${name}`;

    test('is listed with escapes, and read, written, moved and deleted by its URI', async () => {
      writeFileSync(bytes('odd'), 'content');
      const client = await scene.client(setting);
      expect((await call(client, 'list_directory', { path: '.' })).text).toContain(String.raw`odd\xff`);
      const path = uri('odd%FF');
      expect((await call(client, 'read_text_file', { path })).text).toContain('content');
      expect((await call(client, 'get_file_info', { path })).words).toContain('7');
      expect((await call(client, 'write_file', { path, content: 'new' })).failed).toBe(false);
      expect(readFileSync(bytes('odd'), 'utf8')).toBe('new');
      const moved = await call(client, 'move_file', { source: path, destination: uri('moved%FF') });
      expect([moved.failed, existsSync(bytes('moved'))]).toEqual([false, true]);
      expect((await call(client, 'delete_file', { path: uri('moved%FF') })).failed).toBe(false);
      expect(readdirSync(scene.root)).toEqual([]);
    });

    test('is reported as missing by its escaped name, with a hint about its URI', async () => {
      writeFileSync(bytes('odd'), 'content');
      const client = await scene.client(setting);
      const { code, text } = await call(client, 'read_text_file', { path: String.raw`odd\xff` });
      expect([code, text]).toEqual(['not-found', expect.stringContaining('file:// URI, with %XX for \\xXX')]);
    });

    test('is a resource by the URI that percent-encodes its bytes', async () => {
      writeFileSync(bytes('odd'), 'content');
      scene.put('even');
      const client = await scene.client(setting);
      const { contents } = await client.readResource(toFileUri(scene.root));
      const [list] = contents;
      expect(list).toMatchObject({ text: [uri('even'), uri('odd%FF')].join('\n') });
      expect((await client.readResource(uri('odd%FF'))).contents).toMatchObject([{ text: 'content' }]);
    });
  });
});

inEveryRevision((revision) => {
  const scene = new Scene();

  test('a name in another Unicode normal form, or with another space, resolves to the existing one', async () => {
    scene.put('cafe\u0301/Bild um 10.04\u202fAM.txt', 'found');
    const client = await scene.client({ revision });
    const path = 'caf\u00e9/Bild um 10.04 AM.txt';
    expect((await call(client, 'read_text_file', { path })).text).toContain('found');
    await call(client, 'write_file', { path, content: 'changed' });
    expect(scene.names(scene.at('cafe\u0301'))).toEqual(['Bild um 10.04\u202fAM.txt']);
    expect(scene.bytes('cafe\u0301/Bild um 10.04\u202fAM.txt').toString()).toBe('changed');
  });

  test('a name that resembles two existing ones resolves to neither', async () => {
    scene.put('a\u00a0b', '1');
    scene.put('a\u202fb', '2');
    const client = await scene.client({ revision });
    const { code, text } = await call(client, 'read_text_file', { path: 'a b' });
    expect(code).toBe('ambiguous');
    expect(text).toContain(String.raw`"a\u00a0b", "a\u202fb"`);
  });

  test('a Windows path is refused, and nothing is created', async () => {
    const client = await scene.client({ revision });
    for (const path of ['C:\\Users\\me\\a.txt', 'c:/a.txt', '\\\\server\\share\\a.txt']) {
      const { code } = await call(client, 'write_file', { path, content: 'x' });
      expect([path, code]).toEqual([path, 'invalid-path']);
    }
    expect(scene.names()).toEqual([]);
  });
});
