import { Parser } from 'htmlparser2';
import { resolveUrl } from '../markdown/urls.ts';
import { nothingRemoved, type Reading } from '../reading/reading.ts';
import type { TextInput } from './input.ts';

interface Entry {
  readonly url: string;
  readonly changed: string | undefined;
}

/** Most entries of a sitemap, by its specification. */
const MOST_ENTRIES = 50_000;
/** Depth of a sitemap; the parser slows down with depth. */
const DEEPEST = 20;
const PIECE = 16_384;
/** Characters that may precede the root element. */
const PROLOG = 4096;
const date = /^\d{4}(?:-\d\d(?:-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)?)?$/;

/** Converts a sitemap or sitemap index to a list of URLs with their dates; returns undefined for other XML. */
export function readSitemap(input: TextInput): Reading | undefined {
  if (!isSitemap(input.text)) return undefined;
  const entries = entriesOf(input.text, input.url);
  if (entries === undefined) return undefined;
  const lines = entries.map(
    ({ url, changed }) => `- <${url}>${changed === undefined ? '' : ` — ${changed}`}`,
  );
  const count = `${entries.length} ${entries.length === 1 ? 'URL' : 'URLs'}`;
  return {
    kind: 'feed',
    mediaType: input.mediaType,
    text: ['# Sitemap', `${entries.length === MOST_ENTRIES ? 'The first ' : ''}${count}`, lines.join('\n')]
      .join('\n\n')
      .trimEnd(),
    charset: input.charset,
    headings: [{ level: 1, text: 'Sitemap', at: 0 }],
    links: entries.map(({ url }) => ({ url, text: '', place: 'content' })),
    metadata: { title: 'Sitemap', type: 'sitemap' },
    removed: nothingRemoved,
  };
}

/** Returns whether the root element is that of a sitemap. */
function isSitemap(text: string): boolean {
  const before = /\s+|<\?[^>]*>|<!--[\s\S]*?-->/y;
  let at = 0;
  while (at < PROLOG && before.test(text)) at = before.lastIndex;
  return /^<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(text.slice(at, at + 80));
}

/** Returns the entries in order; undefined if the document is too deep to be a sitemap. */
function entriesOf(source: string, base: string): Entry[] | undefined {
  const entries: Entry[] = [];
  let depth = 0;
  let deepest = 0;
  let fields: Record<string, string> = {};
  let text = '';
  const parser = new Parser(
    {
      onopentag: () => {
        depth += 1;
        deepest = Math.max(deepest, depth);
        if (depth === 2) fields = {};
        text = '';
      },
      ontext: (data) => {
        if (depth === 3) text += data;
      },
      onclosetag: (name) => {
        const local = name.slice(name.indexOf(':') + 1);
        if (depth === 3) fields[local] ??= text.trim();
        const url = depth === 2 && fields.loc ? resolveUrl(fields.loc, base) : undefined;
        if (url !== undefined && entries.length < MOST_ENTRIES)
          entries.push({ url, changed: date.test(fields.lastmod ?? '') ? fields.lastmod : undefined });
        depth -= 1;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < source.length && deepest <= DEEPEST; at += PIECE)
    parser.write(source.slice(at, at + PIECE));
  if (deepest > DEEPEST) return undefined;
  parser.end();
  return entries;
}
