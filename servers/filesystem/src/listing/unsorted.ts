import { type Entry, openDirectory, readEntries } from '@rootbound/kit/boundary';
import type { Json } from '@rootbound/kit/budget';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import type { CallControl, Workspace } from '../workspace.ts';
import { type ListedEntry, typedEntry } from './facts.ts';
import type { ListingPage, ListingRequest } from './listing.ts';
import { byteName, hiddenIn } from './names.ts';
import { closeStream, type DirectoryStream, DirectoryStreams } from './streams.ts';

/** The end of a page in directory order: its stream, the number of entries before it, and the last name. */
export type StreamPosition = [id: string, returned: number, name: string];

export function isStreamPosition(value: unknown): value is StreamPosition {
  if (!Array.isArray(value) || value.length !== 3) return false;
  return typeof value[0] === 'string' && Number.isSafeInteger(value[1]) && typeof value[2] === 'string';
}

const streams = new DirectoryStreams({ count: 16, perOwner: 4 });
/** Entries that are skipped in one turn of the event loop. */
const SKIPPED_PER_TURN = 4096;
/** Entries that are described in one turn of the event loop. */
const ENTRIES_PER_TURN = 1000;

/** Returns a page in directory order. Its cost does not depend on the size of the directory. */
export function streamPage(
  workspace: Workspace,
  request: ListingRequest,
  after: StreamPosition | undefined,
  call: CallControl,
): ListingPage | Promise<ListingPage> {
  const stream = openStream(workspace, request.path);
  if (after === undefined) return nextPage(workspace, request, stream, call);
  const kept = streams.take(workspace.owner, after[0]);
  if (kept !== undefined) {
    const same =
      kept.folder.stat.dev === stream.folder.stat.dev && kept.folder.stat.ino === stream.folder.stat.ino;
    closeStream(same ? stream : kept);
    if (same) return nextPage(workspace, request, kept, call);
  }
  return skipTo(workspace, request, stream, after, call);
}

function openStream({ scope }: Workspace, path: string): DirectoryStream {
  const folder = openDirectory(scope, path);
  return {
    folder,
    entries: readEntries(folder, path),
    isHidden: hiddenIn(scope, folder),
    ahead: [],
    returned: 0,
  };
}

function nextPage(
  workspace: Workspace,
  request: ListingRequest,
  stream: DirectoryStream,
  call: CallControl,
): ListingPage | Promise<ListingPage> {
  if (request.limit > ENTRIES_PER_TURN) return longPage(workspace, request, stream, call);
  try {
    // one entry beyond the page shows whether another page follows
    readAhead(stream, request.limit + 1);
    const pageEntries = stream.ahead.slice(0, request.limit);
    return pageOf(workspace.owner, stream, pageEntries, describeAll(workspace, request, stream, pageEntries));
  } catch (error) {
    closeStream(stream);
    throw error;
  }
}

/** Returns the next page, read in several turns of the event loop. */
async function longPage(
  workspace: Workspace,
  request: ListingRequest,
  stream: DirectoryStream,
  { signal }: CallControl,
): Promise<ListingPage> {
  const { limit } = request;
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
      entries.push(...describeAll(workspace, request, stream, pageEntries.slice(at, at + ENTRIES_PER_TURN)));
    }
    return pageOf(workspace.owner, stream, pageEntries, entries);
  } catch (error) {
    closeStream(stream);
    throw error;
  }
}

/** Reads ahead up to `count` entries; returns false if the directory ends before. */
function readAhead(stream: DirectoryStream, count: number): boolean {
  while (stream.ahead.length < count) {
    const entry = nextEntry(stream);
    if (entry === undefined) return false;
    stream.ahead.push(entry);
  }
  return true;
}

function describeAll(
  { scope }: Workspace,
  { details }: ListingRequest,
  { folder }: DirectoryStream,
  pageEntries: readonly Entry[],
): ListedEntry[] {
  const directory = { scope, folder, details };
  return pageEntries.map((entry) => typedEntry(directory, byteName(entry), entry.kind));
}

function pageOf(
  owner: string,
  stream: DirectoryStream,
  pageEntries: readonly Entry[],
  entries: readonly ListedEntry[],
): ListingPage {
  const id = streams.newId();
  return {
    entries,
    resume(kept): Json | undefined {
      if (kept === stream.ahead.length) return undefined;
      return [id, stream.returned + kept, kept === 0 ? '' : byteName(pageEntries[kept - 1]!)];
    },
    settle(kept) {
      stream.ahead.splice(0, kept);
      stream.returned += kept;
      if (stream.ahead.length > 0) streams.keep(owner, id, stream);
      else closeStream(stream);
    },
  };
}

function nextEntry(stream: DirectoryStream): Entry | undefined {
  for (;;) {
    const { value } = stream.entries.next();
    if (value === undefined || !stream.isHidden(byteName(value))) return value ?? undefined;
  }
}

/** Continues without the stream: after the last name, or after as many entries if that name no longer exists. */
async function skipTo(
  workspace: Workspace,
  request: ListingRequest,
  stream: DirectoryStream,
  [, returned, name]: StreamPosition,
  call: CallControl,
): Promise<ListingPage> {
  if (await skipWhile(stream, call, (entry) => byteName(entry) !== name)) {
    stream.returned = returned;
    return nextPage(workspace, request, stream, call);
  }
  const again = openStream(workspace, request.path);
  let left = returned;
  await skipWhile(again, call, () => --left > 0);
  again.returned = returned;
  return nextPage(workspace, request, again, call);
}

/** Skips entries up to and including the first for which `skips` is false; without one it closes the stream. */
async function skipWhile(
  stream: DirectoryStream,
  call: CallControl,
  skips: (entry: Entry) => boolean,
): Promise<boolean> {
  try {
    for (let count = 1; ; count++) {
      const entry = nextEntry(stream);
      if (entry === undefined) break;
      if (!skips(entry)) return true;
      if (count % SKIPPED_PER_TURN > 0) continue;
      await yieldToEventLoop();
      call.signal.throwIfAborted();
    }
  } catch (error) {
    closeStream(stream);
    throw error;
  }
  closeStream(stream);
  return false;
}
