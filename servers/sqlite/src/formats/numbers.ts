/** What JSON and SQL both read as infinity: a number that no REAL can hold. */
const INFINITY = '9.0e+999';

/** A REAL in the fewest digits that give the same again, and so that it shows that it is no INTEGER. */
export function realText(value: number): string {
  if (Number.isFinite(value)) {
    if (Object.is(value, -0)) return '-0.0';
    const text = String(value);
    return /[.e]/.test(text) ? text.replace(/^(-?\d+)e/, '$1.0e') : `${text}.0`;
  }
  return value < 0 ? `-${INFINITY}` : INFINITY;
}

const MOST = 2n ** 63n - 1n;
const LEAST = -(2n ** 63n);

/** Whether SQLite holds it as INTEGER. */
export function isInt64(value: bigint): boolean {
  return value >= LEAST && value <= MOST;
}
