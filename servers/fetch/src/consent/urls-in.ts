import type { Way } from '../failure.ts';
import type { Reading } from '../reading/reading.ts';

/** Limits of a scan: characters of the text, and URLs in it. */
const LOOKED_AT = 2_000_000;
const MOST = 20_000;
/** Characters of the longest URL that servers accept. */
const LONGEST = 65_536;
const written = /https?:\/\/[^\s<>"'`\\^{|}]+/gi;
/** Punctuation that follows a URL in prose and is seldom part of it. */
const trailing = /(?<![.,;:!?)\]*_])[.,;:!?)\]*_]+$/;

/** Yields the URLs that a reader of a page sees: its links, its metadata, and those in its text. */
export function* urlsIn(reading: Reading): Generator<string> {
  const { links, metadata, text } = reading;
  for (const { url } of links) yield url;
  const { canonical, image, feeds = [], alternates = [] } = metadata;
  for (const url of [canonical, image]) if (url !== undefined) yield url;
  for (const { url } of [...feeds, ...alternates]) yield url;
  let count = 0;
  for (const [found] of text.slice(0, LOOKED_AT).matchAll(written)) {
    if (count++ === MOST) return;
    if (found.length > LONGEST) continue;
    for (const spelling of new Set([found, found.replace(trailing, '')])) {
      const url = URL.parse(spelling);
      if (url !== null) yield url.href;
    }
  }
}

/** Returns the URLs of a redirect chain: those that responded, and the target of a redirect that was not followed. */
export function urlsOf({ finalUrl, redirects = [], leadsTo }: Way): string[] {
  return [finalUrl, leadsTo, ...redirects.map(({ url }) => url)].filter((url) => url !== undefined);
}
