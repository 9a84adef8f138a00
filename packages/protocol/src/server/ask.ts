import type * as z from 'zod';
import { isObject } from '../jsonrpc/message.ts';
import { rpcError } from '../protocol/errors.ts';
import { revisions } from '../protocol/revisions.ts';
import { toolResultProblem } from '../protocol/tool-results.ts';
import type * as t from '../protocol/types.ts';
import type { Facts } from './context.ts';
import { ToolError } from './failure.ts';
import { assertPage, PageVisit } from './page-visit.ts';

type FormAnswer = Record<string, string | number | boolean | string[]>;

/**
 * One question to the user or the client; `T` is what its answer becomes.
 * @example
 * const needs: Record<string, Need<unknown>> = { sure: confirm('Go on?'), folders: roots() };
 */
export interface Need<T> {
  request(facts: Facts): t.InputRequest | Promise<t.InputRequest>;
  /** what the client must have declared */
  readonly requires: t.ClientCapabilities;
  /** milliseconds after which a handshake client that has not answered is given up; default ten minutes */
  readonly timeout?: number;
  /** the answer, or a refusal as ToolError; throws RpcError when the answer does not fit the question */
  read(response: t.InputResponse): T;
}

export type Answers<N extends Record<string, Need<unknown>>> = {
  [K in keyof N]: N[K] extends Need<infer T> ? T : never;
};

/**
 * Asks everything in one round; keys name the questions and must not change between runs.
 * @example
 * const agreed = async (ask: Ask): Promise<boolean> => (await ask({ sure: confirm('Erase everything?') })).sure;
 */
export type Ask = <N extends Record<string, Need<unknown>>>(needs: N) => Promise<Answers<N>>;

/**
 * The outcome of a question that may be declined.
 * @example
 * const say = (outcome: Outcome<boolean>): string => (outcome.action === 'accept' ? `${outcome.value}` : 'no answer');
 * say({ action: 'decline' }); // => 'no answer'
 */
export type Outcome<T> = { action: 'accept'; value: T } | { action: 'decline' | 'cancel' };

/**
 * A form of flat fields that the user fills in. Never ask for secrets this way.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 * @example
 * const Order = z.object({ size: z.enum(['s', 'm', 'l']).default('m'), gift: z.boolean().default(false) });
 * const order = tool({
 *   name: 'order',
 *   description: 'Orders a shirt.',
 *   input: z.object({}),
 *   ask: async (_args, ask) => (await ask({ order: form('Which shirt?', Order) })).order,
 *   run: (_args, { answers: { size } }) => `ordered in ${size}`,
 * });
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

/**
 * A yes or no from the user.
 * @example
 * const erase = tool({
 *   name: 'erase',
 *   description: 'Erases a memo after the user has agreed.',
 *   input: z.object({ name: z.string() }),
 *   ask: async ({ name }, ask) => (await ask({ sure: confirm(`Erase ${name}?`) })).sure,
 *   run: ({ name }, { answers: sure }) => (sure ? `${name} is erased` : 'nothing was erased'),
 * });
 */
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

/**
 * How a page is visited.
 * @example const options: PageOptions = { id: 'visit-7f3a' };
 */
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
 * @example
 * const signIn = tool({
 *   name: 'sign_in',
 *   description: 'Has the user sign in on a page.',
 *   input: z.object({}),
 *   ask: async (_args, ask) => (await ask({ page: url('Sign in.', 'https://example.com/sign-in') })).page,
 *   run: (_args, { answers: visit }) => `the visit ${visit.id} has begun`,
 * });
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

/**
 * A message of the client's model.
 * @example
 * const shorten = tool({
 *   name: 'shorten',
 *   description: 'Has the model of the client shorten a text.',
 *   input: z.object({ text: z.string() }),
 *   ask: async ({ text }, ask) => {
 *     const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: `Shorten: ${text}` } }];
 *     return (await ask({ short: sample({ messages, maxTokens: 200 }) })).short;
 *   },
 *   run: (_args, { answers: { content } }) => JSON.stringify(content),
 * });
 */
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

/**
 * The folders that the client works in.
 * @example
 * const count = tool({
 *   name: 'count',
 *   description: 'Counts the folders of the client.',
 *   input: z.object({}),
 *   ask: async (_args, ask) => (await ask({ folders: roots() })).folders.length,
 *   run: (_args, { answers: folders }) => `${folders} folders`,
 * });
 */
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

/**
 * A question whose refusal is an answer too.
 * @example
 * const rate = tool({
 *   name: 'rate',
 *   description: 'Asks how it was; no answer is fine too.',
 *   input: z.object({}),
 *   ask: async (_args, ask) => (await ask({ stars: optional(form('How was it?', z.object({ stars: z.int() }))) })).stars,
 *   run: (_args, { answers }) => (answers.action === 'accept' ? `${answers.value.stars} stars` : 'not rated'),
 * });
 */
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
 * @example
 * const shorten = async (ask: Ask, text: string): Promise<CreateMessageResult> => {
 *   const messages = [{ role: 'user' as const, content: { type: 'text' as const, text } }];
 *   return (await ask({ short: asTask(sample({ messages, maxTokens: 500 }), { ttl: 600_000 }) })).short;
 * };
 */
export function asTask<T>(need: Need<T>, task: t.TaskMetadata = {}): Need<T> {
  return {
    ...need,
    request: async (facts) => {
      const question = await need.request(facts);
      const { acceptsTasks: takesTasks } = await import('../protocol/tasks/wire.ts');
      if (!takesTasks(facts.revision, facts.capabilities, question.method)) return question;
      // holds: params of the methods that can be taken may have a task
      return { ...question, params: { ...question.params, task } } as t.InputRequest;
    },
  };
}

/**
 * A question that a handshake client has to answer in that many milliseconds; a stateless one takes its own time.
 * @example
 * const folders = async (ask: Ask): Promise<readonly Root[]> => (await ask({ folders: timed(roots(), 5000) })).folders;
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
