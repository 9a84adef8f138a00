import type * as z from 'zod';
import { ConnectionError, RpcError } from '../jsonrpc/errors.ts';
import { isObject, type Params } from '../jsonrpc/message.ts';
import type { Serving } from '../jsonrpc/peer.ts';
import { rpcError } from '../protocol/errors.ts';
import { type Revision, revisions } from '../protocol/revisions.ts';
import { toolResultProblem } from '../protocol/tool-results.ts';
import type * as t from '../protocol/types.ts';
import type { Facts, Sink } from './context.ts';
import { ToolError } from './failure.ts';
import { assertPage, PageVisit } from './page-visit.ts';

/** How long a client may take for an answer: users think, but no call waits for ever. */
const ANSWER_TIMEOUT_MS = 10 * 60_000;

type FormAnswer = Record<string, string | number | boolean | string[]>;

/** One question to the user or the client; `T` is what its answer becomes. */
export interface Need<T> {
  request(facts: Facts): t.InputRequest | Promise<t.InputRequest>;
  /** what the client must have declared */
  readonly requires: t.ClientCapabilities;
  /** milliseconds after which a handshake client that has not answered is given up; default ten minutes */
  readonly timeout?: number;
  /** the answer, or a refusal as ToolError; throws RpcError when the answer does not fit the question */
  read(response: t.InputResponse): T;
}

type Answers<N extends Record<string, Need<unknown>>> = {
  [K in keyof N]: N[K] extends Need<infer T> ? T : never;
};

/** Asks everything in one round; keys name the questions and must not change between runs. */
export type Ask = <N extends Record<string, Need<unknown>>>(needs: N) => Promise<Answers<N>>;

/** The outcome of a question that may be declined. */
export type Outcome<T> = { action: 'accept'; value: T } | { action: 'decline' | 'cancel' };

/**
 * A form of flat fields that the user fills in. Never ask for secrets this way.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
export function form<T extends z.ZodObject>(message: string, fields: T): Need<z.output<T>> {
  return {
    request: async () => {
      const { formSchema } = await import('./schema.ts');
      return {
        method: 'elicitation/create',
        params: { mode: 'form', message, requestedSchema: formSchema(fields) },
      };
    },
    requires: { elicitation: { form: {} } },
    read: (response) => {
      const content = acceptedContent(message, response as t.ElicitResult); // holds: kinds are matched by key
      const parsed = fields.safeParse(content);
      if (parsed.success) return parsed.data;
      throw rpcError('InvalidParams', `the answer to ${JSON.stringify(message)} does not fit its form`);
    },
  };
}

/** A yes or no from the user. */
export function confirm(message: string, label = 'Go ahead'): Need<boolean> {
  return {
    request: () => ({
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message,
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: label, default: false } },
          required: ['confirm'],
        },
      },
    }),
    requires: { elicitation: { form: {} } },
    read: (response) => acceptedContent(message, response as t.ElicitResult).confirm === true, // as above
  };
}

export interface PageOptions {
  /**
   * names the visit, so that the page finds it again; nobody else can guess it, and it is the same each time the same
   * call asks. Default a random one
   */
  id?: string;
}

/**
 * A page that the user opens, for what must not pass through the client. Its address is https, or http on this
 * machine, and carries no secrets. The answer is that the user has agreed, not that the page has done its work.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-mode-elicitation-requests
 */
export function url(message: string, target: string, { id }: PageOptions = {}): Need<PageVisit> {
  assertPage(target);
  const visit = new PageVisit(id ?? globalThis.crypto.randomUUID());
  return {
    request: (facts) => {
      visit.asked(facts);
      const named = facts.revision === '2025-11-25' ? { elicitationId: visit.id } : {};
      return { method: 'elicitation/create', params: { mode: 'url', ...named, message, url: target } };
    },
    requires: { elicitation: { url: {} } },
    read: (response) => {
      acceptedContent(message, response as t.ElicitResult); // as above
      return visit;
    },
  };
}

/** A message of the client's model. */
export function sample(params: t.CreateMessageRequestParams): Need<t.CreateMessageResult> {
  const problem = toolResultProblem(params.messages);
  if (problem !== undefined) throw new TypeError(problem);
  return {
    request: ({ revision, capabilities }) => ({
      method: 'sampling/createMessage',
      params:
        revisions[revision].icons && capabilities.sampling?.context === undefined ? plain(params) : params,
    }),
    requires: { sampling: usesTools(params) ? { tools: {} } : {} },
    read: (response) => {
      const result = response as t.CreateMessageResult; // as above
      const said = typeof result.role === 'string' && typeof result.model === 'string';
      if (said && typeof result.content === 'object' && result.content !== null) return result;
      throw rpcError(
        'InvalidParams',
        'the answer to sampling/createMessage must have role, model and content',
      );
    },
  };
}

function usesTools({ tools, toolChoice, messages }: t.CreateMessageRequestParams): boolean {
  const parts = messages.flatMap(({ content }) => content);
  return (
    tools !== undefined ||
    toolChoice !== undefined ||
    parts.some(({ type }) => type === 'tool_use' || type === 'tool_result')
  );
}

/** Params without what a client has not declared that it takes. */
function plain({
  includeContext: _context,
  ...params
}: t.CreateMessageRequestParams): t.CreateMessageRequestParams {
  return params;
}

/** The folders that the client works in. */
export function roots(): Need<readonly t.Root[]> {
  return {
    request: () => ({ method: 'roots/list' }),
    requires: { roots: {} },
    read: (response) => {
      const { roots: list } = response as t.ListRootsResult; // as above
      const fits =
        Array.isArray(list) && list.every((root) => isObject(root) && typeof root.uri === 'string');
      if (!fits) throw rpcError('InvalidParams', 'the answer to roots/list must have roots, each with a uri');
      return list;
    },
  };
}

/** A question whose refusal is an answer too. */
export function optional<T>(need: Need<T>): Need<Outcome<T>> {
  return {
    ...need,
    read: (response) => {
      const { action } = response as Partial<t.ElicitResult>;
      if (action === 'decline' || action === 'cancel') return { action };
      return { action: 'accept', value: need.read(response) };
    },
  };
}

/**
 * A question that a client may answer as a task, in its own time, where it has declared that (2025-11-25).
 * @example await ask({ summary: asTask(sample({ messages, maxTokens: 500 }), { ttl: 600_000 }) })
 */
export function asTask<T>(need: Need<T>, task: t.TaskMetadata = {}): Need<T> {
  return {
    ...need,
    request: async (facts) => {
      const question = await need.request(facts);
      const { takesTasks } = await import('../protocol/tasks/wire.ts');
      if (!takesTasks(facts.revision, facts.capabilities, question.method)) return question;
      // holds: params of the methods that can be taken may have a task
      return { ...question, params: { ...question.params, task } } as t.InputRequest;
    },
  };
}

/**
 * A question that a handshake client has to answer in that many milliseconds; a stateless one takes its own time.
 * @example await ask({ folders: timed(roots(), 5_000) })
 */
export function timed<T>(need: Need<T>, timeout: number): Need<T> {
  return { ...need, timeout };
}

function acceptedContent(message: string, response: t.ElicitResult): FormAnswer {
  const { action, content } = response;
  if (action === 'accept') return (content ?? {}) as FormAnswer; // checked by the caller
  if (action !== 'decline' && action !== 'cancel') {
    throw rpcError('InvalidParams', 'action of an answer must be accept, decline or cancel');
  }
  throw new ToolError(
    `the user ${action === 'decline' ? 'declined' : 'dismissed'} the question ${JSON.stringify(message)}`,
    {
      code: action === 'decline' ? 'declined' : 'cancelled',
      hint: 'nothing was changed; ask the user before trying again',
    },
  );
}

/** Whether a client declared what a question needs. */
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
  // an empty capability means form mode alone
  return declared.form !== undefined || declared.url === undefined;
}

/** Questions of one call that still wait for an answer, by key. */
export type PendingInput = Record<string, t.InputRequest>;

/** Thrown through an author's `ask` when answers are still missing; it becomes an `input_required` result. */
export class InputRequired extends Error {
  readonly pending: PendingInput;

  constructor(pending: PendingInput) {
    super('input required');
    this.name = 'InputRequired';
    this.pending = pending;
  }
}

/** An answer at hand for a question of one call. */
export type KnownAnswer = (key: string, request: t.InputRequest) => t.InputResponse | undefined;

/** The `ask` of a stateless request: answers at hand are used, missing ones end the round. */
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

/** The `ask` of a handshake connection: real requests to the client. */
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

/** Asks the client by a request, as its revision has it; its refusal is a ToolError. */
export async function askClient(
  { revision, capabilities }: Facts,
  sink: Sink,
  signal: AbortSignal,
  question: t.InputRequest,
  timeout = ANSWER_TIMEOUT_MS,
): Promise<t.InputResponse> {
  if (sink.request === undefined) throw rpcError('InternalError', 'this connection cannot ask the client');
  const { method, params, restore } = await projectInputRequest(revision, question);
  try {
    const limits = { signal, timeout, maxTimeout: timeout };
    const result = await sink.request(method, { ...params }, limits);
    // holds: results of the three methods are what InputResponse lists; who reads it checks the shape
    if (!isObject(params) || !('task' in params)) return restore(result) as unknown as t.InputResponse;
    const { resultOfTask } = await import('./tasks/requestor.ts');
    const request = sink.request.bind(sink);
    return (await resultOfTask({ request, signal, capabilities }, result)) as unknown as t.InputResponse; // as above
  } catch (error) {
    return refused(method)(error);
  }
}

/** An error of the client is about its question, not about the call that asked. */
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
  // holds: the entries were made key by key from the needs
  return Object.fromEntries(entries) as Answers<N>;
}

interface Projected {
  method: string;
  params: t.InputRequest['params'];
  /** the answer as the question wanted it */
  restore(result: Params): Params;
}

/** Before 2025-11-25 forms had no modes and fewer fields, and messages for a model had one part each. */
async function projectInputRequest(
  revision: Revision,
  { method, params }: t.InputRequest,
): Promise<Projected> {
  const asked: Projected = { method, params, restore: (result) => result };
  if (revisions[revision].icons) return asked;
  if (method === 'elicitation/create' && params.mode !== 'url') {
    const { mode: _mode, requestedSchema, ...older } = params;
    const { olderForm } = await import('./older-form.ts');
    const form = olderForm(requestedSchema);
    return {
      method,
      params: { ...older, requestedSchema: form.requestedSchema },
      restore: ({ content, ...result }) => ({ ...result, content: form.restore(content) }),
    };
  }
  return method === 'sampling/createMessage' ? { ...asked, params: olderSampling(revision, params) } : asked;
}

/** Messages of one part each, of the kinds that the revision has. */
function olderSampling(
  revision: Revision,
  params: t.CreateMessageRequestParams,
): t.CreateMessageRequestParams {
  const messages = params.messages.flatMap(({ role, content }) =>
    [content].flat().map((part): t.SamplingMessage => {
      if (part.type === 'audio' && !revisions[revision].annotations) {
        const hint = 'use a client of a newer revision';
        throw new ToolError('this client takes no sound', { code: 'missing-capability', hint });
      }
      return { role, content: part };
    }),
  );
  return { ...params, messages };
}

/** Throws RpcError when a client did not declare what a question needs. */
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
