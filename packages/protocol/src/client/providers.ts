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
 * What a provider knows besides the question.
 * @example
 * const untilGone = ({ signal }: ProviderContext): Promise<void> =>
 *   new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
 */
export interface ProviderContext {
  /** aborts when the answer is no longer wanted */
  signal: AbortSignal;
  /** for a page of 2025-11-25: resolves when the server says that the page has done its work */
  completed?: Promise<void>;
}

type Provide<P, R> = (params: P, context: ProviderContext) => R | Promise<R>;

/**
 * Asks the user to fill in forms, to open pages, or both; what is given is what the server may use.
 * @example
 * const elicitation: ElicitationProvider = {
 *   form: ({ message }) => ({ action: 'accept', content: { confirm: message.endsWith('?') } }),
 * };
 * const asking = await connect(transport, { name: 'example', version: '1.0.0', elicitation });
 * await asking.close();
 */
export interface ElicitationProvider {
  form?: Provide<t.ElicitRequestFormParams, t.ElicitResult>;
  /** never fetch the page, and open it only when the user agrees */
  url?: Provide<t.ElicitRequestURLParams, t.ElicitResult>;
}

/**
 * Asks the client's model; `tools` and `context` say that it takes what these capabilities add.
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

/** Who answers what a server asks the client; each one given is declared as a capability. */
export interface Providers {
  roots?: (context: ProviderContext) => readonly t.Root[] | Promise<readonly t.Root[]>;
  sampling?: SamplingProvider;
  elicitation?: ElicitationProvider;
  /** says that questions of the server may be answered as tasks, where the revision has that */
  tasks?: TaskOptions;
}

/** The capabilities that a revision has for these providers. */
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
 * The answer to one question of a server, asked by a request or inside a result. Throws RpcError when the client
 * did not declare it or it is not valid, and another error when the provider fails.
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
  const result = await ask((parsed?.data ?? {}) as Params, context); // holds: params are an object or absent
  const shape = stateless ? schemas.answer(revision, method) : schemas.result(revision, method);
  const fits = shape?.safeParse(result);
  if (fits?.success === false) {
    throw new TypeError(`the provider's answer to ${method} is not valid: ${describeProblem(fits.error)}`);
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
      // holds: `answer` checks params against the schema before it calls
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
  // what a provider does not take it cannot share by mistake
  const shared = takesContext === true && includeContext !== undefined ? { includeContext } : {};
  const result = await create({ ...params, ...shared }, context);
  checkToolUse(params, result);
  return result;
}

/** A model that was told to use tools, or not to, has done so. */
function checkToolUse(
  { tools, toolChoice }: t.CreateMessageRequestParams,
  result: t.CreateMessageResult,
): void {
  const used = [result.content].flat().some(({ type }) => type === 'tool_use');
  if (toolChoice?.mode === 'none' && used)
    throw new TypeError('the model used a tool, which toolChoice forbids');
  if (toolChoice?.mode === 'required' && tools !== undefined && !used)
    throw new TypeError('the model used no tool, which toolChoice demands');
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
