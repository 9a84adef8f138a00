import { defined } from '@rootbound/kit/primitives';
import { removeInvisible } from '../markdown/invisible.ts';
import { nothingRemoved, type Reading } from '../reading/reading.ts';
import type { BytesInput, TextInput } from './input.ts';

type Size = NonNullable<Reading['size']>;

/** Returns an image's type, with its width and height if its bytes contain them. */
export function readImage({ bytes, mediaType }: BytesInput): Reading {
  const size = imageSize(bytes, mediaType);
  return {
    kind: 'image',
    mediaType,
    text: '',
    headings: [],
    links: [],
    metadata: {},
    removed: nothingRemoved,
    ...defined({ size }),
  };
}

/** Returns the source of an SVG, with the size of its root element. */
export function readSvg({ text, charset, mediaType }: TextInput): Reading {
  const visible = removeInvisible(text);
  const size = svgSize(text);
  const title = /<title[^<>]*>([^<]+)<\/title/i
    .exec(visible.text.slice(0, 100_000))?.[1]
    ?.trim()
    .slice(0, 1000);
  return {
    kind: 'image',
    mediaType,
    text: visible.text,
    charset,
    headings: [],
    links: [],
    metadata: title === undefined || title === '' ? {} : { title },
    removed: { ...nothingRemoved, invisible: visible.removed },
    ...defined({ size }),
  };
}

/** Returns the width and height in pixels; undefined for other types and for truncated bytes. */
export function imageSize(bytes: Uint8Array, mediaType: string): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = sizers[mediaType]?.(view);
    return size === undefined || size.width === 0 || size.height === 0 ? undefined : size;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const sizers: Readonly<Record<string, (view: DataView) => Size | undefined>> = {
  'image/png': (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  'image/gif': (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  'image/bmp': (view) => ({
    width: Math.abs(view.getInt32(18, true)),
    height: Math.abs(view.getInt32(22, true)),
  }),
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
  'image/avif': avifSize,
};

/** Reads the size from the frame header of a JPEG. */
function jpegSize(view: DataView): Size | undefined {
  let at = 2;
  for (;;) {
    while (view.getUint8(at) !== 0xff) at += 1;
    while (view.getUint8(at) === 0xff) at += 1;
    const marker = view.getUint8(at);
    at += 1;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: view.getUint16(at + 3), width: view.getUint16(at + 5) };
    const standsAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    // no frame header follows these markers
    if (marker === 0xd9 || marker === 0xda) return undefined;
    if (!standsAlone) at += view.getUint16(at);
  }
}

function webpSize(view: DataView): Size | undefined {
  switch (fourLetters(view, 12)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    default:
      return undefined;
  }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
}

/** Returns the largest `ispe` property; smaller ones are those of thumbnails and tiles. */
function avifSize(view: DataView): Size | undefined {
  const path = ['meta', 'iprp', 'ipco'];
  let start = 0;
  let end = view.byteLength;
  for (const name of path) {
    const box = boxes(view, start, end).find((each) => each.name === name);
    if (box === undefined) return undefined;
    // a meta box has version and flags before its children
    start = box.start + (name === 'meta' ? 4 : 0);
    end = box.end;
  }
  const sizes = boxes(view, start, end)
    .filter(({ name, start: at, end: stop }) => name === 'ispe' && stop - at >= 12)
    .map(({ start: at }) => ({ width: view.getUint32(at + 4), height: view.getUint32(at + 8) }));
  return sizes.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
}

/** Returns the complete boxes of an ISO media file between two positions, at most a thousand. */
function boxes(view: DataView, from: number, to: number): { name: string; start: number; end: number }[] {
  const found: { name: string; start: number; end: number }[] = [];
  let at = from;
  while (at + 8 <= to && found.length < 1000) {
    const length = view.getUint32(at);
    const isLong = length === 1;
    const size = length === 0 ? to - at : isLong ? Number(view.getBigUint64(at + 8)) : length;
    if (size < (isLong ? 16 : 8) || at + size > to) break;
    found.push({
      name: fourLetters(view, at + 4),
      start: at + (isLong ? 16 : 8),
      end: at + size,
    });
    at += size;
  }
  return found;
}

function fourLetters(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));
}

/** Reads the size from the root's width and height in pixels, else from its viewBox. */
function svgSize(text: string): Size | undefined {
  const root = /<svg\b(?:"[^"]*"|'[^']*'|[^"'>])*/i.exec(text.slice(0, 100_000))?.[0];
  if (root === undefined) return undefined;
  const value = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`, 'i').exec(root)?.[1]?.trim();
  const pixels = (name: string) => Number(/^(\d+(?:\.\d+)?)(?:px)?$/.exec(value(name) ?? '')?.[1] ?? 0);
  const box = (value('viewBox') ?? '').split(/[\s,]+/).map(Number);
  const [width, height] = [pixels('width') || box[2] || 0, pixels('height') || box[3] || 0];
  return width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : undefined;
}
