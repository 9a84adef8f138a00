import { crc32 } from 'node:zlib';
import type { FileSnapshot, Stamp } from './file-snapshot.ts';
import { framesFrom } from './wal.ts';

/** The pages that differ between two states ('any' if unknown) and the number of commits between them. */
export interface ChangedPages {
  readonly pages: ReadonlySet<number> | 'any';
  readonly commits: number | undefined;
}

/** Size up to which a database without WAL is read and compared, bytes. */
export const MOST_READ = 10 * 1024 * 1024;

/** Finds the pages written since an earlier state: from the WAL, or by comparing checksums of all pages. */
export class PageContents {
  #sums: Map<number, number> | undefined;

  /** Stores the checksums that later states are compared with. */
  begin(snapshot: FileSnapshot): void {
    this.#sums = isSmall(snapshot) ? sumsOf(snapshot) : undefined;
  }

  since(before: Stamp, snapshot: FileSnapshot): ChangedPages {
    const written = writtenToWal(before, snapshot);
    if (written !== undefined) {
      if (this.#sums !== undefined && isSmall(snapshot))
        this.#refresh(snapshot, written.pages as ReadonlySet<number>); // from the WAL: a set
      else this.#sums = undefined;
      return written;
    }
    const commits = counted(before, snapshot.stamp);
    const sums = this.#sums;
    this.begin(snapshot);
    if (sums !== undefined && this.#sums !== undefined)
      return { pages: differing(sums, this.#sums), commits };
    if (commits === 0 && before.size === snapshot.stamp.size) return { pages: new Set(), commits };
    return { pages: 'any', commits };
  }

  #refresh(snapshot: FileSnapshot, pages: ReadonlySet<number>): void {
    for (const page of pages) this.#sums?.set(page, crc32(snapshot.page(page)));
    for (let page = this.#sums?.size ?? 0; page > snapshot.pages; page--) this.#sums?.delete(page);
  }
}

/** Returns the number of commits between two states; the file's counter does not count those in a WAL. */
function counted({ header: before }: Stamp, { header: now }: Stamp): number | undefined {
  if (before === undefined || now === undefined || before.wal || now.wal) return undefined;
  return (now.counter - before.counter) >>> 0;
}

/** State of a missing WAL; the commit counter of a new wal-index begins at 0. */
const noFrames = { salt: '', frames: 0, commits: 0 } as const;

/** Returns the pages written to the WAL; undefined if frames may be missing. */
function writtenToWal(stamp: Stamp, snapshot: FileSnapshot): ChangedPages | undefined {
  const { wal: now, header } = snapshot.stamp;
  if (now === undefined || header === undefined) return undefined;
  // if the file is unchanged, no other WAL was checkpointed into it
  const isUntouched =
    !stamp.isRecent && stamp.size === snapshot.stamp.size && stamp.changed === snapshot.stamp.changed;
  const isFirst = stamp.header?.wal === true && isUntouched;
  const before = stamp.wal ?? (isFirst ? { ...now, ...noFrames } : undefined);
  if (before === undefined) return undefined;
  const { wal: file } = snapshot;
  const frames = (first: number, salt: string, last?: number) =>
    file === undefined ? [] : framesFrom(file, header.pageSize, first, salt, last);
  if (before.salt === now.salt && before.frames <= now.frames) {
    const found = frames(before.frames + 1, now.salt, now.frames);
    if (found.length < now.frames - before.frames) return undefined;
    return collect(found);
  }
  // the WAL was restarted: only the commit counter of the wal-index shows whether frames were missed
  if (before.commits === undefined || now.commits === undefined || before.index !== now.index)
    return undefined;
  const commits = (now.commits - before.commits) >>> 0;
  const fresh = frames(1, now.salt, now.frames);
  if (collect(fresh).commits === commits) return collect(fresh);
  // frames of the old generation that the new one has not overwritten
  const left = now.frames <= before.frames ? frames(before.frames + 1, before.salt) : [];
  const both = [...left.slice(0, left.findLastIndex((frame) => frame.commits) + 1), ...fresh];
  return collect(both).commits === commits ? collect(both) : undefined;
}

function collect(frames: readonly { page: number; commits: boolean }[]): ChangedPages & { commits: number } {
  return {
    pages: new Set(frames.map(({ page }) => page)),
    commits: frames.filter(({ commits }) => commits).length,
  };
}

function isSmall(snapshot: FileSnapshot): boolean {
  return snapshot.pages * (snapshot.stamp.header?.pageSize ?? 0) <= MOST_READ;
}

function sumsOf(snapshot: FileSnapshot): Map<number, number> {
  const sums = new Map<number, number>();
  for (let page = 1; page <= snapshot.pages; page++) sums.set(page, crc32(snapshot.page(page)));
  return sums;
}

function differing(before: ReadonlyMap<number, number>, now: ReadonlyMap<number, number>): Set<number> {
  const pages = new Set<number>();
  for (const [page, sum] of now) if (before.get(page) !== sum) pages.add(page);
  for (const page of before.keys()) if (!now.has(page)) pages.add(page);
  return pages;
}
