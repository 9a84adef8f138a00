import { bytesOf, clipText } from '@rootbound/kit/budget';
import { ToolError } from '@rootbound/protocol';
import type { DescribedTable } from '../lane/verbs/schema.ts';
import { sourceLine } from '../listing/output.ts';
import { lineOf } from '../shared/values/lines.ts';
import type { TableOutput } from './shape.ts';
import { samplesText, textOfTable } from './text.ts';

/** Most items of each list; the next number is tried while the result is too large. */
const STEPS = [1_000_000, 2_000, 500, 100, 25, 5, 1];

/** Returns both halves of a result about a table. If the schema exceeds the limit, lists and SQL are cut. */
export function fitTable(facts: DescribedTable, displayPath: string, maxOutput: number) {
  for (const most of STEPS) {
    const cut = cutTo(facts, most, maxOutput);
    const { samples, ...table } = cut.facts;
    const structured: TableOutput = {
      source: { database: displayPath, tables: [facts.table] },
      ...mutable(table),
      ...(samples.length > 0 && { samples: samples.map((row) => JSON.parse(row) as unknown[]) }),
      truncated: cut.isCut,
    };
    const lines = [...textOfTable(table), ...samplesText(table.columns, samples.map(lineOf))];
    if (cut.isCut) lines.push('[truncated: the schema of this table exceeds the result limit]');
    const text = [...lines, sourceLine(displayPath)].join('\n');
    if (bytesOf({ structured, text }) <= maxOutput) return { structured, content: text };
  }
  throw new ToolError('the schema of this table exceeds the result limit', {
    code: 'too-large',
    hint: 'read parts of it with read_query on sqlite_schema and pragma_table_xinfo',
  });
}

function cutTo(facts: DescribedTable, most: number, maxOutput: number) {
  let isCut = false;
  const first = <T>(list: readonly T[], limit = most): readonly T[] => {
    if (list.length > limit) isCut = true;
    return list.slice(0, limit);
  };
  const share = Math.max(200, Math.floor(Math.min(maxOutput / 5, most * 100)));
  const short = (sql: string): string => {
    const { kept, truncated } = clipText(sql, share, { measure: 'json' });
    if (truncated) isCut = true;
    return kept;
  };
  const cut: DescribedTable = {
    ...facts,
    columns: first(facts.columns),
    indexes: first(facts.indexes),
    foreign_keys: first(facts.foreign_keys),
    referenced_by: first(facts.referenced_by),
    checks: first(facts.checks).map(short),
    triggers: first(facts.triggers).map(({ name, sql }) => ({ name, sql: short(sql) })),
    ...(facts.bases !== undefined && { bases: first(facts.bases) }),
    ...(facts.shadows !== undefined && { shadows: first(facts.shadows) }),
    ...(facts.options !== undefined && { options: first(facts.options).map(short) }),
    sql: short(facts.sql),
    samples: first(facts.samples, Math.ceil(most / 100)),
  };
  return { facts: cut, isCut };
}

/** Returns the same value typed with mutable arrays, as the output schema has them. */
function mutable<T>(facts: T): Mutable<T> {
  return facts as Mutable<T>; // nothing modifies them
}

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;
