import type { Block } from '@rootbound/kit/prompts';
import type { CallContext } from '@rootbound/protocol';
import type { Database } from '../databases/database.ts';
import { rowsText } from '../shared/row-estimate.ts';
import type { Workspace } from '../workspace.ts';

/** Returns the SQL of all tables and views of a database, with the number of rows of each. */
export async function schemaBlock(
  { scope: { engine }, signal }: CallContext<Workspace, unknown>,
  database: Database,
): Promise<Block | undefined> {
  const { facts } = await engine.lanes.run(database, 'read', 'tables', { sql: true }, { signal });
  if (facts.length === 0) return undefined;
  const lines = facts.flatMap(({ sql = '', rows, rows_are }) => {
    const count = rows === undefined || rows_are === undefined ? [] : [`-- ${rowsText({ rows, rows_are })}`];
    return [...count, `${sql};`];
  });
  return { title: 'schema', text: lines.join('\n'), rest: 'list_tables and describe_table return the rest' };
}
