import type { DirectoryAccess } from './directory.ts';
import { DIRECTORY, FILE, OTHER, SYMLINK } from './entries.ts';
import type { Frame, Frames } from './frames.ts';
import { Listing, type ListingOptions } from './listing.ts';
import { COUNT } from './messages.ts';
import type { Job } from './query.ts';
import { type Reading, readDirectory } from './read-directory.ts';
import { compileSelection } from './select.ts';
import type { CountEntries } from './visitors.ts';

/** Counts what a search with a depth would show in the directories at that depth; undefined for a search without. */
export async function countEntries(
  access: DirectoryAccess,
  { depth, ignoring, exclude, hidden }: Job,
  denied: ListingOptions['denied'],
  halted: () => boolean,
): Promise<CountEntries | undefined> {
  if (depth === undefined) return undefined;
  const listing = new Listing({
    selection: await compileSelection([], exclude, hidden),
    wanted: FILE | DIRECTORY | SYMLINK | OTHER,
    after: undefined,
    depth: undefined,
    denied,
    counts: new Int32Array(COUNT.words),
    halted,
  });
  // the count is then of what would be shown if the file were not there, and nothing was to be shown of it
  const reading: Reading = { access, listing, ignoring, onUnread: () => {} };
  return (frames, frame, name) =>
    levelOf(frame.prefix) === depth ? count(reading, frames, frame, name) : undefined;
}

function count(reading: Reading, frames: Frames, frame: Frame, name: string): number | undefined {
  try {
    const directory = frames.enter(frame, name);
    try {
      readDirectory(reading, `${frame.prefix}${name}/`, directory, frame.ignores);
      return reading.listing.names.length;
    } finally {
      reading.access.leave(directory);
    }
  } catch {
    return undefined; // it cannot be read, and nobody asked for its entries
  }
}

function levelOf(prefix: string): number {
  return prefix.split('/').length;
}
