import type { RpcError } from '../jsonrpc/errors.ts';
import type { JsonText } from '../jsonrpc/message.ts';
import { pageOf } from '../protocol/cursor.ts';
import { rpcError } from '../protocol/errors.ts';
import { projectResource, projectTemplate } from '../protocol/project.ts';
import { type Revision, revisions } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import { attempt, chain } from './chain.ts';
import type { CallContext, Facts } from './context.ts';
import type { ReadOutcome, ResourceDefinition, TemplateDefinition } from './define.ts';
import { encodeList, encodeResult, notCached } from './encode.ts';
import { lineOf, ToolError } from './failure.ts';
import { isPagesRequired } from './input-required.ts';
import type { CacheHints, Call, Registry } from './registry.ts';
import { Round } from './round.ts';

export function listResources<S>(server: Registry<S>, call: Call): JsonText | Promise<JsonText> {
  return chain(availableResources(server, call), (resources) => {
    const { items, nextCursor } = pageOf('resources/list', resources, call.params.cursor, server.pageSize);
    const texts = items.map((item) => JSON.stringify(projectResource(call.facts.revision, item)));
    return encodeList(server, call, 'resources', texts, nextCursor, notCached);
  });
}

function availableResources<S>(
  server: Registry<S>,
  call: Call,
): readonly t.Resource[] | Promise<readonly t.Resource[]> {
  const fixed = server.resources.map(({ kind: _kind, read: _read, ...resource }): t.Resource => resource);
  const { listResources: list } = server.options;
  if (list === undefined) return fixed;
  const context = server.contextOf(call);
  return chain(server.scopeOf(call, undefined), (scope) => {
    context.scope = scope;
    return chain(list(context), (more) => [...fixed, ...more]);
  });
}

export function listTemplates<S>(server: Registry<S>, call: Call): JsonText {
  const { items, nextCursor } = pageOf(
    'resources/templates/list',
    server.templates,
    call.params.cursor,
    server.pageSize,
  );
  const texts = items.map(({ kind: _kind, read: _read, complete: _complete, ...template }) =>
    JSON.stringify(projectTemplate(call.facts.revision, template)),
  );
  return encodeList(server, call, 'resourceTemplates', texts, nextCursor, server.listHints);
}

export function readResource<S>(server: Registry<S>, call: Call): JsonText | Promise<JsonText> {
  const { uri } = call.params;
  if (typeof uri !== 'string') throw rpcError('InvalidParams', 'uri must be the URI of a resource');
  return chain(findResource(server, uri), (target) => {
    if (target === undefined) throw resourceNotFound(call.facts.revision, uri);
    return readFound(server, call, target, uri);
  });
}

function readFound<S>(
  server: Registry<S>,
  call: Call,
  target: Target<S>,
  uri: string,
): JsonText | Promise<JsonText> {
  const round = new Round(server, call);
  return round.start(false, () => runRead(server, call, target, uri, round));
}

interface Target<S> {
  definition: ResourceDefinition<S> | TemplateDefinition<S>;
  variables: Record<string, string>;
}

function findResource<S>(
  server: Registry<S>,
  uri: string,
): Target<S> | undefined | Promise<Target<S> | undefined> {
  const fixed = server.resources.find((resource) => resource.uri === uri);
  if (fixed !== undefined) return { definition: fixed, variables: {} };
  return server.templates.length === 0 ? undefined : findTemplate(server, uri);
}

async function findTemplate<S>(server: Registry<S>, uri: string): Promise<Target<S> | undefined> {
  const { matchUri } = await import('./uri-template.ts');
  for (const definition of server.templates) {
    const variables = matchUri(uri, definition.uriTemplate);
    if (variables !== undefined) return { definition, variables };
  }
  return undefined;
}

function runRead<S>(
  server: Registry<S>,
  call: Call,
  { definition, variables }: Target<S>,
  uri: string,
  round: Round<S>,
): JsonText | Promise<JsonText> {
  const context: CallContext<S> = server.contextOf(call);
  const recover = (error: unknown): JsonText | Promise<JsonText> => {
    if (isPagesRequired(error)) return round.visit(error).catch(recover);
    if (!(error instanceof ToolError)) throw error;
    throw readFailure(call.facts, uri, error);
  };
  return attempt(
    () =>
      chain(server.scopeOf(call, round), (scope) => {
        round.assertAnswered();
        context.scope = scope;
        return chain(definition.read(uri, context, variables), (outcome) => {
          const whole = toResult(uri, definition.mimeType, outcome);
          const { contents } = whole;
          return encodeResult(server, call, { contents }, { ...notCached, ...whole });
        });
      }),
    recover,
  );
}

/** Converts a ToolError to the protocol error of a resource request. */
export function readFailure({ revision }: Facts, uri: string, error: ToolError): RpcError {
  if (error.code === 'not-found') return resourceNotFound(revision, uri);
  return rpcError(error.retryable ? 'InternalError' : 'InvalidParams', lineOf(error), { uri });
}

/** Returns the error for a missing resource, which had its own code before 2026-07-28. */
export function resourceNotFound(revision: Revision, uri: string): RpcError {
  const name = revisions[revision].era === 'handshake' ? 'ResourceNotFound' : 'InvalidParams';
  return rpcError(name, 'resource not found', { uri });
}

function toResult(
  uri: string,
  mimeType: string | undefined,
  outcome: ReadOutcome,
): Pick<t.ReadResourceResult, 'contents'> & Partial<CacheHints> {
  const typed = mimeType === undefined ? {} : { mimeType };
  if (typeof outcome === 'string') return { contents: [{ uri, ...typed, text: outcome }] };
  if (outcome instanceof Uint8Array)
    return { contents: [{ uri, ...typed, blob: Buffer.from(outcome).toString('base64') }] };
  return 'contents' in outcome ? outcome : { contents: [...outcome] };
}
