import { bytesOf, counted, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { type Reply, reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { withLink } from '../../call/resource-link.ts';
import { tool } from '../../call/workspace.ts';
import { nameOf, nameOfByteString } from '../../porcelain/names.ts';
import type { Oid } from '../../run/oid.ts';
import { type Blob, bytesFrom, openBlob, startOf } from './blob.ts';
import { encodingOf, encodings } from './encoding.ts';
import { type Entry, kindOf } from './entry.ts';
import { lfsPointerOf } from './lfs.ts';
import { placeAt, revisionOf, stagedAt } from './object-at-path.ts';
import {
  type BytesPart,
  bytesPart,
  isPartPosition,
  type PartPosition,
  startAt,
  type TextPart,
  textParts,
} from './part.ts';
import { bytesNote, fitted, LEAST_ROOM, numbered, partNote } from './part-text.ts';
import { treePath } from './tree-path.ts';

const NAME = 'git_read_file';

const input = z.strictObject({
  repo_path: repoPath,
  path: z.string().describe('from the top'),
  revision: z.string().optional().describe('default HEAD'),
  staged: z.boolean().optional(),
  head: z.int().min(1).optional(),
  tail: z.int().min(1).optional(),
  start_line: z.int().min(1).optional(),
  end_line: z.int().min(1).optional(),
  encoding: z
    .enum([...encodings, 'base64'])
    .optional()
    .describe('base64: binary'),
  line_numbers: z.boolean().optional(),
  cursor: z.string().optional(),
});

const output = z.object({
  commit: z.string().optional(),
  path: z.string(),
  mode: z.string(),
  oid: z.string(),
  size: z.int(),
  text: z.string().optional().describe('absent: binary'),
  base64: z.string().optional(),
  target: z.string().optional().describe('of a symbolic link'),
  start_line: z.int().optional(),
  end_line: z.int().optional(),
  total_lines: z.int().optional().describe('absent: not read to its end'),
  encoding: z.string().optional(),
  lossy: z.boolean().optional().describe('not all is text in the encoding'),
  lfs: z.object({ oid: z.string(), size: z.int() }).optional().describe('it is an LFS pointer'),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
});

type Output = z.input<typeof output>;

/** Bytes of a result besides its names and its text: numbers, notes and a cursor. */
const ENVELOPE = 800;
/** Bytes; no system follows a longer link. */
const MAX_TARGET = 4096;

export const gitReadFile = tool({
  name: NAME,
  title: 'Read file',
  description:
    'A file at a revision or in the index (staged): all, its first (head) or last lines, or a range.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, args.repo_path, signal, async (opened) => {
      const path = treePath(args.path);
      const revision = revisionOf(args);
      const place =
        revision === undefined ? await stagedAt(opened, path) : await placeAt(opened, revision, path, signal);
      const { mode, oid } = fileOf(place.entry, revision ?? 'the index');
      const blob = await openBlob(opened, oid, signal);
      const head = {
        ...(place.snapshot?.commit !== undefined && { commit: place.snapshot.commit }),
        path: nameOfByteString(path),
        mode,
        oid,
        size: blob.size,
      };
      if (kindOf(mode) === 'link' && args.encoding === undefined) return linkReply(head, blob);
      const encoding = args.encoding ?? encodingOf(await startOf(blob));
      if (encoding === undefined) return binaryReply(head, opened, maxOutput);
      const query = [opened.repository.identity, head.path, oid, encoding];
      const from =
        args.cursor === undefined ? undefined : openPosition(NAME, query, args.cursor, isPartPosition);
      const seal = (next: PartPosition | undefined) => next && sealPosition(NAME, query, next);
      const room = Math.max(LEAST_ROOM, maxOutput - bytesOf({ structured: head, text: '' }) - ENVELOPE);
      if (encoding === 'base64') {
        const part = await bytesPart(blob, from, room);
        return bytesReply(head, part, seal(part.next));
      }
      const start = await startAt(blob, encoding, args, from);
      const parts = await textParts(blob, encoding, start, room);
      const say = args.line_numbers === true ? numbered : textOf;
      const part = fitted(parts, room, say);
      const lfs = blob.whole && lfsPointerOf(blob.whole);
      return textReply({ ...head, ...defined({ lfs }), encoding }, part, say, seal(part.next));
    });
  },
});

type Head = Pick<Output, 'commit' | 'path' | 'mode' | 'oid' | 'size' | 'lfs' | 'encoding'>;

/** Returns the entry, if it can be read. */
function fileOf(entry: Entry, where: string): { mode: string; oid: Oid } {
  const { mode, oid, path } = entry;
  const kind = kindOf(mode);
  if (kind === 'folder') {
    throw new ToolError(`${nameOfByteString(path) || 'the top'} is a folder in ${where}`, {
      code: 'is-a-directory',
      hint: 'git_list_files lists its entries',
    });
  }
  if (kind !== 'submodule' && oid !== undefined) return { mode, oid };
  throw new ToolError(`${nameOfByteString(path)} is a submodule at commit ${oid} in ${where}`, {
    code: 'is-a-submodule',
    hint: 'its files are in its own repository',
  });
}

async function linkReply(head: Head, blob: Blob): Promise<Reply> {
  const target = nameOf(await bytesFrom(blob, 0, MAX_TARGET));
  const truncated = blob.size > MAX_TARGET;
  return reply({
    structured: { ...head, target, truncated } satisfies Output,
    content: `${head.path} is a symbolic link to ${target}${truncated ? ' [cut]' : ''}`,
  });
}

function binaryReply(head: Head, opened: Opened, maxOutput: number): Reply {
  const { path, oid, size } = head;
  const facts = `${counted(size, 'byte', 'bytes')}, object ${oid.slice(0, 12)}`;
  const text = `${path} is binary: ${facts}; encoding base64 gives its contents`;
  return reply({
    structured: { ...head, truncated: false } satisfies Output,
    content: withLink(text, opened, { oid, size, name: path }, maxOutput),
  });
}

function bytesReply(head: Head, part: BytesPart, cursor: string | undefined): Reply {
  const structured: Output = {
    ...head,
    base64: part.base64,
    encoding: 'base64',
    truncated: cursor !== undefined,
    ...defined({ next_cursor: cursor }),
  };
  return reply({ structured, content: blocks(part.base64, bytesNote(part, head.size, cursor)) });
}

function textReply(
  head: Head,
  part: TextPart,
  say: (part: TextPart) => string,
  cursor: string | undefined,
): Reply {
  const { text, start, end, total, lossy } = part;
  const structured: Output = {
    ...head,
    text,
    ...(end >= start && { start_line: start, end_line: end }),
    ...defined({ total_lines: total }),
    ...(lossy && { lossy }),
    truncated: cursor !== undefined,
    ...defined({ next_cursor: cursor }),
  };
  const pointer =
    head.lfs === undefined ? [] : [`[LFS pointer to ${counted(head.lfs.size, 'byte', 'bytes')}]`];
  return reply({ structured, content: blocks(say(part), partNote(part, cursor), ...pointer) });
}

function blocks(...texts: readonly (string | undefined)[]): { type: 'text'; text: string }[] {
  const notes = texts.filter((text) => text !== undefined && text !== '');
  return notes.map((text) => ({ type: 'text', text: text! }));
}

function textOf({ text }: TextPart): string {
  return text;
}
