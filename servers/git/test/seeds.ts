/** Whether there is time for every case. */
export const full = process.env.ROOTBOUND_FULL === '1';

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
