import type { ExactCell } from '../formats/cells.ts';
import { csvLine } from '../formats/csv-write.ts';
import { jsonObject, keysOf } from '../formats/json-write.ts';
import type { Rows } from './reading.ts';
import type { Sink } from './sink.ts';

/** Called after each row. */
export type OnRow = () => void;

interface Written {
  readonly replaced: number;
}

/** Writes CSV with a header. */
export function writeCsv(sink: Sink, { columns, rows }: Rows, delimiter: string, counted: OnRow): Written {
  let replaced = 0;
  sink.write(csvLine(columns, delimiter));
  for (const row of rows()) {
    replaced += row.filter(isBroken).length;
    sink.write(csvLine(row, delimiter));
    counted();
  }
  return { replaced };
}

/** Writes an array of objects, one per line; with `lines` the objects without the array. */
export function writeJson(sink: Sink, { columns, rows }: Rows, lines: boolean, counted: OnRow): Written {
  const keys = keysOf(columns);
  let between = lines ? '' : '[\n';
  for (const row of rows()) {
    sink.write(between + jsonObject(keys, row));
    between = lines ? '\n' : ',\n';
    counted();
  }
  if (!lines) sink.write(between === '[\n' ? '[]\n' : '\n]\n');
  else if (between !== '') sink.write('\n');
  return { replaced: 0 };
}

function isBroken(value: ExactCell): boolean {
  return typeof value === 'object' && value !== null && 'text' in value;
}
