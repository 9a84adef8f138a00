import type { DirectoryAccess } from './directory.ts';
import { DIRECTORY, FILE, OTHER, SYMLINK } from './entries.ts';
import type { Frame, Frames } from './frames.ts';
import { Listing, type ListingOptions } from './listing.ts';
import { COUNT } from './messages.ts';
import type { Job } from './query.ts';
import { type Reading, readDirectory } from './read-directory.ts';
import { compileSelection } from './select.ts';
import type { CountEntries } from './visitors.ts';

/** Returns a function that counts the entries of directories at the maximum depth; undefined without a depth. */
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
  // an unreadable ignore file is not reported here, as the entries are not in the result
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
    return undefined; // unreadable, which is not an error here, as its entries were not requested
  }
}

function levelOf(prefix: string): number {
  return prefix.split('/').length;
}
