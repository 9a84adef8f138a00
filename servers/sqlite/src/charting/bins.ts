export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
}

const MOST = 50;

/** Returns how many values lie between round numbers; the last bin includes its upper end. */
export function binsOf(values: readonly number[], min: number, max: number): readonly Bin[] {
  // Sturges' rule: one more bin for each doubling of the number of values
  const wanted = Math.min(MOST, Math.ceil(Math.log2(values.length)) + 1);
  const step = roundStep((max - min) / wanted);
  // bins narrower than the rounding error cannot be told apart
  if (step === 0 || Math.max(-min, max) / step > 1e11) return [{ from: min, to: max, n: values.length }];
  const first = Math.floor(rounded(min / step));
  const last = Math.max(first, Math.ceil(rounded(max / step)) - 1);
  const counts = new Array<number>(last - first + 1).fill(0);
  for (const value of values) {
    const at = Math.min(last, Math.max(first, Math.floor(rounded(value / step)))) - first;
    counts[at] = counts[at]! + 1;
  }
  return counts.map((n, at) => ({
    from: rounded((first + at) * step),
    to: rounded((first + at + 1) * step),
    n,
  }));
}

/**
 * Returns the smallest of 1, 2 and 5 times a power of ten that is at least `least`; 0 if steps would vanish in
 * rounding.
 */
function roundStep(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) return 0;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((times) => times * power >= least) ?? 10;
  return power > 0 ? factor * power : 0;
}

/** Drops the last digits, so that 0.3 / 0.1 is 3. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
