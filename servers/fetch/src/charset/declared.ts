import { normalizeEncoding } from '@exodus/bytes/encoding.js';

/** Bytes of a page that are searched for a declared encoding (HTML standard, encoding sniffing). */
export const PRESCANNED_BYTES = 1024;

/** Returns the WHATWG name of the encoding that a Content-Type field declares. */
export function headerEncoding(contentType: string | undefined): string | undefined {
  const label = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(contentType ?? '');
  return label === null ? undefined : encodingOf(label[1] ?? label[2]!.replace(/^'|'$/g, ''));
}

/** Returns the encoding that an XML declaration names, or UTF-16 for `<?x` in UTF-16. */
export function xmlEncoding(start: string): string | undefined {
  if (start.startsWith('<\0?\0x\0')) return 'utf-16le';
  if (start.startsWith('\0<\0?\0x')) return 'utf-16be';
  const declaration = /^<\?xml[^>]*?[\s"']encoding\s*=\s*(?:"([^">]*)"|'([^'>]*)')/.exec(start);
  return declaration === null ? undefined : withoutUtf16(encodingOf(declaration[1] ?? declaration[2]!));
}

/**
 * Returns the encoding that a meta element declares, by the HTML standard's prescan of a byte stream. Each character of
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

/** Returns the language in the `lang` attribute of the root element. */
export function htmlLanguage(start: string): string | undefined {
  const root = /<html\b[^<>]*/i.exec(start)?.[0] ?? '';
  return /\b(?:xml:)?lang\s*=\s*["']?([a-z]{2,3})(?![a-z])/i.exec(root)?.[1]?.toLowerCase();
}

function encodingOf(label: string): string | undefined {
  return normalizeEncoding(label) ?? undefined;
}

/** Returns UTF-8 in place of UTF-16: text in which a declaration was read as ASCII is not UTF-16. */
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

/** Reads the attributes of a tag from a position in it, the first of each name, and returns where the tag ends. */
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
