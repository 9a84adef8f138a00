import type { JsonText } from '../jsonrpc/message.ts';
import { isObject } from '../jsonrpc/message.ts';
import { pageOf } from '../protocol/cursor.ts';
import { rpcError } from '../protocol/errors.ts';
import { projectContent, projectPrompt } from '../protocol/project.ts';
import type { Revision } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import { attempt, chain } from './chain.ts';
import type { PromptDefinition } from './define.ts';
import { encodeList, encodeResult } from './encode.ts';
import { lineOf, ToolError } from './failure.ts';
import { isPagesRequired } from './input-required.ts';
import type { Call, Registry } from './registry.ts';
import { Round } from './round.ts';

export function listPrompts<S>(server: Registry<S>, call: Call): JsonText {
  const listed = server.prompts.filter(({ name }) => server.options.isListed?.('prompts', name) !== false);
  const { items, nextCursor } = pageOf('prompts/list', listed, call.params.cursor, server.pageSize);
  const texts = items.map((prompt) =>
    JSON.stringify(projectPrompt(call.facts.revision, toDefinition(prompt))),
  );
  return encodeList(server, call, 'prompts', texts, nextCursor, server.listHints);
}

function toDefinition<S>({
  name,
  title,
  description,
  icons,
  _meta,
  arguments: args,
}: PromptDefinition<S>): t.Prompt {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(args !== undefined && { arguments: args.map(({ complete: _complete, ...argument }) => argument) }),
    ...(icons !== undefined && { icons }),
    ...(_meta !== undefined && { _meta }),
  };
}

export function getPrompt<S>(server: Registry<S>, call: Call): JsonText | Promise<JsonText> {
  const { name, arguments: args = {} } = call.params;
  if (typeof name !== 'string') throw rpcError('InvalidParams', 'name must be the name of a prompt');
  const prompt = server.prompts.find((candidate) => candidate.name === name);
  if (prompt === undefined)
    throw rpcError('InvalidParams', `unknown prompt ${JSON.stringify(name)}; prompts/list names them`);
  const values = checkArguments(prompt, args);
  const round = new Round(server, call);
  return round.start(prompt.ask !== undefined, () => runPrompt(server, call, prompt, values, round));
}

function runPrompt<S>(
  server: Registry<S>,
  call: Call,
  prompt: PromptDefinition<S>,
  args: Record<string, string>,
  round: Round<S>,
): JsonText | Promise<JsonText> {
  const context = server.contextOf(call);
  const recover = (error: unknown): JsonText | Promise<JsonText> => {
    if (isPagesRequired(error)) return round.visit(error).catch(recover);
    if (!(error instanceof ToolError)) throw error;
    throw rpcError('InvalidParams', lineOf(error));
  };
  return attempt(
    () =>
      chain(server.scopeOf(call, round), (scope) => {
        round.assertAnswered();
        context.scope = scope;
        return chain(prompt.ask?.(args, round.ask, context), (answers) => {
          round.assertAnswered();
          context.answers = answers as undefined; // the value that this prompt's own `ask` returned
          return chain(prompt.get(args, context), (messages) => encodePrompt(server, call, prompt, messages));
        });
      }),
    recover,
  );
}

function encodePrompt<S>(
  server: Registry<S>,
  call: Call,
  { description }: PromptDefinition<S>,
  messages: string | readonly t.PromptMessage[],
): JsonText {
  const list: readonly t.PromptMessage[] =
    typeof messages === 'string' ? [{ role: 'user', content: { type: 'text', text: messages } }] : messages;
  return encodeResult(server, call, {
    ...(description !== undefined && { description }),
    messages: list.map((message) => projectMessage(call.facts.revision, message)),
  });
}

function projectMessage(revision: Revision, message: t.PromptMessage): t.PromptMessage {
  const [content] = projectContent(revision, [message.content]);
  return { ...message, content: content! }; // one block in, one block out
}

function checkArguments<S>(prompt: PromptDefinition<S>, args: unknown): Record<string, string> {
  if (!isObject(args)) throw rpcError('InvalidParams', 'arguments must be an object of strings');
  for (const { name, required } of prompt.arguments ?? []) {
    if (required === true && !Object.hasOwn(args, name))
      throw rpcError('InvalidParams', `argument ${name} is required`);
  }
  for (const [name, value] of Object.entries(args)) {
    if (typeof value !== 'string') throw rpcError('InvalidParams', `argument ${name} must be a string`);
  }
  return args as Record<string, string>; // every value was checked above
}
