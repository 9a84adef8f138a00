import { isObject, type Params } from '../../jsonrpc/message.ts';
import { given } from './finding.ts';
import type { Talk } from './talk.ts';
import type { Answer } from './wire.ts';

/** A call of a tool and what came of it. */
export interface Called {
  readonly tool: Params;
  readonly answer: Answer;
}

/** A tool that the user wants to be called. */
export interface WantedCall {
  readonly name: string;
  argsFor(inputSchema: Params): Params;
}

/** A resource that was read and what came of it. */
export interface Read {
  readonly uri: string;
  readonly answer: Answer;
}

/** Most tools that are called unasked; all of them say that they only read. */
const MOST_CALLS = 5;
const MOST_READS = 5;
const TRIAL_MS = 2000;

/**
 * Calls tools that say that they only read and need no arguments, and first the one that the user wants. Only that one
 * may take as long as any request: others are called off after `trial` milliseconds, and left out.
 */
export async function callSome(
  talk: Talk,
  tools: readonly Params[],
  call: WantedCall | undefined,
  trial = TRIAL_MS,
): Promise<Called[]> {
  const wanted = tools.find(({ name }) => name === call?.name);
  given(call === undefined || wanted !== undefined, `the server has no tool ${call?.name}`);
  const called: Called[] = [];
  if (call !== undefined && wanted !== undefined) {
    const schema = isObject(wanted.inputSchema) ? wanted.inputSchema : {};
    const params = { name: wanted.name, arguments: call.argsFor(schema) };
    called.push({ tool: wanted, answer: await talk.ask('tools/call', params) });
  }
  const harmless = tools.filter((tool) => tool !== wanted && isHarmless(tool));
  for (const tool of harmless.slice(0, MOST_CALLS)) {
    const answer = await talk.attempt('tools/call', { name: tool.name, arguments: {} }, trial);
    if (answer !== undefined) called.push({ tool, answer });
  }
  return called;
}

/** Reads the first resources. */
export async function readSome(talk: Talk, resources: readonly Params[]): Promise<Read[]> {
  const read: Read[] = [];
  for (const { uri } of resources.slice(0, MOST_READS)) {
    if (typeof uri !== 'string') continue;
    read.push({ uri, answer: await talk.ask('resources/read', { uri }) });
  }
  return read;
}

/** Whether a tool can be called only to see what it says: it says so itself, and wants no arguments. */
function isHarmless({ annotations, inputSchema }: Params): boolean {
  if (!isObject(annotations) || annotations.readOnlyHint !== true || !isObject(inputSchema)) return false;
  const { required } = inputSchema;
  return required === undefined || (Array.isArray(required) && required.length === 0);
}
