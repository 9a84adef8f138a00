import { type Halves, moreNote } from '@rootbound/kit/budget';
import type { PathArgument } from '../../run/command.ts';
import type { Output } from './show-output.ts';
import type { Place } from './show-position.ts';

/** The part of an object that the caller wants. */
export interface Asked {
  readonly paths: readonly PathArgument[] | undefined;
  /** how much each file changes, without the patch */
  readonly stat: boolean;
  readonly context: number;
  readonly maxOutput: number;
  /** the start of the page; undefined: the beginning */
  readonly place: Place | undefined;
  /** a cursor of this call */
  readonly seal: (place: Place) => string;
}

export type Facts = Omit<Output, 'truncated' | 'next_cursor'>;

/** The first members of the structured result and the first lines of its text. */
export interface Begun {
  readonly facts: Facts;
  /** whole lines */
  readonly text: string;
}

/** The start of the next page, and a sentence about the omitted part. */
export interface Next {
  readonly place: Place;
  readonly lacks: string;
}

/** Both halves of a page. */
export function halvesOf(facts: Facts, text: string, { seal }: Pick<Asked, 'seal'>, next?: Next): Halves {
  if (next === undefined) return { structured: { ...facts, truncated: false }, text };
  const cursor = seal(next.place);
  const structured: Output = { ...facts, truncated: true, next_cursor: cursor };
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return { structured, text: text + gap + moreNote(next.lacks, cursor) };
}
