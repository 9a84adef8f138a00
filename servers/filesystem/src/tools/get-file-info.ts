import type { Stats } from 'node:fs';
import { basename } from 'node:path';
import {
  type EntryFacts,
  etagOf,
  kindOf,
  mayChange,
  openDirectory,
  openFile,
  showName,
  statEntry,
} from '@rootbound/kit/boundary';
import { jsonBytes } from '@rootbound/kit/budget';
import { mediaTypeOf, mediaTypeOfName, SAMPLE_BYTES } from '@rootbound/kit/media';
import { defined } from '@rootbound/kit/primitives';
import { reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { type TextFacts, textFactsOf } from '../changes/text-format.ts';
import { isoTime } from '../listing/facts.ts';
import { pathOf, TEXT_FRAME } from '../text/link.ts';
import { readAt } from '../text/window.ts';
import { tool, type Workspace } from '../workspace.ts';

const type = z.enum(['file', 'directory', 'symlink', 'other']);

const output = z.object({
  path: z.string(),
  type,
  size: z.int().optional(),
  created: z.string().optional(),
  modified: z.string().optional(),
  accessed: z.string().optional(),
  permissions: z.string().describe('octal'),
  owner: z.int(),
  group: z.int(),
  links: z.int().describe('hard links'),
  mimeType: z.string().optional(),
  encoding: z.string().optional().describe('of text; unknown if not UTF-8'),
  bom: z.boolean().optional(),
  lineEnds: z.enum(['lf', 'crlf', 'mixed']).optional(),
  etag: z.string().optional(),
  writable: z.boolean(),
  target: z
    .object({ path: z.string().optional(), type, size: z.int().optional() })
    .optional()
    .describe('of a link, if inside the roots'),
});

type Output = z.input<typeof output>;

export const getFileInfo = tool({
  name: 'get_file_info',
  title: 'Get file info',
  description:
    'Returns type, size, times and permissions of a file, directory or symbolic link (not its target).',
  input: z.strictObject({ path: z.string() }),
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run({ path }, { scope }) {
    const entry = statEntry(scope.scope, path);
    const structured = withinBudget(scope.maxOutput, factsOf(path, entry, openedFactsOf(scope, path, entry)));
    return reply({ structured, content: linesOf(structured) });
  },
});

/** Facts that need an open handle. */
interface OpenedFacts extends TextFacts {
  mimeType?: string | undefined;
  writable: boolean;
}

/** Opens an entry to detect its media type and whether this process may change it. */
function openedFactsOf(
  { scope, changes }: Workspace,
  path: string,
  { stat, root, path: real }: EntryFacts,
): OpenedFacts {
  const kind = kindOf(stat);
  // a link can be moved and deleted whatever its target allows; a device is never opened
  if (kind === 'symlink' || kind === 'other') return { writable: kind === 'symlink' && !root.readOnly };
  const named = kind === 'file' ? mediaTypeOfName(basename(real)) : undefined;
  try {
    const opened = kind === 'file' ? openFile(scope, path) : openDirectory(scope, path);
    try {
      // the entry was replaced meanwhile
      if (opened.stat.ino !== stat.ino || opened.stat.dev !== stat.dev) return { writable: false };
      const shared = kind === 'file' && stat.nlink > 1 && changes.hardLinks === 'refuse';
      const writable = !root.readOnly && !shared && mayChange(scope, opened);
      if (kind === 'directory' || shared) return { mimeType: named, writable };
      const mimeType = mediaTypeOf(readAt(opened.fd, 0, SAMPLE_BYTES), basename(real));
      return { mimeType, writable, ...textFactsOf(opened) };
    } finally {
      opened.close();
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // it may be listed but not read
    return { mimeType: named, writable: false };
  }
}

function factsOf(
  path: string,
  { stat, target }: EntryFacts,
  { mimeType, writable, ...text }: OpenedFacts,
): Output {
  const kind = kindOf(stat);
  return {
    path,
    type: kind,
    ...sizeOf(stat),
    ...times(stat),
    permissions: (stat.mode & 0o7777).toString(8).padStart(3, '0'),
    owner: stat.uid,
    group: stat.gid,
    links: stat.nlink,
    ...defined({ mimeType }),
    ...text,
    ...(kind === 'file' && { etag: etagOf(stat) }),
    writable,
    ...(target !== undefined && {
      target: { path: pathOf(target), type: kindOf(target.stat), ...sizeOf(target.stat) },
    }),
  };
}

/** Returns the size of a file; sizes of links and directories have no meaning for a client. */
function sizeOf(stat: Stats): { size?: number } {
  return stat.isFile() ? { size: stat.size } : {};
}

function times({ birthtimeMs, mtimeMs, atimeMs }: Stats): Pick<Output, 'created' | 'modified' | 'accessed'> {
  // file systems without creation times report 0 or the time of the last change
  const created = birthtimeMs > 0 ? isoTime(birthtimeMs) : undefined;
  const modified = isoTime(mtimeMs);
  const accessed = isoTime(atimeMs);
  return {
    ...defined({ created, modified, accessed }),
  };
}

/** Returns the facts, without the path of a link's target if they exceed the size limit with it. */
function withinBudget(maxOutput: number, facts: Output): Output {
  if (facts.target === undefined) return facts;
  const bytes = Math.max(jsonBytes(linesOf(facts)) + TEXT_FRAME, Buffer.byteLength(JSON.stringify(facts)));
  if (bytes <= maxOutput) return facts;
  const { path: _path, ...target } = facts.target;
  return { ...facts, target };
}

function linesOf({ target, ...facts }: Output): string {
  const lines = Object.entries(facts).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? showName(value) : String(value)}`,
  );
  if (target !== undefined) {
    const size = target.size === undefined ? '' : `, ${target.size} bytes`;
    const where = target.path === undefined ? '(path too long)' : showName(target.path);
    lines.push(`target: ${where} (${target.type}${size})`);
  }
  return lines.join('\n');
}
