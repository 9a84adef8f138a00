import { hash } from 'node:crypto';
import type { Way } from '../failure.ts';
import type { Reading, Wanted } from '../reading/reading.ts';
import { withoutFragment } from '../url-fragment.ts';

/** The parameters of a page: calls with equal parameters mean the same page. */
export interface Wish {
  readonly url: string;
  readonly want: Wanted;
  readonly selector?: string | undefined;
  /** whether a browser rendered the page */
  readonly rendered?: boolean | undefined;
  /** the selector that the browser waited for */
  readonly waitFor?: string | undefined;
}

/** The response's header fields on caching and content type. */
export interface ResponseFields {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  readonly contentType?: string | undefined;
  readonly cacheControl?: string | undefined;
}

/** The parts of a snapshot. */
export interface PageParts extends Wish {
  readonly way: Way;
  readonly headers: Readonly<Record<string, string>>;
  /** when the response arrived, ms since 1970 */
  readonly fetchedAt: number;
  readonly reading: Reading;
  /** the body of content without text, such as an image, so that its changes are detected */
  readonly bytes?: Uint8Array | undefined;
}

/** A page at the time of its fetch; immutable. */
export interface Snapshot extends Wish {
  readonly finalUrl: string;
  readonly way: Way;
  readonly responseFields: ResponseFields;
  readonly fetchedAt: number;
  readonly reading: Reading;
  /** hash of the text */
  readonly hash: string;
}

/** Returns a snapshot of a page, with a hash that identifies its text. */
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

/** Returns a short hash of content, equal in every process. */
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

/** Returns the approximate size of a snapshot in memory, in bytes. */
export function sizeOf({ reading }: Snapshot): number {
  const links = reading.links.reduce((sum, { url, text }) => sum + url.length + text.length + 32, 0);
  const headings = reading.headings.reduce((sum, { text }) => sum + text.length + 32, 0);
  const shape = reading.shape?.length ?? 0;
  const structured = reading.metadata.structured;
  const data = structured === undefined ? 0 : JSON.stringify(structured).length;
  return 2 * (reading.text.length + links + headings + shape + data) + 2048;
}
