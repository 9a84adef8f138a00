import type { Way } from '../failure.ts';
import type { Reading } from '../reading/reading.ts';

/** As much of a text, and as many addresses in it, as are looked at. */
const LOOKED_AT = 2_000_000;
const MOST = 20_000;
/** No server takes a longer one. */
const LONGEST = 65_536;
const written = /https?:\/\/[^\s<>"'`\\^{|}]+/gi;
/** What follows an address in prose and is seldom part of it. */
const trailing = /(?<![.,;:!?)\]*_])[.,;:!?)\]*_]+$/;

/** The addresses that a reader of a page comes to know: its links, what it says of itself, and what stands in its text. */
export function* addressesIn(reading: Reading): Generator<string> {
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

/** The addresses on the way to an answer, and where it leads that was not followed. */
export function addressesOn({ finalUrl, redirects = [], leadsTo }: Way): string[] {
  return [finalUrl, leadsTo, ...redirects.map(({ url }) => url)].filter((url) => url !== undefined);
}
