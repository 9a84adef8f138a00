import { counted, fit, type Json, moreNote, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import { type Entries, type Entry, FOLDER, kindOf, SingleEntry } from './entry.ts';
import { type Details, detailsOf } from './entry-details.ts';
import { pageOf } from './entry-page.ts';
import { notStaged, type Place, placeAt, revisionOf } from './object-at-path.ts';
import { isStagedPosition, StagedEntries } from './staged-entries.ts';
import { treePath } from './tree-path.ts';
import { isWalkPosition, TreeWalk } from './tree-walk.ts';

const NAME = 'git_list_files';
const DEFAULT_LIMIT = 500;
/** Bytes of an entry at least. */
const LEAST_ENTRY_BYTES = 48;

const input = z.strictObject({
  repo_path: repoPath,
  revision: z.string().optional().describe('default HEAD'),
  staged: z.boolean().optional(),
  path: z.string().optional().describe('a folder, from the top'),
  recursive: z.boolean().optional(),
  depth: z.int().min(1).max(1000).optional(),
  sizes: z.boolean().optional(),
  limit: z.int().min(1).max(10_000).optional().describe(`default ${DEFAULT_LIMIT}`),
  cursor: z.string().optional(),
});

const file = z.object({
  path: z.string(),
  kind: z.enum(['file', 'executable', 'link', 'folder', 'submodule']),
  mode: z.string(),
  oid: z.string().optional(),
  size: z.int().optional(),
  target: z.string().optional(),
  stage: z.int().optional().describe('of a conflict'),
  lfs_size: z.int().optional().describe('of the file that an LFS pointer stands for'),
  missing: z.boolean().optional().describe('not fetched'),
});

const output = z.object({
  commit: z.string().optional(),
  tree: z.string().optional(),
  files: z.array(file),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
});

type Output = z.input<typeof output>;
type File = z.input<typeof file>;

export const gitListFiles = tool({
  name: NAME,
  title: 'List files',
  description: 'Files and folders at a revision, or in the index (staged).',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, args.repo_path, signal, async (opened) => {
      const { recursive = false, sizes = false, limit = DEFAULT_LIMIT, cursor } = args;
      const revision = revisionOf(args);
      const path = treePath(args.path ?? '');
      const depth = args.depth ?? (recursive ? Number.MAX_SAFE_INTEGER : 1);
      const place = revision === undefined ? undefined : await placeAt(opened, revision, path, signal);
      const facts = [place?.snapshot?.tree ?? null, args.path ?? null, depth, sizes];
      const query = [opened.repository.identity, ...facts];
      const source = sourceOf(opened, place, { query, path, depth, cursor, signal });
      // further entries could not fit the budget
      const page = await pageOf<Json>(source, Math.min(limit, Math.ceil(maxOutput / LEAST_ENTRY_BYTES)));
      const { entries } = page;
      if (place === undefined && entries.length === 0 && path !== '' && cursor === undefined) {
        throw notStaged(path);
      }
      const details = await Promise.all(
        entries.map((entry) => detailsOf(opened.objects, entry, sizes, signal)),
      );
      const files = entries.map((entry, index) => toFile(entry, details[index]!));
      const head = { ...place?.snapshot };
      const { halves } = fit(files.length, maxOutput, (kept) => {
        const next = page.after(kept);
        const structured: Output = {
          ...head,
          files: files.slice(0, kept),
          truncated: next !== undefined,
          ...(next !== undefined && { next_cursor: sealPosition(NAME, query, next) }),
        };
        return { structured, text: textOf(structured) };
      });
      return reply({ structured: halves.structured, content: halves.text });
    });
  },
});

interface Wanted {
  readonly query: Json;
  readonly path: string;
  readonly depth: number;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

function sourceOf(
  opened: Opened,
  place: Place | undefined,
  { query, path, depth, cursor, signal }: Wanted,
): Entries<Json> {
  if (place === undefined) {
    const from = cursor === undefined ? undefined : openPosition(NAME, query, cursor, isStagedPosition);
    return new StagedEntries(opened, { path, depth, from });
  }
  const from = cursor === undefined ? undefined : openPosition(NAME, query, cursor, isWalkPosition);
  const { entry } = place;
  if (entry.mode !== FOLDER) return new SingleEntry(entry);
  return new TreeWalk(entry.oid!, { objects: opened.objects, signal, path, depth, from });
}

function toFile({ path, mode, oid, stage }: Entry, { size, target, lfs, missing }: Details): File {
  return {
    path: nameOfByteString(path),
    kind: kindOf(mode),
    mode,
    ...defined({ oid, size, target }),
    ...(stage > 0 && { stage }),
    ...(lfs !== undefined && { lfs_size: lfs.size }),
    ...(missing && { missing }),
  };
}

function textOf({ files, truncated, next_cursor }: Output): string {
  const lines = files.map(fileLine);
  if (truncated) lines.push(moreNote(counted(files.length, 'entry', 'entries'), next_cursor));
  return lines.length === 0 ? '[no files]' : lines.join('\n');
}

const types: Readonly<Partial<Record<File['kind'], string>>> = { folder: 'tree', submodule: 'commit' };

/** Returns an entry as git ls-tree prints it. */
function fileLine({ path, kind, mode, oid, size, target, stage, lfs_size, missing }: File): string {
  const facts = [
    mode,
    types[kind] ?? 'blob',
    oid?.slice(0, 12) ?? '-',
    ...(size === undefined ? [] : [size]),
  ];
  const notes = [
    target === undefined ? '' : ` -> ${target}`,
    stage === undefined ? '' : ` [stage ${stage}]`,
    lfs_size === undefined ? '' : ` [LFS pointer to ${counted(lfs_size, 'byte', 'bytes')}]`,
    missing === true ? ' [not stored here]' : '',
  ];
  return `${facts.join(' ')}\t${path}${notes.join('')}`;
}
