import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toFileUri } from '@rootbound/kit/boundary';
import type { Revision } from '@rootbound/protocol';
import { type Client, RpcError } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { inEveryRevision, newest, Scene, structuredRevisions } from '../harness.ts';

const scene = new Scene();
const uriOf = (path: string): string => pathToFileURL(path).href;

/** Returns the `_meta` of a file in revisions that have it. */
function factsOf(revision: Revision, uri: string): object {
  if (!structuredRevisions.includes(revision)) return {};
  const { size, mtime } = statSync(new URL(uri));
  return { _meta: { size, lastModified: mtime.toISOString(), etag: expect.any(String) } };
}

async function refusal(client: Client, uri: string): Promise<RpcError> {
  const outcome = await client.readResource(uri).catch((error: unknown) => error);
  if (!(outcome instanceof RpcError)) throw new Error(`${uri} was read`);
  return outcome;
}

inEveryRevision((revision) => {
  const notFound = revision === newest ? -32602 : -32002;

  test('the roots are listed as directories, and the template is listed', async () => {
    const kept = scene.at('kept');
    mkdirSync(kept);
    const roots = [
      { path: scene.root, readOnly: false },
      { path: kept, readOnly: true },
    ];
    const client = await scene.client({ revision, roots });
    const listed = await client.listResources();
    expect(listed.map(({ uri, name, mimeType, description }) => [uri, name, mimeType, description])).toEqual([
      [uriOf(scene.root), 'root', 'inode/directory', 'a writable folder'],
      [uriOf(kept), 'kept', 'inode/directory', 'a read-only folder'],
    ]);
    expect((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate)).toEqual([
      'file:///{+path}',
    ]);
  });

  test('a text file is read with its type', async () => {
    const uri = uriOf(scene.put('notes.md', '# Notes\r\n'));
    const client = await scene.client({ revision });
    expect((await client.readResource(uri)).contents).toEqual([
      { uri, mimeType: 'text/markdown', text: '# Notes\r\n', ...factsOf(revision, uri) },
    ]);
  });

  test('a binary file is read as bytes with their type', async () => {
    const png = Buffer.from('89504e470d0a1a0a00', 'hex');
    const uri = uriOf(scene.put('picture', png));
    const client = await scene.client({ revision });
    expect((await client.readResource(uri)).contents).toEqual([
      { uri, mimeType: 'image/png', blob: png.toString('base64'), ...factsOf(revision, uri) },
    ]);
  });

  test('a directory is read as the URIs of its entries, each of which can be read', async () => {
    const names = [
      'a b.txt',
      'c#d.txt',
      'e?f.txt',
      'g%h.txt',
      'i%20j.txt',
      'ü漢😀.txt',
      "k'(l)!.txt",
      'new\nline.txt',
    ];
    for (const name of names) scene.put(`dir/${name}`, `content of ${name}`);
    mkdirSync(scene.at('dir/inner'));
    const client = await scene.client({ revision });
    for (const uri of [uriOf(scene.at('dir')), `${uriOf(scene.at('dir'))}/`]) {
      const { contents } = await client.readResource(uri);
      expect(contents).toEqual([{ uri, mimeType: 'inode/directory', text: expect.any(String) }]);
      const lines = String((contents[0] as { text: string }).text).split('\n');
      expect(lines).toContain(`${uriOf(scene.at('dir'))}/inner/`);
      const read: string[] = [];
      for (const line of lines) {
        if (line.endsWith('/')) continue;
        const { contents: found } = await client.readResource(line);
        read.push((found[0] as { text: string }).text);
      }
      expect(read.sort()).toEqual(names.map((name) => `content of ${name}`).sort());
    }
  });

  test('entries have the same URIs in a directory as elsewhere, including names that are not UTF-8', async () => {
    mkdirSync(scene.at('dir'));
    const bytes = Buffer.concat([Buffer.from(scene.at('dir/odd')), Buffer.of(0xff)]);
    writeFileSync(bytes, 'odd');
    const plain = scene.put("dir/a&b=c, d@(e)'.txt", 'plain');
    const client = await scene.client({ revision });
    const { contents } = await client.readResource(uriOf(scene.at('dir')));
    const lines = String((contents[0] as { text: string }).text).split('\n');
    expect(lines).toEqual([toFileUri(plain), `${uriOf(scene.at('dir/odd'))}%FF`]);
    for (const [index, text] of ['plain', 'odd'].entries())
      expect((await client.readResource(lines[index]!)).contents).toMatchObject([{ text }]);
  });

  test('an empty file and an empty directory are read', async () => {
    const file = uriOf(scene.put('empty.txt'));
    mkdirSync(scene.at('none'));
    const client = await scene.client({ revision });
    expect((await client.readResource(file)).contents).toEqual([
      { uri: file, mimeType: 'text/plain', text: '', ...factsOf(revision, file) },
    ]);
    expect((await client.readResource(uriOf(scene.at('none')))).contents).toMatchObject([{ text: '' }]);
  });

  test('missing paths and paths outside the roots are not found, with the error code of the era and the URI', async () => {
    writeFileSync(join(scene.outside, 'secret.txt'), 'secret');
    symlinkSync(join(scene.outside, 'secret.txt'), scene.at('leak.txt'));
    const client = await scene.client({ revision });
    for (const uri of [
      uriOf(scene.at('none.txt')),
      uriOf(join(scene.outside, 'secret.txt')),
      uriOf(scene.at('leak.txt')),
      `${uriOf(scene.root)}/../outside/secret.txt`,
      `${uriOf(scene.root)}/%2e%2e/outside/secret.txt`,
      'file:///',
    ]) {
      const { code, data, message } = await refusal(client, uri);
      expect([code, data, message], uri).toEqual([notFound, { uri }, 'resource not found']);
    }
  });

  test('a URI with an escaped separator is refused with one line that names no other path', async () => {
    writeFileSync(join(scene.outside, 'secret.txt'), 'secret');
    const client = await scene.client({ revision });
    const uri = `${uriOf(scene.root)}/..%2Foutside/secret.txt`;
    const { code, message } = await refusal(client, uri);
    expect([code, message.startsWith(`not a usable path: ${uri}`)]).toEqual([-32602, true]);
  });

  test('a URI of another scheme is not found', async () => {
    const client = await scene.client({ revision });
    for (const uri of [
      'http://localhost/a',
      'memo://a',
      'file://elsewhere/a',
      'file:relative',
      'nothing',
      'file:///%zz',
    ]) {
      const { code, data } = await refusal(client, uri);
      expect([code, data], uri).toEqual([notFound, { uri }]);
    }
  });

  test('a file over the size limit is refused with the tool that reads it in parts', async () => {
    const text = uriOf(scene.put('a.txt', 'line\n'.repeat(5000)));
    const blob = uriOf(scene.put('a.bin', Buffer.alloc(5000)));
    const client = await scene.client({ revision, maxOutput: 4096 });
    expect((await refusal(client, text)).message).toContain('call read_text_file, which reads it in parts');
    expect((await refusal(client, blob)).message).toContain('the limit of 4096');
  });

  test('a directory of many entries is cut at the size limit and names the tool for the rest', async () => {
    for (let index = 0; index < 300; index++) scene.put(`many/entry number ${index}.txt`);
    const client = await scene.client({ revision, maxOutput: 4096 });
    const { contents } = await client.readResource(uriOf(scene.at('many')));
    const { text } = contents[0] as { text: string };
    expect(text).toContain('call list_directory, which lists them page by page');
    expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThanOrEqual(4096);
  });
});
