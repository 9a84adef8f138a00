import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { type Signature, signatures } from './signatures.ts';
import { byteOrderMark } from './text.ts';

/** Bytes that are inspected to detect a file's type. */
export const SAMPLE_BYTES = 4096;

const UNKNOWN = 'application/octet-stream';

/** Types of texts by extension, as their content does not show it. */
const texts: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mjs: 'text/javascript',
  py: 'text/x-python',
  sh: 'application/x-sh',
  sql: 'application/sql',
  svg: 'image/svg+xml',
  toml: 'application/toml',
  ts: 'text/x-typescript',
  txt: 'text/plain',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** Types that may begin with any bytes. */
const unsigned: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  mpg: 'video/mpeg',
};

/** Types that their first bytes show; the extension decides where nothing is read. */
const signed: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  flac: 'audio/flac',
  gif: 'image/gif',
  gz: 'application/gzip',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  wasm: 'application/wasm',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  zip: 'application/zip',
};

/** Returns the media type of a name, or undefined when its extension is unknown. */
export function mediaTypeOfName(name: string): string | undefined {
  const extension = extensionOf(name);
  return entryOf(texts, extension) ?? entryOf(unsigned, extension) ?? entryOf(signed, extension);
}

/** Returns the media type of a text by its name. */
export function textTypeOfName(name: string): string {
  return entryOf(texts, extensionOf(name)) ?? 'text/plain';
}

function entryOf(table: Readonly<Record<string, string>>, extension: string): string | undefined {
  return Object.hasOwn(table, extension) ? table[extension] : undefined;
}

/** Returns whether the first bytes of a file are those of a type that is no text. */
export function isSigned(start: Uint8Array): boolean {
  return signatures.some((signature) => fits(signature, start));
}

/** Returns the media type of a file by its first bytes; its name decides only where these leave it open. */
export function mediaTypeOf(start: Uint8Array, name: string): string {
  const extension = extensionOf(name);
  const found = signatures.find((signature) => fits(signature, start));
  if (found !== undefined) return (found.kinds && entryOf(found.kinds, extension)) ?? found.type;
  // a name makes neither a picture of a text nor a text of bytes
  const marked = byteOrderMark(start) !== undefined;
  const named = marked || !start.includes(0) ? entryOf(texts, extension) : undefined;
  if (named !== undefined) return named;
  if (start.length > 0 && (marked || isText(start))) return isSvg(start) ? 'image/svg+xml' : 'text/plain';
  return entryOf(unsigned, extension) ?? (start.length === 0 ? mediaTypeOfName(name) : undefined) ?? UNKNOWN;
}

function fits({ parts, fits: also }: Signature, start: Uint8Array): boolean {
  for (const [offset, ...bytes] of parts)
    if (!bytes.every((byte, index) => start[offset + index] === byte)) return false;
  return also === undefined || also(start);
}

function extensionOf(name: string): string {
  const last = basename(name);
  const dot = last.lastIndexOf('.');
  return dot > 0 ? last.slice(dot + 1).toLowerCase() : '';
}

/** Returns whether bytes are the start of a text in UTF-8; the last character may be cut. */
function isText(start: Uint8Array): boolean {
  if (start.includes(0)) return false;
  for (let cut = 0; cut < 4; cut++) if (isUtf8(start.subarray(0, start.length - cut))) return true;
  return false;
}

/** Returns whether a text begins with the root of an SVG, after the prolog that XML permits. */
function isSvg(start: Uint8Array): boolean {
  let rest = Buffer.from(start.subarray(0, 1024))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  while (rest.startsWith('<?') || rest.startsWith('<!')) {
    const end = rest.startsWith('<!--') ? '-->' : '>';
    const at = rest.indexOf(end);
    if (at < 0) return false;
    rest = rest.slice(at + end.length).trimStart();
  }
  return /^<svg[\s>/]/i.test(rest);
}
