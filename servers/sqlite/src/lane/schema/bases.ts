import { tokensOf } from '../../shared/sql/lexer.ts';
import { foldName, nameOf, quoteName } from '../../shared/sql/names.ts';
import type { Connection } from '../connection.ts';
import { ask, askIfPossible } from './ask.ts';
import { objectsOf } from './objects.ts';

/** The tables whose rows a view is made of, also those behind other views; undefined when it cannot be compiled. */
export function basesOf(connection: Connection, view: string, sql: string): string[] | undefined {
  const program = askIfPossible<{ opcode: string; p2: number; p3: number }>(
    connection,
    `EXPLAIN SELECT * FROM main.${quoteName(view)}`,
  );
  if (program === undefined) return undefined;
  const pages = new Set(
    program.filter(({ opcode, p3 }) => opcode === 'OpenRead' && p3 === 0).map(({ p2 }) => p2),
  );
  const trees = ask<{ tbl_name: string; rootpage: number }>(
    connection,
    'SELECT tbl_name, rootpage FROM main.sqlite_schema WHERE rootpage > 0',
  );
  const names = new Set(trees.filter(({ rootpage }) => pages.has(rootpage)).map(({ tbl_name }) => tbl_name));
  // a virtual table has no tree; it is found where the view itself names it
  const words = new Set(tokensOf(sql).map((token) => foldName(nameOf(sql, token) ?? '')));
  for (const { name, type } of objectsOf(connection))
    if (type === 'virtual' && words.has(foldName(name))) names.add(name);
  return [...names].sort();
}
