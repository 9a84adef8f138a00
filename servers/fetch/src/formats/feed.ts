import { parseHtml } from '../markdown/html-parser.ts';
import { removeInvisible } from '../markdown/invisible.ts';
import { LinkList } from '../markdown/link-list.ts';
import { resolveUrl } from '../markdown/urls.ts';
import { type Link, type Metadata, nothingRemoved, type Reading, type Removed } from '../reading/reading.ts';
import type { TextInput } from './input.ts';
import { readJson } from './json.ts';
import { type Feed, type FeedItem, parseJsonFeed, parseXmlFeed } from './parse-feed.ts';
import { readXml } from './xml.ts';

/** Converts HTML to Markdown, and reports what was removed. */
export type ConvertHtml = (html: string, base: string) => { text: string; removed: Removed };

const MOST_LINKS = 2000;

export interface FeedBounds {
  /** items that are listed */
  readonly items: number;
  /** characters of an item's summary */
  readonly summary: number;
}

const defaultBounds: FeedBounds = { items: 500, summary: 1500 };

/** Converts a feed to a list of its items: title, date, author and summary. Other content is read as JSON or XML. */
export function readFeed(input: TextInput, convert: ConvertHtml, bounds: Partial<FeedBounds> = {}): Reading {
  const limits = { ...defaultBounds, ...bounds };
  const isJson = input.mediaType.endsWith('json');
  const feed = isJson ? parseJsonFeed(input.text) : parseXmlFeed(input.text);
  if (feed === undefined)
    return isJson ? readJson(input) : readXml({ ...input, mediaType: 'application/xml' });
  const writing = new Writing(feed.link ?? input.url, convert);
  const listed = feed.items.slice(0, limits.items);
  const title = writing.line(feed.title) || 'Feed';
  const head = [`# ${title}`, ...paragraph(writing.block(feed.description, 2000))];
  const items = listed.map((item) => writing.item(item, limits.summary));
  const rest = feed.items.length - listed.length;
  const text = [
    ...head,
    items.join('\n').trimEnd(),
    ...(rest > 0 ? [`${rest} more entries are left out.`] : []),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  return {
    kind: 'feed',
    mediaType: input.mediaType,
    text,
    charset: input.charset,
    headings: [{ level: 1, text: plain(feed.title) ?? title, at: 0 }],
    links: writing.linksWith(feed.link),
    metadata: metadataOf(feed, writing),
    removed: writing.removed,
  };
}

function paragraph(text: string): string[] {
  return text === '' ? [] : [text];
}

function metadataOf(feed: Feed, writing: Writing): Metadata {
  const metadata = {
    title: plain(feed.title),
    description: plain(feed.description)?.slice(0, 1000),
    author: plain(feed.author),
    modified: isoDate(feed.updated),
    language: plain(feed.language),
    canonical: writing.address(feed.link),
    type: 'feed',
  };
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));
}

/** Returns the text of HTML on one line. */
function plain(html: string | undefined): string | undefined {
  if (html === undefined) return undefined;
  const words: string[] = [];
  parseHtml(html, { open() {}, text: (data) => words.push(data), close() {}, cease() {} });
  const text = removeInvisible(words.join('')).text.replace(/\s+/g, ' ').trim();
  return text === '' ? undefined : text;
}

/** Returns a date in ISO 8601, or the text if it is not a date. */
function isoDate(source: string | undefined): string | undefined {
  const text = plain(source)?.slice(0, 60);
  if (text === undefined || /^\d{4}-\d\d(?:-\d\d)?$/.test(text)) return text;
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString().replace('.000Z', 'Z');
}

/** A writer of a feed as Markdown, which collects its links and what was removed. */
class Writing {
  readonly #base: string;
  readonly #convert: ConvertHtml;
  readonly #links = new LinkList(MOST_LINKS);
  #removed: Removed = nothingRemoved;

  constructor(base: string, convert: ConvertHtml) {
    this.#base = base;
    this.#convert = convert;
  }

  get removed(): Removed {
    return this.#removed;
  }

  linksWith(site: string | undefined): Link[] {
    const url = this.address(site);
    return [...(url === undefined ? [] : [{ url, text: '', place: 'head' } as const]), ...this.#links.all()];
  }

  address(href: string | undefined): string | undefined {
    return href === undefined ? undefined : resolveUrl(href, this.#base);
  }

  /** Returns HTML on one line without links, for the text of a link. */
  line(source: string | undefined): string {
    return this.block(source, 500)
      .replace(/(?<!\\)!?\[((?:\\.|[^\][\\])*)\]\([^()\s]*\)/g, '$1')
      .replace(/\s+/g, ' ')
      .replace(/^#+ /, '');
  }

  block(source: string | undefined, limit: number): string {
    if (source === undefined || source.trim() === '') return '';
    const { text, removed } = this.#convert(source, this.#base);
    this.#count(removed);
    const trimmed = text.trim();
    return trimmed.length > limit
      ? `${trimmed.slice(0, limit).replace(/(?:^|(?<!\s)\s)\s*\S*$/, '')} …`
      : trimmed;
  }

  item(item: FeedItem, limit: number): string {
    const url = this.address(item.link);
    if (url === undefined && item.link !== undefined) this.#count({ hidden: 0, invisible: 0, links: 1 });
    const title = this.line(item.title);
    const words = title === '' ? (url ?? 'untitled') : title;
    if (url !== undefined) this.#links.add({ url, text: plain(item.title) ?? '', place: 'content' });
    const link =
      url === undefined ? words : `[${words}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
    const by = [isoDate(item.date), this.line(item.author)].filter(
      (part) => part !== undefined && part !== '',
    );
    const summary = this.block(item.summary, limit);
    const lines =
      summary === '' || summary === title
        ? []
        : ['', ...summary.split('\n').map((line) => (line === '' ? '' : `  ${line}`)), ''];
    return [`- ${link}${by.length > 0 ? ` — ${by.join(', ')}` : ''}`, ...lines].join('\n');
  }

  #count({ hidden, invisible, links }: Removed): void {
    const before = this.#removed;
    this.#removed = {
      hidden: before.hidden + hidden,
      invisible: before.invisible + invisible,
      links: before.links + links,
    };
  }
}
