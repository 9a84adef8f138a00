import { jsonBytes } from '@rootbound/kit/budget';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { readLines } from '../text/read.ts';
import { tool, type Workspace } from '../workspace.ts';

const MAX_FILES = 1000;
/** What a file costs in a result besides its text. */
const ENTRY_BYTES = 200;

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
    let room = context.scope.maxOutput;
    for (const [index, path] of paths.entries()) {
      context.signal.throwIfAborted();
      room -= ENTRY_BYTES + jsonBytes(path);
      if (room <= 0) return { files, truncated: true, remaining: paths.slice(index) };
      const file = await readOne({ ...context.scope, maxOutput: room }, path, context);
      if (file.text !== undefined) room -= jsonBytes(file.text);
      if (file.error !== undefined) room -= jsonBytes(file.error);
      files.push(file);
      context.progress(index + 1, paths.length);
    }
    return { files, truncated: files.some((file) => file.truncated === true) };
  },
  render: ({ files, remaining }) => {
    const parts = files.map(({ path, text, error, truncated }) => {
      if (text === undefined) return `${path}: ${error}`;
      return `${path}:\n${text}${truncated === true ? '\n[cut at the size limit; read_text_file gives the rest]' : ''}`;
    });
    if (remaining !== undefined) parts.push(`[not read, over the size limit: ${remaining.join(', ')}]`);
    return parts.join('\n---\n');
  },
});

type Attention = Parameters<typeof readLines>[3];

async function readOne(workspace: Workspace, path: string, attention: Attention): Promise<FileResult> {
  try {
    const read = await readLines(
      workspace,
      path,
      { kind: 'all' },
      { signal: attention.signal, progress: () => {} },
    );
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
