const full = process.env.ROOTBOUND_FULL === '1';

/** The states that a test is run in, by their seeds: all of them in the full run, else every fourth. */
export function seeds(count: number): number[] {
  return Array.from({ length: count }, (_, seed) => seed).filter((seed) => full || seed % 4 === 0);
}
