import type { Scope } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { defaultDatabase } from '../databases/default.ts';
import { resolveDatabase } from '../databases/resolve.ts';
import type { Engine } from '../engine.ts';
import { checkStatement } from '../statements.ts';
import type { CannedQuery } from './definition.ts';

const DEADLINE_MS = 5_000;
/** Failures that are the SQL's own; others, such as a lock, say nothing of it. */
const ofSql: ReadonlySet<string> = new Set(['sql', 'refused', 'read-only']);

/** Why a query could not run on its database, where that is there; nothing of it is run. */
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
