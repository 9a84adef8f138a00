import { type Entry, openDirectory, readEntries } from '@rootbound/kit/boundary';
import type { Json } from '@rootbound/kit/budget';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import type { Workspace } from '../workspace.ts';
import { type ListedEntry, typedEntry } from './facts.ts';
import type { Attention, ListingPage, Wanted } from './listing.ts';
import { byteName, hiddenIn } from './names.ts';
import { closeStream, type Stream, Streams } from './streams.ts';

/** Where a page in directory order ended: the stream that goes on there, how many came before, and the last name. */
export type StreamPosition = [id: string, given: number, name: string];

export function isStreamPosition(value: unknown): value is StreamPosition {
  if (!Array.isArray(value) || value.length !== 3) return false;
  return typeof value[0] === 'string' && Number.isSafeInteger(value[1]) && typeof value[2] === 'string';
}

const streams = new Streams({ count: 16, perOwner: 4 });
/** Entries that are skipped between two breaths of the event loop. */
const SKIPPED_PER_TURN = 4096;
/** Entries that are shown between two of them. */
const ENTRIES_PER_TURN = 1000;

/** A page in the directory's own order: costs what the page costs, however large the directory is. */
export function streamPage(
  workspace: Workspace,
  wanted: Wanted,
  after: StreamPosition | undefined,
  attention: Attention,
): ListingPage | Promise<ListingPage> {
  const stream = openStream(workspace, wanted.path);
  if (after === undefined) return nextPage(workspace, wanted, stream, attention);
  const kept = streams.take(workspace.owner, after[0]);
  if (kept !== undefined) {
    const same =
      kept.folder.stat.dev === stream.folder.stat.dev && kept.folder.stat.ino === stream.folder.stat.ino;
    closeStream(same ? stream : kept);
    if (same) return nextPage(workspace, wanted, kept, attention);
  }
  return skipTo(workspace, wanted, stream, after, attention);
}

function openStream({ scope }: Workspace, path: string): Stream {
  const folder = openDirectory(scope, path);
  return {
    folder,
    entries: readEntries(folder, path),
    isHidden: hiddenIn(scope, folder),
    ahead: [],
    given: 0,
  };
}

function nextPage(
  workspace: Workspace,
  wanted: Wanted,
  stream: Stream,
  attention: Attention,
): ListingPage | Promise<ListingPage> {
  if (wanted.limit > ENTRIES_PER_TURN) return longPage(workspace, wanted, stream, attention);
  try {
    // one more than the page tells whether there is more
    readAhead(stream, wanted.limit + 1);
    const pageEntries = stream.ahead.slice(0, wanted.limit);
    return pageOf(workspace.owner, stream, pageEntries, describeAll(workspace, wanted, stream, pageEntries));
  } catch (error) {
    closeStream(stream);
    throw error;
  }
}

/** The same in pieces, so that the event loop is let in. */
async function longPage(
  workspace: Workspace,
  wanted: Wanted,
  stream: Stream,
  { signal }: Attention,
): Promise<ListingPage> {
  const { limit } = wanted;
  try {
    while (readAhead(stream, Math.min(limit + 1, stream.ahead.length + ENTRIES_PER_TURN))) {
      if (stream.ahead.length > limit) break;
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
    const pageEntries = stream.ahead.slice(0, limit);
    const entries: ListedEntry[] = [];
    for (let at = 0; at < pageEntries.length; at += ENTRIES_PER_TURN) {
      await yieldToEventLoop();
      signal.throwIfAborted();
      entries.push(...describeAll(workspace, wanted, stream, pageEntries.slice(at, at + ENTRIES_PER_TURN)));
    }
    return pageOf(workspace.owner, stream, pageEntries, entries);
  } catch (error) {
    closeStream(stream);
    throw error;
  }
}

/** Reads until so many entries wait; false when the directory ends before. */
function readAhead(stream: Stream, count: number): boolean {
  while (stream.ahead.length < count) {
    const entry = nextEntry(stream);
    if (entry === undefined) return false;
    stream.ahead.push(entry);
  }
  return true;
}

function describeAll(
  { scope }: Workspace,
  { details }: Wanted,
  { folder }: Stream,
  pageEntries: readonly Entry[],
): ListedEntry[] {
  const directory = { scope, folder, details };
  return pageEntries.map((entry) => typedEntry(directory, byteName(entry), entry.kind));
}

function pageOf(
  owner: string,
  stream: Stream,
  pageEntries: readonly Entry[],
  entries: readonly ListedEntry[],
): ListingPage {
  const id = streams.newId();
  return {
    entries,
    resume(kept): Json | undefined {
      if (kept === stream.ahead.length) return undefined;
      return [id, stream.given + kept, kept === 0 ? '' : byteName(pageEntries[kept - 1]!)];
    },
    settle(kept) {
      stream.ahead.splice(0, kept);
      stream.given += kept;
      if (stream.ahead.length > 0) streams.keep(owner, id, stream);
      else closeStream(stream);
    },
  };
}

function nextEntry(stream: Stream): Entry | undefined {
  for (;;) {
    const { value } = stream.entries.next();
    if (value === undefined || !stream.isHidden(byteName(value))) return value ?? undefined;
  }
}

/** Continues without the stream: behind the last name, or behind as many entries when that name is gone. */
async function skipTo(
  workspace: Workspace,
  wanted: Wanted,
  stream: Stream,
  [, given, name]: StreamPosition,
  attention: Attention,
): Promise<ListingPage> {
  if (await skipWhile(stream, attention, (entry) => byteName(entry) !== name)) {
    stream.given = given;
    return nextPage(workspace, wanted, stream, attention);
  }
  const again = openStream(workspace, wanted.path);
  let left = given;
  await skipWhile(again, attention, () => --left > 0);
  again.given = given;
  return nextPage(workspace, wanted, again, attention);
}

/** Skips up to the entry that `skips` refuses, and that one; false when there is none, and the stream is closed then. */
async function skipWhile(
  stream: Stream,
  attention: Attention,
  skips: (entry: Entry) => boolean,
): Promise<boolean> {
  try {
    for (let count = 1; ; count++) {
      const entry = nextEntry(stream);
      if (entry === undefined) break;
      if (!skips(entry)) return true;
      if (count % SKIPPED_PER_TURN > 0) continue;
      await yieldToEventLoop();
      attention.signal.throwIfAborted();
    }
  } catch (error) {
    closeStream(stream);
    throw error;
  }
  closeStream(stream);
  return false;
}
