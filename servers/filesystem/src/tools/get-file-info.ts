import type { Stats } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type EntryFacts, etagOf, kindOf, type Sighting, showName, statEntry } from '@rootbound/kit/boundary';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { isoTime } from '../listing/facts.ts';
import { mediaTypeOfName } from '../text/media.ts';
import { tool } from '../workspace.ts';

const type = z.enum(['file', 'directory', 'symlink', 'other']);

const output = z.object({
  path: z.string(),
  type,
  size: z.int().optional(),
  created: z.string().optional(),
  modified: z.string().optional(),
  accessed: z.string().optional(),
  permissions: z.string().describe('octal'),
  mimeType: z.string().optional(),
  etag: z.string().optional(),
  writable: z.boolean(),
  target: z
    .object({ path: z.string(), type, size: z.int().optional() })
    .optional()
    .describe('of a link, when inside the roots'),
});

type Output = z.input<typeof output>;

export const getFileInfo = tool({
  name: 'get_file_info',
  title: 'Get file info',
  description: 'Type, size, times and permissions of a file, directory or symbolic link (the link itself).',
  input: z.strictObject({ path: z.string() }),
  output,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  run({ path }, { scope }) {
    const structured = factsOf(path, statEntry(scope.scope, path));
    return reply({ structured, content: linesOf(structured) });
  },
});

function factsOf(path: string, { stat, root, path: real, target }: EntryFacts): Output {
  const kind = kindOf(stat);
  const mimeType = kind === 'file' ? mediaTypeOfName(basename(real)) : undefined;
  return {
    path,
    type: kind,
    ...sizeOf(stat),
    ...times(stat),
    permissions: (stat.mode & 0o7777).toString(8).padStart(3, '0'),
    ...(mimeType !== undefined && { mimeType }),
    ...(kind === 'file' && { etag: etagOf(stat) }),
    writable: !root.readOnly,
    ...(target !== undefined && {
      target: { path: pathOf(target), type: kindOf(target.stat), ...sizeOf(target.stat) },
    }),
  };
}

/** A size that says something: a link's is the length of its target, a directory's a matter of the file system. */
function sizeOf(stat: Stats): { size?: number } {
  return stat.isFile() ? { size: stat.size } : {};
}

function times({ birthtimeMs, mtimeMs, atimeMs }: Stats): Pick<Output, 'created' | 'modified' | 'accessed'> {
  // a file system without creation times says 0, or the time of the last change
  const created = birthtimeMs > 0 ? isoTime(birthtimeMs) : undefined;
  const modified = isoTime(mtimeMs);
  const accessed = isoTime(atimeMs);
  return {
    ...(created !== undefined && { created }),
    ...(modified !== undefined && { modified }),
    ...(accessed !== undefined && { accessed }),
  };
}

/** Where something is in the words that the roots were given in. */
function pathOf({ path, root }: Sighting): string {
  return join(root.path, relative(root.real, path));
}

function linesOf({ target, ...facts }: Output): string {
  const lines = Object.entries(facts).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? showName(value) : String(value)}`,
  );
  if (target !== undefined) {
    const size = target.size === undefined ? '' : `, ${target.size} bytes`;
    lines.push(`target: ${showName(target.path)} (${target.type}${size})`);
  }
  return lines.join('\n');
}
