import * as z from 'zod';
import type { MovedRef } from './fetch.ts';

export const remoteArgument = z.string().optional().describe('or an address; default that of the branch');

/** The other repository of a transfer. */
export const reached = {
  remote: z.string().optional().describe('absent: an address'),
  url: z.string().describe('where git went, without credentials'),
  output: z.string().optional().describe('by the other side'),
};

const movedRef = z.object({
  ref: z.string(),
  before: z.string().optional().describe('absent: new'),
  after: z.string().optional().describe('absent: gone'),
  forced: z.boolean().optional().describe('it no longer holds what it held'),
});

/** References that one result names at most. */
const MOST_REFS = 200;

export const movedRefs = { moved: z.array(movedRef), more_moved: z.int().optional() };

/** Returns as many of them as a result names. */
export function movedFacts(moved: readonly MovedRef[]): { moved: MovedRef[]; more_moved?: number } {
  const more = moved.length - MOST_REFS;
  return { moved: moved.slice(0, MOST_REFS), ...(more > 0 && { more_moved: more }) };
}

/** Returns the same as lines of text. */
export function movedLines({ moved, more_moved }: z.output<z.ZodObject<typeof movedRefs>>): string[] {
  const lines = moved.map(({ ref, before, after, forced }) => {
    const [from, to] = [before, after].map((oid) => oid?.slice(0, 12));
    const what =
      from === undefined ? `new${to === undefined ? '' : ` at ${to}`}` : `${from} -> ${to ?? 'gone'}`;
    return `${ref}: ${what}${forced === true ? ' (forced)' : ''}`;
  });
  return more_moved === undefined ? lines : [...lines, `and ${more_moved} more`];
}
