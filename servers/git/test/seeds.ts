import { allRevisions, type Revision } from '@rootbound/protocol';

/** Whether there is time for every case. */
export const full = process.env.ROOTBOUND_FULL === '1';

/** What tests of each revision go through: all in the full run, else one of each era, with and without a structured half. */
export const revisions: readonly Revision[] = full ? allRevisions : ['2024-11-05', '2026-07-28'];

/** The states that a test is run in, by their seeds: all of them in the full run, else every eighth. */
export function seeds(count: number): number[] {
  return sampled(
    Array.from({ length: count }, (_, seed) => seed),
    8,
  );
}

/** Of cases that are alike, all in the full run, else each so many. */
export function sampled<T>(cases: readonly T[], every: number): T[] {
  return cases.filter((_, index) => full || index % every === 0);
}
