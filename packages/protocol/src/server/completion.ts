import type { JsonText } from '../jsonrpc/message.ts';
import { isObject } from '../jsonrpc/message.ts';
import { rpcError } from '../protocol/errors.ts';
import { chain } from './chain.ts';
import type { Complete, Completion } from './define.ts';
import { encodeResult } from './encode.ts';
import type { Call, Registry } from './registry.ts';
import { variablesOf } from './uri-template.ts';

/** The maximum number of values in one result (schema of CompleteResult). */
const MAX_VALUES = 100;

export function complete<S>(server: Registry<S>, call: Call): JsonText | Promise<JsonText> {
  const { ref, argument, context: given } = call.params;
  if (!isObject(ref)) throw rpcError('InvalidParams', 'ref must name a prompt or a resource template');
  if (!isObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
    throw rpcError('InvalidParams', 'argument must have the strings name and value');
  }
  const { name, value } = argument;
  const completer = findCompleter(server, ref, name);
  if (completer === undefined) return encodeCompletion(server, call, []);
  const context = server.contextOf(call);
  return chain(server.scopeOf(call, undefined), (scope) => {
    context.scope = scope;
    return chain(completer(value, context, resolvedArguments(given)), (completion) =>
      encodeCompletion(server, call, completion),
    );
  });
}

function findCompleter<S>(
  server: Registry<S>,
  ref: Record<string, unknown>,
  argument: string,
): Complete<S> | undefined {
  if (ref.type === 'ref/prompt') {
    const prompt = server.prompts.find((candidate) => candidate.name === ref.name);
    if (prompt === undefined) throw rpcError('InvalidParams', `unknown prompt ${JSON.stringify(ref.name)}`);
    const definition = prompt.arguments?.find((candidate) => candidate.name === argument);
    if (definition === undefined)
      throw rpcError('InvalidParams', `prompt ${prompt.name} has no argument ${JSON.stringify(argument)}`);
    return definition.complete;
  }
  if (ref.type !== 'ref/resource')
    throw rpcError('InvalidParams', 'ref.type must be ref/prompt or ref/resource');
  const found = server.templates.find(({ uriTemplate }) => uriTemplate === ref.uri);
  if (found === undefined)
    throw rpcError('InvalidParams', `unknown resource template ${JSON.stringify(ref.uri)}`);
  const { uriTemplate, complete: completers } = found;
  if (!variablesOf(uriTemplate).includes(argument))
    throw rpcError('InvalidParams', `template ${uriTemplate} has no variable ${JSON.stringify(argument)}`);
  return completers !== undefined && Object.hasOwn(completers, argument) ? completers[argument] : undefined;
}

function resolvedArguments(given: unknown): Record<string, string> {
  const args = isObject(given) ? given.arguments : undefined;
  if (!isObject(args)) return {};
  return Object.fromEntries(
    Object.entries(args).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function isList(completion: Completion): completion is readonly string[] {
  return Array.isArray(completion);
}

function encodeCompletion<S>(server: Registry<S>, call: Call, completion: Completion): JsonText {
  const { values, total, hasMore }: Exclude<Completion, readonly string[]> = isList(completion)
    ? { values: completion }
    : completion;
  const first = values.slice(0, MAX_VALUES);
  return encodeResult(server, call, {
    completion: {
      values: first,
      ...(total !== undefined && { total }),
      hasMore: hasMore ?? (values.length > first.length || (total !== undefined && total > first.length)),
    },
  });
}
