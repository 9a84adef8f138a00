import { isObject, type Params } from '../../jsonrpc/message.ts';
import { given } from './finding.ts';
import type { Talk } from './talk.ts';
import type { Answer } from './wire.ts';

/** A tool call and its response. */
export interface SampleCall {
  readonly tool: Params;
  readonly answer: Answer;
}

/** A tool that the user asked to call. */
export interface WantedCall {
  readonly name: string;
  argsFor(inputSchema: Params): Params;
}

/** A resource read and its response. */
export interface SampleRead {
  readonly uri: string;
  readonly answer: Answer;
}

/** The maximum number of tools that are called without a request of the user; all are declared read-only. */
const MOST_CALLS = 5;
const MOST_READS = 5;
const TRIAL_MS = 2000;

/**
 * Calls read-only tools without required arguments, and first the tool that the user asked for. Only that one
 * may use the whole timeout: others are cancelled after `trial` milliseconds and left out.
 */
export async function callSome(
  talk: Talk,
  tools: readonly Params[],
  call: WantedCall | undefined,
  trial = TRIAL_MS,
): Promise<SampleCall[]> {
  const wanted = tools.find(({ name }) => name === call?.name);
  given(call === undefined || wanted !== undefined, `the server has no tool ${call?.name}`);
  const called: SampleCall[] = [];
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
export async function readSome(talk: Talk, resources: readonly Params[]): Promise<SampleRead[]> {
  const read: SampleRead[] = [];
  for (const { uri } of resources.slice(0, MOST_READS)) {
    if (typeof uri !== 'string') continue;
    read.push({ uri, answer: await talk.ask('resources/read', { uri }) });
  }
  return read;
}

/** Returns true if a tool may be called without asking: it is declared read-only and requires no arguments. */
function isHarmless({ annotations, inputSchema }: Params): boolean {
  if (!isObject(annotations) || annotations.readOnlyHint !== true || !isObject(inputSchema)) return false;
  const { required } = inputSchema;
  return required === undefined || (Array.isArray(required) && required.length === 0);
}
