import { TextDecoder } from '@exodus/bytes/encoding.js';
import { isSigned, mediaTypeOf, SAMPLE_BYTES } from '@rootbound/kit/media';
import { wideEncoding } from '../charset/guess.ts';
import type { Kind } from '../reading/reading.ts';

export interface KindHints {
  /** the Content-Type field as received */
  readonly contentType?: string | undefined;
  /** the URL, whose file extension decides for text without a type */
  readonly url?: string | undefined;
}

export interface FoundKind {
  readonly kind: Kind;
  readonly mediaType: string;
  /** the kind of encoding declaration that the bytes may contain */
  readonly markup: 'html' | 'xml' | 'none';
}

/** Bytes of text that are searched for the root element. */
const LOOKED_AT = 65_536;

/**
 * Returns the kind of content: by its signature, else by the Content-Type if the text is consistent with it, else by
 * the text.
 */
export function kindOf(bytes: Uint8Array, hints: KindHints): FoundKind {
  const declared = essenceOf(hints.contentType);
  const start = bytes.subarray(0, SAMPLE_BYTES);
  const pdf = Buffer.from(start.buffer, start.byteOffset, Math.min(1024, start.length)).includes('%PDF-');
  if (pdf) return found('pdf', 'application/pdf');
  const wide = wideMark(bytes);
  if (wide === undefined && isSigned(start)) return ofSignature(mediaTypeOf(start, ''), declared);
  if (wide === undefined && isNoText(start, declared)) return found('binary', binaryType(declared));
  return ofText(textStart(bytes, wide), textEnd(bytes, wide), declared, hints.url);
}

/** Returns the media type of a Content-Type field, without parameters. */
export function essenceOf(contentType: string | undefined): string {
  const essence = (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(essence) ? essence : '';
}

function found(kind: Kind, mediaType: string, markup: FoundKind['markup'] = 'none'): FoundKind {
  return { kind, mediaType, markup };
}

/** Returns the type of a signature; for packages such as zip, the declared type is more exact. */
function ofSignature(type: string, declared: string): FoundKind {
  if (type.startsWith('image/')) return found('image', type);
  const isPackage = type === 'application/zip' || type === 'application/x-ole-storage';
  const isMedia = /^(?:audio|video)\//.test(type) && /^(?:audio|video)\//.test(declared);
  return found(
    'binary',
    (isPackage && /^application\/(?!octet-stream)/.test(declared)) || isMedia ? declared : type,
  );
}

function binaryType(declared: string): string {
  return declared === '' || isTextType(declared) ? 'application/octet-stream' : declared;
}

function isTextType(type: string): boolean {
  return (
    /^text\/|[+/](?:json|xml|yaml)$/.test(type) ||
    /^application\/(?:x-)?(?:javascript|ecmascript|ndjson|jsonl|sql|toml|sh|graphql|rtf)$/.test(type)
  );
}

/** Returns the UTF-16 variant by the byte order mark or the zero bytes, which are text in it. */
function wideMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const wide = wideEncoding(bytes.subarray(0, SAMPLE_BYTES));
  return wide?.startsWith('utf-16') ? wide : undefined;
}

/** Returns whether bytes cannot be text; a declared text type permits control characters, but no zero bytes. */
function isNoText(start: Uint8Array, declared: string): boolean {
  if (start.includes(0)) return true;
  if (isTextType(declared)) return false;
  return start.some(
    (byte) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d && byte !== 0x0b) && byte !== 0x1b,
  );
}

function textStart(bytes: Uint8Array, wide: string | undefined): string {
  const start = bytes.subarray(0, LOOKED_AT);
  const text =
    wide === undefined ? Buffer.from(start).toString('latin1') : new TextDecoder(wide).decode(start);
  return text.replace(/^(?:\uFEFF|\xEF\xBB\xBF)?\s+|^(?:\uFEFF|\xEF\xBB\xBF)/, '');
}

/** Returns the last character that is not white space. */
function textEnd(bytes: Uint8Array, wide: string | undefined): string {
  const end = bytes.subarray(-1024);
  const aligned =
    wide === undefined ? end : bytes.subarray(bytes.length - (Math.min(1024, bytes.length) & ~1));
  const text =
    wide === undefined ? Buffer.from(end).toString('latin1') : new TextDecoder(wide).decode(aligned);
  return text.trimEnd().slice(-1);
}

const json =
  /^(?:application|text)\/(?:[\w.-]+\+)?(?:json|x-json|ndjson|x-ndjson|jsonl|x-jsonlines|json-seq)$/;
const xml = /^(?:application|text|image|model)\/(?:[\w.-]+\+)?xml$/;
const html = /^(?:text\/html|application\/xhtml\+xml|application\/vnd\.wap\.xhtml\+xml)$/;
const markdown = /^text\/(?:x-|vnd\.daringfireball\.)?markdown$/;
const table =
  /^(?:text\/(?:x-)?(?:csv|comma-separated-values|tab-separated-values|tsv)|application\/(?:x-)?csv)$/;

function ofText(text: string, end: string, declared: string, url: string | undefined): FoundKind {
  const look = lookOf(text, end, !xml.test(declared));
  // a vague or catch-all type is replaced by the sniffed one
  const isVague =
    declared === '' ||
    /^application\/(?:octet-stream|x-unknown|unknown)$|^binary\/|^unknown\//.test(declared);
  if (look?.kind === 'feed' && !markdown.test(declared) && !table.test(declared)) return look;
  if (html.test(declared)) {
    if (look?.kind === 'json' || look?.mediaType === 'image/svg+xml') return look;
    return found('html', declared, 'html');
  }
  if (json.test(declared)) return look !== undefined && look.kind !== 'json' ? look : found('json', declared);
  if (xml.test(declared))
    return look !== undefined && look.kind !== 'xml' ? look : found('xml', declared, 'xml');
  if (table.test(declared)) return look?.kind === 'html' ? look : found('csv', declared);
  if (markdown.test(declared))
    return look?.kind === 'html' && /^<(?:!doctype|html)/i.test(text) ? look : found('markdown', declared);
  if (declared === 'text/plain') {
    if (look?.kind === 'json') return look;
    return ofExtension(url) ?? found('text', declared);
  }
  if (isVague || /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip)$/.test(declared))
    return (
      look ??
      ofExtension(url) ??
      (isVague && isTable(text) ? found('csv', 'text/csv') : found('text', 'text/plain'))
    );
  return isTextType(declared) || look === undefined ? found('text', declared) : look;
}

/** Sniffs the kind of text by its beginning; HTML may lack a root element unless it is declared as XML. */
function lookOf(text: string, end: string, canLackRoot: boolean): FoundKind | undefined {
  if (text.startsWith('<')) return lookOfMarkup(text, canLackRoot);
  const json = lookOfJson(text, end);
  return json === undefined ? undefined : found(json.kind, json.type);
}

/** Sniffs markup by its root element, after the declaration, comments and document type. */
function lookOfMarkup(text: string, canLackRoot: boolean): FoundKind | undefined {
  let rest = text;
  let isXml = false;
  for (;;) {
    rest = rest.trimStart();
    if (rest.startsWith('<!--')) rest = behind(rest, '-->');
    else if (rest.startsWith('<?')) {
      isXml ||= /^<\?xml\b/.test(rest);
      rest = behind(rest, '?>');
    } else if (/^<!doctype\b/i.test(rest)) {
      if (/^<!doctype\s+html\b/i.test(rest)) return htmlOf(rest, isXml);
      const subset = /^<!doctype[^>[]*\[[\s\S]*?\]\s*>|^<!doctype[^>[]*>/i.exec(rest);
      rest = subset === null ? '' : rest.slice(subset[0].length);
    } else break;
  }
  const root = /^<([a-zA-Z_][\w.-]*:)?([\w.-]+)((?:"[^"]*"|'[^']*'|[^"'>])*)/.exec(rest);
  if (root === null) return isXml ? found('xml', 'application/xml', 'xml') : undefined;
  const [, , name, attributes] = root;
  switch (name!.toLowerCase()) {
    case 'html':
      return htmlOf(rest, isXml);
    case 'rss':
      return found('feed', 'application/rss+xml', 'xml');
    case 'feed':
      return found('feed', 'application/atom+xml', 'xml');
    case 'rdf':
      if (/purl\.org\/rss\/1\.0|my\.netscape\.com\/rdf/.test(attributes!))
        return found('feed', 'application/rss+xml', 'xml');
      return found('xml', 'application/rdf+xml', 'xml');
    case 'svg':
      return found('image', 'image/svg+xml', 'xml');
  }
  if (isXml || attributes!.includes('xmlns')) return found('xml', 'application/xml', 'xml');
  return canLackRoot && isHtmlElement.test(name!) ? found('html', 'text/html', 'html') : undefined;
}

/** Elements that HTML without a root element may begin with (MIME Sniffing standard, unknown types). */
const isHtmlElement =
  /^(?:head|body|script|iframe|h[1-6]|div|font|table|a|style|title|b|br|p|meta|link|main|article|section|ul|ol|center|span|img)$/i;

function htmlOf(rest: string, isXml: boolean): FoundKind {
  const isStrict = isXml && /^[\s\S]{0,2000}xmlns\s*=\s*["']http:\/\/www\.w3\.org\/1999\/xhtml/.test(rest);
  return found('html', isStrict ? 'application/xhtml+xml' : 'text/html', 'html');
}

function behind(text: string, what: string): string {
  const at = text.indexOf(what);
  return at < 0 ? '' : text.slice(at + what.length);
}

/** Sniffs JSON and JSON lines by the beginning and the end of the text. */
function lookOfJson(text: string, end: string): { kind: Kind; type: string } | undefined {
  const isObject = /^\{\s*(?:"|\}\s*$)/.test(text) && end === '}';
  const isArray = /^\[\s*(?:[{["\]\d-]|true\b|false\b|null\b)/.test(text) && end === ']';
  if (!isObject && !isArray) return undefined;
  if (isObject && /^\{[\s\S]{0,2000}?"version"\s*:\s*"https:(?:\/\/|\\\/\\\/)jsonfeed\.org/.test(text))
    return { kind: 'feed', type: 'application/feed+json' };
  const firstLine = text.slice(0, Math.max(0, text.search(/\r?\n/)));
  const isLines = isObject && firstLine.endsWith('}') && /^\r?\n\s*\{/.test(text.slice(firstLine.length));
  return { kind: 'json', type: isLines ? 'application/x-ndjson' : 'application/json' };
}

/** Returns whether the first lines have equal numbers of tabs, commas or semicolons, at least three. */
function isTable(text: string): boolean {
  const lines = text.split(/\r?\n/, 11).slice(0, -1);
  return ['\t', ',', ';'].some((separator) => {
    const counts = new Set(lines.map((line) => line.replace(/"[^"]*"/g, '').split(separator).length - 1));
    return lines.length >= 3 && counts.size === 1 && !counts.has(0) && !counts.has(1) && !counts.has(2);
  });
}

const extensions: Readonly<Record<string, FoundKind>> = {
  csv: found('csv', 'text/csv'),
  json: found('json', 'application/json'),
  jsonl: found('json', 'application/x-ndjson'),
  markdown: found('markdown', 'text/markdown'),
  md: found('markdown', 'text/markdown'),
  ndjson: found('json', 'application/x-ndjson'),
  tsv: found('csv', 'text/tab-separated-values'),
};

function ofExtension(url: string | undefined): FoundKind | undefined {
  const extension = extensionOf(url);
  return Object.hasOwn(extensions, extension) ? extensions[extension] : undefined;
}

function extensionOf(url: string | undefined): string {
  const path = url !== undefined && URL.canParse(url) ? new URL(url).pathname : '';
  return /\.([a-z0-9]{1,10})$/i.exec(path)?.[1]?.toLowerCase() ?? '';
}
