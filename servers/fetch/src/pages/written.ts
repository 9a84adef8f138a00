import type { Reading } from '../reading/reading.ts';

/** The text of a page and its headings: all that looking for something in it takes. */
export type Written = Pick<Reading, 'text' | 'headings'>;
