import { allRevisions, type Revision } from '@rootbound/protocol';

/** Whether there is time for every case. */
export const full = process.env.ROOTBOUND_FULL === '1';

/** One of each era, with and without a structured half. */
const everyday: readonly Revision[] = ['2024-11-05', '2026-07-28'];

/** What tests of each revision go through: in the full run those that `npm test` has not. */
export const revisions: readonly Revision[] = revisionsOf(full);

export function revisionsOf(isFull: boolean): readonly Revision[] {
  return isFull ? allRevisions.filter((revision) => !everyday.includes(revision)) : everyday;
}

/** The states that a test is run in, by their seeds: every eighth, and in the full run all others. */
export function seeds(count: number): number[] {
  return sampled(
    Array.from({ length: count }, (_, seed) => seed),
    8,
  );
}

/** Of cases that are alike, each so many, and in the full run all others, as it follows `npm test`. */
export function sampled<T>(cases: readonly T[], every: number, isFull = full): T[] {
  return cases.filter((_, index) => (index % every === 0) !== isFull);
}
