import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, halves, inEveryRevision, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();
const gigabyte = 1024 ** 3;
const png = Buffer.from('89504e470d0a1a0a', 'hex');

/** Returns bytes of this length that begin like a picture. */
function picture(bytes: number): Buffer {
  return Buffer.concat([png, Buffer.alloc(bytes - png.length, 0x5a)]);
}

function sparse(name: string, size: number, end: string): string {
  const path = scene.put(name);
  const fd = openSync(path, 'w');
  ftruncateSync(fd, size - end.length);
  writeSync(fd, end, size - end.length);
  closeSync(fd);
  return path;
}

inEveryRevision((revision) => {
  test('a range is a resource of its bytes, and the text half names the range', async () => {
    scene.put('a.png', picture(1000));
    const client = await scene.client({ revision });
    const { content, words } = await call(client, 'read_media_file', { path: 'a.png', offset: 4, length: 3 });
    expect(content).toMatchObject([
      { type: 'resource', resource: { mimeType: 'application/octet-stream', blob: 'DQoa' } },
      { type: 'text' },
    ]);
    expect(words).toBe('[bytes 4-6 of 1000]');
  });

  test('a picture over the size limit is returned whole', async () => {
    const bytes = picture(200_000);
    scene.put('a.png', bytes);
    const client = await scene.client({ revision });
    const { content } = await call(client, 'read_media_file', { path: 'a.png' });
    expect(content).toEqual([{ type: 'image', mimeType: 'image/png', data: bytes.toString('base64') }]);
  });

  test('a picture above the maximum is refused with its size and the arguments for a part', async () => {
    scene.put('a.png', picture(3_735_553));
    const client = await scene.client({ revision });
    const { failed, text, code } = await call(client, 'read_media_file', { path: 'a.png' });
    expect([failed, code, text]).toEqual([
      true,
      'too-large',
      'too large: a.png has 3735553 bytes, and base64 of it exceeds the limit of 4980736\nset offset and length to read it in parts',
    ]);
    scene.put('a.png', picture(3_735_552));
    expect((await call(client, 'read_media_file', { path: 'a.png' })).failed).toBe(false);
  });

  test('invalid offsets and lengths are refused with one line that names them', async () => {
    scene.put('a.bin', 'x');
    const client = await scene.client({ revision });
    for (const [name, value] of [
      ['offset', -1],
      ['offset', 1.5],
      ['length', 0],
      ['length', '3'],
    ] as const) {
      const answer = await call(client, 'read_media_file', { path: 'a.bin', [name]: value }).then(
        ({ text, failed }) => (failed ? text : 'read'),
        (error: Error) => error.message,
      );
      expect([answer.includes(name), answer.split('\n').length], answer).toEqual([true, 1]);
    }
  });
});

whereStructured((revision) => {
  test('ranges can be read one after another to the end of a file', async () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256));
    scene.put('a.bin', bytes);
    const client = await scene.client({ revision, maxOutput: 1800 });
    const parts: Buffer[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { facts, result } = await call(client, 'read_media_file', { path: 'a.bin', offset });
      const { structured } = halves(result);
      expect(structured).toBeLessThanOrEqual(1800);
      const part = Buffer.from(facts.data, 'base64');
      expect([facts.offset, facts.bytes, facts.size]).toEqual([offset, part.length, 5000]);
      parts.push(part);
      expect(facts.truncated).toBe(facts.nextOffset !== undefined);
      offset = facts.nextOffset;
    }
    expect(parts.length).toBeGreaterThan(3);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  test('a complete range is not marked as truncated before the end of the file', async () => {
    scene.put('a.bin', Buffer.alloc(1000));
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'read_media_file', { path: 'a.bin', offset: 10, length: 20 });
    expect([facts.bytes, facts.truncated, facts.nextOffset]).toEqual([20, false, undefined]);
  });

  test('a range after the end is empty and marked so', async () => {
    scene.put('a.bin', Buffer.alloc(10));
    const client = await scene.client({ revision });
    const { facts, words } = await call(client, 'read_media_file', { path: 'a.bin', offset: 10 });
    expect([facts.bytes, facts.data, facts.truncated]).toEqual([0, '', false]);
    expect(words).toBe('[no bytes from offset 10: the file has 10 bytes]');
  });

  test('the structured half of a large picture stays within the size limit and has nextOffset', async () => {
    scene.put('a.png', picture(200_000));
    const client = await scene.client({ revision });
    const { facts, result } = await call(client, 'read_media_file', { path: 'a.png' });
    expect([facts.data, facts.bytes, facts.truncated, facts.nextOffset]).toEqual([undefined, 0, true, 0]);
    expect(halves(result).structured).toBeLessThan(1000);
  });
});

test('the end of 1 GB is read by offset', async () => {
  sparse('a.bin', gigabyte, 'the end');
  const client = await scene.client();
  const { facts } = await call(client, 'read_media_file', {
    path: 'a.bin',
    offset: gigabyte - 7,
    length: 100,
  });
  expect([Buffer.from(facts.data, 'base64').toString(), facts.size]).toEqual(['the end', gigabyte]);
  const whole = await call(client, 'read_media_file', { path: 'a.bin' });
  expect([whole.failed, whole.code]).toEqual([true, 'too-large']);
});

test('ranges of many megabytes are exact, and other calls are answered meanwhile', async () => {
  const bytes = Buffer.from(Array.from({ length: 9_000_000 }, (_, at) => (at * 31) % 251));
  scene.put('a.bin', bytes);
  const client = await scene.client({ maxOutput: 32 * 1024 * 1024 });
  const order: string[] = [];
  const long = call(client, 'read_media_file', { path: 'a.bin' }).then(({ facts }) => {
    order.push('long');
    return facts;
  });
  await call(client, 'list_allowed_directories').then(() => order.push('short'));
  expect(Buffer.from((await long).data, 'base64').equals(bytes)).toBe(true);
  expect(order).toEqual(['short', 'long']);
});
