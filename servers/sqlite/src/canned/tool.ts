import { defined } from '@rootbound/kit/primitives';
import type { AnyTool, CallContext } from '@rootbound/protocol';
import type { z } from 'zod';
import { tool, type Workspace } from '../workspace.ts';
import { argumentsOf } from './arguments.ts';
import { ownArguments } from './check.ts';
import type { CannedQuery } from './definition.ts';

/** Returns the tool of a query: read_query or write_query with its SQL. */
export function cannedTool(query: CannedQuery, runner: AnyTool<Workspace>): AnyTool<Workspace> {
  const { name, title, description, write } = query;
  return tool<z.ZodObject, z.ZodType>({
    name,
    ...defined({ title }),
    description,
    input: argumentsOf(query),
    ...defined({ output: runner.output }),
    annotations: { readOnlyHint: !write, ...(write && { destructiveHint: true }), openWorldHint: false },
    run: (args, context) =>
      runner.run(runnerInput(query, runner, args), context as CallContext<Workspace, never>) as never,
    // both belong to the runner, whose output this is
    ...(runner.render !== undefined && {
      render: (output, args) => runner.render!(output as never, runnerInput(query, runner, args)),
    }),
  });
}

/** Returns the input that the runner is called with. */
function runnerInput(
  { sql, database, parameters, write }: CannedQuery,
  runner: AnyTool<Workspace>,
  args: Record<string, unknown>,
): never {
  const own = Object.fromEntries(ownArguments.flatMap((name) => (name in args ? [[name, args[name]]] : [])));
  const params = Object.fromEntries(Object.keys(parameters).map((name) => [name, args[name]]));
  return runner.input.parse({
    query: sql,
    ...own,
    ...defined({ database }),
    ...(Object.keys(params).length > 0 && { params }),
    // the operator wrote the statement: no confirmation is needed
    ...(write && { all_rows: true }),
  }) as never; // the runner's own input, whose type is erased here
}
