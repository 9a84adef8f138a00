import * as z from 'zod';
import { checkScript } from '../statements.ts';
import { tool } from '../workspace.ts';
import { changeArguments } from '../writing/arguments.ts';
import { writable } from '../writing/change.ts';
import { type Agreed, agreeToAllRows, requireAllRows } from '../writing/consent.ts';
import { scriptOutput, writeScript } from '../writing/write-script.ts';

const input = z.strictObject({
  script: z.string(),
  ...changeArguments,
  keys_at_end: z
    .boolean()
    .optional()
    .describe('foreign keys are only checked at the end, as rebuilding a table needs'),
});

export const runScript = tool({
  name: 'run_script',
  title: 'Run a script',
  description:
    'Runs several statements in order as one transaction: all, or none if one fails. With dry_run it tests a migration.',
  input,
  output: scriptOutput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  ask(args, ask, { facts, scope }): Promise<Agreed> {
    const statements = checkScript(args.script);
    writable(scope, args.database);
    return agreeToAllRows(ask, facts, args, statements);
  },
  run(args, context) {
    const statements = checkScript(args.script);
    requireAllRows(args, statements, context.answers);
    return writeScript(context, args, statements);
  },
});
