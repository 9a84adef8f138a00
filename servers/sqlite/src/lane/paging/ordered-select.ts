import { nameOf } from '../../shared/sql/names.ts';
import { splitStatements } from '../../shared/sql/statement.ts';
import { type SimpleSelect, simpleSelect } from '../sql/simple-select.ts';

/** A query of one table and the column that it is ordered by, if any. */
export interface OrderedSelect {
  readonly select: SimpleSelect;
  readonly by: string | undefined;
  readonly descending: boolean;
}

/** Parses a query of one table without ORDER BY or ordered by one column; returns undefined for others. */
export function orderedSelect(sql: string): OrderedSelect | undefined {
  const [statement] = splitStatements(sql);
  if (statement === undefined) return undefined;
  const { text, tokens } = statement;
  const descending = tokens.at(-1)?.word === 'DESC';
  const end = descending || tokens.at(-1)?.word === 'ASC' ? tokens.length - 1 : tokens.length;
  const [order, by, column] = tokens.slice(Math.max(0, end - 3), end);
  if (order?.word !== 'ORDER' || by?.word !== 'BY') {
    const select = simpleSelect(text);
    return select && { select, by: undefined, descending: false };
  }
  const name = column!.kind === 'string' ? undefined : nameOf(text, column!);
  const select = simpleSelect(text.slice(0, order.start));
  return select && name !== undefined ? { select, by: name, descending } : undefined;
}
