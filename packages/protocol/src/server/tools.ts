import { RpcError } from '../jsonrpc/errors.ts';
import type { JsonText } from '../jsonrpc/message.ts';
import { isObject } from '../jsonrpc/message.ts';
import { pageOf } from '../protocol/cursor.ts';
import { rpcError } from '../protocol/errors.ts';
import { checkMeta } from '../protocol/meta.ts';
import { methodIn } from '../protocol/methods.ts';
import { projectToolResult } from '../protocol/project.ts';
import { type Revision, revisions } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import { Utf8Text } from '../protocol/utf8.ts';
import { describeProblems } from './arguments.ts';
import { type ToolEntry, variantOf } from './catalog.ts';
import { chain } from './chain.ts';
import type { CallContext } from './context.ts';
import type { Rendered, Tool } from './define.ts';
import { encodeList, encodeResult, encodeStructured } from './encode.ts';
import { ToolError } from './failure.ts';
import { InputRequired, isPagesRequired } from './input-required.ts';
import { isPlain } from './plain.ts';
import type { Call, Registry } from './registry.ts';
import { Reply, toContent } from './reply.ts';
import { Round } from './round.ts';

export function listTools<S>(server: Registry<S>, call: Call): JsonText | Promise<JsonText> {
  const { revision } = call.facts;
  const variant = variantOf(revision);
  const { isListed, tasks } = server.options;
  return chain(server.toolEntries(), (all) => {
    const entries = all.filter(
      (entry) =>
        entry.listed !== false &&
        isListed?.('tools', entry.name) !== false &&
        (tasks === undefined || supportsTool(revision, entry)),
    );
    const { items, nextCursor } = pageOf('tools/list', entries, call.params.cursor, server.pageSize);
    return chain(server.toolTexts(variant), (texts) => {
      const listed = items.map(({ name }) => texts[name]!); // a catalog has the text of each listed entry
      return encodeList(server, call, 'tools', listed, nextCursor, server.listHints);
    });
  });
}

/** Returns true if a revision can call a tool: one that runs only as a task requires tasks. */
function supportsTool(revision: Revision, { taskSupport }: Pick<ToolEntry, 'taskSupport'>): boolean {
  return taskSupport !== 'required' || methodIn(revision, 'tasks/get') !== undefined;
}

export function callTool<S>(server: Registry<S>, call: Call): JsonText | Promise<JsonText> {
  const { name, arguments: args = {} } = call.params;
  if (typeof name !== 'string') throw rpcError('InvalidParams', 'name must be the name of a tool');
  if (!isObject(args)) throw rpcError('InvalidParams', 'arguments must be an object');
  return chain(server.findTool(name), (tool) => {
    if (tool === undefined)
      throw rpcError('InvalidParams', `unknown tool ${JSON.stringify(name)}; tools/list names them`);
    const { task } = call.params;
    if (server.options.tasks === undefined || (tool.taskSupport === undefined && task === undefined))
      return callNow(server, call, tool, args);
    if (!supportsTool(call.facts.revision, tool))
      throw rpcError('InvalidParams', `${name} runs only as a task, which ${call.facts.revision} lacks`);
    return import('./tasks/call.ts').then(({ callWithTasks }) =>
      callWithTasks(server, call, tool, {
        now: (now, round) => callNow(server, call, now, args, round),
        later: (later, round, finish) => runTool(server, later, tool, args, round, finish),
      }),
    );
  });
}

function callNow<S>(
  server: Registry<S>,
  call: Call,
  tool: Tool<S>,
  args: Record<string, unknown>,
  round = new Round(server, call),
): JsonText | Promise<JsonText> {
  const encode = (result: t.CallToolResult, structured?: string): JsonText => {
    const projected = projectToolResult(call.facts.revision, result);
    return structured === undefined || projected !== result
      ? encodeResult(server, call, projected)
      : encodeStructured(server, call, structured);
  };
  return round.start(tool.ask !== undefined, () => runTool(server, call, tool, args, round, encode));
}

/**
 * Receives the result of a run, also of a failed one. `structured` is the JSON text of its structured
 * content, if the text content is the same.
 */
type Finish<T> = (result: t.CallToolResult, structured?: string) => T;

/** A call whose arguments are valid. */
interface Run<S, T> {
  readonly server: Registry<S>;
  readonly tool: Tool<S>;
  readonly round: Round<S>;
  readonly context: CallContext<S>;
  readonly input: never;
  readonly finish: Finish<T>;
}

/** Checks the arguments, asks, and runs the tool. */
function runTool<S, T>(
  server: Registry<S>,
  call: Call,
  tool: Tool<S>,
  args: Record<string, unknown>,
  round: Round<S>,
  finish: Finish<T>,
): T | Promise<T> {
  const { facts } = call;
  let parsed = tool.input.safeParse(args);
  if (!parsed.success && tool.correct !== undefined) parsed = tool.input.safeParse(tool.correct(args));
  if (!parsed.success) {
    const problem = describeProblems(parsed.error, Object.keys(tool.input.shape));
    if (!revisions[facts.revision].argumentErrorsAsResults) throw rpcError('InvalidParams', problem);
    return finish(failureResult(new ToolError(problem, { code: 'invalid-arguments' })));
  }
  const context: CallContext<S> = server.contextOf(call);
  // `args` are valid for the schema of this tool
  const run: Run<S, T> = { server, tool, round, context, input: parsed.data as never, finish };
  try {
    const outcome = ask(run, server.scopeOf(call, round));
    return outcome instanceof Promise ? outcome.catch((error: unknown) => recover(run, error)) : outcome;
  } catch (error) {
    return recover(run, error);
  }
}

// the steps of a run are separate functions, so that a synchronous run creates no closures

function ask<S, T>(run: Run<S, T>, scope: S | Promise<S>): T | Promise<T> {
  if (scope instanceof Promise) return scope.then((made) => ask(run, made));
  const { tool, round, context, input } = run;
  round.assertAnswered();
  context.scope = scope;
  return work(run, tool.ask === undefined ? undefined : tool.ask(input, round.ask, context));
}

function work<S, T>(run: Run<S, T>, answers: unknown): T | Promise<T> {
  if (answers instanceof Promise) return answers.then((given) => work(run, given));
  const { tool, round, context, input } = run;
  round.assertAnswered();
  // `answers` is the value that the tool's own `ask` returned
  context.answers = answers as undefined;
  return end(run, tool.run(input, context as never));
}

function end<S, T>(run: Run<S, T>, output: unknown): T | Promise<T> {
  if (output instanceof Promise) return output.then((made) => end(run, made));
  const { server, tool, input, finish } = run;
  const textEqualsOutput =
    tool.output !== undefined && tool.render === undefined && !(output instanceof Reply);
  // JSON.stringify(undefined) is undefined
  const text = textEqualsOutput ? (JSON.stringify(output) as string | undefined) : undefined;
  if (text === undefined) return finish(toResult(server, tool, output, input));
  return finish({ content: toContent(text), structuredContent: checked(server, tool, output, text) }, text);
}

function recover<S, T>(run: Run<S, T>, error: unknown): T | Promise<T> {
  const { server, tool, round, context, finish } = run;
  if (error instanceof RpcError || error instanceof InputRequired) throw error;
  if (context.signal.aborted) throw error;
  if (isPagesRequired(error)) {
    // a task waits for the answers, and only a call that is not a task ends with its questions as text
    return round.visit(error).catch((later: unknown) => recover(run, later)) as Promise<T>;
  }
  if (error instanceof ToolError) {
    // the client gets the message, the log the cause
    if (error.code === 'failed' && error.cause !== undefined) server.report(error.cause);
    return finish(failureResult(error));
  }
  server.report(error);
  return finish(
    failureResult(new ToolError(`${tool.name} failed unexpectedly; the server's log has the details`)),
  );
}

function toResult<S>(server: Registry<S>, tool: Tool<S>, output: unknown, input: never): t.CallToolResult {
  if (output instanceof Reply) {
    const { structured, content, isError, _meta } = output.parts;
    if (server.validateOutput) checkMeta(`the result of ${tool.name}`, _meta);
    const rendered = content ?? render(tool, structured, input);
    return {
      content: toContent(rendered),
      ...(structured !== undefined && { structuredContent: checked(server, tool, structured) }),
      ...(isError !== undefined && { isError }),
      ...(_meta !== undefined && { _meta }),
    };
  }
  if (tool.output === undefined) return { content: toContent(asRendered(output)) };
  return {
    content: toContent(render(tool, output, input)),
    structuredContent: checked(server, tool, output),
  };
}

function render<S>(tool: Tool<S>, output: unknown, input: never): Rendered {
  // `output` is the value that this tool's own `run` returned
  return tool.render === undefined ? JSON.stringify(output ?? null) : tool.render(output as never, input);
}

function asRendered(output: unknown): Rendered {
  if (output === undefined || output === null) return [];
  if (typeof output === 'string' || output instanceof Utf8Text) return output;
  if (Array.isArray(output) && output.every((block) => isObject(block) && typeof block.type === 'string'))
    return output as readonly t.ContentBlock[]; // content blocks, as the author's types require
  return JSON.stringify(output);
}

function checked<S>(server: Registry<S>, tool: Tool<S>, output: unknown, text?: string): unknown {
  if (!server.validateOutput || tool.output === undefined) return output;
  const parsedOutput = isPlain(output) ? output : JSON.parse(text ?? JSON.stringify(output) ?? 'null');
  const parsed = tool.output.safeParse(parsedOutput);
  if (!parsed.success) {
    throw new TypeError(
      `output of ${tool.name} does not match its schema: ${describeProblems(parsed.error, [])}`,
    );
  }
  return output;
}

function failureResult(error: ToolError): t.CallToolResult {
  const { message, hint, code, retryable } = error;
  return {
    content: [{ type: 'text', text: hint === undefined ? message : `${message}\n${hint}` }],
    isError: true,
    _meta: { failure: { code, retryable } },
  };
}
