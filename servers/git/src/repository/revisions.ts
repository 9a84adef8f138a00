import { ToolError } from '@rootbound/protocol';
import { bytesOfName, nameOf, nameOfByteString } from '../porcelain/names.ts';
import { command } from '../run/command.ts';
import { type Oid, toOid } from '../run/oid.ts';
import { expression } from '../run/operand.ts';
import type { Answer, ObjectInfo, ObjectType } from './answers.ts';
import { isAskable, type Objects } from './objects.ts';
import { parseTree, type TreeEntry } from './tree.ts';
import { ambiguousRevision, noSuchPath, unknownRevision, wrongType } from './unknown.ts';

/** `any` takes what the name stands for; the others peel tags, and a commit to its tree, until they have one. */
export type Wanted = Exclude<ObjectType, 'tag'> | 'any';

/** Bytes; a path and a reference together have fewer. */
const MAX_LENGTH = 8192;
const MAX_TREE_BYTES = 32 << 20;
/**
 * Expressions that a running git resolves from stale data (upstreams, the index), dies of, or resolves by a walk of all
 * history.
 */
const onlyGit = /@\{|\^\{\/|^:/;
/** Paths that git takes as relative to its working directory, and dies of when they are outside. */
const relativePath = /^\.\.?\//;

const missing: Answer = { kind: 'missing' };

/** Resolves a revision to an object; every revision that a caller names passes here. */
export async function resolve(
  objects: Objects,
  revision: string,
  wanted: Wanted = 'any',
  signal?: AbortSignal,
): Promise<Oid> {
  return (await find(objects, revision, wanted, signal)).oid;
}

/** Does `resolve` and returns the type and size, too. A path in the revision is written as names of this server are. */
export async function find(
  objects: Objects,
  revision: string,
  wanted: Wanted = 'any',
  signal?: AbortSignal,
): Promise<ObjectInfo> {
  assertRevision(revision);
  const colon = pathAt(revision);
  if (colon > 0 && !relativePath.test(revision.slice(colon + 1))) {
    const path = bytesOfName(revision.slice(colon + 1));
    return findPath(objects, revision.slice(0, colon), path, wanted, signal);
  }
  if (colon > 0 || onlyGit.test(revision)) {
    const oid = await askGit(objects, revision, signal);
    return findName(objects, oid, revision, wanted, signal);
  }
  return findName(objects, revision, revision, wanted, signal);
}

async function findName(
  objects: Objects,
  name: string,
  revision: string,
  wanted: Wanted,
  signal?: AbortSignal,
): Promise<ObjectInfo> {
  const answer = await look(objects, wanted === 'any' ? name : `${name}^{${wanted}}`, signal);
  if (answer.kind === 'found') return answer.info;
  const plain = wanted === 'any' ? answer : await look(objects, name, signal);
  if (plain.kind === 'found') throw wrongType(revision, plain.info.type, wanted);
  // git says so only of a name, not of an expression on it
  const [base = ''] = revision.split(/[~^:]/, 1);
  const start = base === name ? plain : await look(objects, base, signal);
  if (start.kind === 'ambiguous') throw await ambiguousRevision(objects, base, signal);
  throw await unknownRevision(objects, revision, signal);
}

async function findPath(
  objects: Objects,
  base: string,
  path: Buffer,
  wanted: Wanted,
  signal?: AbortSignal,
): Promise<ObjectInfo> {
  const name = onlyGit.test(base) ? await askGit(objects, base, signal) : base;
  const asked = Buffer.concat([Buffer.from(`${name}:`), path]);
  const answer = relativePath.test(path.toString('latin1')) ? missing : await look(objects, asked, signal);
  const info = answer.kind === 'found' ? answer.info : await findInTrees(objects, name, base, path, signal);
  if (wanted !== 'any' && info.type !== wanted) throw wrongType(`${base}:${nameOf(path)}`, info.type, wanted);
  return info;
}

/** Resolves names that no line can hold, and finds the reason for which others fail. */
async function findInTrees(
  objects: Objects,
  name: string,
  base: string,
  path: Buffer,
  signal?: AbortSignal,
): Promise<ObjectInfo> {
  const top = await findName(objects, name, base, 'tree', signal);
  const entry = await entryAt(objects, top.oid, path, signal);
  const info = entry && (await objects.info(entry.oid, signal));
  if (info === undefined) throw noSuchPath(base, path, entry);
  return info;
}

/** Returns the entry of a tree at a path below it. */
export async function entryAt(
  objects: Objects,
  top: Oid,
  path: Buffer,
  signal?: AbortSignal,
): Promise<TreeEntry | undefined> {
  let entry: TreeEntry | undefined;
  for (const part of path.toString('latin1').replace(/\/$/, '').split('/')) {
    if (entry !== undefined && entry.type !== 'tree') return undefined;
    const tree = entry?.oid ?? top;
    const contents = await objects.read(tree, MAX_TREE_BYTES, signal);
    const name = nameOfByteString(part);
    entry = contents?.bytes && parseTree(contents.bytes, tree).find((other) => other.name === name);
    if (entry === undefined) return undefined;
  }
  return entry;
}

async function look(objects: Objects, name: string | Buffer, signal?: AbortSignal): Promise<Answer> {
  return isAskable(name) ? objects.look(name, signal) : missing;
}

async function askGit(objects: Objects, revision: string, signal?: AbortSignal): Promise<Oid> {
  const asked = command('rev-parse', {
    flags: ['--verify', '--quiet', '--end-of-options'],
    revisions: [expression(revision)],
  });
  const { status, stdout } = await objects.run(asked, [0, 1, 128], signal);
  const oid = stdout.toString().trim();
  if (status !== 0 || oid.startsWith('^')) throw await unknownRevision(objects, revision, signal);
  return toOid(oid);
}

/** Returns the start of a revision's path as git finds it: after the first colon outside of braces. */
function pathAt(revision: string): number {
  let depth = 0;
  for (let at = 0; at < revision.length; at++) {
    const char = revision[at];
    if (char === '{') depth++;
    else if (char === '}' && depth > 0) depth--;
    else if (char === ':' && depth === 0) return at;
  }
  return -1;
}

function assertRevision(revision: string): void {
  const fault =
    revision === ''
      ? 'is empty'
      : revision.startsWith('-')
        ? 'begins with "-"'
        : revision.length > MAX_LENGTH
          ? 'is too long'
          : /[\0\n]/.test(revision) || !revision.isWellFormed()
            ? 'holds characters that none can have'
            : undefined;
  if (fault === undefined) return;
  throw new ToolError(`the revision ${fault}`, {
    code: 'invalid-revision',
    hint: 'a revision is a branch, a tag, an object id, HEAD~2, main@{upstream} or <revision>:<path>',
  });
}
