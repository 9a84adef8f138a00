import { linkSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ContentBlock } from '@rootbound/protocol';
import { expect, test } from 'vitest';
import { call, inEveryRevision, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();
const refuse = { 'hard-links': 'refuse' } as const;

function linksOf(content: readonly ContentBlock[]): ContentBlock[] {
  return content.filter((block) => block.type === 'resource_link');
}

whereStructured((revision) => {
  test('a part of a text comes with a link to the whole', async () => {
    const path = scene.put('a b.md', 'line\n'.repeat(40_000));
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    const client = await scene.client({ revision, maxOutput: 20_000 });
    const { content, facts } = await call(client, 'read_text_file', { path: 'a b.md' });
    const link = {
      type: 'resource_link',
      uri: pathToFileURL(path).href,
      name: 'a b.md',
      mimeType: 'text/markdown',
      size: 200_000,
      annotations: { lastModified: '2023-11-14T22:13:20.000Z' },
    };
    expect(linksOf(content)).toEqual([link]);
    const next = await call(client, 'read_text_file', { path: 'a b.md', cursor: facts.nextCursor });
    expect(linksOf(next.content)).toEqual([link]);
    const several = await call(client, 'read_multiple_files', { paths: ['a b.md'] });
    expect(linksOf(several.content)).toEqual([link]);
    const part = await call(client, 'read_media_file', { path: 'a b.md', offset: 5 });
    expect(linksOf(part.content)).toEqual([link]);
  });

  test('a complete result has no link', async () => {
    scene.put('a.txt', 'line\n'.repeat(40_000));
    const client = await scene.client({ revision, maxOutput: 20_000 });
    const { content } = await call(client, 'read_text_file', { path: 'a.txt', head: 3 });
    expect(linksOf(content)).toEqual([]);
  });

  test('the link of a part can be read', async () => {
    const bytes = Buffer.alloc(40_000);
    const path = scene.put('a.bin', bytes);
    const client = await scene.client({ revision, maxOutput: 60_000 });
    const { content } = await call(client, 'read_media_file', { path: 'a.bin', offset: 0, length: 9 });
    expect(linksOf(content)).toEqual([]);
    const small = await scene.client({ revision, maxOutput: 20_000 });
    const [link] = linksOf((await call(small, 'read_media_file', { path: 'a.bin', offset: 0 })).content);
    const { contents } = await client.readResource((link as { uri: string }).uri);
    expect(contents).toMatchObject([{ blob: readFileSync(path).toString('base64') }]);
  });
});

inEveryRevision((revision) => {
  test('in revisions without links the text names the call for the rest', async () => {
    const path = scene.put('a.txt', 'line\n'.repeat(40_000));
    const client = await scene.client({ revision, maxOutput: 20_000 });
    const { content, words } = await call(client, 'read_text_file', { path: 'a.txt' });
    const hasLinks = linksOf(content).length === 1;
    expect([hasLinks, words.includes(`a.txt: ${pathToFileURL(path).href}`)]).toEqual(
      revision >= '2025-06-18' ? [true, false] : [false, true],
    );
  });

  test('a file with other hard links is refused with --hard-links refuse', async () => {
    linkSync(scene.put('a.txt', 'shared'), scene.at('b.txt'));
    scene.put('alone.txt', 'two');
    const client = await scene.client({ revision, extra: refuse });
    for (const [tool, args] of [
      ['read_text_file', { path: 'a.txt' }],
      ['read_text_file', { path: 'a.txt', lineNumbers: true }],
      ['read_media_file', { path: 'a.txt' }],
    ] as const) {
      const { failed, text, code } = await call(client, tool, args);
      expect([failed, code, text.split('\n').length], tool).toEqual([true, 'linked', 2]);
      expect(text).toContain('a.txt');
    }
    expect((await call(client, 'read_text_file', { path: 'alone.txt' })).text).toBe('two');
    const several = await call(client, 'read_multiple_files', { paths: ['b.txt', 'alone.txt'] });
    expect([several.text.includes('shared'), several.text.includes('two')]).toEqual([false, true]);
    await expect(client.readResource(pathToFileURL(scene.at('b.txt')).href)).rejects.toThrow('hard links');
  });

  test('a file with other hard links is read by default', async () => {
    linkSync(scene.put('a.txt', 'shared'), scene.at('b.txt'));
    const client = await scene.client({ revision });
    expect((await call(client, 'read_text_file', { path: 'b.txt' })).text).toBe('shared');
    expect(statSync(scene.at('b.txt')).nlink).toBe(2);
  });
});
