import { clipText, jsonBytes } from '@rootbound/kit/budget';
import type { Reading } from '../reading/reading.ts';
import { type Beginning, beginningOf, cutBefore } from './cutting.ts';
import { type Block, blockAt, type Layout, layoutOf } from './layout.ts';
import type { Span } from './spans.ts';

export interface PagingOptions {
  /** where to begin, UTF-16 code units; 0 unless given */
  readonly start?: number | undefined;
  /** characters (UTF-16 code units) of a page, at most */
  readonly maxLength?: number | undefined;
  /** bytes of a page within a JSON string, at most */
  readonly maxBytes?: number | undefined;
  /** only this part of the text, as of a section */
  readonly within?: Span | undefined;
  /** the text is a source, which is given as it is */
  readonly verbatim?: boolean | undefined;
}

export interface TextPage {
  readonly text: string;
  /** what part of the whole it is */
  readonly start: number;
  readonly end: number;
  readonly total: number;
  /** where to go on; absent on the last page */
  readonly next?: number | undefined;
  /** which page it is, of about how many of this size */
  readonly number: number;
  readonly of: number;
  /** what was asked for is inside this, so the page begins a little earlier */
  readonly movedFrom?:
    | { readonly start: number; readonly inside: NonNullable<Beginning['inside']> }
    | undefined;
  /** the beginning of a table or of code that was cut stands above it again */
  readonly reopened?: Block['kind'] | undefined;
}

const MOST_BACK = 200;

/**
 * A page of a text, cut where a reader would. Code that is cut is closed, and opened again on the next page with its
 * language; a table has its head repeated. Paging on from `next` gives every character once.
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
    ...{ text: page, start, end, total: text.length },
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
  /** what stands before the text already */
  readonly used: string;
}

function endOf(layout: Layout, start: number, last: number, { room, used }: Filling): number {
  const full = fill(layout.text, start, last, room, used);
  if (full >= last) return last;
  const closing = closingOf(layout, full, room);
  const limit = closing === '' ? full : fill(layout.text, start, last, room, `${used}\n${closing}`);
  return cutBefore(layout, start, limit);
}

/** How far the text goes that there is room for. */
function fill(text: string, start: number, last: number, room: Room, used: string): number {
  const byLength = Math.min(last, start + Math.max(1, room.length - used.length));
  if (room.bytes === Number.MAX_SAFE_INTEGER) return byLength;
  const most = room.bytes - (used === '' ? 0 : jsonBytes(used) - 2);
  const clip = clipText(text.slice(start, byLength), Math.max(1, most), { measure: 'json' });
  return start + Math.max(1, clip.kept.length);
}

/** What makes the page whole that begins inside a block, where that leaves room for the rest. */
function openingOf(layout: Layout, start: number, room: Room): string {
  const block = blockAt(layout, start);
  if (block === undefined || start < block.body) return '';
  return fits(block.open.length + block.close.length, room) ? block.open : '';
}

/** What ends the page that is cut inside code. */
function closingOf(layout: Layout, end: number, room: Room): string {
  const block = blockAt(layout, end);
  if (block === undefined || block.kind !== 'fence' || end < block.body) return '';
  if (!fits(block.open.length + block.close.length, room)) return '';
  return layout.text[end - 1] === '\n' ? block.close : `\n${block.close}`;
}

function fits(length: number, room: Room): boolean {
  return length * 2 <= room.length;
}
