// how far a test goes: `npm test` takes a part of large tables, and `npm run test:full` takes them whole. A test file that
// imports this one, by itself or through its helpers, is run again by the full run

/** Whether this is the full run. */
export const full = process.env.ROOTBOUND_FULL === '1';

/** Returns the number of cases that a generator makes: a tenth in `npm test`. */
export function tenth(count: number): number {
  return full ? count : Math.ceil(count / 10);
}

/** Returns the cases to run, of a list of similar ones: the first of each `every` in `npm test`. */
export function sampled<T>(cases: readonly T[], every = 10): T[] {
  return cases.filter((_, index) => full || index % every === 0);
}

/** Returns the revisions over a transport that starts a process or opens a port: the first and the last in `npm test`. */
export function outermost<T>(revisions: readonly T[]): T[] {
  return revisions.filter((_, index) => full || index === 0 || index === revisions.length - 1);
}
