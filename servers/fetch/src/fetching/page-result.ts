import { defined } from '@rootbound/kit/primitives';
import type { ContentBlock, ReplyParts } from '@rootbound/protocol';
import { sectionOf, spanOf } from '../pages/outline.ts';
import { pageOf, type TextPage } from '../pages/paging.ts';
import type { Reading } from '../reading/reading.ts';
import { fitted, shortened } from './fit-output.ts';
import type { Loaded } from './load-page.ts';
import { addressOf, enveloped, notesOf, pageFieldsOf } from './result-fields.ts';
import { unfollowedRedirect } from './unfollowed-redirect.ts';

export interface Showing {
  readonly max_length?: number | undefined;
  readonly start_index?: number | undefined;
  readonly section?: string | undefined;
  /** a note for the reader */
  readonly note?: string | undefined;
}

const USUAL_LENGTH = 5000;
/** Bytes of an image that is sent; larger ones are linked, because base64 adds a third. */
const MOST_IMAGE_BYTES = 1_500_000;
const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Returns both halves of the result for a page, or for a part of it. */
export function pageResult(loaded: Loaded, showing: Showing, maxOutput: number): ReplyParts {
  const { snapshot, fetched } = loaded;
  const { reading } = snapshot;
  if (reading.kind === 'image' && reading.text === '') return showImage(loaded, maxOutput);
  if (reading.kind === 'binary') return showBinary(loaded, maxOutput);
  const facts = pageFieldsOf(loaded, maxOutput);
  const within = showing.section === undefined ? undefined : spanOf(sectionOf(reading, showing.section));
  const beside = besideOf(reading, showing.note, maxOutput);
  const { structured, text } = fitted(maxOutput, maxOutput, (kept) => {
    const page = pageOf(reading, {
      start: showing.start_index,
      maxLength: showing.max_length ?? USUAL_LENGTH,
      maxBytes: kept,
      within,
      verbatim: snapshot.want === 'source',
    });
    return {
      structured: { ...facts, content: page.text, ...boundsOf(page), ...beside.facts },
      text: [headOf(loaded, page, maxOutput), ...beside.lines, enveloped(page.text), tailOf(page)]
        .filter(Boolean)
        .join('\n'),
    };
  });
  return { structured, content: text, ...(fetched.stale && { _meta: { stale: true } }) };
}

/** Returns how a page was parsed, for each half; the shape and the notes take at most a quarter of it. */
function besideOf({ extraction, removed, shape }: Reading, note: string | undefined, maxOutput: number) {
  const wasRemoved = removed.hidden + removed.invisible + removed.links > 0;
  const shapeText = shape === undefined ? undefined : shortened(shape, maxOutput / 4);
  const noted = notesOf([...(note === undefined ? [] : [note]), ...(extraction?.notes ?? [])], maxOutput);
  return {
    facts: {
      ...(extraction !== undefined && {
        method: extraction.method,
        coverage: Math.round(extraction.coverage * 1000) / 1000,
      }),
      ...noted.facts,
      ...(wasRemoved && { removed }),
      ...defined({ shape: shapeText }),
    },
    lines: [
      ...noted.lines,
      ...(removed.hidden + removed.invisible > 0
        ? [
            `Removed as invisible to readers: ${removed.hidden} hidden elements, ${removed.invisible} invisible characters`,
          ]
        : []),
      ...(shapeText === undefined ? [] : [`Shape:\n${shapeText}`]),
    ],
  };
}

function boundsOf(page: TextPage): Record<string, number> {
  return {
    start_index: page.start,
    end_index: page.end,
    total_length: page.total,
    ...defined({ next_start_index: page.next }),
    page: page.number,
    pages: page.of,
  };
}

function headOf(loaded: Loaded, page: TextPage, maxOutput: number): string {
  const { mediaType } = loaded.snapshot.reading;
  const { from, ageSeconds, stale } = loaded.fetched;
  const part = page.of > 1 ? `, characters ${page.start} to ${page.end} of ${page.total}` : '';
  const age = from === 'network' ? '' : `, ${Math.round(ageSeconds)} s old`;
  const line = `${addressOf(loaded, maxOutput)} (${mediaType}${part}${age})`;
  const leads = unfollowedRedirect(loaded.fetched);
  return [
    line,
    ...(leads === undefined
      ? []
      : [`It redirects to ${shortened(leads, maxOutput / 8)}, which was not followed.`]),
    ...(stale ? ['This response is stale.'] : []),
  ].join('\n');
}

function tailOf(page: TextPage): string {
  if (page.next !== undefined) return `More follows: call fetch with start_index ${page.next}.`;
  if (page.text !== '') return '';
  return page.total === 0 ? 'The page has no text.' : `The text ends at ${page.total}.`;
}

function showImage(loaded: Loaded, maxOutput: number): ReplyParts {
  const { snapshot, fetched, page } = loaded;
  const { mediaType, size } = snapshot.reading;
  const fits = IMAGE_TYPES.has(mediaType) && fetched.body.length <= MOST_IMAGE_BYTES;
  const measures = size === undefined ? '' : `, ${size.width} x ${size.height} pixels`;
  const line = `${addressOf(loaded, maxOutput)}: ${mediaType}${measures}, ${fetched.body.length} bytes`;
  const data = Buffer.from(fetched.body.buffer, fetched.body.byteOffset, fetched.body.length);
  const blocks: ContentBlock[] = [
    {
      type: 'text',
      text: fits ? line : `${line}; too large for a result, or not a PNG, JPEG, GIF or WebP image`,
    },
    ...(fits ? [{ type: 'image' as const, data: data.toString('base64'), mimeType: mediaType }] : []),
    ...(page === undefined ? [] : [linkOf(loaded, page.id, maxOutput)]),
  ];
  return {
    structured: { ...pageFieldsOf(loaded, maxOutput), ...emptyBounds, ...(size !== undefined && size) },
    content: blocks,
  };
}

function showBinary(loaded: Loaded, maxOutput: number): ReplyParts {
  const { snapshot, fetched, page } = loaded;
  const line = `${addressOf(loaded, maxOutput)} is ${snapshot.reading.mediaType}, ${fetched.body.length} bytes, without text; save it with download.`;
  return {
    structured: { ...pageFieldsOf(loaded, maxOutput), ...emptyBounds },
    content: [
      { type: 'text', text: line },
      ...(page === undefined ? [] : [linkOf(loaded, page.id, maxOutput)]),
    ],
  };
}

const emptyBounds = { content: '', start_index: 0, end_index: 0, total_length: 0, page: 1, pages: 1 };

function linkOf({ snapshot, fetched }: Loaded, id: string, maxOutput: number): ContentBlock {
  return {
    type: 'resource_link',
    uri: `page:${id}`,
    name: shortened(snapshot.finalUrl, maxOutput / 8),
    mimeType: snapshot.reading.mediaType,
    size: fetched.body.length,
  };
}
