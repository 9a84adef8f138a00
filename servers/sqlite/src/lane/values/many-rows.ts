import type { ManyRows } from '../../shared/values/page.ts';
import type { Connection } from '../connection.ts';
import { REPLACEMENT, type RowOrigin } from './reading.ts';
import { MANY_LONGEST } from './row-sql.ts';

/** The next rows at once, and the last of them; nothing at the end, and where one is not plain or is long. */
export function manyRows(
  connection: Connection,
  { reading, bindings }: RowOrigin,
  cellBytes: number,
): (ManyRows & { last: string }) | undefined {
  const { many, plain } = reading;
  if (many === undefined || plain === undefined || cellBytes < MANY_LONGEST) return undefined;
  try {
    // what `manySql` selects
    const [text, rows, short, last] = connection
      .prepare(many)
      .raw()
      .get(...bindings) as [string, number, number, string, unknown];
    return rows === 0 || short < rows || text.includes(REPLACEMENT) ? undefined : { text, rows, last };
  } catch (error) {
    // it shows again where the rows come one by one
    if (!(error instanceof Error && 'code' in error)) throw error;
    return undefined;
  }
}
