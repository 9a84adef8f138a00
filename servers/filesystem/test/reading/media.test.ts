import { expect, test } from 'vitest';
import { call, halves, inEveryRevision, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const wav = Buffer.concat([Buffer.from('RIFF'), Buffer.of(4, 0, 0, 0), Buffer.from('WAVEfmt ')]);

inEveryRevision((revision) => {
  test('an image is an image block, whatever its name says', async () => {
    scene.put('picture.txt', png);
    const client = await scene.client({ revision });
    const { content } = await call(client, 'read_media_file', { path: 'picture.txt' });
    expect(content).toEqual([{ type: 'image', mimeType: 'image/png', data: png.toString('base64') }]);
  });

  test('audio is an audio block in revisions that have it', async () => {
    scene.put('a.wav', wav);
    const client = await scene.client({ revision });
    const { content } = await call(client, 'read_media_file', { path: 'a.wav' });
    const data = wav.toString('base64');
    if (revision === '2024-11-05') {
      expect(content).toEqual([
        { type: 'resource', resource: expect.objectContaining({ mimeType: 'audio/wav', blob: data }) },
      ]);
    } else expect(content).toEqual([{ type: 'audio', mimeType: 'audio/wav', data }]);
  });

  test('other bytes are a resource with the URI of the file', async () => {
    const path = scene.put('a b.bin', Buffer.from([0, 1, 2, 255]));
    const client = await scene.client({ revision });
    const { content } = await call(client, 'read_media_file', { path: 'a b.bin' });
    const uri = `file://${path.replaceAll(' ', '%20')}`;
    expect(content).toEqual([
      { type: 'resource', resource: { uri, mimeType: 'application/octet-stream', blob: 'AAEC/w==' } },
    ]);
  });

  test('an SVG image is a resource, since models do not accept it', async () => {
    scene.put('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const client = await scene.client({ revision });
    const { content } = await call(client, 'read_media_file', { path: 'a.svg' });
    expect(content).toMatchObject([{ type: 'resource', resource: { mimeType: 'image/svg+xml' } }]);
  });

  test('a file whose base64 exceeds the limit is refused with the numbers', async () => {
    scene.put('a.bin', Buffer.alloc(1024, 1));
    const client = await scene.client({ revision, maxOutput: 1024 });
    const { failed, text } = await call(client, 'read_media_file', { path: 'a.bin' });
    expect([failed, text]).toEqual([
      true,
      'too large: a.bin has 1024 bytes, and base64 of it exceeds the limit of 1024\nset offset and length to read it in parts',
    ]);
  });
});

whereStructured((revision) => {
  test('the structured half has the bytes and all fields', async () => {
    scene.put('a.png', png);
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'read_media_file', { path: 'a.png' });
    expect(facts).toEqual({
      path: 'a.png',
      mimeType: 'image/png',
      data: png.toString('base64'),
      size: png.length,
      offset: 0,
      bytes: png.length,
      truncated: false,
      etag: expect.any(String),
    });
  });

  test('an empty file is read as no bytes', async () => {
    scene.put('a.bin');
    const client = await scene.client({ revision });
    const { failed, facts } = await call(client, 'read_media_file', { path: 'a.bin' });
    expect([failed, facts.data, facts.size]).toEqual([false, '', 0]);
  });

  test.each([
    ['BMW is a maker of cars\n', 'notes.txt', 'text/plain'],
    ['ID3 is a kind of tag\n', 'tags.md', 'text/markdown'],
    ['GIF89a is a format\n', 'format', 'text/plain'],
    ['RIFF and more\n', 'song.wav', 'text/plain'],
    ['no picture\n', 'picture.png', 'text/plain'],
    ['no film\n', 'film.mp4', 'text/plain'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'drawing', 'image/svg+xml'],
    ['<?xml version="1.0"?>\n<!-- a > b -->\n<!DOCTYPE svg>\n<svg/>', 'drawing.xyz', 'image/svg+xml'],
    ['<html><svg></svg></html>', 'page', 'text/plain'],
  ])('text that begins like a picture or a song is text: %j', async (text, name, type) => {
    scene.put(name, text);
    const client = await scene.client({ revision });
    expect((await call(client, 'read_media_file', { path: name })).facts.mimeType).toBe(type);
  });

  test('the structured half of the largest accepted file stays within the size limit', async () => {
    const client = await scene.client({ revision, maxOutput: 4096 });
    for (let size = 2600; size < 3100; size += 25) {
      scene.put('a.bin', Buffer.alloc(size, 1));
      const { failed, result } = await call(client, 'read_media_file', { path: 'a.bin' });
      if (!failed) expect(halves(result).structured, `${size} bytes`).toBeLessThanOrEqual(4096);
    }
  });
});
