/** Bytes at the start of a file that tell its type. */
export interface Signature {
  readonly type: string;
  /** an offset and the bytes that are there */
  readonly parts: readonly (readonly [offset: number, ...bytes: number[]])[];
  /** another condition */
  readonly fits?: (start: Uint8Array) => boolean;
  /** types that share these bytes, by the extension that tells them apart */
  readonly kinds?: Readonly<Record<string, string>>;
}

function text(offset: number, letters: string): readonly [number, ...number[]] {
  return [offset, ...Buffer.from(letters, 'latin1')];
}

const RIFF = text(0, 'RIFF');
const EBML = [0, 0x1a, 0x45, 0xdf, 0xa3] as const;
const office = 'application/vnd.openxmlformats-officedocument.';
const open = 'application/vnd.oasis.opendocument.';
const packages = {
  apk: 'application/vnd.android.package-archive',
  docx: `${office}wordprocessingml.document`,
  epub: 'application/epub+zip',
  jar: 'application/java-archive',
  odp: `${open}presentation`,
  ods: `${open}spreadsheet`,
  odt: `${open}text`,
  pptx: `${office}presentationml.presentation`,
  xlsx: `${office}spreadsheetml.sheet`,
};

/** Types by the first bytes of a file; the first match counts. */
export const signatures: readonly Signature[] = [
  { type: 'image/png', parts: [[0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]] },
  { type: 'image/jpeg', parts: [[0, 0xff, 0xd8, 0xff]] },
  { type: 'image/gif', parts: [text(0, 'GIF8'), text(5, 'a')], fits: hasNul },
  { type: 'image/webp', parts: [RIFF, text(8, 'WEBP')] },
  { type: 'image/avif', parts: [text(4, 'ftypavif')] },
  { type: 'image/avif', parts: [text(4, 'ftypavis')] },
  { type: 'image/heic', parts: [text(4, 'ftyphe')] },
  { type: 'image/heif', parts: [text(4, 'ftypmif1')] },
  { type: 'image/jxl', parts: [[0, 0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20]] },
  { type: 'image/tiff', parts: [[0, 0x49, 0x49, 0x2a, 0]] },
  { type: 'image/tiff', parts: [[0, 0x4d, 0x4d, 0, 0x2a]] },
  { type: 'image/bmp', parts: [text(0, 'BM'), [6, 0, 0, 0, 0]] },
  { type: 'image/x-icon', parts: [[0, 0, 0, 1, 0]], fits: (start) => start[4]! > 0 && start[5] === 0 },
  { type: 'image/vnd.adobe.photoshop', parts: [text(0, '8BPS'), [4, 0]] },
  { type: 'audio/wav', parts: [RIFF, text(8, 'WAVE')] },
  { type: 'video/x-msvideo', parts: [RIFF, text(8, 'AVI ')] },
  { type: 'audio/flac', parts: [text(0, 'fLaC')] },
  { type: 'audio/ogg', parts: [text(0, 'OggS')], kinds: { ogv: 'video/ogg', ogx: 'application/ogg' } },
  { type: 'audio/midi', parts: [text(0, 'MThd'), [4, 0, 0, 0, 6]] },
  { type: 'audio/aiff', parts: [text(0, 'FORM'), text(8, 'AIF')] },
  { type: 'audio/mp4', parts: [text(4, 'ftypM4A')] },
  { type: 'audio/mp4', parts: [text(4, 'ftypM4B')] },
  { type: 'audio/mpeg', parts: [text(0, 'ID3')], fits: isId3 },
  { type: 'audio/aac', parts: [[0, 0xff]], fits: (start) => isFrame(start, 0xf6, 0xf0) },
  { type: 'audio/mpeg', parts: [[0, 0xff]], fits: (start) => isFrame(start, 0xe6, 0xe2) },
  { type: 'video/quicktime', parts: [text(4, 'ftypqt')] },
  { type: 'video/mp4', parts: [text(4, 'ftyp')], kinds: { m4a: 'audio/mp4' } },
  {
    type: 'video/webm',
    parts: [EBML],
    fits: (start) => docType(start).includes('webm'),
    kinds: { weba: 'audio/webm' },
  },
  { type: 'video/x-matroska', parts: [EBML] },
  { type: 'application/pdf', parts: [text(0, '%PDF-')] },
  { type: 'application/zip', parts: [[0, 0x50, 0x4b, 0x03, 0x04]], kinds: packages },
  { type: 'application/zip', parts: [[0, 0x50, 0x4b, 0x05, 0x06]] },
  { type: 'application/gzip', parts: [[0, 0x1f, 0x8b, 0x08]] },
  { type: 'application/x-bzip2', parts: [text(0, 'BZh'), [4, 0x31, 0x41, 0x59, 0x26]] },
  { type: 'application/x-xz', parts: [[0, 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]] },
  { type: 'application/x-7z-compressed', parts: [[0, 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]] },
  { type: 'application/zstd', parts: [[0, 0x28, 0xb5, 0x2f, 0xfd]] },
  { type: 'application/vnd.rar', parts: [[0, 0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]] },
  { type: 'application/x-tar', parts: [text(257, 'ustar')] },
  { type: 'application/wasm', parts: [[0, 0, 0x61, 0x73, 0x6d]] },
  { type: 'application/vnd.sqlite3', parts: [text(0, 'SQLite format 3\0')] },
  { type: 'application/x-elf', parts: [[0, 0x7f, 0x45, 0x4c, 0x46]] },
  { type: 'application/vnd.apache.parquet', parts: [text(0, 'PAR1')], fits: hasNul },
  { type: 'font/woff', parts: [text(0, 'wOFF')] },
  { type: 'font/woff2', parts: [text(0, 'wOF2')] },
  { type: 'font/otf', parts: [text(0, 'OTTO'), [4, 0]] },
  { type: 'font/ttf', parts: [[0, 0, 1, 0, 0, 0]] },
  { type: 'application/x-ole-storage', parts: [[0, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]] },
];

/** Words begin with the same letters; no text has such a byte. */
function hasNul(start: Uint8Array): boolean {
  return start.includes(0);
}

/** Words begin with these letters too; a version is a small number, and a size has seven bits in each byte. */
function isId3(start: Uint8Array): boolean {
  const [major = 0xff, revision = 0xff] = start.subarray(3, 5);
  return major >= 2 && major <= 4 && revision < 0xff && start.subarray(6, 10).every((byte) => byte < 0x80);
}

/** Returns whether a frame of sound begins: its sync bits and layer, and a valid bit rate and sampling rate. */
function isFrame(start: Uint8Array, mask: number, layer: number): boolean {
  const [, second = 0, third = 0xff] = start;
  if ((second & mask) !== layer) return false;
  // for AAC these bits are the rate; 15 is invalid there, as it is here
  return layer === 0xf0
    ? (third & 0x3c) >> 2 < 13
    : third >> 4 < 15 && third >> 4 > 0 && (third & 0x0c) !== 0x0c;
}

/** Returns the document type in the header of an EBML file. */
function docType(start: Uint8Array): string {
  return Buffer.from(start.subarray(0, 64)).toString('latin1');
}
