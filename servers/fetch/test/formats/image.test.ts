import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readImage, readSvg } from '../../src/formats/image.ts';

const hex = (source: string) => Buffer.from(source.replace(/\s/g, ''), 'hex');

function box(name: string, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function ispe(width: number, height: number): Buffer {
  const body = Buffer.alloc(12);
  body.writeUInt32BE(width, 4);
  body.writeUInt32BE(height, 8);
  return box('ispe', body);
}

const jpeg = Buffer.concat([
  hex('ffd8 ffe0 0010 4a46494600010100000100010000'),
  // a thumbnail with a frame header of its own
  hex('ffe1 000d 45786966 ffc0 0011 08 0001'),
  hex('ff ffc2 0011 08 01e0 0280 03 012200 021101 031101 ffda'),
]);

const images: readonly (readonly [type: string, bytes: Buffer, width: number, height: number])[] = [
  [
    'image/png',
    Buffer.concat([hex('89504e470d0a1a0a 0000000d 49484452 00000280 000001e0 08020000 00'), deflateSync('')]),
    640,
    480,
  ],
  ['image/gif', hex('474946383961 8002 e001 000000'), 640, 480],
  ['image/jpeg', jpeg, 640, 480],
  ['image/webp', hex('52494646 00000000 57454250 56503820 00000000 300100 9d012a 8002 e001'), 640, 480],
  ['image/webp', hex('52494646 00000000 57454250 5650384c 00000000 2f 7fc27700'), 640, 480],
  ['image/webp', hex('52494646 00000000 57454250 56503858 0a000000 00000000 7f0200 df0100'), 640, 480],
  [
    'image/avif',
    Buffer.concat([
      box('ftyp', Buffer.from('avif\0\0\0\0avifmif1', 'latin1')),
      box(
        'meta',
        Buffer.alloc(4),
        box('hdlr', Buffer.alloc(20)),
        box('iprp', box('ipco', ispe(64, 48), ispe(640, 480))),
      ),
    ]),
    640,
    480,
  ],
  ['image/bmp', Buffer.concat([hex('424d 00000000 00000000 36000000 28000000 80020000 20feffff')]), 640, 480],
];

describe('size', () => {
  test.each(images)('of %s is read from its bytes', (mediaType, bytes, width, height) => {
    expect(readImage({ bytes, mediaType })).toEqual({
      kind: 'image',
      mediaType,
      text: '',
      headings: [],
      links: [],
      metadata: {},
      removed: { hidden: 0, invisible: 0, links: 0 },
      size: { width, height },
    });
  });

  test('truncated and broken bytes are an image without a size', () => {
    for (const [mediaType, bytes, width, height] of images)
      for (let length = 0; length <= bytes.length; length++) {
        const { kind, size } = readImage({ bytes: bytes.subarray(0, length), mediaType });
        expect([kind, size ?? { width, height }]).toEqual(['image', { width, height }]);
      }
    expect(readImage({ bytes: Buffer.alloc(1000, 0xff), mediaType: 'image/jpeg' }).size).toBeUndefined();
    expect(readImage({ bytes: Buffer.alloc(100), mediaType: 'image/avif' }).size).toBeUndefined();
    expect(readImage({ bytes: Buffer.alloc(100), mediaType: 'image/tiff' }).size).toBeUndefined();
  });
});

test('an SVG is read as its source, with its title and the size of its root', () => {
  const read = (text: string) => readSvg({ text, mediaType: 'image/svg+xml', url: 'https://a.test/' });
  expect(
    read('<svg width="20" height="10.4px"><title>A \u200Bplot</title><rect width="5"/></svg>'),
  ).toMatchObject({
    kind: 'image',
    mediaType: 'image/svg+xml',
    text: '<svg width="20" height="10.4px"><title>A plot</title><rect width="5"/></svg>',
    metadata: { title: 'A plot' },
    removed: { invisible: 1 },
    size: { width: 20, height: 10 },
  });
  expect(read('<svg viewBox="0 0 300 150"/>').size).toEqual({ width: 300, height: 150 });
  expect(read('<svg viewBox="0,0,300,150" width="100%" height="100%"/>').size).toEqual({
    width: 300,
    height: 150,
  });
  expect(read('<svg stroke-width="3" data-height="4"/>').size).toBeUndefined();
});
