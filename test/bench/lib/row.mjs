import { best } from './rounds.mjs';

/** @typedef {import('./rounds.mjs').Samples} Samples */

/**
 * One line of the result. `ratio` is null if `must` and `aim` refer to our own value; `pass` is null if the row has no
 * `must` or could not run.
 * @typedef {object} Row
 * @property {string} workload
 * @property {string} row
 * @property {string} unit
 * @property {number | null} ours
 * @property {number | null} responder
 * @property {Record<string, number | null>} peers
 * @property {number | null} ratio
 * @property {number | null} must
 * @property {number | null} aim
 * @property {boolean | null} pass
 */

/** @typedef {{ row: Row, relative: boolean, notes: string[] }} Finding relative: `must` and `aim` are ratios */

/**
 * Returns a row from samples.
 * @param {string} workload
 * @param {import('./group.mjs').RowSpec} spec
 * @param {Record<string, Samples>} samples by contestant
 * @returns {Finding}
 */
export function finding(workload, { row, unit, over, must, aim }, samples) {
  const values = Object.fromEntries(Object.entries(samples).map(([name, of]) => [name, best(of)]));
  const { ours = null, responder = null, ...peers } = values;
  const reference = over === undefined ? null : (values[over] ?? null);
  const ratio = ours !== null && reference !== null ? ours / reference : null;
  const notes = Object.entries(samples).flatMap(([name, { note }]) =>
    note === undefined ? [] : [`${name}: ${note}`],
  );
  if (over !== undefined && reference === null) notes.push(`not run: ${over} gave no figure`);
  const compared = over === undefined ? ours : ratio;
  return {
    row: {
      workload,
      row,
      unit,
      ours: round(ours),
      responder: round(responder),
      peers: Object.fromEntries(Object.entries(peers).map(([name, value]) => [name, round(value)])),
      ratio: round(ratio),
      must: must ?? null,
      aim: aim ?? null,
      pass: verdict({ ours, compared, must }),
    },
    relative: over !== undefined,
    notes: [...notes, ...spread(samples, over)],
  };
}

/**
 * @param {{ ours: number | null, compared: number | null, must: number | undefined }} facts
 * @returns {boolean | null}
 */
function verdict({ ours, compared, must }) {
  if (must === undefined) return null;
  if (ours === null) return false;
  return compared === null ? null : compared <= must;
}

/**
 * @param {Record<string, Samples>} samples
 * @param {string | undefined} over
 */
function spread(samples, over) {
  const ours = samples.ours?.values ?? [];
  const reference = over === undefined ? [] : (samples[over]?.values ?? []);
  const ratios = ours.flatMap((value, i) => (reference[i] === undefined ? [] : [value / reference[i]]));
  if (ratios.length < 2) return [];
  return [
    `x${Math.min(...ratios).toFixed(2)} to x${Math.max(...ratios).toFixed(2)} over ${ratios.length} rounds`,
  ];
}

/** @param {number | null} value */
function round(value) {
  return value === null ? null : Number(value.toPrecision(4));
}
