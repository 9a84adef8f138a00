import { bytesOf, counted, fit } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { type Reply, reply } from '@rootbound/protocol';
import * as z from 'zod';
import type { TableChanges } from '../lane/writing/counting.ts';
import type { AppliedFacts } from '../lane/writing/facts.ts';
import type { Statement } from '../shared/sql/statement.ts';
import { planOf } from '../shared/write-plan.ts';
import { type ChangeArguments, type ChangeContext, type Changed, change } from './change.ts';
import {
  appliedFields,
  appliedLines,
  appliedOutput,
  changedFields,
  changedLines,
  changedOutput,
  changesText,
  cutFields,
  rowsSource,
} from './output.ts';

const one = z.object({
  index: z.int(),
  line: z.int(),
  action: z.string(),
  ...appliedOutput,
  truncated: z.boolean().optional(),
});

/** The output of run_script. */
export const scriptOutput = z.object({
  ...changedOutput,
  integrity: z.string().optional().describe('of a dry run and of schema changes: ok, or the problems'),
  changes: z.int(),
  tables: appliedOutput.tables,
  statements: z.array(one),
  total: z.int(),
  truncated: z.boolean().describe('whether lists are cut; all statements ran'),
});

interface ScriptArguments extends ChangeArguments {
  readonly script: string;
  readonly keys_at_end?: boolean | undefined;
}

/** Runs statements that have passed checkScript in order, as one transaction. */
export async function writeScript(
  context: ChangeContext,
  args: ScriptArguments,
  statements: readonly Statement[],
): Promise<Reply> {
  const { engine, maxOutput } = context.scope;
  const lines = linesOf(statements, args.script);
  const planned = statements.map((statement, index) => planOf(statement, lines[index]!));
  const changed = await change(context, args, (target, terms, caps, options) =>
    engine.lanes.run(
      target,
      'write',
      'script',
      { statements: planned, terms, caps, keysAtEnd: args.keys_at_end === true },
      options,
    ),
  );
  const whole = fit(planned.length, maxOutput, (kept) => halvesOf(changed, lines, kept));
  const { halves } =
    bytesOf(whole.halves) <= maxOutput
      ? whole
      : fit(planned.length, maxOutput, (most) => halvesOf(changed, lines, whole.kept, most));
  return reply({ structured: halves.structured, content: halves.text });
}

function halvesOf(
  changed: Changed,
  lines: readonly number[],
  kept: number,
  most = Number.POSITIVE_INFINITY,
): { structured: object; text: string } {
  const { database, facts, parts } = changed;
  const { applied, integrity } = facts;
  const visible = applied.slice(0, kept);
  const fields = cutFields(changedFields(changed), most);
  const changes = applied.reduce((sum, each) => sum + each.changes, 0);
  const tables = summed(applied).slice(0, most);
  const truncated = kept < applied.length || most < applied.length;
  const structured = {
    ...fields,
    ...defined({ integrity }),
    changes,
    tables,
    statements: visible.map((each, index) => ({
      index: index + 1,
      line: lines[index]!,
      action: each.action,
      ...appliedFields(each, parts),
      ...((each.kept ?? 0) < (each.rows ?? 0) && { truncated: true }),
    })),
    total: applied.length,
    truncated,
  };
  const done = fields.committed ? 'committed' : 'dry run, rolled back';
  const text = [
    `${done}: ${counted(applied.length, 'statement', 'statements')}, ${changesText({ changes, tables })}`,
    ...visible.flatMap((each, index) => statementLines(each, index, lines[index]!, parts)),
    ...(kept < applied.length ? [`[${kept} of ${applied.length} statements]`] : []),
    ...changedLines(fields),
    ...(most < applied.length ? [`[only the first ${most} tables and schema changes are listed]`] : []),
    ...(integrity === undefined ? [] : [`integrity: ${integrity}`]),
    ...rowsSource(database, visible),
  ];
  return { structured, text: text.join('\n') };
}

function statementLines(each: AppliedFacts, index: number, line: number, parts: readonly Buffer[]): string[] {
  return [
    `${index + 1}. ${each.action} (line ${line}): ${changesText(each)}`,
    ...appliedLines(each, parts).map((text) => `   ${text}`),
  ];
}

function summed(applied: readonly AppliedFacts[]): TableChanges[] {
  const sums = new Map<string, TableChanges>();
  for (const { table, inserted, updated, deleted } of applied.flatMap(({ tables }) => tables)) {
    const known = sums.get(table);
    sums.set(table, {
      table,
      inserted: (known?.inserted ?? 0) + inserted,
      updated: (known?.updated ?? 0) + updated,
      deleted: (known?.deleted ?? 0) + deleted,
    });
  }
  return [...sums.values()];
}

/** Returns the first line of each statement. */
function linesOf(statements: readonly Statement[], script: string): number[] {
  let at = 0;
  let line = 1;
  return statements.map(({ start }) => {
    for (let end = script.indexOf('\n', at); end !== -1 && end < start; end = script.indexOf('\n', at)) {
      line += 1;
      at = end + 1;
    }
    return line;
  });
}
