import { tokensOf } from '../../shared/sql/lexer.ts';
import { foldName, nameOf } from '../../shared/sql/names.ts';
import { type Connection, selectRows } from '../connection.ts';

/** Most views that a view may expand to, each counted once per use; others are not compiled. */
const MOST_USES = 500;

/**
 * Returns the views that compile quickly, by folded name. SQLite expands each view inside a view once per use, so a few
 * views that use each other twice take too long.
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
    // SQLite refuses a view that contains itself
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
