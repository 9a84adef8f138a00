import type * as z from 'zod';
import { checkIcons } from '../protocol/icons.ts';
import { checkMeta } from '../protocol/meta.ts';
import type * as t from '../protocol/types.ts';
import type { Utf8Text } from '../protocol/utf8.ts';
import type { Ask } from './ask.ts';
import type { CallContext } from './context.ts';
import type { Reply } from './reply.ts';

/**
 * Content of a tool result as an author writes it: a string is one text block.
 * @example const rendered: Rendered = [{ type: 'text', text: 'the sum is 3' }];
 */
export type Rendered = string | Utf8Text | readonly t.ContentBlock[];

// comparing a schema with `z.ZodType` member by member costs the compiler 25 times as much as all the rest
type AnySchema = z.core.$ZodType;
type Unknown = z.core.$ZodUnknown;

/**
 * The definition of a tool. `S` is the type that the server's `scope` returns for each call.
 * @example
 * const input = z.object({ name: z.string() });
 * const greet: ToolDefinition<typeof input, z.ZodString, undefined, unknown> = {
 *   name: 'greet',
 *   description: 'Greets.',
 *   input,
 *   run: ({ name }) => `hello ${name}`,
 * };
 * tool(greet);
 */
export interface ToolDefinition<I extends z.ZodObject, O extends AnySchema, A, S> {
  name: string;
  title?: string;
  description: string;
  input: I;
  /** the schema of the value that `run` returns; it becomes `outputSchema` and `structuredContent` */
  output?: O;
  annotations?: t.ToolAnnotations;
  icons?: t.Icon[];
  _meta?: t.MetaObject;
  /** false for a tool that can be called but is not in `tools/list`, such as one under a former name */
  listed?: boolean;
  /**
   * whether a call may or must run as a task, on a server with the option `tasks`; default neither. In a
   * revision without tasks, an optional one runs as usual and a required one does not exist
   */
  taskSupport?: 'optional' | 'required';
  /** asks before the task begins, if the call can be repeated with the answers; by default the task asks */
  askFirst?: boolean;
  /** the text that a client of 2025-11-25 may give its model while the task runs */
  taskNotice?: string;
  /** returns the arguments that a call with invalid ones means, such as those under other names; these are parsed once */
  correct?(args: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** asks the user or the client; may run several times, so it must have no side effects */
  ask?(args: z.output<I>, ask: Ask, context: CallContext<S, undefined>): A | Promise<A>;
  /** does the work, once */
  run(
    args: z.output<I>,
    context: CallContext<S, A>,
  ): ToolOutcome<z.input<O>> | Promise<ToolOutcome<z.input<O>>>;
  /** the text content of a result, complete in itself; default is the JSON text of the output */
  render?(output: z.input<O>, args: z.output<I>): Rendered;
}

export type ToolOutcome<Output> = Output | Reply;

/**
 * A tool without its types, as a registry stores it.
 * @example
 * const now: AnyTool = tool({
 *   name: 'now',
 *   description: 'The time.',
 *   input: z.object({}),
 *   run: () => new Date().toISOString(),
 * });
 */
export interface Tool<S = unknown> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output?: z.ZodType;
  readonly annotations?: t.ToolAnnotations;
  readonly icons?: t.Icon[];
  readonly _meta?: t.MetaObject;
  readonly listed?: boolean;
  readonly taskSupport?: 'optional' | 'required';
  readonly askFirst?: boolean;
  readonly taskNotice?: string;
  correct?(args: Readonly<Record<string, unknown>>): Record<string, unknown>;
  // methods, not function properties, so that a tool of a narrower context is assignable
  ask?(args: never, ask: Ask, context: CallContext<S, undefined>): unknown;
  run(args: never, context: CallContext<S, never>): unknown;
  render?(output: never, args: never): Rendered;
}

const namePattern = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Returns a tool for `createServer`.
 * @example
 * const add = tool({
 *   name: 'add',
 *   description: 'Adds two numbers.',
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   output: z.object({ sum: z.number() }),
 *   run: ({ a, b }) => ({ sum: a + b }),
 * });
 * createServer({ name: 'sums', version: '1.0.0', tools: [add] });
 */
export function tool<I extends z.ZodObject, O extends AnySchema = Unknown, A = undefined, S = unknown>(
  definition: ToolDefinition<I, O, A, S>,
): Tool<S> {
  if (!namePattern.test(definition.name)) {
    throw new TypeError(`tool name ${JSON.stringify(definition.name)} must be 1 to 128 of A-Z a-z 0-9 _ . -`);
  }
  checkIcons(`tool ${definition.name}`, definition.icons);
  checkMeta(`tool ${definition.name}`, definition._meta);
  return definition as unknown as Tool<S>; // only parameter types are erased, and calls parse their arguments first
}

/**
 * Returns `tool` for the scope type of one server.
 * @example
 * interface Scope {
 *   user: string;
 * }
 * const whoAmI = toolFor<Scope>()({
 *   name: 'who_am_i',
 *   description: 'The name of the user.',
 *   input: z.object({}),
 *   run: (_args, { scope }) => scope.user,
 * });
 * createServer<Scope>({ name: 'names', version: '1.0.0', tools: [whoAmI], scope: () => ({ user: 'ada' }) });
 */
export function toolFor<S>(): <I extends z.ZodObject, O extends AnySchema = Unknown, A = undefined>(
  definition: ToolDefinition<I, O, A, S>,
) => Tool<S> {
  return (definition) => tool(definition);
}

/**
 * The result of reading a resource: contents, or text or bytes for the requested URI, or the whole result
 * with its cache hints.
 * @example
 * const contents = [{ uri: 'memo://a', text: 'one of several' }];
 * const kept: ReadOutcome = { contents, ttlMs: 60_000, cacheScope: 'private' };
 * const outcomes: ReadOutcome[] = ['text', new Uint8Array([1, 2]), contents, kept];
 */
export type ReadOutcome = string | Uint8Array | readonly t.ResourceContents[] | t.ReadResourceResult;

interface Readable<S> {
  read(
    uri: string,
    context: CallContext<S, undefined>,
    variables: Readonly<Record<string, string>>,
  ): ReadOutcome | Promise<ReadOutcome>;
}

/**
 * Returns suggested values for an argument or a template variable, best first.
 * @example
 * const days: Complete<unknown> = (value) => ['monday', 'tuesday'].filter((day) => day.startsWith(value));
 */
export type Complete<S> = (
  value: string,
  context: CallContext<S, undefined>,
  resolved: Readonly<Record<string, string>>,
) => Completion | Promise<Completion>;

/**
 * Suggested values, best first; only the first hundred are sent.
 * @example const completion: Completion = { values: ['monday'], total: 7 };
 */
export type Completion = readonly string[] | { values: readonly string[]; total?: number; hasMore?: boolean };

/**
 * The definition of a resource with a fixed URI.
 * @example
 * const today: ResourceDefinition<unknown> = resource({ uri: 'memo://today', name: 'today', read: () => 'rest' });
 */
export interface ResourceDefinition<S> extends t.Resource, Readable<S> {
  kind: 'resource';
}

/**
 * The definition of a resource template.
 * @example
 * const days: TemplateDefinition<unknown> = template({
 *   uriTemplate: 'memo://{day}',
 *   name: 'memo',
 *   read: (_uri, _context, { day }) => `nothing on ${day}`,
 * });
 */
export interface TemplateDefinition<S> extends t.ResourceTemplate, Readable<S> {
  kind: 'template';
  complete?: Readonly<Record<string, Complete<S>>>;
}

/** A scheme, followed by the characters that a URI may contain (RFC 3986). */
const absoluteUri = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

/**
 * Returns a resource with a fixed URI.
 * @example
 * const read = () => 'water the plants';
 * const today = resource({ uri: 'memo://today', name: 'today', mimeType: 'text/plain', read });
 * createServer({ name: 'memos', version: '1.0.0', resources: [today] });
 */
export function resource<S = unknown>(definition: t.Resource & Readable<S>): ResourceDefinition<S> {
  if (!absoluteUri.test(definition.uri))
    throw new TypeError(
      `uri ${JSON.stringify(definition.uri)} must be an absolute URI, such as memo://today`,
    );
  return { kind: 'resource', ...definition };
}

/**
 * Returns a resource template: an RFC 6570 template with `{name}` and `{+name}` expressions.
 * @example
 * const memos: Record<string, string> = { monday: 'rest' };
 * const days = template({
 *   uriTemplate: 'memo://{day}',
 *   name: 'memo',
 *   read: (_uri, _context, { day = '' }) => memos[day] ?? 'nothing',
 * });
 * createServer({ name: 'memos', version: '1.0.0', resources: [days] });
 */
export function template<S = unknown>(
  definition: Omit<TemplateDefinition<S>, 'kind'>,
): TemplateDefinition<S> {
  return { kind: 'template', ...definition };
}

export interface PromptArgumentDefinition<S> extends t.PromptArgument {
  complete?: Complete<S>;
}

/**
 * The definition of a prompt.
 * @example
 * const review: PromptDefinition<unknown> = { name: 'review', get: () => 'Review the last change.' };
 */
export interface PromptDefinition<S> extends Omit<t.Prompt, 'arguments'> {
  arguments?: readonly PromptArgumentDefinition<S>[];
  ask?(args: Readonly<Record<string, string>>, ask: Ask, context: CallContext<S, undefined>): unknown;
  /** returns the messages; a string is one user message */
  get(
    args: Readonly<Record<string, string>>,
    context: CallContext<S, unknown>,
  ): string | readonly t.PromptMessage[] | Promise<string | readonly t.PromptMessage[]>;
}

/**
 * Returns a prompt that a user can select.
 * @example
 * const review = prompt({
 *   name: 'review',
 *   arguments: [{ name: 'path', required: true }],
 *   get: ({ path }) => `Review ${path}.`,
 * });
 * createServer({ name: 'reviews', version: '1.0.0', prompts: [review] });
 */
export function prompt<S = unknown>(definition: PromptDefinition<S>): PromptDefinition<S> {
  return definition;
}
