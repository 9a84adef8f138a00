import { describeTable, type TableFacts } from '../schema/describe.ts';
import { samplesOf } from '../schema/samples.ts';
import type { Verb } from '../verb.ts';

export interface SchemaArgs {
  readonly table: string;
  /** how many rows come along, none unless told */
  readonly samples?: number | undefined;
}

export interface DescribedTable extends TableFacts {
  /** rows as JSON texts */
  readonly samples: readonly string[];
}

/** All that the schema says of one table or view, with some of its rows. */
export const schema: Verb<SchemaArgs, DescribedTable> = ({ connection }, { table, samples = 0 }) => {
  const facts = describeTable(connection, table);
  return { ...facts, samples: samplesOf(connection, facts.table, samples) };
};
