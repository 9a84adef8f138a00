import type { CallContext } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';
import { completeIn, MOST_VALUES } from './opened.ts';

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
