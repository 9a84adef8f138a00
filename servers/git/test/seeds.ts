import { sampled } from '../../../test/extent.ts';

export { full, sampled, tenth } from '../../../test/extent.ts';

/** Returns the seeds of the states that a test is run in: a tenth of them in `npm test`. */
export function seeds(count: number): number[] {
  return sampled(Array.from({ length: count }, (_, seed) => seed));
}
