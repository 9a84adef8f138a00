import { type Snapshot, takeSnapshot } from '../../src/pages/page.ts';
import { type Heading, type Link, nothingRemoved, type Reading } from '../../src/reading/reading.ts';

/** Returns a reading of a Markdown text with its headings. */
export function readingOf(text: string, parts: Partial<Reading> = {}): Reading {
  return {
    kind: 'html',
    mediaType: 'text/html',
    text,
    headings: headingsIn(text),
    links: [],
    metadata: {},
    removed: nothingRemoved,
    ...parts,
  };
}

function headingsIn(text: string): Heading[] {
  return [...text.matchAll(/^(#{1,6}) (.*)$/gm)].map((match) => ({
    level: match[1]!.length,
    text: match[2]!,
    at: match.index,
  }));
}

export function linkTo(url: string, text = '', place: Link['place'] = 'content'): Link {
  return { url, text, place };
}

export function snapshotOf(text: string, parts: Partial<Parameters<typeof takeSnapshot>[0]> = {}): Snapshot {
  return takeSnapshot({
    url: 'https://example.com/page',
    want: 'article',
    way: { finalUrl: 'https://example.com/page', redirects: [], status: 200 },
    headers: {},
    fetchedAt: Date.parse('2026-03-01T12:00:00Z'),
    reading: readingOf(text),
    ...parts,
  });
}
