/**
 * The samples of one contestant over all rounds, or the reason for their absence.
 * @typedef {{ values: number[], note?: string }} Samples
 */

/**
 * Runs every measurement once per round, in turn, so that load of the machine affects all of them equally. A measurement
 * that throws is not repeated; one that returns undefined does not apply.
 * @param {number} count
 * @param {Record<string, () => Promise<number | undefined>>} measurements
 * @returns {Promise<Record<string, Samples>>}
 */
export async function rounds(count, measurements) {
  /** @type {Record<string, Samples>} */
  const samples = {};
  for (let round = 0; round < count; round += 1) {
    for (const [name, measure] of Object.entries(measurements)) {
      samples[name] = await sample(samples[name] ?? { values: [] }, measure);
    }
  }
  return samples;
}

/**
 * @param {Samples} before
 * @param {() => Promise<number | undefined>} measure
 * @returns {Promise<Samples>}
 */
async function sample(before, measure) {
  if (before.note !== undefined) return before;
  try {
    const value = await measure();
    return value === undefined ? { values: [], note: 'none' } : { values: [...before.values, value] };
  } catch (error) {
    return { values: [], note: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Returns the least sample, since noise only adds.
 * @param {Samples | undefined} samples
 */
export function best(samples) {
  return samples && samples.values.length > 0 ? Math.min(...samples.values) : null;
}

/**
 * @param {readonly number[]} values
 * @param {number} share between 0 and 1
 */
export function percentile(values, share) {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? null;
}
