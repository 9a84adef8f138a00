import type { Chunk } from './messages.ts';
import { orderKey } from './order.ts';
import { Ranking } from './ranking.ts';

interface Placed {
  first: string;
  last: string;
  chunk: Chunk;
}

/**
 * Collects the chunks of a run in the order of results, as many as the limit needs. Tasks are disjoint ranges of the
 * order by path, and each is done in order, so chunks never overlap.
 */
export class Gathering {
  #placed: Placed[] = [];
  #size = 0;
  readonly #enough: number;
  readonly #ranking: Ranking;

  constructor(limit: number) {
    // one result beyond the limit shows that there are more
    this.#enough = limit + 1;
    this.#ranking = new Ranking(limit);
  }

  /** Adds a chunk; returns the key after which no result is needed, once it is known. */
  add(chunk: Chunk): string | undefined {
    if ('ranked' in chunk) {
      for (const item of chunk.ranked) this.#ranking.add(item);
      return undefined;
    }
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
    const ranked = this.#ranking.take();
    const chunks = this.#sorted().map(({ chunk }) => chunk);
    return ranked.length === 0 ? chunks : [...chunks, { ranked, size: ranked.length }];
  }

  #sorted(): Placed[] {
    return this.#placed.sort((a, b) => (a.first < b.first ? -1 : 1));
  }
}

function ends(chunk: Exclude<Chunk, { ranked: unknown }>): { first: string; last: string } {
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
