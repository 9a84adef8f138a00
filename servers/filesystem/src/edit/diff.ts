import { clipText, jsonBytes } from '@rootbound/kit/budget';
import { type Change, changesIn } from './changes.ts';
import type { Document } from './document.ts';
import type { Region } from './regions.ts';
import { atLineStart, lineStart, nextLine } from './scan.ts';
import type { Sliced } from './slices.ts';

const CONTEXT_LINES = 3;

export interface Diff {
  text: string;
  /** whether it was cut at the size limit */
  cut: boolean;
}

/**
 * Returns a unified diff that patch and git can apply, cut after `room` bytes of JSON text. Its cost grows with the
 * diff and the text before it, not with the size of the file.
 */
export function* unifiedDiff(
  path: string,
  old: Document,
  now: Document,
  regions: readonly Region[],
  room: number,
): Sliced<Diff> {
  const out = new Clipped(room);
  if (regions.length === 0) return { text: '', cut: false };
  out.add(`--- ${headerName(path)}\n+++ ${headerName(path)}\n`);
  const more = changesIn(old, now, regions);
  let group: Change[] = [];
  for (let changes = yield* more(); changes.length > 0 && !out.cut; changes = yield* more()) {
    for (const change of changes) {
      const last = group.at(-1);
      if (last !== undefined && change.oldLine - (last.oldLine + last.oldLines) > 2 * CONTEXT_LINES) {
        yield* addHunk(out, old, now, group);
        group = [];
        if (out.cut) break;
      }
      group.push(change);
    }
  }
  if (group.length > 0 && !out.cut) yield* addHunk(out, old, now, group);
  return { text: out.text, cut: out.cut };
}

/** Returns a name as git writes it: quoted with escapes if it would break the line, followed by a tab if it has spaces. */
function headerName(path: string): string {
  const name = path.toWellFormed();
  const bytes = [...Buffer.from(name)];
  if (!bytes.some((byte) => byte < 32 || byte === 127 || byte === 34 || byte === 92))
    return name.includes(' ') ? `${name}\t` : name;
  return `"${bytes.map(escaped).join('')}"`;
}

const escapes: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r', 34: '\\"', 92: '\\\\' };

function escaped(byte: number): string {
  if (byte >= 32 && byte < 127) return escapes[byte] ?? String.fromCharCode(byte);
  return escapes[byte] ?? `\\${byte.toString(8).padStart(3, '0')}`;
}

function* addHunk(out: Clipped, old: Document, now: Document, changes: readonly Change[]): Sliced<void> {
  const first = changes[0]!;
  const last = changes.at(-1)!;
  const lead = yield* linesAbove(old, first.oldStart);
  const trail = yield* linesBelow(old, last.oldEnd);
  const oldCount = last.oldLine + last.oldLines - first.oldLine + lead.count + trail.count;
  const newCount = last.newLine + last.newLines - first.newLine + lead.count + trail.count;
  const oldRange = range(first.oldLine - lead.count, oldCount);
  out.add(`@@ -${oldRange} +${range(first.newLine - lead.count, newCount)} @@\n`);
  let at = lead.offset;
  for (const change of changes) {
    yield* addLines(out, ' ', old, at, change.oldStart);
    yield* addLines(out, '-', old, change.oldStart, change.oldEnd);
    yield* addLines(out, '+', now, change.newStart, change.newEnd);
    at = change.oldEnd;
  }
  yield* addLines(out, ' ', old, at, trail.offset);
}

function range(start: number, count: number): string {
  return count === 1 ? String(start + 1) : `${count === 0 ? start : start + 1},${count}`;
}

interface Reach {
  count: number;
  offset: number;
}

function* linesAbove(document: Document, offset: number): Sliced<Reach> {
  let reach = { count: 0, offset };
  while (reach.count < CONTEXT_LINES && reach.offset > 0) {
    const start = yield* lineStart(document, reach.offset - document.coding.unit);
    reach = { count: reach.count + 1, offset: start };
  }
  return reach;
}

function* linesBelow(document: Document, offset: number): Sliced<Reach> {
  let reach = { count: 0, offset };
  while (reach.count < CONTEXT_LINES && reach.offset < document.length)
    reach = { count: reach.count + 1, offset: yield* nextLine(document, reach.offset) };
  return reach;
}

function* addLines(
  out: Clipped,
  sign: string,
  document: Document,
  start: number,
  stop: number,
): Sliced<void> {
  for (let at = start; at < stop && !out.cut; ) {
    const next = yield* nextLine(document, at);
    // a character has at most four bytes, so this always exceeds the room
    const end = Math.min(next, at + 4 * out.room + 4);
    const text = document.coding.decode(document.read(at, end));
    out.add(`${sign}${text}`);
    if (end === next && !atLineStart(document, next)) out.add('\n\\ No newline at end of file\n');
    at = next;
    yield;
  }
}

/** A text of at most `room` bytes as JSON. */
class Clipped {
  #pieces: string[] = [];
  room: number;
  cut = false;

  constructor(room: number) {
    this.room = room;
  }

  get text(): string {
    return this.#pieces.join('');
  }

  add(text: string): void {
    if (this.cut) return;
    const bytes = jsonBytes(text) - 2;
    if (bytes > this.room) {
      this.cut = true;
      this.#pieces.push(clipText(text, this.room, { measure: 'json' }).kept);
    } else {
      this.#pieces.push(text);
      this.room -= bytes;
    }
  }
}
