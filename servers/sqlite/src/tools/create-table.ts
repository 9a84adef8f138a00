import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { databaseArgument, timeoutArgument } from '../arguments.ts';
import { checkStatement } from '../statements.ts';
import { tool } from '../workspace.ts';
import { oneOutput, writeOne } from '../writing/write-one.ts';

const input = z.strictObject({
  query: z.string(),
  database: databaseArgument,
  timeout_ms: timeoutArgument,
});

export const createTable = tool({
  name: 'create_table',
  title: 'Create a table',
  description: 'Runs one CREATE TABLE statement; write_query does the same.',
  input,
  output: oneOutput,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  listed: false,
  run(args, context) {
    const statement = checkStatement(args.query, 'write');
    const [verb, ...words] = statement.tokens.map(({ word }) => word);
    if (verb === 'CREATE' && (words[0] === 'TABLE' || (words[0] === 'VIRTUAL' && words[1] === 'TABLE')))
      return writeOne(context, args, statement);
    throw new ToolError('query is not a CREATE TABLE statement', {
      code: 'refused',
      hint: 'use write_query for other changes',
    });
  },
});
