import { matching } from '@rootbound/kit/prompts';
import { type CallContext, type Complete, type Completion, ToolError } from '@rootbound/protocol';
import type { KeysArgs } from '../lane/verbs/keys.ts';
import { databaseOf, type Workspace } from '../workspace.ts';

/** Time limit of a suggestion while a user types, ms. */
const DEADLINE_MS = 250;

/** Asks a database for suggestions; returns none if it cannot be used, since completion reports no errors. */
export async function completeIn(
  named: string | undefined,
  { scope, signal }: CallContext<Workspace, undefined>,
  args: KeysArgs,
): Promise<readonly string[][]> {
  try {
    const database = databaseOf(scope, named === '' ? undefined : named);
    const options = { signal, deadlineMs: DEADLINE_MS };
    return (await scope.engine.lanes.run(database, 'read', 'keys', args, options)).facts;
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}

/** Most values of one completion result. */
export const MOST_VALUES = 100;

/** Returns the first values and whether there are more. */
export function suggested(values: readonly string[]): Completion {
  return { values: values.slice(0, MOST_VALUES), hasMore: values.length > MOST_VALUES };
}

/**
 * Returns keys of a table, each as the texts of its columns. The last typed value is the beginning of a key's column;
 * those before it are complete.
 */
export function keysFrom(
  context: CallContext<Workspace, undefined>,
  {
    database,
    table,
    typed,
  }: {
    readonly database?: string | undefined;
    readonly table: string;
    readonly typed: readonly string[];
  },
): Promise<readonly string[][]> {
  return completeIn(database, context, { of: 'keys', table, typed, count: MOST_VALUES + 1 });
}

/** Suggests names of tables and views of the database given, or of the only one. */
export const completeTable: Complete<Workspace> = async (value, context, { database }) =>
  suggested(matching((await completeIn(database, context, { of: 'tables' })).flat(), value));
