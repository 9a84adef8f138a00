interface Signature {
  type: string;
  /** an offset and the bytes that are there */
  parts: readonly (readonly [offset: number, ...bytes: number[]])[];
  fits?: (start: Uint8Array) => boolean;
}

const RIFF = [0, 0x52, 0x49, 0x46, 0x46] as const;

/** Media types told by the first bytes of a file; what is not here is told by its extension. */
const signatures: readonly Signature[] = [
  { type: 'image/png', parts: [[0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]] },
  { type: 'image/jpeg', parts: [[0, 0xff, 0xd8, 0xff]] },
  { type: 'image/gif', parts: [[0, 0x47, 0x49, 0x46, 0x38]] },
  { type: 'image/webp', parts: [RIFF, [8, 0x57, 0x45, 0x42, 0x50]] },
  { type: 'audio/wav', parts: [RIFF, [8, 0x57, 0x41, 0x56, 0x45]] },
  { type: 'audio/mpeg', parts: [[0, 0x49, 0x44, 0x33]], fits: isId3 },
  { type: 'audio/ogg', parts: [[0, 0x4f, 0x67, 0x67, 0x53]] },
  { type: 'audio/flac', parts: [[0, 0x66, 0x4c, 0x61, 0x43]] },
  { type: 'application/pdf', parts: [[0, 0x25, 0x50, 0x44, 0x46]] },
  { type: 'application/zip', parts: [[0, 0x50, 0x4b, 0x03, 0x04]] },
  { type: 'application/gzip', parts: [[0, 0x1f, 0x8b]] },
  {
    type: 'image/bmp',
    parts: [
      [0, 0x42, 0x4d],
      [6, 0, 0, 0, 0],
    ],
  },
];

/** Words begin with these letters too; a version is a small number, and a size has seven bits in each byte. */
function isId3(start: Uint8Array): boolean {
  const [major = 0xff, revision = 0xff] = start.subarray(3, 5);
  return major >= 2 && major <= 4 && revision < 0xff && start.subarray(6, 10).every((byte) => byte < 0x80);
}

const extensions: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  css: 'text/css',
  csv: 'text/csv',
  gz: 'application/gzip',
  html: 'text/html',
  ico: 'image/x-icon',
  js: 'text/javascript',
  json: 'application/json',
  m4a: 'audio/mp4',
  md: 'text/markdown',
  mjs: 'text/javascript',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  py: 'text/x-python',
  sh: 'application/x-sh',
  sql: 'application/sql',
  svg: 'image/svg+xml',
  toml: 'application/toml',
  ts: 'text/x-typescript',
  txt: 'text/plain',
  webm: 'video/webm',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

/** The media type of a name, or undefined when its extension is not known. */
export function mediaTypeOfName(name: string): string | undefined {
  const dot = name.lastIndexOf('.');
  const extension = name.slice(dot + 1).toLowerCase();
  return dot > 0 && Object.hasOwn(extensions, extension) ? extensions[extension] : undefined;
}

/** The media type of a file by its first bytes, else by its name, else of arbitrary bytes. */
export function mediaTypeOf(start: Uint8Array, name: string): string {
  const found = signatures.find(
    ({ parts, fits }) =>
      parts.every(([offset, ...bytes]) => bytes.every((byte, index) => start[offset + index] === byte)) &&
      (fits === undefined || fits(start)),
  );
  return found?.type ?? mediaTypeOfName(name) ?? 'application/octet-stream';
}
