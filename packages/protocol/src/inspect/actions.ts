import { readFile } from 'node:fs/promises';
import type { Client } from '../client/client.ts';
import { mismatch } from '../client/json-schema.ts';
import type { ClientRequestOptions } from '../client/options.ts';
import { readPages } from '../client/pages.ts';
import type * as t from '../protocol/types.ts';
import { visible, visibleLines } from '../protocol/visible.ts';
import { argumentsIn, typedArguments } from './arguments.ts';
import { endLine, renderContent, renderContents } from './content.ts';
import type { Io } from './io.ts';
import type { InspectOptions } from './options.ts';
import { Problem } from './problem.ts';

/** The inputs of an action. */
export interface Setting {
  readonly client: Client;
  readonly io: Io;
  readonly options: InspectOptions;
  readonly request: ClientRequestOptions;
}

/** Calls a tool and prints the result; returns 1 if it fails or does not match its output schema. */
export async function callTool({ client, io, options, request }: Setting, name: string): Promise<number> {
  const tool = (await toolsOf(client)).find((one) => one.name === name);
  if (tool === undefined) throw new Problem(`the server has no tool ${name}`);
  const args = { ...(await wholeArguments(options, io)), ...typedArguments(options.args, tool.inputSchema) };
  const result = await client.callTool(name, args, request);
  const problem = await outputProblem(tool, result);
  if (options.printJson) printJson(io, result);
  else {
    io.out(renderContent(result.content));
    if (result.structuredContent !== undefined)
      io.out(`structured: ${visible(JSON.stringify(result.structuredContent))}\n`);
  }
  if (result.isError === true) io.err(`${visible(name)} says that it has failed\n`);
  if (problem !== undefined) io.err(`${visible(problem)}\n`);
  return result.isError === true || problem !== undefined ? 1 : 0;
}

/** Returns the arguments of --args. */
export async function wholeArguments(
  { json }: Pick<InspectOptions, 'json'>,
  io: Io,
): Promise<Record<string, unknown>> {
  return json === undefined ? {} : argumentsIn(await readJson(json, io));
}

async function readJson(source: string, io: Io): Promise<string> {
  if (source === '-') return io.readInput();
  if (!source.startsWith('@')) return source;
  try {
    return await readFile(source.slice(1), 'utf8');
  } catch (error) {
    throw new Problem(`--args: ${(error as Error).message}`); // reading throws errors
  }
}

/** Returns the listed tools; the client does not record them, so that an invalid result is printed and not thrown. */
async function toolsOf(client: Client): Promise<t.Tool[]> {
  const read = (cursor: string | undefined): Promise<t.ListToolsResult> =>
    client.request('tools/list', cursor === undefined ? {} : { cursor });
  return (await readPages('tools/list', read, () => {})).flatMap(({ tools }) => tools);
}

async function outputProblem(
  { name, outputSchema }: t.Tool,
  { isError, structuredContent }: t.CallToolResult,
): Promise<string | undefined> {
  if (outputSchema === undefined || isError === true) return undefined;
  if (structuredContent === undefined)
    return `${name} has an output schema but returned no structured content`;
  try {
    const problem = await mismatch(outputSchema, structuredContent);
    return problem && `the output of ${name} does not match its output schema: ${problem}`;
  } catch (error) {
    return `the output schema of ${name} is invalid: ${(error as Error).message}`; // checking throws errors
  }
}

export async function readResource({ client, io, options, request }: Setting, uri: string): Promise<number> {
  const result = await client.readResource(uri, request);
  if (options.printJson) printJson(io, result);
  else io.out(result.contents.map((part) => endLine(renderContents(part))).join(''));
  return 0;
}

export async function getPrompt({ client, io, options, request }: Setting, name: string): Promise<number> {
  const result = await client.getPrompt(name, await texts(options, io), request);
  if (options.printJson) printJson(io, result);
  else
    for (const { role, content } of result.messages) io.out(`${visible(role)}: ${renderContent([content])}`);
  return 0;
}

/** Completes the last --arg; the others are the context. */
export async function complete({ client, io, options, request }: Setting, of: string): Promise<number> {
  const last = options.args.at(-1);
  if (last === undefined) throw new Problem('--complete needs the argument to complete as --arg name=value');
  const before = Object.fromEntries(options.args.slice(0, -1));
  const isTemplate = of.includes('{') || of.includes('://');
  const ref = isTemplate
    ? ({ type: 'ref/resource', uri: of } as const)
    : ({ type: 'ref/prompt', name: of } as const);
  const context = options.args.length > 1 ? before : undefined;
  const [name, value] = last;
  const completion = await client.complete(ref, { name, value }, context, request);
  if (options.printJson) printJson(io, completion);
  else io.out(completion.values.map((one) => `${visible(one)}\n`).join(''));
  return 0;
}

async function texts(options: InspectOptions, io: Io): Promise<Record<string, string>> {
  const whole = await wholeArguments(options, io);
  const values = Object.entries(whole).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return { ...Object.fromEntries(values), ...Object.fromEntries(options.args) };
}

export function printJson(io: Io, value: unknown): void {
  io.out(`${visibleLines(JSON.stringify(value, undefined, 2))}\n`);
}
