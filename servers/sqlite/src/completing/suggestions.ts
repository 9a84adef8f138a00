import { matching } from '@rootbound/kit/prompts';
import { type CallContext, type Complete, type Completion, ToolError } from '@rootbound/protocol';
import type { KeysArgs } from '../lane/verbs/keys.ts';
import { databaseOf, type Workspace } from '../workspace.ts';

/** Somebody is typing: what takes longer comes too late. */
const DEADLINE_MS = 250;

/** What a database suggests; nothing where it cannot be used, as who types is told of no errors. */
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

/** The most values that one answer holds. */
export const MOST_VALUES = 100;

/** Values of which there may be more than are told. */
export function suggested(values: readonly string[]): Completion {
  return { values: values.slice(0, MOST_VALUES), hasMore: values.length > MOST_VALUES };
}

/**
 * Keys of a table, each the values of its columns as text: the last value that was typed is the beginning of one, those
 * before it are whole.
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

/** Names of the tables and views of the database that was given, or of the only one. */
export const completeTable: Complete<Workspace> = async (value, context, { database }) =>
  suggested(matching((await completeIn(database, context, { of: 'tables' })).flat(), value));
