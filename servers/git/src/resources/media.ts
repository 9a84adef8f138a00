import { encodingOf } from '../contents/encoding.ts';

const binary = 'application/octet-stream';

/** Types of texts by extension: their content says nothing itself. */
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
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** How what people look at or unpack begins, as byte strings, and what follows behind the next four bytes. */
const starts: readonly (readonly [type: string, start: string, next?: string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF', 'WEBP'],
  ['audio/wav', 'RIFF', 'WAVE'],
  ['audio/ogg', 'OggS'],
  ['application/pdf', '%PDF-'],
  ['application/zip', 'PK\x03\x04'],
  ['application/gzip', '\x1f\x8b'],
  ['application/wasm', '\0asm'],
];
const LOOKED_AT = 16;

/** The media type of a blob by its first bytes; the name of a file tells only which text it is. */
export function mediaTypeOf(content: Buffer, name = ''): string {
  const bytes = content.toString('latin1', 0, LOOKED_AT);
  const found = starts.find(([, start, next = '']) => {
    return bytes.startsWith(start) && bytes.startsWith(next, start.length + 4);
  });
  if (found !== undefined) return found[0];
  if (encodingOf(content) === undefined) return binary;
  const [, extension = ''] = /[^/]\.([^./]+)$/.exec(name) ?? [];
  const type = extension.toLowerCase();
  return Object.hasOwn(texts, type) ? texts[type]! : 'text/plain';
}
