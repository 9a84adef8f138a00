import { hash } from 'node:crypto';
import { withoutFragment } from '../addresses.ts';
import type { Way } from '../failure.ts';
import type { Reading, Wanted } from '../reading/reading.ts';

/** What was wanted of which address: two calls that agree in it mean the same page. */
export interface Wish {
  readonly url: string;
  readonly want: Wanted;
  readonly selector?: string | undefined;
  /** whether a browser made the page */
  readonly rendered?: boolean | undefined;
  /** what the browser waited for */
  readonly waitFor?: string | undefined;
}

/** Fields of the answer that say how long a page holds and what it is. */
export interface ResponseFields {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  readonly contentType?: string | undefined;
  readonly cacheControl?: string | undefined;
}

/** What a page is made of. */
export interface PageParts extends Wish {
  readonly way: Way;
  readonly headers: Readonly<Record<string, string>>;
  /** when the answer came, ms since 1970 */
  readonly fetchedAt: number;
  readonly reading: Reading;
  /** the bytes of what has no text, such as an image, so that its changes are seen */
  readonly bytes?: Uint8Array | undefined;
}

/** A page as it was when it was fetched; it never changes. */
export interface Snapshot extends Wish {
  readonly finalUrl: string;
  readonly way: Way;
  readonly responseFields: ResponseFields;
  readonly fetchedAt: number;
  readonly reading: Reading;
  /** of the text: equal as long as the text is */
  readonly hash: string;
}

/** A page as it is now, with the hash that tells whether a later one is the same. */
export function takeSnapshot({ way, headers, fetchedAt, reading, bytes, ...wish }: PageParts): Snapshot {
  return Object.freeze({
    ...wish,
    url: withoutFragment(wish.url),
    finalUrl: way.finalUrl ?? wish.url,
    way,
    responseFields: responseFieldsOf(headers),
    fetchedAt,
    reading,
    hash: hashOf(reading.text === '' && bytes !== undefined ? bytes : reading.text),
  });
}

/** A short hash of content, the same in every process. */
export function hashOf(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, 16);
}

function responseFieldsOf(headers: Readonly<Record<string, string>>): ResponseFields {
  return {
    etag: headers.etag,
    lastModified: headers['last-modified'],
    contentType: headers['content-type'],
    cacheControl: headers['cache-control'],
  };
}

/** About what a snapshot takes in memory, bytes. */
export function sizeOf({ reading }: Snapshot): number {
  const links = reading.links.reduce((sum, { url, text }) => sum + url.length + text.length + 32, 0);
  const headings = reading.headings.reduce((sum, { text }) => sum + text.length + 32, 0);
  const shape = reading.shape?.length ?? 0;
  const structured = reading.metadata.structured;
  const data = structured === undefined ? 0 : JSON.stringify(structured).length;
  return 2 * (reading.text.length + links + headings + shape + data) + 2048;
}
