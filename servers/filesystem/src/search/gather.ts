import { displayPath } from './display.ts';
import type { Chunk, FoundContent } from './messages.ts';
import { orderKey } from './order.ts';
import type { ContentOutcome, FoundLine, FoundName, NamesOutcome } from './outcome.ts';

/** The part of an outcome that results decide. */
export type Results =
  | Pick<NamesOutcome, 'kind' | 'names' | 'truncated' | 'next'>
  | Pick<ContentOutcome, 'kind' | 'matches' | 'files' | 'truncated' | 'next'>;

interface Placed {
  first: string;
  last: string;
  chunk: Chunk;
}

/**
 * The chunks of a run in the order of results, no more of them than a limit needs.
 * Tasks are disjoint ranges of that order and each is worked through in order, so chunks never interleave.
 */
export class Gathering {
  #placed: Placed[] = [];
  #size = 0;
  readonly #enough: number;

  constructor(limit: number) {
    // one more than the limit proves that there is more
    this.#enough = limit + 1;
  }

  /** Takes a chunk; returns the key after which nothing is wanted any more, when that is known. */
  add(chunk: Chunk): string | undefined {
    this.#placed.push({ ...ends(chunk), chunk });
    this.#size += chunk.size;
    if (this.#size < this.#enough) return undefined;
    const placed = this.#sorted();
    let size = 0;
    let end = 0;
    while (size < this.#enough) size += placed[end++]!.chunk.size;
    this.#placed = placed.slice(0, end);
    this.#size = size;
    return this.#placed.at(-1)!.last;
  }

  chunks(): Chunk[] {
    return this.#sorted().map(({ chunk }) => chunk);
  }

  #sorted(): Placed[] {
    return this.#placed.sort((a, b) => (a.first < b.first ? -1 : 1));
  }
}

function ends(chunk: Chunk): { first: string; last: string } {
  if ('files' in chunk) {
    return { first: orderKey(chunk.files[0]!.path), last: orderKey(chunk.files.at(-1)!.path) };
  }
  const end = chunk.names.indexOf('\0');
  const start = chunk.names.lastIndexOf('\0') + 1;
  return {
    first: orderKey(chunk.names.slice(1, end === -1 ? undefined : end)),
    last: orderKey(chunk.names.slice(start + 1)),
  };
}

const TYPES: Record<string, FoundName['type']> = { f: 'file', d: 'directory', l: 'symlink', o: 'other' };

export function nameResults(chunks: readonly Chunk[], limit: number): Results {
  const names: FoundName[] = [];
  let last = '';
  for (const chunk of chunks) {
    for (const entry of 'names' in chunk ? chunk.names.split('\0') : []) {
      if (names.length === limit) return { kind: 'names', names, truncated: true, next: last };
      last = entry.slice(1);
      names.push({ path: displayPath(last), type: TYPES[entry[0]!]! });
    }
  }
  return { kind: 'names', names, truncated: false };
}

export function fileResults(chunks: readonly Chunk[], limit: number, counted: boolean): Results {
  const all = chunks.flatMap(filesOf);
  const shown = all.slice(0, limit);
  const files = shown.map(({ path, count }) => ({ path: displayPath(path), ...(counted && { count }) }));
  const truncated = all.length > limit;
  const next = truncated && { next: { path: shown.at(-1)!.path } };
  return { kind: 'content', matches: [], files, truncated, ...next };
}

export function lineResults(chunks: readonly Chunk[], limit: number): Results {
  const matches: FoundLine[] = [];
  let last = '';
  for (const file of chunks.flatMap(filesOf)) {
    const path = displayPath(file.path);
    for (const line of file.lines) {
      if (matches.length === limit) {
        const next = { path: last, line: matches.at(-1)!.line };
        return { kind: 'content', matches, files: [], truncated: true, next };
      }
      last = file.path;
      matches.push({ path, ...line });
    }
  }
  return { kind: 'content', matches, files: [], truncated: false };
}

function filesOf(chunk: Chunk): FoundContent[] {
  return 'files' in chunk ? chunk.files : [];
}
