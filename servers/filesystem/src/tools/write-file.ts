import { appendFile, type Content, replaceFile, showName, type Written } from '@rootbound/kit/boundary';
import { type CallContext, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { BASE64_PIECE, decodeBase64 } from '../changes/base64.ts';
import { changeOptionsWith } from '../changes/options.ts';
import { confirmOverwrite } from '../confirming.ts';
import { inSlices } from '../edit/slices.ts';
import { assertWhole } from '../edit/whole.ts';
import { tool, type Workspace } from '../workspace.ts';

const input = z.strictObject({
  path: z.string(),
  content: z.string(),
  encoding: z.enum(['utf-8', 'base64']).optional().describe('of content'),
  append: z.boolean().optional().describe('add at the end, in place'),
  createParents: z.boolean().optional(),
  exclusive: z.boolean().optional().describe('refuse when it exists'),
  ifMatch: z.string().optional().describe('etag that it must still have'),
});

const output = z.object({
  path: z.string(),
  created: z.boolean().describe('false when the file was there'),
  bytes: z.int().describe('written'),
  size: z.int().optional().describe('of the whole file, when appended'),
  etag: z.string(),
  brokenLinks: z.int().optional().describe('other hard links, which keep the old content'),
});

type Input = z.output<typeof input>;
type Output = z.output<typeof output>;

export const writeFile = tool({
  name: 'write_file',
  title: 'Write file',
  description: 'Creates a file, or replaces one whole in one step. edit_file changes parts of a file.',
  input,
  output,
  // not idempotent: append adds each time
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  ask: ({ path, append, exclusive }, ask, context) =>
    append || exclusive ? undefined : confirmOverwrite(path, ask, context),
  run(args, context) {
    if (args.append && args.exclusive)
      throw new ToolError('give append or exclusive, not both', { code: 'invalid-arguments' });
    const content = contentOf(args, context);
    return content instanceof Promise
      ? content.then((made) => write(args, made, context))
      : write(args, content, context);
  },
  render: describeWrite,
});

function contentOf(
  { content, encoding }: Input,
  context: CallContext<Workspace>,
): Content | Promise<Content> {
  if (encoding !== 'base64') {
    assertWhole('content', content);
    return content;
  }
  const work = decodeBase64('content', content);
  if (content.length > BASE64_PIECE) return inSlices(work, context.signal);
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

function write(args: Input, content: Content, context: CallContext<Workspace>): Output | Promise<Output> {
  const { path, append, createParents, exclusive, ifMatch } = args;
  const { scope } = context.scope;
  const fail = (error: unknown): never => {
    throw withParents(error, args);
  };
  try {
    const written: Written | Promise<Written> = append
      ? appendFile(
          scope,
          path,
          content,
          changeOptionsWith(context, { createParents, ifMatch, text: args.encoding !== 'base64' }),
        )
      : replaceFile(scope, path, content, changeOptionsWith(context, { createParents, exclusive, ifMatch }));
    return written instanceof Promise
      ? written.then((facts) => outputOf(path, facts), fail)
      : outputOf(path, written);
  } catch (error) {
    return fail(error);
  }
}

/** What a new file lacks may be its folder; that is said whatever is missing or outside. */
function withParents(error: unknown, { createParents, ifMatch }: Input): unknown {
  if (createParents || ifMatch !== undefined) return error;
  if (!(error instanceof ToolError) || error.code !== 'not-found') return error;
  return new ToolError(error.message, {
    code: error.code,
    hint: `${error.hint}; createParents makes missing folders`,
    cause: error,
  });
}

function outputOf(path: string, { path: _real, ...facts }: Written): Output {
  return { path, ...facts };
}

function describeWrite({ path, created, bytes, size, etag, brokenLinks }: Output): string {
  const action = created ? 'created' : size === undefined ? 'replaced' : 'appended to';
  const facts = [`${action} ${showName(path)}`, `${bytes} bytes`];
  if (size !== undefined && !created) facts.push(`now ${size}`);
  if (brokenLinks !== undefined)
    facts.push(`the old content stays in ${brokenLinks} other hard link${brokenLinks > 1 ? 's' : ''}`);
  return `${facts.join(', ')}, etag ${etag}`;
}
