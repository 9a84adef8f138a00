import { crc32 } from 'node:zlib';
import type { Stamp, View } from './file-snapshot.ts';
import { framesFrom } from './wal.ts';

/** The pages that differ between two states, or 'any' where that cannot be told; and how many commits lie between. */
export interface Written {
  readonly pages: ReadonlySet<number> | 'any';
  readonly commits: number | undefined;
}

/** Of so much it is found by reading what has changed; a larger database is not read whole. */
export const MOST_READ = 10 * 1024 * 1024;

/** What was written since the state before; page contents are compared only where no WAL says it. */
export class Contents {
  #sums: Map<number, number> | undefined;

  /** Takes the contents that later ones are compared with. */
  begin(view: View): void {
    this.#sums = isSmall(view) ? sumsOf(view) : undefined;
  }

  since(before: Stamp, view: View): Written {
    const written = writtenToWal(before, view);
    if (written !== undefined) {
      if (this.#sums !== undefined && isSmall(view))
        this.#refresh(view, written.pages as ReadonlySet<number>); // a set
      else this.#sums = undefined;
      return written;
    }
    const commits = counted(before, view.stamp);
    const sums = this.#sums;
    this.begin(view);
    if (sums !== undefined && this.#sums !== undefined)
      return { pages: differing(sums, this.#sums), commits };
    if (commits === 0 && before.size === view.stamp.size) return { pages: new Set(), commits };
    return { pages: 'any', commits };
  }

  #refresh(view: View, pages: ReadonlySet<number>): void {
    for (const page of pages) this.#sums?.set(page, crc32(view.page(page)));
    for (let page = this.#sums?.size ?? 0; page > view.pages; page--) this.#sums?.delete(page);
  }
}

/** Commits between two states; those in a WAL are not counted in the file. */
function counted({ header: before }: Stamp, { header: now }: Stamp): number | undefined {
  if (before === undefined || now === undefined || before.wal || now.wal) return undefined;
  return (now.counter - before.counter) >>> 0;
}

/** A WAL that was not there: the wal-index that comes with it counts from 0. */
const noFrames = { salt: '', frames: 0, commits: 0 } as const;

/** What the frames of a WAL say; undefined where some may be missing. */
function writtenToWal(stamp: Stamp, view: View): Written | undefined {
  const { wal: now, header } = view.stamp;
  if (now === undefined || header === undefined) return undefined;
  // what another WAL held before went into the file
  const isUntouched =
    !stamp.isYoung && stamp.size === view.stamp.size && stamp.changed === view.stamp.changed;
  const isFirst = stamp.header?.wal === true && isUntouched;
  const before = stamp.wal ?? (isFirst ? { ...now, ...noFrames } : undefined);
  if (before === undefined) return undefined;
  const { wal: file } = view;
  const frames = (first: number, salt: string, last?: number) =>
    file === undefined ? [] : framesFrom(file, header.pageSize, first, salt, last);
  if (before.salt === now.salt && before.frames <= now.frames) {
    const found = frames(before.frames + 1, now.salt, now.frames);
    if (found.length < now.frames - before.frames) return undefined;
    return collect(found);
  }
  // a run began anew: only the count of the wal-index tells whether frames of the old one were missed
  if (before.commits === undefined || now.commits === undefined || before.index !== now.index)
    return undefined;
  const commits = (now.commits - before.commits) >>> 0;
  const fresh = frames(1, now.salt, now.frames);
  if (collect(fresh).commits === commits) return collect(fresh);
  // what the new run has not overwritten of the old one is still there
  const left = now.frames <= before.frames ? frames(before.frames + 1, before.salt) : [];
  const both = [...left.slice(0, left.findLastIndex((frame) => frame.commits) + 1), ...fresh];
  return collect(both).commits === commits ? collect(both) : undefined;
}

function collect(frames: readonly { page: number; commits: boolean }[]): Written & { commits: number } {
  return {
    pages: new Set(frames.map(({ page }) => page)),
    commits: frames.filter(({ commits }) => commits).length,
  };
}

function isSmall(view: View): boolean {
  return view.pages * (view.stamp.header?.pageSize ?? 0) <= MOST_READ;
}

function sumsOf(view: View): Map<number, number> {
  const sums = new Map<number, number>();
  for (let page = 1; page <= view.pages; page++) sums.set(page, crc32(view.page(page)));
  return sums;
}

function differing(before: ReadonlyMap<number, number>, now: ReadonlyMap<number, number>): Set<number> {
  const pages = new Set<number>();
  for (const [page, sum] of now) if (before.get(page) !== sum) pages.add(page);
  for (const page of before.keys()) if (!now.has(page)) pages.add(page);
  return pages;
}
