/** Media types told by the first bytes of a file; what is not here is told by its extension. */
const signatures: readonly { offset: number; bytes: readonly number[]; type: string }[] = [
  { offset: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], type: 'image/png' },
  { offset: 0, bytes: [0xff, 0xd8, 0xff], type: 'image/jpeg' },
  { offset: 0, bytes: [0x47, 0x49, 0x46, 0x38], type: 'image/gif' },
  { offset: 8, bytes: [0x57, 0x45, 0x42, 0x50], type: 'image/webp' },
  { offset: 8, bytes: [0x57, 0x41, 0x56, 0x45], type: 'audio/wav' },
  { offset: 0, bytes: [0x49, 0x44, 0x33], type: 'audio/mpeg' },
  { offset: 0, bytes: [0x4f, 0x67, 0x67, 0x53], type: 'audio/ogg' },
  { offset: 0, bytes: [0x66, 0x4c, 0x61, 0x43], type: 'audio/flac' },
  { offset: 0, bytes: [0x25, 0x50, 0x44, 0x46], type: 'application/pdf' },
  { offset: 0, bytes: [0x50, 0x4b, 0x03, 0x04], type: 'application/zip' },
  { offset: 0, bytes: [0x1f, 0x8b], type: 'application/gzip' },
  { offset: 0, bytes: [0x42, 0x4d], type: 'image/bmp' },
];

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
  const found = signatures.find(({ offset, bytes }) =>
    bytes.every((byte, index) => start[offset + index] === byte),
  );
  if (found !== undefined && isContainer(found.offset, start)) return found.type;
  return mediaTypeOfName(name) ?? 'application/octet-stream';
}

/** Types told at offset 8 sit in a RIFF container. */
function isContainer(offset: number, start: Uint8Array): boolean {
  return offset === 0 || (start[0] === 0x52 && start[1] === 0x49 && start[2] === 0x46 && start[3] === 0x46);
}
