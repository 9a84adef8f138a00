import { cellText } from '../values/cells.ts';
import type { Bound } from './values.ts';

const MOST_CHARACTERS = 80;
const MOST_BYTES = 60;

/** Returns a row with its values as in a result; long ones are cut and end in `…`. */
export function previewRow(row: Readonly<Record<string, Bound>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, preview(value)]));
}

function preview(value: Bound): unknown {
  if (typeof value === 'string' && value.length > MOST_CHARACTERS)
    return `${value.slice(0, MOST_CHARACTERS)}…`;
  if (Buffer.isBuffer(value) && value.length > MOST_BYTES)
    return { $blob: `${value.subarray(0, MOST_BYTES).toString('base64')}…`, bytes: value.length };
  return JSON.parse(cellText(value));
}
