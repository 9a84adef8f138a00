import { jsonBytes } from '@rootbound/kit/budget';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { readLines } from '../text/read.ts';
import { tool, type Workspace } from '../workspace.ts';

const MAX_FILES = 1000;
/** What a file costs in a result besides its text. */
const ENTRY_BYTES = 200;
/** What a result holds besides its files and what it says of the others. */
const ENVELOPE_BYTES = 200;
/** Characters of a path that is too long to be given back. */
const SHOWN_PATH = 100;

const output = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      text: z.string().optional(),
      totalLines: z.int().optional(),
      etag: z.string().optional(),
      truncated: z.boolean().optional().describe('cut at the size limit; read_text_file gives the rest'),
      error: z.string().optional().describe('why this file could not be read'),
    }),
  ),
  truncated: z.boolean(),
  remaining: z.array(z.string()).optional().describe('paths that no longer fitted; call again with them'),
  remainingCount: z.int().optional().describe('how many no longer fitted, when there are too many to name'),
});

type Output = z.input<typeof output>;
type FileResult = Output['files'][number];

export const readMultipleFiles = tool({
  name: 'read_multiple_files',
  title: 'Read several files',
  description:
    'Reads several text files at once. Each has its own text or error; the size limit holds for all together.',
  input: z.strictObject({ paths: z.array(z.string()).min(1).max(MAX_FILES) }),
  output,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async run({ paths }, context): Promise<Output> {
    const files: FileResult[] = [];
    const { maxOutput } = context.scope;
    // a part is kept back to say what no longer fitted
    const reserve = Math.min(Math.floor(maxOutput / 4), listBytes(paths));
    let room = maxOutput - reserve - ENVELOPE_BYTES;
    for (const [index, path] of paths.entries()) {
      context.signal.throwIfAborted();
      const cost = ENTRY_BYTES + jsonBytes(path);
      if (cost > room && index > 0) return { files, truncated: true, ...rest(paths.slice(index), reserve) };
      const file =
        cost > room ? unnamed(path) : await readOne(context.scope, path, Math.max(1, room - cost), context);
      room -= cost + jsonBytes(file.text ?? file.error ?? '');
      files.push(file);
      context.progress(index + 1, paths.length);
    }
    return { files, truncated: files.some((file) => file.truncated === true) };
  },
  render: ({ files, remaining, remainingCount }) => {
    const parts = files.map(({ path, text, error, truncated }) => {
      if (text === undefined) return `${path}: ${error}`;
      return `${path}:\n${text}${truncated === true ? '\n[cut at the size limit; read_text_file gives the rest]' : ''}`;
    });
    if (remaining !== undefined) {
      const more = remainingCount === undefined ? '' : `${remainingCount} files, the first of them `;
      parts.push(`[not read, over the size limit: ${more}${remaining.join(', ')}]`);
    }
    return parts.join('\n---\n');
  },
});

type Attention = Parameters<typeof readLines>[4];

async function readOne(
  workspace: Workspace,
  path: string,
  room: number,
  { signal }: Attention,
): Promise<FileResult> {
  try {
    const read = await readLines(workspace, path, { kind: 'all' }, room, { signal, progress: () => {} });
    return {
      path,
      text: String(read.text),
      ...(read.totalLines !== undefined && { totalLines: read.totalLines }),
      etag: read.etag,
      ...(!read.complete && { truncated: true }),
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { path, error: error.hint === undefined ? error.message : `${error.message}; ${error.hint}` };
  }
}

/** The entry of a path that is longer than all that may be said. */
function unnamed(path: string): FileResult {
  return { path: `${path.slice(0, SHOWN_PATH)}...`, error: 'the path is longer than the size limit allows' };
}

function listBytes(paths: readonly string[]): number {
  return paths.reduce((total, path) => total + jsonBytes(path) + 1, 0);
}

/** As many of the paths as may be named, and how many there are when that is not all. */
function rest(paths: readonly string[], room: number): Pick<Output, 'remaining' | 'remainingCount'> {
  const remaining: string[] = [];
  let left = room;
  for (const path of paths) {
    left -= jsonBytes(path) + 1;
    if (left < 0) break;
    remaining.push(path);
  }
  return remaining.length === paths.length ? { remaining } : { remaining, remainingCount: paths.length };
}
