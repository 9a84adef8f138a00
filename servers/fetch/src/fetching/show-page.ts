import type { ContentBlock, ReplyParts } from '@rootbound/protocol';
import { sectionOf, spanOf } from '../pages/outline.ts';
import { pageOf, type TextPage } from '../pages/paging.ts';
import type { Loaded } from './load-page.ts';
import { enveloped, sizeOf, toldOf } from './told.ts';

export interface Showing {
  readonly max_length?: number | undefined;
  readonly start_index?: number | undefined;
  readonly section?: string | undefined;
}

const USUAL_LENGTH = 5000;
/** What is beside the text of a page, at most. */
const BESIDE_BYTES = 4096;
/** Images larger than this are linked alone: as base64 they take a third more. */
const MOST_IMAGE_BYTES = 1_500_000;
const SHOWN_IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Both halves of a page, or of a part of it. */
export function showPage(loaded: Loaded, showing: Showing, maxOutput: number): ReplyParts {
  const { snapshot, fetched } = loaded;
  const { reading } = snapshot;
  if (reading.kind === 'image' && reading.text === '') return showImage(loaded);
  if (reading.kind === 'binary') return showBinary(loaded);
  const facts = toldOf(loaded);
  const within = showing.section === undefined ? undefined : spanOf(sectionOf(reading, showing.section));
  const page = pageOf(reading, {
    start: showing.start_index,
    maxLength: showing.max_length ?? USUAL_LENGTH,
    maxBytes: Math.max(1, maxOutput - BESIDE_BYTES - sizeOf(facts)),
    within,
    verbatim: snapshot.want === 'source',
  });
  const { extraction, removed, shape } = reading;
  const wasRemoved = removed.hidden + removed.invisible + removed.links > 0;
  return {
    structured: {
      ...facts,
      content: page.text,
      ...boundsOf(page),
      ...(extraction !== undefined && {
        method: extraction.method,
        coverage: Math.round(extraction.coverage * 1000) / 1000,
      }),
      ...(extraction !== undefined && extraction.notes.length > 0 && { notes: extraction.notes }),
      ...(wasRemoved && { removed }),
      ...(shape !== undefined && { shape }),
    },
    content: [headOf(loaded, page), enveloped(page.text), tailOf(page)].filter(Boolean).join('\n'),
    ...(fetched.stale && { _meta: { stale: true } }),
  };
}

function boundsOf(page: TextPage): Record<string, number> {
  return {
    start_index: page.start,
    end_index: page.end,
    total_length: page.total,
    ...(page.next !== undefined && { next_start_index: page.next }),
    page: page.number,
    pages: page.of,
  };
}

function headOf({ snapshot, fetched }: Loaded, page: TextPage): string {
  const { reading, finalUrl, url } = snapshot;
  const { extraction, removed, shape } = reading;
  const part = page.of > 1 ? `, characters ${page.start} to ${page.end} of ${page.total}` : '';
  const age = fetched.from === 'network' ? '' : `, ${Math.round(fetched.ageSeconds)} s old`;
  const lines = [
    `${url}${finalUrl === url ? '' : ` -> ${finalUrl}`} (${reading.mediaType}${part}${age})`,
    ...(extraction?.notes ?? []).map((note) => `Note: ${note}`),
    ...(removed.hidden + removed.invisible > 0
      ? [
          `Removed, as no reader sees it: ${removed.hidden} hidden elements, ${removed.invisible} invisible characters`,
        ]
      : []),
    ...(fetched.stale ? ['This is older than its origin wants.'] : []),
    ...(shape === undefined ? [] : [`Shape:\n${shape}`]),
  ];
  return lines.join('\n');
}

function tailOf(page: TextPage): string {
  return page.next === undefined ? '' : `More follows: call fetch with start_index ${page.next}.`;
}

function showImage(loaded: Loaded): ReplyParts {
  const { snapshot, fetched, page } = loaded;
  const { mediaType, size } = snapshot.reading;
  const fits = SHOWN_IMAGES.has(mediaType) && fetched.body.length <= MOST_IMAGE_BYTES;
  const measures = size === undefined ? '' : `, ${size.width} x ${size.height} pixels`;
  const line = `${snapshot.finalUrl}: ${mediaType}${measures}, ${fetched.body.length} bytes`;
  const data = Buffer.from(fetched.body.buffer, fetched.body.byteOffset, fetched.body.length);
  const blocks: ContentBlock[] = [
    { type: 'text', text: fits ? line : `${line}; too large to be shown, or no type that is` },
    ...(fits ? [{ type: 'image' as const, data: data.toString('base64'), mimeType: mediaType }] : []),
    ...(page === undefined ? [] : [linkOf(loaded, page.id)]),
  ];
  return {
    structured: { ...toldOf(loaded), ...emptyBounds, ...(size !== undefined && size) },
    content: blocks,
  };
}

function showBinary(loaded: Loaded): ReplyParts {
  const { snapshot, fetched, page } = loaded;
  const line = `${snapshot.finalUrl} is ${snapshot.reading.mediaType}, ${fetched.body.length} bytes, which has no text; download saves it.`;
  return {
    structured: { ...toldOf(loaded), ...emptyBounds },
    content: [{ type: 'text', text: line }, ...(page === undefined ? [] : [linkOf(loaded, page.id)])],
  };
}

const emptyBounds = { content: '', start_index: 0, end_index: 0, total_length: 0, page: 1, pages: 1 };

function linkOf({ snapshot, fetched }: Loaded, id: string): ContentBlock {
  return {
    type: 'resource_link',
    uri: `page:${id}`,
    name: snapshot.finalUrl,
    mimeType: snapshot.reading.mediaType,
    size: fetched.body.length,
  };
}
