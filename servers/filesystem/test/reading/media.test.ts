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

  test('audio arrives with its bytes, as audio where the revision has it', async () => {
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

  test('an image of vectors is no image block, since models take none', async () => {
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
      'too large: a.bin has 1024 bytes, and base64 of it exceeds the limit of 1024\nraise --max-output, or read a smaller file',
    ]);
  });
});

whereStructured((revision) => {
  test('the structured half has the bytes and all facts', async () => {
    scene.put('a.png', png);
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'read_media_file', { path: 'a.png' });
    expect(facts).toEqual({
      path: 'a.png',
      mimeType: 'image/png',
      data: png.toString('base64'),
      size: png.length,
      etag: expect.any(String),
    });
  });

  test('an empty file has no bytes and is no fault', async () => {
    scene.put('a.bin');
    const client = await scene.client({ revision });
    const { failed, facts } = await call(client, 'read_media_file', { path: 'a.bin' });
    expect([failed, facts.data, facts.size]).toEqual([false, '', 0]);
  });

  test.each([
    ['ffd8ffe0', 'x', 'image/jpeg'],
    ['47494638396100', 'x', 'image/gif'],
    ['524946460000000057454250', 'x', 'image/webp'],
    ['000000000000000057454250', 'x', 'application/octet-stream'],
    ['494433040000', 'x', 'audio/mpeg'],
    ['255044462d312e37', 'x', 'application/pdf'],
    ['504b0304', 'x', 'application/zip'],
    ['1f8b08', 'x', 'application/gzip'],
    ['424d3a000000000000003600000028000000', 'x', 'image/bmp'],
    ['7b7d', 'a.json', 'application/json'],
    ['00', 'a.MP4', 'video/mp4'],
  ])('%s named %s is %s', async (hex, name, type) => {
    scene.put(name, Buffer.from(hex, 'hex'));
    const client = await scene.client({ revision });
    expect((await call(client, 'read_media_file', { path: name })).facts.mimeType).toBe(type);
  });

  test.each([
    ['BMW is a maker of cars\n', 'notes.txt', 'text/plain'],
    ['ID3 is a kind of tag\n', 'tags.md', 'text/markdown'],
  ])('text that begins like a picture or a song is still text: %j', async (text, name, type) => {
    scene.put(name, text);
    const client = await scene.client({ revision });
    expect((await call(client, 'read_media_file', { path: name })).facts.mimeType).toBe(type);
  });

  test('the structured half of the largest file that is not refused stays within the limit', async () => {
    const client = await scene.client({ revision, maxOutput: 4096 });
    for (let size = 2600; size < 3100; size += 25) {
      scene.put('a.bin', Buffer.alloc(size, 1));
      const { failed, result } = await call(client, 'read_media_file', { path: 'a.bin' });
      if (!failed) expect(halves(result).structured, `${size} bytes`).toBeLessThanOrEqual(4096);
    }
  });
});
