import { newestHandshakeRevision, newestStatelessRevision } from '../protocol/revisions.ts';
import { visible } from '../protocol/visible.ts';
import { printJson, wholeArguments } from './actions.ts';
import { typedArguments } from './arguments.ts';
import { examineAll } from './check/examine.ts';
import { HttpWire } from './check/http-wire.ts';
import { renderExaminations, summarise } from './check/report.ts';
import type { WantedCall } from './check/samples.ts';
import type { SceneOptions } from './check/scene.ts';
import { StdioWire } from './check/stdio-wire.ts';
import type { Io } from './io.ts';
import type { Action, InspectOptions } from './options.ts';
import { Problem } from './problem.ts';

/** The newest revision of each era. */
const defaultRevisions = [newestStatelessRevision, newestHandshakeRevision] as const;

/** Prints the results of a check; returns 1 if the server violates a requirement. */
export async function check(
  options: InspectOptions,
  io: Io,
  { tool, strict, quiet }: Extract<Action, { do: 'check' }>,
): Promise<number> {
  const { target, timeout, printJson: json } = options;
  const revisions = options.revisions.length > 0 ? options.revisions : defaultRevisions;
  if (target.kind === 'http' && revisions.includes('2024-11-05'))
    throw new Problem('--check uses Streamable HTTP, which 2024-11-05 does not have');
  const examinations = await examineAll(
    revisions,
    { open: opener(options), patience: timeout, call: await callOf(options, io, tool) },
    target.kind,
  );
  if (examinations.length === 0) throw new Error(`the server supports none of ${revisions.join(', ')}`);
  if (json) printJson(io, examinations);
  else io.out(`${renderExaminations(examinations, quiet, visible)}${summarise(examinations)}`);
  const bad = examinations
    .flatMap(({ findings }) => findings)
    .some(({ state }) => state === 'fail' || (strict && state === 'warn'));
  return bad ? 1 : 0;
}

function opener({ target, timeout }: InspectOptions): SceneOptions['open'] {
  if (target.kind === 'stdio') {
    const { command, args, env } = target;
    const options = { command, args, env, stderr: 'ignore' } as const;
    return (_revision, endGrace) =>
      StdioWire.open(endGrace === undefined ? options : { ...options, endGrace });
  }
  const { url, headers } = target;
  return async (revision) => new HttpWire(url, headers, revision, timeout);
}

/** Returns the call that the user asked for; its arguments are converted when the tool's schema is known. */
async function callOf(
  options: InspectOptions,
  io: Io,
  tool: string | undefined,
): Promise<WantedCall | undefined> {
  if (tool === undefined) return undefined;
  const whole = await wholeArguments(options, io);
  return { name: tool, argsFor: (schema) => ({ ...whole, ...typedArguments(options.args, schema) }) };
}
