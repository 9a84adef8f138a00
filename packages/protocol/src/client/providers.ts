import type { Params } from '../jsonrpc/message.ts';
import { rpcError } from '../protocol/errors.ts';
import { asksForTasks, methodIn } from '../protocol/methods.ts';
import { type Revision, revisions } from '../protocol/revisions.ts';
import type { TaskOptions } from '../protocol/tasks/options.ts';
import { toolResultProblem } from '../protocol/tool-results.ts';
import type * as t from '../protocol/types.ts';
import { completeForm } from './form.ts';
import { describeProblem } from './problem.ts';
import { loadSchemas } from './results.ts';
import { checkedRoots } from './roots.ts';

/**
 * The context of a provider call.
 * @example
 * const untilGone = ({ signal }: ProviderContext): Promise<void> =>
 *   new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
 */
export interface ProviderContext {
  /** aborts when the response is no longer needed */
  signal: AbortSignal;
  /** for a page of 2025-11-25: resolves when the server reports that the user has finished there */
  completed?: Promise<void>;
}

type Provide<P, R> = (params: P, context: ProviderContext) => R | Promise<R>;

/**
 * Asks the user to fill in forms, to open pages, or both. Each member that is set is declared as a
 * capability.
 * @example
 * const elicitation: ElicitationProvider = {
 *   form: ({ message }) => ({ action: 'accept', content: { confirm: message.endsWith('?') } }),
 * };
 * const asking = await connect(transport, { name: 'example', version: '1.0.0', elicitation });
 * await asking.close();
 */
export interface ElicitationProvider {
  form?: Provide<t.ElicitRequestFormParams, t.ElicitResult>;
  /** never fetch the page, and open it only if the user agrees */
  url?: Provide<t.ElicitRequestURLParams, t.ElicitResult>;
}

/**
 * Calls the client's model; `tools` and `context` declare support for these members.
 * @example
 * const sampling: SamplingProvider = {
 *   createMessage: ({ messages }) => ({
 *     role: 'assistant',
 *     content: { type: 'text', text: `${messages.length} messages` },
 *     model: 'counter',
 *   }),
 * };
 */
export interface SamplingProvider {
  createMessage: Provide<t.CreateMessageRequestParams, t.CreateMessageResult>;
  tools?: boolean;
  context?: boolean;
}

/** The providers that serve requests of a server; each one that is set is declared as a capability. */
export interface Providers {
  roots?: (context: ProviderContext) => readonly t.Root[] | Promise<readonly t.Root[]>;
  sampling?: SamplingProvider;
  elicitation?: ElicitationProvider;
  /** lets the server's requests run as tasks, if the revision supports that */
  tasks?: TaskOptions;
}

/** Returns the capabilities of these providers in a revision. */
export function declaredBy(
  { roots, sampling, elicitation, tasks }: Providers,
  revision: Revision,
): t.ClientCapabilities {
  const { era, icons, structured } = revisions[revision];
  return {
    ...(roots !== undefined && { roots: era === 'handshake' ? { listChanged: true } : {} }),
    ...(sampling !== undefined && {
      sampling: {
        ...(icons && sampling.tools === true && { tools: {} }),
        ...(icons && sampling.context === true && { context: {} }),
      },
    }),
    ...(structured &&
      elicitation !== undefined &&
      (icons || elicitation.form !== undefined) && {
        elicitation: {
          ...(icons && elicitation.form !== undefined && { form: {} }),
          ...(icons && elicitation.url !== undefined && { url: {} }),
        },
      }),
    ...(tasks !== undefined &&
      asksForTasks(revision) && {
        tasks: {
          list: {},
          cancel: {},
          requests: {
            ...(sampling !== undefined && { sampling: { createMessage: {} } }),
            ...(elicitation !== undefined && { elicitation: { create: {} } }),
          },
        },
      }),
  };
}

/**
 * Returns the response to one request of a server, sent as a request or inside a result. Throws RpcError if
 * the client did not declare it or it is invalid, and another error if the provider fails.
 */
export async function answer(
  providers: Providers,
  revision: Revision,
  method: string,
  params: Params | undefined,
  context: ProviderContext,
): Promise<object> {
  const ask = offered(providers, revision, method);
  if (ask === undefined) throw rpcError('MethodNotFound', `this client has no ${method}`);
  const schemas = await loadSchemas();
  const stateless = revisions[revision].era === 'stateless';
  const checks = stateless ? schemas.questionParams(revision, method) : schemas.params(revision, method);
  const parsed = checks?.safeParse(params);
  if (parsed?.success === false)
    throw rpcError('InvalidParams', `${method}: ${describeProblem(parsed.error)}`);
  const result = await ask((parsed?.data ?? {}) as Params, context); // params are an object or absent
  const shape = stateless ? schemas.answer(revision, method) : schemas.result(revision, method);
  const fits = shape?.safeParse(result);
  if (fits?.success === false) {
    throw new TypeError(`the provider's response to ${method} is invalid: ${describeProblem(fits.error)}`);
  }
  return result;
}

type Answer = (params: Params, context: ProviderContext) => Promise<object>;

function offered(providers: Providers, revision: Revision, method: string): Answer | undefined {
  const { roots, sampling, elicitation } = providers;
  const inHandshake = methodIn(revision, method) !== undefined;
  if (!inHandshake && revisions[revision].era === 'handshake') return undefined;
  switch (method) {
    case 'roots/list':
      return roots && (async (_params, context) => ({ roots: checkedRoots(await roots(context)) }));
    case 'sampling/createMessage':
      // `answer` checks params against the schema before it calls
      return sampling && ((params, context) => createMessage(sampling, params as never, context));
    case 'elicitation/create':
      return elicitation && ((params, context) => elicit(elicitation, params as never, context)); // as above
    default:
      return undefined;
  }
}

async function createMessage(
  { createMessage: create, tools, context: takesContext }: SamplingProvider,
  { includeContext, ...params }: t.CreateMessageRequestParams,
  context: ProviderContext,
): Promise<t.CreateMessageResult> {
  if (tools !== true && (params.tools !== undefined || params.toolChoice !== undefined)) {
    throw rpcError('InvalidParams', 'this client did not declare sampling.tools');
  }
  const problem = toolResultProblem(params.messages);
  if (problem !== undefined) throw rpcError('InvalidParams', problem);
  // a provider without context support does not get includeContext, so that it cannot share anything by
  // mistake
  const shared = takesContext === true && includeContext !== undefined ? { includeContext } : {};
  const result = await create({ ...params, ...shared }, context);
  checkToolUse(params, result);
  return result;
}

/** Checks that the model used tools if `toolChoice` requires it, and none if it forbids it. */
function checkToolUse(
  { tools, toolChoice }: t.CreateMessageRequestParams,
  result: t.CreateMessageResult,
): void {
  const used = [result.content].flat().some(({ type }) => type === 'tool_use');
  if (toolChoice?.mode === 'none' && used)
    throw new TypeError('the model used a tool, which toolChoice forbids');
  if (toolChoice?.mode === 'required' && tools !== undefined && !used)
    throw new TypeError('the model used no tool, which toolChoice requires');
}

async function elicit(
  { form, url }: ElicitationProvider,
  params: t.ElicitRequestParams,
  context: ProviderContext,
): Promise<t.ElicitResult> {
  if (params.mode === 'url') {
    if (url === undefined) throw rpcError('InvalidParams', 'this client did not declare elicitation.url');
    const { action } = await url(params, context);
    return { action };
  }
  if (form === undefined) throw rpcError('InvalidParams', 'this client did not declare elicitation.form');
  return completeForm(params, await form(params, context));
}
