import { ConnectionError, RpcError } from '../jsonrpc/errors.ts';
import { isObject, type Params } from '../jsonrpc/message.ts';
import type { Serving } from '../jsonrpc/peer.ts';
import { rpcError } from '../protocol/errors.ts';
import { type Revision, revisions } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import type { Answers, Ask, Need } from './ask.ts';
import type { Facts, Sink } from './context.ts';
import { ToolError } from './failure.ts';
import { InputRequired, type PendingInput } from './input-required.ts';
import { olderForm } from './older-form.ts';

/** The longest time for a client's answer, in milliseconds. Users think, but every call must end. */
const ANSWER_TIMEOUT_MS = 10 * 60_000;

/** Returns true if a client declared the capabilities that a question requires. */
export function canAnswer({ revision, capabilities }: Facts, need: Need<unknown>): boolean {
  const { structured, icons } = revisions[revision];
  const { elicitation, sampling, roots: rootsNeeded } = need.requires;
  if (rootsNeeded !== undefined && !isObject(capabilities.roots)) return false;
  if (sampling !== undefined) {
    if (!isObject(capabilities.sampling)) return false;
    if (sampling.tools !== undefined && (!icons || capabilities.sampling.tools === undefined)) return false;
  }
  if (elicitation === undefined) return true;
  const declared = capabilities.elicitation;
  if (!structured || !isObject(declared)) return false;
  if (elicitation.url !== undefined) return icons && declared.url !== undefined;
  // an empty capability means form mode only
  return declared.form !== undefined || declared.url === undefined;
}

/** Returns the response to a question of a call, if it is already known. */
export type KnownAnswer = (key: string, request: t.InputRequest) => t.InputResponse | undefined;

/** Returns the `ask` of a stateless request: it uses known responses, and missing ones end the round. */
export function askByRounds(facts: Facts, known: KnownAnswer, asked: (pending: InputRequired) => void): Ask {
  return async (needs) => {
    const missing: PendingInput = {};
    const answers: [string, unknown][] = [];
    for (const [key, need] of Object.entries(needs)) {
      assertAnswerable(facts, need);
      const request = await need.request(facts);
      const response = known(key, request);
      if (response === undefined) missing[key] = request;
      else answers.push([key, need.read(response)]);
    }
    if (Object.keys(missing).length > 0) {
      const pending = new InputRequired(missing);
      asked(pending);
      throw pending;
    }
    return toAnswers(answers);
  };
}

/** Returns the `ask` of a handshake connection: it sends requests to the client. */
export function askByRequests(facts: Facts, sink: Sink, serving: Serving): Ask {
  return async (needs) => {
    for (const need of Object.values(needs)) assertAnswerableNow(facts, need);
    const answers = await Promise.all(
      Object.entries(needs).map(async ([key, need]): Promise<[string, unknown]> => {
        const request = await need.request(facts);
        return [key, need.read(await askClient(facts, sink, serving.signal, request, need.timeout))];
      }),
    );
    return toAnswers(answers);
  };
}

/** Sends a question to the client in the form of its revision; throws ToolError if the client refuses it. */
export async function askClient(
  { revision, capabilities }: Facts,
  sink: Sink,
  signal: AbortSignal,
  question: t.InputRequest,
  timeout = ANSWER_TIMEOUT_MS,
): Promise<t.InputResponse> {
  if (sink.request === undefined)
    throw rpcError('InternalError', 'this connection cannot send requests to the client');
  const { method, params, restore } = projectInputRequest(revision, question);
  try {
    const limits = { signal, timeout, maxTimeout: timeout };
    const result = await sink.request(method, { ...params }, limits);
    // the three methods have the results of InputResponse; the question's read checks the shape
    if (!isObject(params) || !('task' in params)) return restore(result) as unknown as t.InputResponse;
    const { resultOfTask } = await import('./tasks/requestor.ts');
    const request = sink.request.bind(sink);
    return (await resultOfTask({ request, signal, capabilities }, result)) as unknown as t.InputResponse; // as above
  } catch (error) {
    return refused(method)(error);
  }
}

/** Throws the client's error as a ToolError, because it concerns the question and not the call. */
function refused(method: string): (error: unknown) => never {
  return (error) => {
    const late = error instanceof ConnectionError && error.reason === 'timeout';
    if (!late && !(error instanceof RpcError)) throw error;
    throw new ToolError(`the client did not answer ${method}: ${error.message}`, {
      code: 'not-answered',
      hint: 'nothing was changed',
    });
  };
}

function toAnswers<N extends Record<string, Need<unknown>>>(entries: [string, unknown][]): Answers<N> {
  // the entries have the keys and types of the needs
  return Object.fromEntries(entries) as Answers<N>;
}

interface Projected {
  method: string;
  params: t.InputRequest['params'];
  /** converts the result to the form that the question expects */
  restore(result: Params): Params;
}

/**
 * Converts an input request for older revisions: before 2025-11-25 forms had no mode and fewer field types,
 * and sampling messages had one content block each.
 */
function projectInputRequest(revision: Revision, { method, params }: t.InputRequest): Projected {
  const asked: Projected = { method, params, restore: (result) => result };
  if (revisions[revision].icons) return asked;
  if (method === 'elicitation/create' && params.mode !== 'url') {
    const { mode: _mode, requestedSchema, ...older } = params;
    const form = olderForm(requestedSchema);
    return {
      method,
      params: { ...older, requestedSchema: form.requestedSchema },
      restore: ({ content, ...result }) => ({ ...result, content: form.restore(content) }),
    };
  }
  return method === 'sampling/createMessage' ? { ...asked, params: olderSampling(revision, params) } : asked;
}

/** Splits messages into one content block each, of the types that the revision has. */
function olderSampling(
  revision: Revision,
  params: t.CreateMessageRequestParams,
): t.CreateMessageRequestParams {
  const messages = params.messages.flatMap(({ role, content }) =>
    [content].flat().map((part): t.SamplingMessage => {
      if (part.type === 'audio' && !revisions[revision].annotations) {
        const hint = 'use a client of a newer revision';
        throw new ToolError('this client does not accept audio', { code: 'missing-capability', hint });
      }
      return { role, content: part };
    }),
  );
  return { ...params, messages };
}

/** Throws RpcError if a client did not declare the capabilities that a question requires. */
export function assertAnswerable(facts: Facts, need: Need<unknown>): void {
  if (canAnswer(facts, need)) return;
  throw rpcError('MissingRequiredClientCapability', `this call needs the client capability ${nameOf(need)}`, {
    requiredCapabilities: need.requires,
  });
}

/** Throws ToolError instead: a handshake client declared its capabilities long before the call. */
export function assertAnswerableNow(facts: Facts, need: Need<unknown>): void {
  if (canAnswer(facts, need)) return;
  throw new ToolError(`this call needs the client capability ${nameOf(need)}`, {
    code: 'missing-capability',
    hint: 'use a client that declares it',
  });
}

function nameOf(need: Need<unknown>): string {
  return Object.keys(need.requires).join(', ');
}
