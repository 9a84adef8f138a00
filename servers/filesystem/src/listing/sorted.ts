import { type OpenDirectory, openDirectory } from '@rootbound/kit/boundary';
import { type Json, Snapshots } from '@rootbound/kit/budget';
import type { Workspace } from '../workspace.ts';
import { entryOf, type ListedEntry, look } from './facts.ts';
import type { Attention, ListingPage, Sort, Wanted } from './listing.ts';
import { rankBy } from './rank.ts';
import { breath, readNames } from './read.ts';

/** Where a sorted page ended: in which snapshot, behind how many, and the last name with the key it was sorted by. */
export type SortedPosition = [id: string | null, index: number, name: string, key: number | null];

export function isSortedPosition(value: unknown): value is SortedPosition {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [id, index, name, key] = value as unknown[];
  return (
    (id === null || typeof id === 'string') &&
    Number.isSafeInteger(index) &&
    Number(index) >= 0 &&
    typeof name === 'string' &&
    (key === null || typeof key === 'number')
  );
}

/** The sorted names of a directory, and the keys in the same order where it is not the name that sorts. */
interface Sorted {
  dev: number;
  ino: number;
  names: readonly string[];
  keys: Float64Array | undefined;
}

const snapshots = new Snapshots<Sorted>();
/** What a name takes in memory besides its characters, with its key. */
const BYTES_PER_NAME = 40;
/** Looks at entries between two breaths of the event loop: a few milliseconds of work. */
const LOOKS_IN_ONE_GO = 1000;

/** A page of the sorted directory; all pages show it as it was at the first, less what is gone. */
export async function sortedPage(
  workspace: Workspace,
  wanted: Wanted,
  after: SortedPosition | undefined,
  attention: Attention,
): Promise<ListingPage> {
  const { owner, scope } = workspace;
  const folder = openDirectory(scope, wanted.path);
  try {
    const kept = after?.[0] ? snapshotOf(owner, after[0], folder) : undefined;
    const sorted = kept ?? (await sortedOf(folder, wanted, attention));
    const start = after === undefined ? 0 : kept === undefined ? indexAfter(sorted, after) : after[1];
    const id = kept === undefined ? keep(owner, sorted, start + wanted.limit) : after![0];
    return pageOf(folder, sorted, start, wanted, id);
  } finally {
    folder.close();
  }
}

function snapshotOf(owner: string, id: string, { stat }: OpenDirectory): Sorted | undefined {
  const sorted = snapshots.get(owner, id);
  return sorted?.dev === stat.dev && sorted.ino === stat.ino ? sorted : undefined;
}

function keep(owner: string, sorted: Sorted, shown: number): string | null {
  if (sorted.names.length <= shown) return null;
  const bytes = sorted.names.reduce((sum, name) => sum + name.length + BYTES_PER_NAME, 0);
  return snapshots.put(owner, sorted, bytes) ?? null;
}

function pageOf(
  folder: OpenDirectory,
  { names, keys }: Sorted,
  start: number,
  { limit, details }: Wanted,
  id: string | null,
): ListingPage {
  const entries: ListedEntry[] = [];
  const ends: number[] = [];
  let at = start;
  while (at < names.length && entries.length < limit) {
    const entry = entryOf(folder, names[at++]!, details);
    if (entry === undefined) continue;
    entries.push(entry);
    ends.push(at);
  }
  return {
    entries,
    total: names.length,
    resume(kept): Json | undefined {
      const end = kept === entries.length ? at : ends[kept - 1]!;
      return end < names.length ? [id, end, names[end - 1]!, keys?.[end - 1] ?? null] : undefined;
    },
    settle() {},
  };
}

async function sortedOf(
  folder: OpenDirectory,
  { path, sort }: Wanted,
  attention: Attention,
): Promise<Sorted> {
  const { dev, ino } = folder.stat;
  const names = await readNames(folder, path);
  if (sort === 'name') return { dev, ino, names, keys: undefined };
  const keys = await keysOf(folder, names, sort, attention);
  const order = rankBy(keys);
  await breath();
  return { dev, ino, ...inOrder(order, names, keys) };
}

function inOrder(
  order: Uint32Array,
  names: readonly string[],
  keys: Float64Array,
): Pick<Sorted, 'names' | 'keys'> {
  const sorted = { names: new Array<string>(order.length), keys: new Float64Array(order.length) };
  for (let at = 0; at < order.length; at++) {
    sorted.names[at] = names[order[at]!]!;
    sorted.keys[at] = keys[order[at]!]!;
  }
  return sorted;
}

/** The largest and the newest come first; what has no size counts as empty. */
async function keysOf(
  folder: OpenDirectory,
  names: readonly string[],
  sort: Sort,
  { signal, progress }: Attention,
): Promise<Float64Array> {
  const keys = new Float64Array(names.length);
  for (let index = 0; index < names.length; index++) {
    if (index > 0 && index % LOOKS_IN_ONE_GO === 0) {
      await breath();
      signal.throwIfAborted();
      progress(index, names.length);
    }
    const stat = look(folder, names[index]!);
    if (stat === undefined || stat === 'hidden') continue;
    if (sort === 'modified') keys[index] = 0 - stat.mtimeMs;
    else if (stat.isFile()) keys[index] = 0 - stat.size;
  }
  return keys;
}

/** Where to go on in a directory that was read anew. */
function indexAfter({ names, keys }: Sorted, [, , name, key]: SortedPosition): number {
  const index = names.findIndex((other, at) => {
    const difference = keys === undefined ? 0 : keys[at]! - (key ?? 0);
    return difference > 0 || (difference === 0 && other > name);
  });
  return index === -1 ? names.length : index;
}
