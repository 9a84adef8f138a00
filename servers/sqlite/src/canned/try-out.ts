import type { Scope } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { defaultDatabase } from '../databases/default.ts';
import { resolveDatabase } from '../databases/resolve.ts';
import type { Engine } from '../engine.ts';
import { checkStatement } from '../statements.ts';
import type { CannedQuery } from './definition.ts';

const DEADLINE_MS = 5_000;
/** Codes of failures that the SQL itself causes; others, such as a lock, do not concern it. */
const ofSql: ReadonlySet<string> = new Set(['sql', 'refused', 'read-only']);

/** Returns why the query cannot run on its database, if that exists. The statement is prepared, not executed. */
export async function tryOut(
  { sql, write, database }: CannedQuery,
  scope: Scope,
  { lanes }: Engine,
): Promise<string | undefined> {
  try {
    const target = resolveDatabase(scope, database ?? defaultDatabase(scope));
    const { text } = checkStatement(sql, write ? 'write' : 'read');
    await lanes.run(target, 'read', 'check', { sql: text, writes: write }, { deadlineMs: DEADLINE_MS });
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return ofSql.has(error.code) ? error.message : undefined;
  }
}
