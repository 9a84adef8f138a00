import type { Reading } from '../reading/reading.ts';

/** The text and headings of a page, as far as searches need them. */
export type SearchableText = Pick<Reading, 'text' | 'headings'>;
