import type { Oid } from '../run/oid.ts';
import { type Commit, parseCommit } from './commit.ts';
import type { Contents, Objects } from './objects.ts';

/** More commits than this are read sooner by a `git log` than one by one. */
export const MAX_WALK = 20;
/** A commit is a few hundred bytes, unless somebody wants to be in the way. */
const MAX_COMMIT_BYTES = 256 << 10;
/** How far the side branch of a merge is read ahead. */
const SIDE = 4;
/** Of one commit, that are read to find the next one. */
const MAX_PARENTS = 64;
/** A commit-graph holds no later dates. */
const END_OF_TIME = 2 ** 34;
/** Where all versions of git find the same date. */
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
  /** whether there are more after them */
  readonly more: boolean;
}

/**
 * The first commits of the history of one, newest first as `git log` gives them; undefined where only git itself can
 * tell: grafts, damage, and dates that its versions read differently.
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

/** Reads commits that are not read yet, in one step with those before them on the first line of parents. */
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

/** After all that are as late or later, as git does it. */
function insert(row: Dated[], dated: Dated): void {
  const at = row.findIndex(({ time }) => time < dated.time);
  row.splice(at === -1 ? row.length : at, 0, dated);
}
