import type { Stats } from 'node:fs';
import { type OpenDirectory, openDirectory, type Scope } from '@rootbound/kit/boundary';
import { type Json, Snapshots } from '@rootbound/kit/budget';
import { defined, yieldToEventLoop } from '@rootbound/kit/primitives';
import type { Workspace } from '../workspace.ts';
import { type DescribedDirectory, entryOf, type ListedEntry, look, typedEntry } from './facts.ts';
import type { Attention, ListingPage, Sort, Totals, Wanted } from './listing.ts';
import { hiddenIn } from './names.ts';
import { rankBy } from './rank.ts';
import { type Kinds, readNames } from './read.ts';

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
  /** what it takes in memory */
  bytes: number;
  totals: Totals | undefined;
  /** for the page that the directory was read for; later ones look whether a name is still there */
  kinds: Kinds | undefined;
}

const snapshots = new Snapshots<Sorted>();
/** What a name takes in memory besides its characters, with its key. */
const BYTES_PER_NAME = 40;
/** Looks at entries between two breaths of the event loop: a few milliseconds of work. */
const STATS_PER_TURN = 1000;

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
    const sorted = kept ?? (await sortedOf(scope, folder, wanted, attention));
    const start = after === undefined ? 0 : kept === undefined ? indexAfter(sorted, after) : after[1];
    const id = kept === undefined ? keep(owner, sorted, start + wanted.limit) : after![0];
    return await pageOf(
      { scope, folder, details: wanted.details },
      sorted,
      start,
      wanted.limit,
      id,
      attention,
    );
  } finally {
    folder.close();
  }
}

function snapshotOf(owner: string, id: string, { stat }: OpenDirectory): Sorted | undefined {
  const sorted = snapshots.get(owner, id);
  return sorted?.dev === stat.dev && sorted.ino === stat.ino ? sorted : undefined;
}

function keep(owner: string, sorted: Sorted, returned: number): string | null {
  if (sorted.names.length <= returned) return null;
  return snapshots.put(owner, { ...sorted, kinds: undefined }, sorted.bytes) ?? null;
}

async function pageOf(
  directory: DescribedDirectory,
  { names, keys, totals, kinds }: Sorted,
  start: number,
  limit: number,
  id: string | null,
  { signal }: Attention,
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

async function sortedOf(
  scope: Scope,
  folder: OpenDirectory,
  { path, sort, totals: wantsTotals = false }: Wanted,
  attention: Attention,
): Promise<Sorted> {
  const { dev, ino } = folder.stat;
  const { names, characters, kinds } = await readNames(folder, path, hiddenIn(scope, folder));
  const bytes = characters + names.length * BYTES_PER_NAME;
  const keys = sort === 'name' ? undefined : new Float64Array(names.length);
  const totals = wantsTotals ? { files: 0, directories: 0, others: 0, size: 0 } : undefined;
  const sorted: Sorted = { dev, ino, names, keys, bytes, totals, kinds };
  if (keys === undefined && totals === undefined) return sorted;
  await lookAtAll(folder, names, attention, (stat, index) => {
    if (keys !== undefined) keys[index] = keyOf(stat, sort);
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

/** What can be seen of each name, in pieces. */
async function lookAtAll(
  folder: OpenDirectory,
  names: readonly string[],
  { signal, progress }: Attention,
  visit: (stat: Stats | 'hidden', index: number) => void,
): Promise<void> {
  for (let index = 0; index < names.length; index++) {
    if (index > 0 && index % STATS_PER_TURN === 0) {
      await yieldToEventLoop();
      signal.throwIfAborted();
      progress(index, names.length);
    }
    const stat = look(folder, names[index]!);
    if (stat !== undefined) visit(stat, index);
  }
}

/** The largest and the newest come first; what has no size counts as empty. */
function keyOf(stat: Stats | 'hidden', sort: Sort): number {
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

/** Where to go on in a directory that was read anew. */
function indexAfter({ names, keys }: Sorted, [, , name, key]: SortedPosition): number {
  const index = names.findIndex((other, at) => {
    const difference = keys === undefined ? 0 : keys[at]! - (key ?? 0);
    return difference > 0 || (difference === 0 && other > name);
  });
  return index === -1 ? names.length : index;
}
