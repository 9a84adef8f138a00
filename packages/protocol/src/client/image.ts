/**
 * The header of an image file, read without decoding the image.
 * @example
 * const isSmall = ({ width = 0, height = 0 }: ImageHeader): boolean => width <= 64 && height <= 64;
 */
export interface ImageHeader {
  mimeType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/svg+xml';
  /** undefined if the image has no size or it was not found */
  width: number | undefined;
  height: number | undefined;
  frames: number;
}

/** Reads the header of a PNG, JPEG, WebP or SVG by its magic bytes; returns undefined for other files. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (from: number, to: number): string => Buffer.from(bytes.subarray(from, to)).toString('latin1');
  try {
    if (text(0, 8) === '\x89PNG\r\n\x1a\n') return readPng(view, text);
    if (text(0, 3) === '\xff\xd8\xff') return readJpeg(view);
    if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return readWebp(view, text);
  } catch {
    // the file ends within the header
    return undefined;
  }
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)*<svg[\s>]/i.test(text(0, 1024))
    ? { mimeType: 'image/svg+xml', width: undefined, height: undefined, frames: 1 }
    : undefined;
}

type Text = (from: number, to: number) => string;

function readPng(view: DataView, text: Text): ImageHeader {
  const animated = chunks(view, 8, (at) => ({ name: text(at + 4, at + 8), size: view.getUint32(at) + 12 }));
  const control = animated.find(({ name }) => name === 'acTL');
  return {
    mimeType: 'image/png',
    width: view.getUint32(16),
    height: view.getUint32(20),
    frames: control === undefined ? 1 : view.getUint32(control.at + 8),
  };
}

function readJpeg(view: DataView): ImageHeader {
  const segments = chunks(view, 2, (at) => ({
    name: String(view.getUint8(at + 1)),
    size: view.getUint16(at + 2) + 2,
  }));
  // the frame headers, without the tables between them in the numbering
  const frame = segments.find(
    ({ name }) => Number(name) >= 0xc0 && Number(name) <= 0xcf && !['196', '200', '204'].includes(name),
  );
  return {
    mimeType: 'image/jpeg',
    width: frame && view.getUint16(frame.at + 7),
    height: frame && view.getUint16(frame.at + 5),
    frames: 1,
  };
}

function readWebp(view: DataView, text: Text): ImageHeader {
  const parts = chunks(view, 12, (at) => {
    const size = view.getUint32(at + 4, true);
    return { name: text(at, at + 4), size: 8 + size + (size % 2) };
  });
  const extended = parts.find(({ name }) => name === 'VP8X');
  const lossless = parts.find(({ name }) => name === 'VP8L');
  const lossy = parts.find(({ name }) => name === 'VP8 ');
  const size = (): [number, number] | [] => {
    if (extended !== undefined)
      return [uint24(view, extended.at + 12) + 1, uint24(view, extended.at + 15) + 1];
    if (lossless !== undefined) {
      const packed = view.getUint32(lossless.at + 9, true);
      return [(packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1];
    }
    if (lossy === undefined) return [];
    return [view.getUint16(lossy.at + 14, true) & 0x3fff, view.getUint16(lossy.at + 16, true) & 0x3fff];
  };
  const [width, height] = size();
  return {
    mimeType: 'image/webp',
    width,
    height,
    frames: Math.max(1, parts.filter(({ name }) => name === 'ANMF').length),
  };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

interface Chunk {
  name: string;
  size: number;
  at: number;
}

/** Returns the chunks of a file format in which each chunk has its length. */
function chunks(view: DataView, start: number, read: (at: number) => Omit<Chunk, 'at'>): Chunk[] {
  const found: Chunk[] = [];
  for (let at = start; at + 12 <= view.byteLength; ) {
    const chunk = { ...read(at), at };
    found.push(chunk);
    at += chunk.size;
  }
  return found;
}
