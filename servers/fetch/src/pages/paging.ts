import { clipText, jsonBytes } from '@rootbound/kit/budget';
import type { Reading } from '../reading/reading.ts';
import { type Block, blockAt, type Layout, layoutOf } from './layout.ts';
import { type Beginning, beginningOf, cutBefore } from './page-breaks.ts';
import type { Span } from './spans.ts';

export interface PagingOptions {
  /** start position in UTF-16 code units; 0 unless given */
  readonly start?: number | undefined;
  /** most characters (UTF-16 code units) of a page */
  readonly maxLength?: number | undefined;
  /** most bytes of a page in a JSON string */
  readonly maxBytes?: number | undefined;
  /** the range of the text to page through, such as a section */
  readonly within?: Span | undefined;
  /** whether the text is source, which is not repaired at cuts */
  readonly verbatim?: boolean | undefined;
}

export interface TextPage {
  readonly text: string;
  /** the range in the whole text */
  readonly start: number;
  readonly end: number;
  readonly total: number;
  /** start of the next page; absent on the last page */
  readonly next?: number | undefined;
  /** number of the page, and the approximate number of pages of this size */
  readonly number: number;
  readonly of: number;
  /** the requested start is inside a construct, so the page begins a little before it */
  readonly movedFrom?:
    | { readonly start: number; readonly inside: NonNullable<Beginning['inside']> }
    | undefined;
  /** whether the beginning of a cut table or code block is repeated */
  readonly reopened?: Block['kind'] | undefined;
}

const MOST_BACK = 200;

/**
 * Returns a page of a text, cut at a natural boundary. Cut code is closed, and opened again on the next page with its
 * language; the head of a cut table is repeated. Pages from `next` to `next` contain every character once.
 */
export function pageOf(reading: Reading, options: PagingOptions = {}): TextPage {
  const layout = layoutOf(reading, { verbatim: options.verbatim ?? false });
  const { text } = layout;
  const within = options.within ?? { start: 0, end: text.length };
  const { start: asked = within.start } = options;
  const room = roomOf(options);
  const wanted = Math.min(Math.max(asked, within.start), within.end);
  const reach = Math.min(MOST_BACK, Math.floor(room.length / 2) - 1);
  const beginning = wanted === within.start ? { at: wanted } : beginningOf(layout, wanted, reach);
  const start = Math.max(beginning.at, within.start);
  const open = openingOf(layout, start, room);
  const end = endOf(layout, start, within.end, { room, used: open });
  const page = open + text.slice(start, end) + closingOf(layout, end, room);
  if (end < within.end) layout.offered.add(end);
  const number = start === within.start ? 1 : 1 + Math.ceil((start - within.start) / room.length);
  return {
    text: page,
    start,
    end,
    total: text.length,
    next: end < within.end ? end : undefined,
    number,
    of: number + Math.ceil((within.end - end) / room.length),
    movedFrom: beginning.inside && start < wanted ? { start: wanted, inside: beginning.inside } : undefined,
    reopened: open === '' ? undefined : blockAt(layout, start)?.kind,
  };
}

interface Room {
  readonly length: number;
  readonly bytes: number;
}

function roomOf({ maxLength, maxBytes }: PagingOptions): Room {
  const bytes = Math.max(1, maxBytes ?? Number.MAX_SAFE_INTEGER);
  return { length: Math.min(Math.max(1, maxLength ?? Number.MAX_SAFE_INTEGER), bytes), bytes };
}

interface Filling {
  readonly room: Room;
  /** text that precedes the range on the page */
  readonly used: string;
}

function endOf(layout: Layout, start: number, last: number, { room, used }: Filling): number {
  const full = fill(layout.text, start, last, room, used);
  if (full >= last) return last;
  const closing = closingOf(layout, full, room);
  const limit = closing === '' ? full : fill(layout.text, start, last, room, `${used}\n${closing}`);
  return cutBefore(layout, start, limit);
}

/** Returns the end of the text that fits. */
function fill(text: string, start: number, last: number, room: Room, used: string): number {
  const byLength = Math.min(last, start + Math.max(1, room.length - used.length));
  if (room.bytes === Number.MAX_SAFE_INTEGER) return byLength;
  const most = room.bytes - (used === '' ? 0 : jsonBytes(used) - 2);
  const clip = clipText(text.slice(start, byLength), Math.max(1, most), { measure: 'json' });
  return start + Math.max(1, clip.kept.length);
}

/** Returns the lines that reopen a block in which the page begins, if they leave room for text. */
function openingOf(layout: Layout, start: number, room: Room): string {
  const block = blockAt(layout, start);
  if (block === undefined || start < block.body) return '';
  return fits(block.open.length + block.close.length, room) ? block.open : '';
}

/** Returns the line that closes code in which the page ends. */
function closingOf(layout: Layout, end: number, room: Room): string {
  const block = blockAt(layout, end);
  if (block === undefined || block.kind !== 'fence' || end < block.body) return '';
  if (!fits(block.open.length + block.close.length, room)) return '';
  return layout.text[end - 1] === '\n' ? block.close : `\n${block.close}`;
}

function fits(length: number, room: Room): boolean {
  return length * 2 <= room.length;
}
