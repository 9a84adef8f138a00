import { normalizeEncoding } from '@exodus/bytes/encoding.js';

/** As much of a page as is looked at for what it says of its encoding, in bytes (HTML, encoding sniffing). */
export const PRESCANNED_BYTES = 1024;

/** The encoding that a Content-Type field names, by its WHATWG name. */
export function headerEncoding(contentType: string | undefined): string | undefined {
  const label = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(contentType ?? '');
  return label === null ? undefined : encodingOf(label[1] ?? label[2]!.replace(/^'|'$/g, ''));
}

/** The encoding that an XML declaration names; a start like `<?x` in UTF-16 tells itself. */
export function xmlEncoding(start: string): string | undefined {
  if (start.startsWith('<\0?\0x\0')) return 'utf-16le';
  if (start.startsWith('\0<\0?\0x')) return 'utf-16be';
  const declaration = /^<\?xml[^>]*?[\s"']encoding\s*=\s*(?:"([^">]*)"|'([^'>]*)')/.exec(start);
  return declaration === null ? undefined : withoutUtf16(encodingOf(declaration[1] ?? declaration[2]!));
}

/**
 * The encoding that a meta element names, found as the HTML standard prescans a byte stream. Each character of
 * `start` is one byte.
 */
export function metaEncoding(start: string): string | undefined {
  let at = 0;
  while (at >= 0 && at < start.length) {
    at = start.indexOf('<', at);
    if (at < 0) return undefined;
    if (start.startsWith('<!--', at)) {
      at = after(start, '-->', at + 2);
    } else if (/^<meta[\t\n\f\r /]/i.test(start.slice(at, at + 6))) {
      const attributes = readAttributes(start, at + 5);
      const found = encodingOfMeta(attributes.entries);
      if (found !== undefined) return found;
      at = attributes.end;
    } else if (/^<\/?[a-z]/i.test(start.slice(at, at + 3))) {
      const name = /[\t\n\f\r >]/g;
      name.lastIndex = at;
      const end = name.exec(start)?.index;
      if (end === undefined) return undefined;
      at = readAttributes(start, end).end;
    } else if (/^<[!/?]/.test(start.slice(at, at + 2))) {
      at = after(start, '>', at);
    } else {
      at += 1;
    }
  }
  return undefined;
}

/** The language that the root of a page is marked with. */
export function htmlLanguage(start: string): string | undefined {
  const root = /<html\b[^<>]*/i.exec(start)?.[0] ?? '';
  return /\b(?:xml:)?lang\s*=\s*["']?([a-z]{2,3})(?![a-z])/i.exec(root)?.[1]?.toLowerCase();
}

function encodingOf(label: string): string | undefined {
  return normalizeEncoding(label) ?? undefined;
}

/** What can be read as ASCII is not UTF-16, whatever it says. */
function withoutUtf16(encoding: string | undefined): string | undefined {
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding;
}

function after(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? -1 : found + what.length;
}

function encodingOfMeta(attributes: ReadonlyMap<string, string>): string | undefined {
  const charset = attributes.get('charset');
  const content = attributes.get('content');
  if (charset !== undefined) return ofPage(encodingOf(charset));
  if (content === undefined || attributes.get('http-equiv')?.toLowerCase() !== 'content-type')
    return undefined;
  const label =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))/i.exec(content);
  return label === null ? undefined : ofPage(encodingOf(label[1] ?? label[2] ?? label[3]!));
}

function ofPage(encoding: string | undefined): string | undefined {
  return encoding === 'x-user-defined' ? 'windows-1252' : withoutUtf16(encoding);
}

const attribute =
  /[\t\n\f\r /]*(?:(>)|([^\t\n\f\r />][^\t\n\f\r />=]*)[\t\n\f\r ]*(?:=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*)?))?)/y;

/** The attributes from a place inside of a tag, the first of each name, and where the tag ends. */
function readAttributes(text: string, from: number): { entries: Map<string, string>; end: number } {
  const entries = new Map<string, string>();
  attribute.lastIndex = from;
  let end = from;
  for (let found = attribute.exec(text); found !== null; found = attribute.exec(text)) {
    end = attribute.lastIndex;
    if (found[1] !== undefined) break;
    const name = found[2]!.toLowerCase();
    if (!entries.has(name)) entries.set(name, found[3] ?? found[4] ?? found[5] ?? '');
  }
  return { entries, end };
}
