import { type Change, diffLines } from './line-diff.ts';
import { headingsAbove } from './outline.ts';
import type { Snapshot } from './page.ts';
import type { SearchableText } from './searchable-text.ts';
import { unifiedDiff } from './unified-diff.ts';

export interface PageDiffOptions {
  /** 1 unless given */
  readonly contextLines?: number | undefined;
  /** bytes of the unified diff in a JSON string, 32 KiB unless given */
  readonly maxBytes?: number | undefined;
  /** changes that are listed, 20 unless given */
  readonly max?: number | undefined;
}

/** A change of one paragraph: a line of the text that is not empty. */
export interface ParagraphChange {
  readonly kind: 'added' | 'removed' | 'changed';
  /** the headings above it */
  readonly path: readonly string[];
  /** the paragraph, or the new part of a changed one with some context */
  readonly excerpt: string;
  /** the old part of a changed paragraph */
  readonly was?: string | undefined;
}

export interface PageDiff {
  readonly same: boolean;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** the first changes, in order */
  readonly changes: readonly ParagraphChange[];
  /** a unified diff of the lines */
  readonly text: string;
  /** whether changes or lines of the diff were left out */
  readonly truncated: boolean;
  /** the step limit was reached: some of the changed paragraphs may be equal */
  readonly coarse: boolean;
}

/** A page at a point in time: its text and its identification. */
export type Compared = Pick<Snapshot, 'finalUrl' | 'fetchedAt' | 'hash'> & {
  readonly reading: SearchableText;
};

/** Compares two snapshots of a page: counts and lists the changed paragraphs, and makes a unified diff. */
export function diffPages(old: Compared, now: Compared, options: PageDiffOptions = {}): PageDiff {
  const { contextLines = 1, maxBytes = 32 * 1024, max = 20 } = options;
  const same = old.hash === now.hash;
  if (old.reading.text === now.reading.text)
    return { same, added: 0, removed: 0, changed: 0, changes: [], text: '', truncated: false, coarse: false };
  const oldLines = old.reading.text.split('\n');
  const newLines = now.reading.text.split('\n');
  const { changes, coarse } = diffLines(oldLines, newLines);
  const likeness = new Likeness();
  const paragraphs = changes.flatMap((change) => paragraphsOf(change, oldLines, newLines, likeness));
  const places = [lineStarts(oldLines), lineStarts(newLines)] as const;
  const unified = unifiedDiff(oldLines, newLines, changes, {
    oldName: nameOf(old),
    newName: nameOf(now),
    contextLines,
    maxBytes,
  });
  const count = (kind: Paragraph['kind']) => paragraphs.filter((one) => one.kind === kind).length;
  return {
    same,
    added: count('added'),
    removed: count('removed'),
    changed: count('changed'),
    changes: paragraphs.slice(0, max).map((one) => {
      const [snapshot, starts] =
        one.kind === 'removed' ? ([old, places[0]] as const) : ([now, places[1]] as const);
      return { kind: one.kind, path: headingsAbove(snapshot.reading, starts[one.line]!), ...excerptOf(one) };
    }),
    text: unified.text,
    truncated: unified.truncated || paragraphs.length > max,
    coarse,
  };
}

interface Paragraph {
  readonly kind: ParagraphChange['kind'];
  /** index of its line: in the old text if it was removed, else in the new text */
  readonly line: number;
  readonly text: string;
  readonly was?: string;
}

/** Returns the paragraphs of a change, with similar ones paired in order. */
function paragraphsOf(
  change: Change,
  old: readonly string[],
  now: readonly string[],
  likeness: Likeness,
): Paragraph[] {
  const gone = filledLines(old, change.oldStart, change.oldEnd);
  const come = filledLines(now, change.newStart, change.newEnd);
  const paragraphs: Paragraph[] = [];
  const added = (line: number): Paragraph => ({ kind: 'added', line, text: now[line]! });
  let next = 0;
  for (const line of gone) {
    const was = old[line]!;
    const last = Math.min(come.length, next + FARTHEST);
    let found = next;
    while (found < last && !likeness.areAlike(was, now[come[found]!]!)) found++;
    if (found >= last) {
      paragraphs.push({ kind: 'removed', line, text: was });
      continue;
    }
    const other = come[found]!;
    paragraphs.push(...come.slice(next, found).map(added), {
      kind: 'changed',
      line: other,
      text: now[other]!,
      was,
    });
    next = found + 1;
  }
  return [...paragraphs, ...come.slice(next).map(added)];
}

function filledLines(lines: readonly string[], start: number, end: number): number[] {
  const filled: number[] = [];
  for (let index = start; index < end; index++) if (lines[index]!.trim() !== '') filled.push(index);
  return filled;
}

const ALIKE = 0.4;
/** new lines that are searched for the counterpart of an old line */
const FARTHEST = 20;
const MOST_COMPARED = 2000;
const COMPARED_WORDS = 200;

/** The similarity of lines by their words, for a limited number of comparisons. */
class Likeness {
  readonly #words = new Map<string, ReadonlySet<string>>();
  #left = MOST_COMPARED;

  areAlike(one: string, other: string): boolean {
    if (this.#left-- <= 0) return false;
    const words = this.#wordsOf(one);
    const others = this.#wordsOf(other);
    let common = 0;
    for (const word of words) if (others.has(word)) common++;
    return (2 * common) / (words.size + others.size || 1) >= ALIKE;
  }

  #wordsOf(line: string): ReadonlySet<string> {
    const known = this.#words.get(line);
    if (known !== undefined) return known;
    const words = new Set(line.slice(0, 4000).split(/[\s.,:;!?()[\]"']+/, COMPARED_WORDS));
    this.#words.set(line, words);
    return words;
  }
}

const EXCERPT = 240;
const AROUND = 40;

function excerptOf({ text, was }: Paragraph): { excerpt: string; was?: string } {
  if (was === undefined) return { excerpt: around(text, 0, text.length) };
  const shortest = Math.min(text.length, was.length);
  let head = 0;
  while (head < shortest && text[head] === was[head]) head++;
  let tail = 0;
  while (tail < shortest - head && text[text.length - 1 - tail] === was[was.length - 1 - tail]) tail++;
  return { excerpt: around(text, head, text.length - tail), was: around(was, head, was.length - tail) };
}

/** Returns a range of a line with some context, cut at words. */
function around(line: string, start: number, end: number): string {
  const from = start <= AROUND ? 0 : line.indexOf(' ', start - AROUND) + 1 || start;
  const first = Math.min(from, start);
  const last = Math.min(line.length, end + AROUND, first + EXCERPT);
  const part = line.slice(first, last).toWellFormed();
  return `${first > 0 ? '…' : ''}${part}${last < line.length ? '…' : ''}`;
}

function lineStarts(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}

function nameOf({ finalUrl, fetchedAt, hash }: Compared): string {
  return `${finalUrl}\t${new Date(fetchedAt).toISOString()} ${hash}`;
}
