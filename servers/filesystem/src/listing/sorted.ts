import type { Stats } from 'node:fs';
import { type OpenDirectory, openDirectory, type Scope } from '@rootbound/kit/boundary';
import { type Json, Snapshots } from '@rootbound/kit/budget';
import { defined, yieldToEventLoop } from '@rootbound/kit/primitives';
import type { CallControl, Workspace } from '../workspace.ts';
import { type DescribedDirectory, entryOf, type ListedEntry, statName, typedEntry } from './facts.ts';
import type { ListingPage, ListingRequest, Sort, Totals } from './listing.ts';
import { hiddenIn } from './names.ts';
import { rankBy } from './rank.ts';
import { type Kinds, readNames } from './read.ts';

/** The end of a sorted page: its snapshot, the number of entries before it, and the last name with its sort key. */
export type SortedPosition = [id: string | null, index: number, name: string, key: number | null];

export function isSortedPosition(value: unknown): value is SortedPosition {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [id, index, name, key]: unknown[] = value;
  return (
    (id === null || typeof id === 'string') &&
    Number.isSafeInteger(index) &&
    Number(index) >= 0 &&
    typeof name === 'string' &&
    (key === null || typeof key === 'number')
  );
}

/** The sorted names of a directory, and their sort keys in the same order unless sorted by name. */
interface Sorted {
  dev: number;
  ino: number;
  names: readonly string[];
  keys: Float64Array | undefined;
  /** estimated size in memory */
  bytes: number;
  totals: Totals | undefined;
  /** for the first page only; later ones check whether each name still exists */
  kinds: Kinds | undefined;
}

const snapshots = new Snapshots<Sorted>();
/** Memory of a name and its key besides the characters, in bytes. */
const BYTES_PER_NAME = 40;
/** Calls of lstat in one turn of the event loop: a few milliseconds of work. */
const STATS_PER_TURN = 1000;

/** Returns a page of a sorted directory. All pages come from the snapshot of the first, without deleted entries. */
export async function sortedPage(
  workspace: Workspace,
  request: ListingRequest,
  after: SortedPosition | undefined,
  call: CallControl,
): Promise<ListingPage> {
  const { owner, scope } = workspace;
  const folder = openDirectory(scope, request.path);
  try {
    const kept = after?.[0] ? snapshotOf(owner, after[0], folder) : undefined;
    const sorted = kept ?? (await readSorted(scope, folder, request, call));
    const start = after === undefined ? 0 : kept === undefined ? indexAfter(sorted, after) : after[1];
    const id = kept === undefined ? keepSnapshot(owner, sorted, start + request.limit) : (after?.[0] ?? null);
    return await pageOf({ scope, folder, details: request.details }, sorted, start, request.limit, id, call);
  } finally {
    folder.close();
  }
}

function snapshotOf(owner: string, id: string, { stat }: OpenDirectory): Sorted | undefined {
  const sorted = snapshots.get(owner, id);
  return sorted?.dev === stat.dev && sorted.ino === stat.ino ? sorted : undefined;
}

function keepSnapshot(owner: string, sorted: Sorted, returned: number): string | null {
  if (sorted.names.length <= returned) return null;
  return snapshots.put(owner, { ...sorted, kinds: undefined }, sorted.bytes) ?? null;
}

async function pageOf(
  directory: DescribedDirectory,
  { names, keys, totals, kinds }: Sorted,
  start: number,
  limit: number,
  id: string | null,
  { signal }: CallControl,
): Promise<ListingPage> {
  const entries: ListedEntry[] = [];
  const ends: number[] = [];
  let at = start;
  while (at < names.length && entries.length < limit) {
    if (at > start && (at - start) % STATS_PER_TURN === 0) {
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
    const name = names[at++]!;
    const kind = directory.details ? undefined : kinds?.get(name);
    const entry = kind === undefined ? entryOf(directory, name) : typedEntry(directory, name, kind);
    if (entry === undefined) continue;
    entries.push(entry);
    ends.push(at);
  }
  return {
    entries,
    total: names.length,
    ...defined({ totals }),
    resume(kept): Json | undefined {
      const end = kept === entries.length ? at : ends[kept - 1]!;
      return end < names.length ? [id, end, names[end - 1]!, keys?.[end - 1] ?? null] : undefined;
    },
    settle() {},
  };
}

async function readSorted(
  scope: Scope,
  folder: OpenDirectory,
  { path, sort, totals: wantsTotals = false }: ListingRequest,
  call: CallControl,
): Promise<Sorted> {
  const { dev, ino } = folder.stat;
  const { names, characters, kinds } = await readNames(folder, path, hiddenIn(scope, folder));
  const bytes = characters + names.length * BYTES_PER_NAME;
  const keys = sort === 'name' ? undefined : new Float64Array(names.length);
  const totals = wantsTotals ? { files: 0, directories: 0, others: 0, size: 0 } : undefined;
  const sorted: Sorted = { dev, ino, names, keys, bytes, totals, kinds };
  if (keys === undefined && totals === undefined) return sorted;
  await statAll(folder, names, call, (stat, index) => {
    if (keys !== undefined) keys[index] = sortKeyOf(stat, sort);
    if (totals !== undefined) count(totals, stat);
  });
  if (keys === undefined) return sorted;
  const order = rankBy(keys);
  await yieldToEventLoop();
  return { ...sorted, ...inOrder(order, names, keys) };
}

function inOrder(
  order: Uint32Array,
  names: readonly string[],
  keys: Float64Array,
): { names: readonly string[]; keys: Float64Array } {
  const sorted = { names: new Array<string>(order.length), keys: new Float64Array(order.length) };
  for (let at = 0; at < order.length; at++) {
    sorted.names[at] = names[order[at]!]!;
    sorted.keys[at] = keys[order[at]!]!;
  }
  return sorted;
}

/** Calls `visit` with the lstat of each name, in several turns of the event loop. */
async function statAll(
  folder: OpenDirectory,
  names: readonly string[],
  { signal, progress }: CallControl,
  visit: (stat: Stats | 'hidden', index: number) => void,
): Promise<void> {
  for (let index = 0; index < names.length; index++) {
    if (index > 0 && index % STATS_PER_TURN === 0) {
      await yieldToEventLoop();
      signal.throwIfAborted();
      progress(index, names.length);
    }
    const stat = statName(folder, names[index]!);
    if (stat !== undefined) visit(stat, index);
  }
}

/** Returns the sort key: the largest and the newest come first, and entries without a size count as empty. */
function sortKeyOf(stat: Stats | 'hidden', sort: Sort): number {
  if (stat === 'hidden') return 0;
  if (sort === 'modified') return 0 - stat.mtimeMs;
  return stat.isFile() ? 0 - stat.size : 0;
}

function count(totals: Totals, stat: Stats | 'hidden'): void {
  if (stat === 'hidden') totals.others++;
  else if (stat.isDirectory()) totals.directories++;
  else if (stat.isFile()) {
    totals.files++;
    totals.size += stat.size;
  } else totals.others++;
}

/** Returns the index after a position in a directory that was read again. */
function indexAfter({ names, keys }: Sorted, [, , name, key]: SortedPosition): number {
  const index = names.findIndex((other, at) => {
    const difference = keys === undefined ? 0 : keys[at]! - (key ?? 0);
    return difference > 0 || (difference === 0 && other > name);
  });
  return index === -1 ? names.length : index;
}
