import {
  appendFile,
  type Before,
  type Content,
  type Making,
  replaceFile,
  showName,
  type Written,
} from '@rootbound/kit/boundary';
import { type CallContext, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { BASE64_PIECE, decodeBase64 } from '../changes/base64.ts';
import { rememberText } from '../changes/known-texts.ts';
import { notesOf } from '../changes/notes.ts';
import { changeOptionsWith } from '../changes/options.ts';
import { contentFor, type TextContent } from '../changes/text-content.ts';
import { confirmOverwrite } from '../confirm.ts';
import { assertWhole } from '../edit/coding.ts';
import { inSlices } from '../edit/slices.ts';
import { encodingName, encodingOf } from '../encodings/names.ts';
import { tool, type Workspace } from '../workspace.ts';

const input = z.strictObject({
  path: z.string(),
  content: z.string(),
  encoding: z.string().optional().describe("of the file, or base64; default: the file's, else utf-8"),
  lineEnds: z.enum(['lf', 'crlf']).optional().describe("default: the file's"),
  append: z.boolean().optional().describe('add at the end, in place'),
  createParents: z.boolean().optional(),
  exclusive: z.boolean().optional().describe('fail if it exists'),
  ifMatch: z.string().optional().describe('fail unless its etag is this'),
});

const output = z.object({
  path: z.string(),
  created: z.boolean().describe('false if the file existed'),
  bytes: z.int().describe('written'),
  size: z.int().optional().describe('of the whole file, after append'),
  etag: z.string(),
  brokenLinks: z.int().optional().describe('other hard links, which keep the old content'),
  notes: z.array(z.string()).optional(),
});

type Input = z.output<typeof input>;
type Output = z.output<typeof output>;

export const writeFile = tool({
  name: 'write_file',
  title: 'Write file',
  description: 'Creates a file, or replaces its whole content atomically. Use edit_file to change parts.',
  input,
  output,
  // not idempotent: each append adds the content again
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  ask: ({ path, append, exclusive }, ask, context) =>
    append || exclusive ? undefined : confirmOverwrite(path, ask, context),
  run(args, context) {
    if (args.append && args.exclusive)
      throw new ToolError('set only one of append and exclusive', { code: 'invalid-arguments' });
    const source = sourceOf(args, context);
    return source instanceof Promise
      ? source.then((tried) => write(args, tried, context))
      : write(args, source, context);
  },
  render: describeWrite,
});

/** The function that makes the content, and notes on the properties of the old file that it keeps. */
interface Source {
  readonly content: Making;
  readonly kept: string[];
  /** the text, if it is written as UTF-8 with its own line ends */
  readonly text?: string;
}

type Maker = (before: Before | undefined) => TextContent | Promise<TextContent>;

function sourceOf(args: Input, context: CallContext<Workspace>): Source | Promise<Source> {
  const isBase64 = args.encoding !== undefined && encodingName(args.encoding) === 'base64';
  const make = isBase64 ? bytesMaker(args.content, context) : textMaker(args);
  const kept: string[] = [];
  const take = (made: TextContent): Content => {
    kept.push(...made.kept);
    return made.content;
  };
  const source: Source = {
    // the file is locked meanwhile, so no later call overtakes this one
    content(before) {
      const made = make(before);
      return made instanceof Promise ? made.then(take) : take(made);
    },
    kept,
    ...(args.encoding === undefined && args.lineEnds === undefined && { text: args.content }),
  };
  if (!args.createParents || args.encoding === undefined) return source;
  // fails before createParents creates folders for content that cannot be written
  const tried = make(undefined);
  return tried instanceof Promise ? tried.then(() => source) : source;
}

function bytesMaker(content: string, context: CallContext<Workspace>): Maker {
  if (content.length > BASE64_PIECE) {
    return async () => ({
      content: await inSlices(decodeBase64('content', content), context.signal),
      kept: [],
    });
  }
  const work = decodeBase64('content', content);
  let step = work.next();
  while (step.done !== true) step = work.next();
  const made = { content: step.value, kept: [] };
  return () => made;
}

function textMaker({ path, content, encoding, lineEnds, append: appends = false }: Input): Maker {
  assertWhole('content', content);
  return (before) => {
    const named = encodingOf(encoding);
    const text = { path, content, lineEnds, appends };
    return named instanceof Promise
      ? named.then((table) => contentFor({ ...text, encoding: table }, before))
      : contentFor({ ...text, encoding: named }, before);
  };
}

function write(args: Input, source: Source, context: CallContext<Workspace>): Output | Promise<Output> {
  const { path, append, createParents, exclusive, ifMatch } = args;
  const { scope } = context.scope;
  const { content, kept } = source;
  const fail = (error: unknown): never => {
    throw withParents(error, args);
  };
  try {
    const written: Written | Promise<Written> = append
      ? appendFile(scope, path, content, changeOptionsWith(context, { createParents, ifMatch }))
      : replaceFile(scope, path, content, changeOptionsWith(context, { createParents, exclusive, ifMatch }));
    const toOutput = (facts: Written): Output => {
      if (!append && source.text !== undefined && kept.length === 0) rememberText(facts.etag, source.text);
      return outputOf(path, facts, kept);
    };
    return written instanceof Promise ? written.then(toOutput, fail) : toOutput(written);
  } catch (error) {
    return fail(error);
  }
}

/** Adds the hint about createParents to the error for a missing path. */
function withParents(error: unknown, { createParents, ifMatch }: Input): unknown {
  if (createParents || ifMatch !== undefined) return error;
  if (!(error instanceof ToolError) || error.code !== 'not-found') return error;
  return new ToolError(error.message, {
    code: error.code,
    hint: `${error.hint}; set createParents to create missing folders`,
    cause: error,
  });
}

function outputOf(path: string, written: Written, kept: readonly string[]): Output {
  const { path: _real, inPlace, lostSetId, ...facts } = written;
  if (kept.length === 0 && inPlace === undefined && lostSetId === undefined) return { path, ...facts };
  return { path, ...facts, notes: [...kept, ...notesOf(written)] };
}

function describeWrite({ path, created, bytes, size, etag, brokenLinks, notes = [] }: Output): string {
  const action = created ? 'created' : size === undefined ? 'replaced' : 'appended to';
  const facts = [`${action} ${showName(path)}`, `${bytes} bytes`];
  if (size !== undefined && !created) facts.push(`now ${size}`);
  if (brokenLinks !== undefined)
    facts.push(`${brokenLinks} other hard link${brokenLinks > 1 ? 's keep' : ' keeps'} the old content`);
  return `${[...facts, ...notes].join(', ')}, etag ${etag}`;
}
