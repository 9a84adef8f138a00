import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { databaseArgument } from '../arguments.ts';
import { fitTable } from '../describing/fit.ts';
import { tableOutput } from '../describing/shape.ts';
import { databaseOf, tool } from '../workspace.ts';

const SAMPLES = 3;

export const describeTable = tool({
  name: 'describe_table',
  title: 'Table',
  description:
    'Describes a table or view: columns, keys, indexes, foreign keys to and from it, checks, triggers, SQL, sample rows.',
  input: z.strictObject({
    table_name: z.string(),
    database: databaseArgument,
    samples: z.int().min(0).max(20).optional().describe('sample rows, default 3'),
  }),
  output: tableOutput,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ table_name: table, database: named, samples = SAMPLES }, { scope, signal }) {
    const database = databaseOf(scope, named);
    const { facts } = await scope.engine.lanes.run(
      database,
      'read',
      'schema',
      { table, samples },
      { signal },
    );
    return reply(fitTable(facts, database.displayPath, scope.maxOutput));
  },
});
