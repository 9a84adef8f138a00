import type { Link, Reading } from '../reading/reading.ts';
import { withoutFragment } from '../url-fragment.ts';
import { fold } from './case-folding.ts';

/** Whether a link leads to the page's host, to another host, or to a part of the page. */
export type Scope = 'internal' | 'external' | 'same-page';

export interface ScopedLink extends Link {
  readonly scope: Scope;
  /** number of links to this URL on the page */
  readonly times: number;
}

export interface LinkOptions {
  /** the URL of the page, which decides which links are internal */
  readonly url: string;
  readonly scope?: Scope | undefined;
  readonly place?: Link['place'] | undefined;
  /** a part of the URL or the text; case and accents are ignored */
  readonly match?: string | undefined;
  /** 100 unless given */
  readonly max?: number | undefined;
  /** how many to skip: `next` of the previous result */
  readonly from?: number | undefined;
}

export type LinkCounts = Readonly<Record<Scope | Link['place'] | 'all' | 'different', number>>;

export interface LinkResult {
  readonly links: readonly ScopedLink[];
  /** number of links that pass the filters */
  readonly total: number;
  readonly truncated: boolean;
  readonly next?: number | undefined;
  /** of the whole page */
  readonly counts: LinkCounts;
}

/** Returns the links of a page that pass the filters, each URL once, with counts of all links. */
export function linksOf(reading: Reading, options: LinkOptions): LinkResult {
  const { scope, place, match, max = 100, from = 0 } = options;
  const links = distinctOf(reading, options.url);
  const wanted = match === undefined ? undefined : fold(match);
  const fitting = links.filter(
    (link) =>
      (scope === undefined || link.scope === scope) &&
      (place === undefined || link.place === place) &&
      (wanted === undefined || fold(link.url).includes(wanted) || fold(link.text).includes(wanted)),
  );
  const next = from + max < fitting.length ? from + max : undefined;
  return {
    links: fitting.slice(from, from + max),
    total: fitting.length,
    truncated: next !== undefined,
    next,
    counts: countsOf(links),
  };
}

const known = new WeakMap<Reading, { readonly page: string; readonly links: readonly ScopedLink[] }>();

function distinctOf(reading: Reading, page: string): readonly ScopedLink[] {
  const before = known.get(reading);
  if (before?.page === page) return before.links;
  const links = distinctLinks(reading.links, page);
  known.set(reading, { page, links });
  return links;
}

const RANK = { content: 0, navigation: 1, head: 2 } as const;

/** Returns each URL once, with its first text and the most central of its places. */
function distinctLinks(links: readonly Link[], page: string): ScopedLink[] {
  const scope = scopeIn(page);
  const seen = new Map<string, { -readonly [K in keyof ScopedLink]: ScopedLink[K] }>();
  for (const link of links) {
    const first = seen.get(link.url);
    if (first === undefined) {
      seen.set(link.url, { ...link, scope: scope(link.url), times: link.times ?? 1 });
      continue;
    }
    first.times += link.times ?? 1;
    if (first.text === '') first.text = link.text;
    if (RANK[link.place] < RANK[first.place]) first.place = link.place;
  }
  return [...seen.values()];
}

function scopeIn(page: string): (url: string) => Scope {
  const here = withoutFragment(page);
  const host = hostOf(page);
  return (url) => {
    if (url.includes('#') && withoutFragment(url) === here) return 'same-page';
    return hostOf(url) === host && host !== '' ? 'internal' : 'external';
  };
}

const HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(?:www\.)?(\[[^\]]*\]|[^/?#:]*)/i;

/** Returns the host of an absolute URL in serialized form; empty if there is none. */
function hostOf(url: string): string {
  return HOST.exec(url)?.[1]?.toLowerCase() ?? '';
}

function countsOf(different: readonly ScopedLink[]): LinkCounts {
  const counts: Record<keyof LinkCounts, number> = {
    all: different.reduce((sum, { times }) => sum + times, 0),
    different: different.length,
    internal: 0,
    external: 0,
    'same-page': 0,
    content: 0,
    navigation: 0,
    head: 0,
  };
  for (const { scope, place } of different) {
    counts[scope]++;
    counts[place]++;
  }
  return counts;
}
