import type { ResultColumn } from '../../shared/values/result-column.ts';
import type { Statement } from '../driver.ts';

export function columnsOf(statement: Statement): ResultColumn[] {
  return statement.columns().map(({ name, type, table, column, database }) => ({
    name,
    ...(type !== null && { type }),
    ...(table !== null && { table }),
    ...(column !== null && column !== name && { column }),
    ...(database !== null && database !== 'main' && { database }),
  }));
}
