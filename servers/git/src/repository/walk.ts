import type { Oid } from '../run/oid.ts';
import { type Commit, parseCommit } from './commit.ts';
import type { Contents, Objects } from './objects.ts';

/** Commits; above this number a `git log` is faster than reading them one by one. */
export const MAX_WALK = 20;
/** Bytes of a commit, which usually has a few hundred. */
export const MAX_COMMIT_BYTES = 256 << 10;
/** Commits that are read ahead on the side branch of a merge. */
const SIDE = 4;
/** Parents of one commit that are read to find the next one. */
const MAX_PARENTS = 64;
/** Seconds since 1970; a commit-graph holds no later dates. */
const END_OF_TIME = 2 ** 34;
/** The earliest date that all versions of git parse alike. */
const plain =
  /^tree [0-9a-f]+\n(?:parent [0-9a-f]+\n)*author [^\n]+\ncommitter [^\n>]*> (\d{1,11}) [+-]\d{4}\n/;

export interface WalkedCommit {
  readonly oid: Oid;
  readonly commit: Commit;
  /** those of the history: none where a shallow clone ends */
  readonly parents: readonly Oid[];
}

export interface Walk {
  readonly commits: readonly WalkedCommit[];
  /** whether more commits follow */
  readonly more: boolean;
}

/**
 * Returns the first commits of a history, newest first as in `git log`; undefined where only git itself knows them:
 * grafts, damage, and dates that its versions parse differently.
 */
export async function walk(
  objects: Objects,
  from: Oid,
  count: number,
  signal?: AbortSignal,
): Promise<Walk | undefined> {
  if (count > MAX_WALK) throw new RangeError(`a walk takes at most ${MAX_WALK} commits`);
  const ends = objects.ends();
  if (ends === undefined) return undefined;
  const read = new Map<Oid, Contents>();
  const seen = new Set<Oid>([from]);
  const row: Dated[] = [];
  const commits: WalkedCommit[] = [];
  let wanted: readonly Oid[] = [from];
  while (commits.length < count) {
    const left = count - commits.length;
    await readAhead(objects, read, wanted, commits.length === 0 ? left : Math.min(SIDE, left), signal);
    for (const oid of wanted) {
      const dated = dateOf(oid, read.get(oid));
      if (dated === undefined) return undefined;
      insert(row, dated);
    }
    const next = row.shift();
    if (next === undefined) break;
    const commit = parseCommit(next.bytes);
    const parents = ends.has(next.oid) ? [] : commit.parents;
    if (parents.length > MAX_PARENTS) return undefined;
    commits.push({ oid: next.oid, commit, parents });
    wanted = parents.filter((parent) => !seen.has(parent) && seen.add(parent));
  }
  return { commits, more: row.length + wanted.length > 0 };
}

interface Dated {
  readonly oid: Oid;
  readonly bytes: Buffer;
  readonly time: number;
}

/** Reads commits that are not read yet, in one step with their ancestors on the first line of parents. */
async function readAhead(
  objects: Objects,
  read: Map<Oid, Contents>,
  wanted: readonly Oid[],
  ahead: number,
  signal?: AbortSignal,
): Promise<void> {
  const names = wanted
    .filter((oid) => !read.has(oid))
    .flatMap((oid) => [oid, ...Array.from({ length: ahead - 1 }, (_, back) => `${oid}~${back + 1}`)]);
  const found = await Promise.all(names.map((name) => objects.read(name, MAX_COMMIT_BYTES, signal)));
  for (const contents of found) if (contents !== undefined) read.set(contents.oid, contents);
}

function dateOf(oid: Oid, contents: Contents | undefined): Dated | undefined {
  const bytes = contents?.type === 'commit' ? contents.bytes : undefined;
  const time = Number(bytes === undefined ? undefined : plain.exec(bytes.toString('latin1'))?.[1]);
  return bytes !== undefined && time < END_OF_TIME ? { oid, bytes, time } : undefined;
}

/** Puts a commit after all that are as late or later, as git does. */
function insert(row: Dated[], dated: Dated): void {
  const at = row.findIndex(({ time }) => time < dated.time);
  row.splice(at === -1 ? row.length : at, 0, dated);
}
