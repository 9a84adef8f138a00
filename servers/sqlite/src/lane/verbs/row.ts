import { LaneError } from '../../shared/error.ts';
import { quoteName } from '../../shared/sql/names.ts';
import type { ResultColumn } from '../../shared/values/result-column.ts';
import { objectOf } from '../schema/objects.ts';
import { bindingsOf } from '../values/bind.ts';
import { RowCursor } from '../values/row-cursor.ts';
import { rowStatementsOf } from '../values/row-statements.ts';
import { Answer, type Verb } from '../verb.ts';
import { keyOf, quoteKey, ROW_CELLS } from './rows.ts';

export interface RowArgs {
  readonly table: string;
  /** the values of its key as text; each is compared with the column's affinity */
  readonly key: readonly string[];
  readonly cellBytes: number;
}

export interface RowFacts {
  readonly table: string;
  readonly key: readonly string[];
  readonly columns: readonly ResultColumn[];
}

/** Returns one row by its rowid or primary key, as a JSON array in the only part. */
export const row: Verb<RowArgs, RowFacts> = ({ connection }, { table, key, cellBytes }) => {
  const { name } = objectOf(connection, table);
  const keys = keyOf(connection, name);
  if (keys.length !== key.length) throw noRow();
  // a value may be stored as a number or as text: it matches if it equals the key's text
  const where = keys.map((each) => `${quoteKey(each)} = (SELECT v FROM (SELECT ? AS v))`);
  const sql = `SELECT * FROM main.${quoteName(name)} WHERE ${where.join(' AND ')}`;
  const statements = rowStatementsOf(connection, sql, { cellBytes });
  connection.db.exec('BEGIN');
  try {
    const found = valuesOf(key)
      .map((values) => {
        const cursor = new RowCursor(connection, statements, bindingsOf(statements.parameters, values), {
          cellBytes,
          rowBytes: ROW_CELLS * cellBytes,
        });
        const next = cursor.next();
        cursor.close();
        return next;
      })
      .find((next) => next !== undefined);
    if (found === undefined) throw noRow();
    return new Answer({ table: name, key, columns: statements.columns }, [Buffer.from(found)]);
  } finally {
    connection.db.exec('COMMIT');
  }
};

/** Returns the values that the key's texts may stand for: numbers, or texts. */
function valuesOf(key: readonly string[]): unknown[][] {
  const asNumbers = key.map((text) => (/^-?(?:0|[1-9]\d{0,18})$/.test(text) ? { $int: text } : text));
  return [asNumbers, [...key]];
}

function noRow(): LaneError {
  return new LaneError('no such row', { code: 'no-such-row' });
}
