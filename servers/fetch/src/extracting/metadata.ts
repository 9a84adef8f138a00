import type { Metadata } from '../reading/reading.ts';
import { evenSpace } from './dom-tree.ts';
import {
  addressOf,
  boundStructured,
  isThing,
  nameOf,
  readStructured,
  type Thing,
  thingsIn,
  typesOf,
} from './json-ld.ts';
import type { PageFacts } from './page-facts.ts';
import { titleOf } from './title.ts';

const MAX_LISTED = 50;
const FEED_TYPES = /^application\/(?:rss|atom|rdf|feed)\+(?:xml|json)/i;
const PAGE_TYPES =
  /Article|Posting|Report|Review|Recipe|Product|Event|Course|Book|Movie|Video|Podcast|FAQ|HowTo|QAPage|Question|Dataset|Software|Place|JobPosting|WebPage/;

/** Returns the metadata of a page; values for programs take precedence over text for readers. */
export function readMetadata(facts: PageFacts, base: string): Metadata {
  const structured = readStructured(facts.data);
  const things = [...thingsIn(structured)];
  const main = things.find((thing) =>
    typesOf(thing).some((type) => PAGE_TYPES.test(type) && type !== 'WebPage'),
  );
  const source: Source = { facts, main, things, base };
  const site = siteOf(source);
  return withoutGaps({
    title: titleOf({ ...titles(source), site }),
    description: plain(
      meta(facts, 'og:description', 'description', 'twitter:description') ?? nameOf(main?.description),
    ),
    author: authorOf(source),
    site,
    published: dateOf(
      nameOf(main?.datePublished),
      meta(
        facts,
        'article:published_time',
        'datepublished',
        'date',
        'pubdate',
        'publishdate',
        'dc.date',
        'dcterms.created',
        'dc.date.issued',
        'parsely-pub-date',
        'sailthru.date',
        'citation_publication_date',
      ),
      facts.first.time,
    ),
    modified: dateOf(
      nameOf(main?.dateModified),
      meta(
        facts,
        'article:modified_time',
        'datemodified',
        'og:updated_time',
        'dcterms.modified',
        'last-modified',
      ),
    ),
    language: languageOf(source),
    canonical: canonicalOf(source),
    image: resolve(
      meta(facts, 'og:image', 'og:image:url', 'og:image:secure_url', 'twitter:image', 'twitter:image:src') ??
        addressOf(main?.image),
      base,
    ),
    type: plain(meta(facts, 'og:type') ?? (main === undefined ? undefined : typesOf(main)[0])),
    feeds: feedsOf(source),
    alternates: alternatesOf(source),
    structured: boundStructured(structured),
  });
}

interface Source {
  readonly facts: PageFacts;
  readonly main: Thing | undefined;
  readonly things: readonly Thing[];
  readonly base: string;
}

/** Resolves a URL; returns undefined unless it is http or https. */
export function resolve(address: string | undefined, base: string): string | undefined {
  if (address === undefined || address.length > 4000) return undefined;
  const trimmed = address.trim();
  if (!URL.canParse(trimmed, base)) return undefined;
  const url = new URL(trimmed, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

function titles({ facts, main }: Source): {
  declared: string | undefined;
  tag: string | undefined;
  heading: string | undefined;
} {
  return {
    declared: plain(meta(facts, 'og:title', 'twitter:title') ?? nameOf(main?.headline)),
    tag: plain(facts.first.title),
    heading: plain(facts.first.heading),
  };
}

function siteOf({ facts, main, things }: Source): string | undefined {
  const site = things.find((thing) => typesOf(thing).includes('WebSite'));
  return plain(
    meta(facts, 'og:site_name', 'application-name') ?? nameOf(site?.name) ?? nameOf(main?.publisher),
  );
}

function authorOf({ facts, main }: Source): string | undefined {
  const candidates = [
    nameOf(main?.author),
    meta(
      facts,
      'author',
      'article:author',
      'dc.creator',
      'dcterms.creator',
      'parsely-author',
      'sailthru.author',
      'citation_author',
      'byl',
    ),
    facts.author,
  ];
  const author = candidates
    .map(plain)
    .find((name) => name !== undefined && !/^https?:|^www\.|^@?null$/i.test(name));
  return author?.replace(/^(?:by|von|par|por|di|door|av)\s+/i, '');
}

function languageOf({ facts, main }: Source): string | undefined {
  const language =
    facts.first.language ??
    meta(facts, 'content-language', 'og:locale', 'language', 'dc.language') ??
    nameOf(main?.inLanguage);
  const tag = language?.trim().split(/[,;]/, 1)[0]?.replaceAll('_', '-');
  return tag !== undefined && /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(tag) ? tag : undefined;
}

function canonicalOf({ facts, base }: Source): string | undefined {
  const link = facts.links.find(({ head, attribs }) => head && relationsOf(attribs).includes('canonical'));
  return resolve(link?.attribs.href ?? meta(facts, 'og:url'), base);
}

function feedsOf({ facts, base }: Source): NonNullable<Metadata['feeds']> {
  return facts.links
    .filter(
      ({ head, attribs }) =>
        head && relationsOf(attribs).includes('alternate') && FEED_TYPES.test(attribs.type ?? ''),
    )
    .slice(0, MAX_LISTED)
    .flatMap(({ attribs }) => {
      const url = resolve(attribs.href, base);
      return url === undefined ? [] : [withoutGaps({ url, title: plain(attribs.title) })];
    });
}

function alternatesOf({ facts, base }: Source): NonNullable<Metadata['alternates']> {
  return facts.links
    .filter(
      ({ head, attribs }) =>
        head && attribs.hreflang !== undefined && relationsOf(attribs).includes('alternate'),
    )
    .slice(0, MAX_LISTED)
    .flatMap(({ attribs }) => {
      const url = resolve(attribs.href, base);
      return url === undefined ? [] : [{ url, language: attribs.hreflang! }];
    });
}

/** Returns the words of a `rel` attribute in lower case. */
export function relationsOf(attribs: Readonly<Record<string, string>>): string[] {
  return (attribs.rel ?? '').toLowerCase().split(/\s+/).filter(Boolean);
}

function meta(facts: PageFacts, ...names: string[]): string | undefined {
  for (const name of names) {
    const found = facts.metas.find((one) => one.name === name);
    if (found !== undefined) return found.content;
  }
  return undefined;
}

/** Returns the first value that is a date, in ISO 8601. */
function dateOf(...values: (string | undefined)[]): string | undefined {
  for (const value of values) {
    const text = value?.trim();
    if (text === undefined || text === '' || text.length > 60) continue;
    if (/^\d{4}-\d{2}(?:-\d{2}(?:[T ][\d:.,]+(?:Z|[+-]\d{2}:?\d{2})?)?)?$/.test(text)) return text;
    const time = /\d{4}/.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(time)) return new Date(time).toISOString();
  }
  return undefined;
}

function plain(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return evenSpace(text.replace(/<[a-z/][^<>]*>/gi, ' ')) || undefined;
}

/** Returns the object without undefined members and empty lists. */
function withoutGaps<T extends object>(value: T): T {
  const filled = Object.entries(value).filter(
    ([, one]) => one !== undefined && !(Array.isArray(one) && one.length === 0),
  );
  // only optional members can be undefined or empty, so the rest is still a T
  return Object.fromEntries(filled) as T;
}

/** Returns the longest article body in the page's JSON-LD. */
export function articleBodyOf(facts: PageFacts): string | undefined {
  let longest: string | undefined;
  for (const thing of thingsIn(readStructured(facts.data))) {
    for (const part of [thing, thing.itemReviewed, thing.review].filter(isThing)) {
      const body =
        part.articleBody ??
        part.reviewBody ??
        (typesOf(part).includes('SocialMediaPosting') ? part.text : undefined);
      if (typeof body === 'string' && body.length > (longest?.length ?? 0)) longest = body;
    }
  }
  return longest;
}
