import { nearest } from '@rootbound/kit/cli';
import { ToolError } from '@rootbound/protocol';
import { nameOf } from '../porcelain/names.ts';
import { command } from '../run/command.ts';
import { isOid } from '../run/oid.ts';
import type { ObjectType } from './answers.ts';
import type { Objects } from './objects.ts';
import { shallowEnd } from './shallow-end.ts';
import type { TreeEntry } from './tree.ts';
import { noCommitYet } from './unborn.ts';

/** References that are compared with the unknown one. */
const MAX_REFS = 5000;
const MAX_NEAR = 3;
const MAX_CANDIDATES = 10;

/** How a shallow clone gets the commits that it lacks. */
export const DEEPEN = 'git_fetch with deepen: <number> or unshallow: true gets older commits';

/** Returns the failure for an unknown name: no commit yet, beyond a shallow end, or with similar names of references. */
export async function unknownRevision(
  objects: Objects,
  revision: string,
  signal?: AbortSignal,
): Promise<ToolError> {
  const [base = ''] = revision.split(/[~^:]|@\{/, 1);
  const unborn = await noCommitYet(objects, base, signal);
  if (unborn !== undefined) return unborn;
  const end = await shallowEnd(objects, revision, signal);
  if (end !== undefined) return beyondEnd(revision, end);
  const isShallow = (objects.ends()?.size ?? 0) > 0;
  const asked = command('for-each-ref', { options: { '--format': '%(refname:short)', '--count': MAX_REFS } });
  const { stdout } = await objects.run(asked, [0], signal);
  const refs = new Set(stdout.toString().split('\n').filter(Boolean));
  const hint =
    isShallow && /^[0-9a-f]{7,64}$/i.test(base)
      ? `the history is shallow, and the commit may be older: ${DEEPEN}`
      : refs.size === 0
        ? 'there is no branch or tag, and perhaps no commit yet'
        : hintOf(revision.replace(/[~^:@].*$/s, ''), refs);
  return new ToolError(`unknown revision ${nameOf(Buffer.from(revision))}`, {
    code: 'unknown-revision',
    hint,
  });
}

function beyondEnd(revision: string, end: string): ToolError {
  return new ToolError(
    `${nameOf(Buffer.from(revision))} is not here: this clone is shallow, and its history ends at ${end.slice(0, 12)}`,
    { code: 'unknown-revision', hint: DEEPEN },
  );
}

function hintOf(word: string, refs: Set<string>): string {
  const near: string[] = [];
  while (near.length < MAX_NEAR) {
    const next = nearest(word, refs);
    if (next === undefined) break;
    near.push(next);
    refs.delete(next);
  }
  return near.length === 0
    ? 'name a branch, a tag, an object id, or an expression such as HEAD~2'
    : `did you mean ${near.join(' or ')}?`;
}

/** Returns the failure for an abbreviated id of several objects. */
export async function ambiguousRevision(
  objects: Objects,
  revision: string,
  signal?: AbortSignal,
): Promise<ToolError> {
  const prefix = /^(?:.*-g)?([0-9a-f]{4,})/i.exec(revision)?.[1] ?? '';
  const asked = command('rev-parse', { options: { '--disambiguate': prefix } });
  const { stdout } = await objects.run(asked, [0], signal);
  const oids = stdout.toString().split('\n').filter(isOid);
  const infos = await Promise.all(oids.slice(0, MAX_CANDIDATES).map((oid) => objects.info(oid, signal)));
  const candidates = infos.filter((info) => info !== undefined).map(({ oid, type }) => `${type} ${oid}`);
  const rest = oids.length > candidates.length ? ` and ${oids.length - candidates.length} more` : '';
  return new ToolError(`${nameOf(Buffer.from(revision))} is ambiguous`, {
    code: 'ambiguous',
    hint: `give more digits; it may be ${candidates.join(', ')}${rest}`,
  });
}

export function wrongType(revision: string, type: ObjectType, wanted: string): ToolError {
  return new ToolError(`${nameOf(Buffer.from(revision))} is a ${type}, not a ${wanted}`, {
    code: 'unknown-revision',
  });
}

/** Returns the failure where the revision is valid, and has no such path, or has another repository there. */
export function noSuchPath(base: string, path: Buffer, entry: TreeEntry | undefined): ToolError {
  const what =
    entry === undefined
      ? 'does not exist'
      : entry.type === 'commit'
        ? `is a submodule at commit ${entry.oid}`
        : 'is not stored here: a partial clone has not fetched it, or the repository is damaged';
  return new ToolError(`${nameOf(path)} ${what} in ${nameOf(Buffer.from(base))}`, { code: 'not-found' });
}
