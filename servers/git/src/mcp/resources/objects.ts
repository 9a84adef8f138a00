import { mediaTypeOf, SAMPLE_BYTES } from '@rootbound/kit/media';
import { defined } from '@rootbound/kit/primitives';
import { type Target, toGitUri } from '../../call/git-uri.ts';
import type { Opened } from '../../call/open-repository.ts';
import { emptyTree, patchCommand } from '../../porcelain/diff.ts';
import { bytesOfName } from '../../porcelain/names.ts';
import { toPerson } from '../../reading/history/person.ts';
import { kindOf } from '../../reading/objects/entry.ts';
import type { ObjectType } from '../../repository/answers.ts';
import { parseCommit } from '../../repository/commit.ts';
import { entryAt } from '../../repository/revisions.ts';
import { parseTree } from '../../repository/tree.ts';
import type { Oid } from '../../run/oid.ts';
import { nothingThere, type Read, tooLarge } from './outcome.ts';

/** A target named by object ids, which never changes. */
export type FixedTarget = Extract<Target, { kind: ObjectType | 'diff' | 'path' }>;

/** A commit without its signature and merged tags, which resources leave out. */
const UNTOLD_BYTES = 256 << 10;

export async function readFixed(opened: Opened, target: FixedTarget, maxOutput: number): Promise<Read> {
  const read = await readObject(opened, target, maxOutput);
  return { ...read, fixed: true };
}

function readObject(opened: Opened, target: FixedTarget, maxOutput: number): Promise<Read> {
  switch (target.kind) {
    case 'commit':
      return readCommit(opened, target.oid, maxOutput);
    case 'tree':
      return readTree(opened, target.oid, maxOutput);
    case 'blob':
      return readBlob(opened, target.oid, maxOutput);
    case 'diff':
      return readDiff(opened, target, maxOutput);
    case 'path':
      return readPath(opened, target, maxOutput);
  }
}

async function readCommit(opened: Opened, oid: Oid, maxOutput: number): Promise<Read> {
  const tool = 'git_show';
  const bytes = await bytesOf(opened, oid, 'commit', { tool, most: maxOutput + UNTOLD_BYTES, maxOutput });
  const { tree, parents, author, committer, encoding, signature, message } = parseCommit(bytes);
  const from = parents[0] ?? emptyTree(oid.length === 64 ? 'sha256' : 'sha1');
  const { top } = opened.repository;
  // a shallow clone ends at a commit whose parents are missing
  const compared = parents.length === 0 || (await opened.objects.info(from)) !== undefined;
  const body = {
    oid,
    tree,
    parents,
    ...(author !== undefined && { author: toPerson(author) }),
    ...(committer !== undefined && { committer: toPerson(committer) }),
    ...defined({ encoding }),
    ...(signature !== undefined && { signature: `${signature}, not verified` }),
    message,
    links: {
      tree: toGitUri(top, { kind: 'tree', oid: tree }),
      ...(compared && { diff: toGitUri(top, { kind: 'diff', from, to: oid }) }),
    },
  };
  return { body, tool };
}

async function readTree(opened: Opened, oid: Oid, maxOutput: number): Promise<Read> {
  const tool = 'git_list_files';
  const bytes = await bytesOf(opened, oid, 'tree', { tool, most: maxOutput, maxOutput });
  return { body: { oid, entries: parseTree(bytes, oid) }, tool };
}

async function readBlob(opened: Opened, oid: Oid, maxOutput: number, path?: string): Promise<Read> {
  const tool = path === undefined ? 'git_show' : 'git_read_file';
  const body = await bytesOf(opened, oid, 'blob', { tool, most: maxOutput, maxOutput });
  return { body, mimeType: mediaTypeOf(body.subarray(0, SAMPLE_BYTES), path ?? ''), tool };
}

async function readPath(
  opened: Opened,
  { commit, path }: Extract<Target, { kind: 'path' }>,
  maxOutput: number,
): Promise<Read> {
  await assertType(opened, commit, ['commit']);
  const top = await opened.resolve(commit, 'tree');
  if (path === '') return readTree(opened, top, maxOutput);
  const entry = await entryAt(opened.objects, top, bytesOfName(path));
  if (entry === undefined || kindOf(entry.mode) === 'submodule') throw nothingThere();
  if (entry.type === 'tree') return readTree(opened, entry.oid, maxOutput);
  const read = await readBlob(opened, entry.oid, maxOutput, path);
  return kindOf(entry.mode) === 'link' ? { ...read, mimeType: 'inode/symlink' } : read;
}

async function readDiff(
  opened: Opened,
  { from, to }: Extract<Target, { kind: 'diff' }>,
  maxOutput: number,
): Promise<Read> {
  const tool = 'git_diff';
  for (const oid of [from, to]) await assertType(opened, oid, ['commit', 'tree']);
  const asked = patchCommand({ sides: { kind: 'between', from, to } });
  const { stdout, truncated } = await opened.run(asked, { maxBytes: maxOutput });
  if (truncated) throw tooLarge(tool, maxOutput);
  return { body: stdout, mimeType: 'text/x-diff', tool };
}

async function assertType({ objects }: Opened, oid: Oid, types: readonly ObjectType[]): Promise<void> {
  const info = await objects.info(oid);
  if (info === undefined || !types.includes(info.type)) throw nothingThere();
}

interface Room {
  readonly tool: string;
  readonly most: number;
  readonly maxOutput: number;
}

async function bytesOf(
  { objects }: Opened,
  oid: Oid,
  type: ObjectType,
  { tool, most, maxOutput }: Room,
): Promise<Buffer> {
  const contents = await objects.contents(oid, most);
  if (contents?.type !== type) throw nothingThere();
  if (contents.bytes === undefined) throw tooLarge(tool, maxOutput);
  return contents.bytes;
}
