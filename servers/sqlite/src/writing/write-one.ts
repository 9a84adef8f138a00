import { type Reply, reply } from '@rootbound/protocol';
import * as z from 'zod';
import type { Params } from '../shared/sql/parameters.ts';
import type { Statement } from '../shared/sql/statement.ts';
import { planOf } from '../shared/write-plan.ts';
import { type ChangeArguments, type ChangeContext, change } from './change.ts';
import {
  appliedFields,
  appliedLines,
  appliedOutput,
  changedFields,
  changedLines,
  changedOutput,
  changesText,
  rowsSource,
} from './output.ts';

/** The output of a tool that runs one statement. */
export const oneOutput = z.object({ ...changedOutput, ...appliedOutput, truncated: z.boolean() });

/** Runs one statement that has passed checkStatement as a transaction. */
export async function writeOne(
  context: ChangeContext,
  args: ChangeArguments,
  statement: Statement,
  params?: Params,
): Promise<Reply> {
  const { lanes } = context.scope.engine;
  const changed = await change(context, args, (target, terms, caps, options) =>
    lanes.run(target, 'write', 'execute', { statement: planOf(statement), params, terms, caps }, options),
  );
  const [applied] = changed.facts.applied;
  const fields = changedFields(changed);
  const { kept = 0, rows = 0 } = applied!;
  const structured = {
    ...fields,
    ...appliedFields(applied!, changed.parts),
    truncated: kept < rows,
  };
  const done = fields.committed ? 'committed' : 'dry run, rolled back';
  const lines = [
    fields.ddl ? done : `${done}: ${changesText(applied!)}`,
    ...appliedLines(applied!, changed.parts),
    ...changedLines(fields),
    ...rowsSource(changed.database, [applied!]),
  ];
  return reply({ structured, content: lines.join('\n') });
}
