import type { Way } from '../failure.ts';
import type { Charset, Extraction, Kind, Metadata, Removed } from '../reading/reading.ts';
import { type LinkCounts, linksOf } from './links.ts';
import type { ResponseFields, Snapshot } from './page.ts';

/** The facts of a page, without its text. */
export interface Description {
  readonly url: string;
  readonly finalUrl: string;
  readonly way: Way;
  readonly kind: Kind;
  readonly mediaType: string;
  readonly charset?: Charset | undefined;
  readonly metadata: Metadata;
  readonly headers: ResponseFields;
  readonly fetchedAt: number;
  readonly hash: string;
  readonly length: number;
  readonly words: number;
  readonly headings: number;
  readonly links: LinkCounts;
  readonly removed: Removed;
  readonly extraction?: Extraction | undefined;
  /** pages of a PDF */
  readonly pages?: number | undefined;
  readonly size?: { readonly width: number; readonly height: number } | undefined;
}

/** Returns the facts of a page: metadata, response and sizes. */
export function describePage(snapshot: Snapshot): Description {
  const { reading, url, finalUrl, way, responseFields: headers, fetchedAt, hash } = snapshot;
  const { kind, mediaType, charset, metadata, removed, extraction, size } = reading;
  return {
    url,
    finalUrl,
    way,
    kind,
    mediaType,
    charset,
    metadata,
    headers,
    fetchedAt,
    hash,
    length: reading.text.length,
    words: countWords(reading.text),
    headings: reading.headings.length,
    links: linksOf(reading, { url: finalUrl, max: 0 }).counts,
    removed,
    extraction,
    size,
    pages: reading.pages?.length,
  };
}

/** Counts runs of letters and numbers, and each character of a script without spaces. */
function countWords(text: string): number {
  let words = 0;
  let within = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const alone = unit >= 0x3040 && unit <= 0x9fff;
    const begins: boolean = alone || (!within && isOfWord(unit));
    if (begins) words++;
    within = !alone && (begins || (within && isOfWord(unit)));
  }
  return words;
}

/**
 * Returns whether a code unit belongs to a word: ASCII letters and numbers, and all others but spaces and punctuation.
 */
function isOfWord(unit: number): boolean {
  if (unit < 0x80)
    return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
  if (unit < 0xc0) return unit === 0xaa || unit === 0xb5 || unit === 0xba;
  return !((unit >= 0x2000 && unit <= 0x206f) || (unit >= 0x3000 && unit <= 0x303f) || unit === 0xfeff);
}
