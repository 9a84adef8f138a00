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
 * One question to the user or the client. `T` is the type of its answer.
 * @example
 * const needs: Record<string, Need<unknown>> = { sure: confirm('Go on?'), folders: roots() };
 */
export interface Need<T> {
  request(facts: Facts): t.InputRequest | Promise<t.InputRequest>;
  /** the client capabilities that it requires */
  readonly requires: t.ClientCapabilities;
  /** milliseconds after which the question to a handshake client times out; default ten minutes */
  readonly timeout?: number;
  /** returns the answer; throws ToolError if it was declined, RpcError if the response does not match the question */
  read(response: t.InputResponse): T;
}

export type Answers<N extends Record<string, Need<unknown>>> = {
  [K in keyof N]: N[K] extends Need<infer T> ? T : never;
};

/**
 * Asks all questions in one round. Keys identify the questions and must not change between runs.
 * @example
 * const agreed = async (ask: Ask): Promise<boolean> => (await ask({ sure: confirm('Erase everything?') })).sure;
 */
export type Ask = <N extends Record<string, Need<unknown>>>(needs: N) => Promise<Answers<N>>;

/**
 * The outcome of a question that the user may decline.
 * @example
 * const say = (outcome: Outcome<boolean>): string => (outcome.action === 'accept' ? `${outcome.value}` : 'no answer');
 * say({ action: 'decline' }); // => 'no answer'
 */
export type Outcome<T> = { action: 'accept'; value: T } | { action: 'decline' | 'cancel' };

/**
 * Returns a question for a form of flat fields. Never ask for secrets in a form.
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
      const content = acceptedContent(message, response as t.ElicitResult); // the method of the request fixes the type of the response
      const parsed = fields.safeParse(content);
      if (parsed.success) return parsed.data;
      throw rpcError('InvalidParams', `the answer to ${JSON.stringify(message)} does not match its form`);
    },
  };
}

/**
 * Returns a yes-or-no question to the user.
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
    read: (response) => acceptedContent(message, response as t.ElicitResult).confirm === true, // as in form()
  };
}

/**
 * Options of a page visit.
 * @example const options: PageOptions = { id: 'visit-7f3a' };
 */
export interface PageOptions {
  /**
   * identifies the visit to the page; it must be unguessable, and the same each time the same call asks.
   * Default: random
   */
  id?: string;
}

/**
 * Returns a question that asks the user to open a page, for data that must not pass through the client. The
 * address is https, or http on this machine, and contains no secrets. The answer means that the user agreed,
 * not that the user has finished on the page.
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
      acceptedContent(message, response as t.ElicitResult); // as in form()
      return visit;
    },
  };
}

/**
 * Returns a question for a message of the client's model.
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
      const result = response as t.CreateMessageResult; // as in form()
      const isComplete = typeof result.role === 'string' && typeof result.model === 'string';
      if (isComplete && typeof result.content === 'object' && result.content !== null) return result;
      throw rpcError(
        'InvalidParams',
        'the response to sampling/createMessage must have role, model and content',
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

/** Returns sampling params without the members that the client has not declared. */
function plain({
  includeContext: _context,
  ...params
}: t.CreateMessageRequestParams): t.CreateMessageRequestParams {
  return params;
}

/**
 * Returns a question for the client's roots.
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
      const { roots: list } = response as t.ListRootsResult; // as in form()
      const fits =
        Array.isArray(list) && list.every((root) => isObject(root) && typeof root.uri === 'string');
      if (!fits)
        throw rpcError('InvalidParams', 'the response to roots/list must have roots, each with a uri');
      return list;
    },
  };
}

/**
 * Returns a question that may be declined.
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
      const { action } = response as Partial<t.ElicitResult>; // other responses have no action
      if (action === 'decline' || action === 'cancel') return { action };
      return { action: 'accept', value: need.read(response) };
    },
  };
}

/**
 * Returns a question that a client may answer as a task, if it has declared that (2025-11-25).
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
      const { acceptsTasks } = await import('../protocol/tasks/wire.ts');
      if (!acceptsTasks(facts.revision, facts.capabilities, question.method)) return question;
      // the params of these methods may have a task
      return { ...question, params: { ...question.params, task } } as t.InputRequest;
    },
  };
}

/**
 * Returns a question with a timeout in milliseconds. It applies to handshake clients only.
 * @example
 * const folders = async (ask: Ask): Promise<readonly Root[]> => (await ask({ folders: timed(roots(), 5000) })).folders;
 */
export function timed<T>(need: Need<T>, timeout: number): Need<T> {
  return { ...need, timeout };
}

function acceptedContent(message: string, response: t.ElicitResult): FormAnswer {
  const { action, content } = response;
  if (action === 'accept') return (content ?? {}) as FormAnswer; // each question checks its own content
  if (action !== 'decline' && action !== 'cancel') {
    throw rpcError('InvalidParams', 'action of a response must be accept, decline or cancel');
  }
  throw new ToolError(
    `the user ${action === 'decline' ? 'declined' : 'dismissed'} the question ${JSON.stringify(message)}`,
    {
      code: action === 'decline' ? 'declined' : 'cancelled',
      hint: 'nothing was changed; ask the user before trying again',
    },
  );
}
