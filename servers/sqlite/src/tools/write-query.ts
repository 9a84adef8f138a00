import * as z from 'zod';
import { paramsArgument } from '../arguments.ts';
import { checkStatement } from '../statements.ts';
import { tool } from '../workspace.ts';
import { changeArguments } from '../writing/arguments.ts';
import { writable } from '../writing/change.ts';
import { type Agreed, agreeToAllRows, requireAllRows } from '../writing/consent.ts';
import { oneOutput, writeOne } from '../writing/write-one.ts';

const input = z.strictObject({ query: z.string(), params: paramsArgument, ...changeArguments });

export const writeQuery = tool({
  name: 'write_query',
  title: 'Change',
  description:
    'Runs one INSERT, UPDATE, DELETE or schema statement; returns the rows touched in each table, also by triggers and foreign keys.',
  input,
  output: oneOutput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  ask(args, ask, { facts, scope }): Promise<Agreed> {
    const statement = checkStatement(args.query, 'write');
    writable(scope, args.database);
    return agreeToAllRows(ask, facts, args, [statement]);
  },
  run(args, context) {
    const statement = checkStatement(args.query, 'write');
    requireAllRows(args, [statement], context.answers);
    return writeOne(context, args, statement, args.params);
  },
});
