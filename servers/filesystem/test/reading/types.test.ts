import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { call, Scene } from '../harness.ts';

const scene = new Scene();

/** Parses bytes: letters, hexadecimal numbers after a colon, and zeros up to an offset after an @. */
function bytesOf(...parts: string[]): Buffer {
  let bytes = Buffer.alloc(0);
  for (const part of parts) {
    const next = part.startsWith(':')
      ? Buffer.from(part.slice(1), 'hex')
      : part.startsWith('@')
        ? Buffer.alloc(Number(part.slice(1)) - bytes.length)
        : Buffer.from(part);
    bytes = Buffer.concat([bytes, next]);
  }
  return bytes;
}

const signatures: [string, string, string[]][] = [
  ['image/png', 'x', [':89504e470d0a1a0a0000000d']],
  ['image/jpeg', 'x.txt', [':ffd8ffe000104a464946']],
  ['image/gif', 'x', ['GIF89a', ':0100010000']],
  ['image/webp', 'x', ['RIFF', ':10000000', 'WEBPVP8 ']],
  ['image/avif', 'x', [':0000001c', 'ftypavif', ':00000000']],
  ['image/heic', 'x', [':0000001c', 'ftypheic', ':00000000']],
  ['image/bmp', 'x', ['BM', ':3a000000000000003600000028000000']],
  ['image/tiff', 'x', [':49492a0008000000']],
  ['image/tiff', 'x', [':4d4d002a00000008']],
  ['image/x-icon', 'x', [':00000100010010100000']],
  ['audio/wav', 'x', ['RIFF', ':04000000', 'WAVEfmt ']],
  ['audio/mpeg', 'x', ['ID3', ':0400000000000a']],
  ['audio/mpeg', 'x', [':fffb9064000000']],
  ['audio/aac', 'x', [':fff15080000000']],
  ['audio/ogg', 'x', ['OggS', ':0002']],
  ['video/ogg', 'x.ogv', ['OggS', ':0002']],
  ['audio/flac', 'x', ['fLaC', ':00000022']],
  ['audio/mp4', 'x', [':00000020', 'ftypM4A ', ':00000000']],
  ['audio/midi', 'x', ['MThd', ':00000006']],
  ['video/mp4', 'x', [':00000020', 'ftypisom', ':00000200']],
  ['video/quicktime', 'x', [':00000014', 'ftypqt  ', ':00000000']],
  ['video/webm', 'x', [':1a45dfa3', ':9f4286810142', ':82', 'webm']],
  ['video/x-matroska', 'x', [':1a45dfa3', ':9f4286810142', ':82', 'matroska']],
  ['application/pdf', 'x.txt', ['%PDF-1.7\n', ':00']],
  ['application/zip', 'x', [':504b0304', ':1400']],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'x.docx', [':504b0304']],
  ['application/gzip', 'x', [':1f8b0800']],
  ['application/zstd', 'x', [':28b52ffd00']],
  ['application/x-xz', 'x', [':fd377a585a0000']],
  ['application/x-7z-compressed', 'x', [':377abcaf271c0004']],
  ['application/x-tar', 'x', ['name', '@257', 'ustar', ':00']],
  ['application/wasm', 'x', [':0061736d01000000']],
  ['application/vnd.sqlite3', 'x', ['SQLite format 3', ':00']],
  ['font/woff2', 'x', ['wOF2', ':00010000']],
  ['application/json', 'a.json', ['{}']],
  ['video/mp4', 'a.MP4', [':00']],
  ['application/octet-stream', 'x', [':0000000000000000', 'WEBP']],
  ['application/octet-stream', 'picture.png', [':0001020304']],
  ['application/octet-stream', 'notes.txt', [':0001020304']],
  ['text/plain', 'x', ['plain words\n']],
];

test.each(signatures)('%s is detected from the content of %s', async (type, name, parts) => {
  scene.put(name, bytesOf(...parts));
  const client = await scene.client();
  expect((await call(client, 'read_media_file', { path: name })).facts.mimeType).toBe(type);
  expect((await call(client, 'get_file_info', { path: name })).facts.mimeType).toBe(type);
  const { contents } = await client.readResource(pathToFileURL(scene.at(name)).href);
  expect(contents[0]!.mimeType).toBe(type);
});

test('a document without a zero byte is a resource with bytes, not text', async () => {
  const path = scene.put('a.pdf', '%PDF-1.4\n1 0 obj\n');
  const client = await scene.client();
  const { contents } = await client.readResource(pathToFileURL(path).href);
  expect(contents).toMatchObject([
    { mimeType: 'application/pdf', blob: Buffer.from('%PDF-1.4\n1 0 obj\n').toString('base64') },
  ]);
});
