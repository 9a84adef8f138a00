import { decodeText } from '../charset/decode.ts';
import { WebError } from '../failure.ts';
import type { TextInput } from '../formats/input.ts';
import { type FoundKind, kindOf } from '../formats/sniff-kind.ts';
import { nothingRemoved, type Reading, type ReadRequest } from './reading.ts';

const SVG = 'image/svg+xml';

/** Converts a response body to text; the code for a format is loaded with its first page. */
export async function readBytes(request: ReadRequest): Promise<Reading> {
  const { bytes, contentType, url, want, selector } = request;
  const found = kindOf(bytes, { contentType, url });
  const { kind, mediaType, markup } = found;
  if (selector !== undefined && kind !== 'html') throw noElements(found);
  if (kind === 'binary') return withoutText(found);
  if (kind === 'pdf') return (await import('../formats/pdf.ts')).readPdf({ bytes, mediaType });
  if (kind === 'image' && mediaType !== SVG)
    return (await import('../formats/image.ts')).readImage({ bytes, mediaType });
  const input = { ...decodeText(bytes, { contentType, markup }), mediaType, url };
  if (want === 'source') return sourceOf(found, input);
  if (kind === 'html') {
    const { readHtml } = await import('../extracting/extract.ts');
    return { kind, mediaType, charset: input.charset, ...readHtml(input.text, { url, want, selector }) };
  }
  return readText(found, input);
}

async function readText({ kind }: FoundKind, input: TextInput): Promise<Reading> {
  if (kind === 'json') return (await import('../formats/json.ts')).readJson(input);
  if (kind === 'xml') {
    const [{ readSitemap }, { readXml }] = await Promise.all([
      import('../formats/sitemap.ts'),
      import('../formats/xml.ts'),
    ]);
    return readSitemap(input) ?? readXml(input);
  }
  if (kind === 'csv') return (await import('../formats/csv.ts')).readCsv(input);
  if (kind === 'markdown') return (await import('../formats/markdown.ts')).readMarkdown(input);
  if (kind === 'image') return (await import('../formats/image.ts')).readSvg(input);
  if (kind === 'feed') {
    const [{ readFeed }, { convertHtml }] = await Promise.all([
      import('../formats/feed.ts'),
      import('../markdown/convert.ts'),
    ]);
    return readFeed(input, (html, base) => convertHtml(html, { base }));
  }
  return (await import('../formats/plain-text.ts')).readPlain(input);
}

/** Returns the source without invisible characters. */
async function sourceOf({ kind, mediaType }: FoundKind, input: TextInput): Promise<Reading> {
  const { readPlain } = await import('../formats/plain-text.ts');
  return { ...readPlain(input), kind, mediaType, links: [] };
}

function withoutText({ kind, mediaType }: FoundKind): Reading {
  return { kind, mediaType, text: '', headings: [], links: [], metadata: {}, removed: nothingRemoved };
}

function noElements({ mediaType }: FoundKind): WebError {
  return new WebError(`selector works only on HTML; this is ${mediaType}`, {
    code: 'unreadable',
    hint: 'leave selector out',
  });
}
