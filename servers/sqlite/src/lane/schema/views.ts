import { tokensOf } from '../../shared/sql/lexer.ts';
import { foldName, nameOf } from '../../shared/sql/names.ts';
import type { Connection } from '../connection.ts';
import { selectRows } from './select-rows.ts';

/** Views that are made of more views than this, each counted as often as it is used, are not compiled to tell about them. */
const MOST_USES = 500;

/**
 * The views that are quickly compiled, by folded name: SQLite writes out each view within a view wherever it is named, so a
 * few that name another one twice take longer than anyone waits.
 */
export function simpleViews(connection: Connection): ReadonlySet<string> {
  const views = new Map(
    selectRows<{ name: string; sql: string }>(
      connection,
      "SELECT name, coalesce(sql, '') AS sql FROM main.sqlite_schema WHERE type = 'view'",
    ).map(({ name, sql }) => [foldName(name), sql]),
  );
  const uses = new Map<string, number>();
  const usesOf = (view: string): number => {
    const known = uses.get(view);
    if (known !== undefined) return known;
    // a view that is within itself is refused by SQLite
    uses.set(view, 1);
    const own = foldName(view);
    const sql = views.get(view)!;
    const named = tokensOf(sql).map((token) => foldName(nameOf(sql, token) ?? ''));
    const within = named.filter((name) => name !== own && views.has(name));
    const count = within.reduce((sum, name) => Math.min(MOST_USES + 1, sum + usesOf(name)), 1);
    uses.set(view, count);
    return count;
  };
  return new Set([...views.keys()].filter((view) => usesOf(view) <= MOST_USES));
}
