import type * as z from 'zod';
import { RpcError } from '../jsonrpc/errors.ts';
import { isObject } from '../jsonrpc/message.ts';
import type { Serving } from '../jsonrpc/peer.ts';
import { rpcError } from '../protocol/errors.ts';
import { type Revision, revisions } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import type { Facts, Sink } from './context.ts';
import { ToolError } from './failure.ts';

type FormAnswer = Record<string, string | number | boolean | string[]>;

/** One question to the user or the client; `T` is what its answer becomes. */
export interface Need<T> {
  request(): t.InputRequest | Promise<t.InputRequest>;
  /** what the client must have declared */
  readonly requires: t.ClientCapabilities;
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

/** A page that the user opens, for what must not pass through the client. */
export function url(message: string, target: string): Need<void> {
  return {
    request: () => ({ method: 'elicitation/create', params: { mode: 'url', message, url: target } }),
    requires: { elicitation: { url: {} } },
    read: (response) => {
      acceptedContent(message, response as t.ElicitResult); // as above
    },
  };
}

/** A message of the client's model. */
export function sample(params: t.CreateMessageRequestParams): Need<t.CreateMessageResult> {
  return {
    request: () => ({ method: 'sampling/createMessage', params }),
    requires: { sampling: params.tools === undefined ? {} : { tools: {} } },
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
      const request = await need.request();
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
        const { method, params } = projectInputRequest(facts.revision, await need.request());
        if (sink.request === undefined)
          throw rpcError('InternalError', 'this connection cannot ask the client');
        const asked = sink.request(method, { ...params }, { signal: serving.signal });
        // holds: results of the three methods are what InputResponse lists; `read` checks the shape
        const response = (await asked.catch(refused(method))) as unknown as t.InputResponse;
        return [key, need.read(response)];
      }),
    );
    return toAnswers(answers);
  };
}

/** An error of the client is about its question, not about the call that asked. */
function refused(method: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RpcError)) throw error;
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

/** Elicitation had no modes at 2025-06-18, and URLs had an id at 2025-11-25. */
function projectInputRequest(revision: Revision, request: t.InputRequest): t.InputRequest {
  if (request.method !== 'elicitation/create') return request;
  const { params } = request;
  if (params.mode === 'url')
    return { ...request, params: { ...params, elicitationId: globalThis.crypto.randomUUID() } };
  if (revision !== '2025-06-18') return request;
  const { mode: _mode, ...older } = params;
  return { ...request, params: older };
}

function assertAnswerable(facts: Facts, need: Need<unknown>): void {
  if (canAnswer(facts, need)) return;
  throw rpcError('MissingRequiredClientCapability', `this call needs the client capability ${nameOf(need)}`, {
    requiredCapabilities: need.requires,
  });
}

function assertAnswerableNow(facts: Facts, need: Need<unknown>): void {
  if (canAnswer(facts, need)) return;
  throw new ToolError(`this call needs the client capability ${nameOf(need)}`, {
    code: 'missing-capability',
    hint: 'use a client that declares it',
  });
}

function nameOf(need: Need<unknown>): string {
  return Object.keys(need.requires).join(', ');
}
