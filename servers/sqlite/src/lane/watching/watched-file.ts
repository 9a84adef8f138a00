import { type ChangedPages, MOST_READ, PageContents } from './changes.ts';
import { FileSnapshot, FrameMap, type Stamp } from './file-snapshot.ts';
import { type Definition, readSchema } from './schema.ts';
import { Tree } from './tree.ts';
import { commitIsComing } from './wal.ts';

/** The changes of a database between two checks. */
export interface Observation {
  /** begun: first check; gone: the database is missing; waiting: a commit is under way */
  readonly state: 'begun' | 'same' | 'changed' | 'gone' | 'waiting';
  /** requested tables that have changed, in lower case */
  readonly tables: readonly string[];
  readonly schema: boolean;
  /** requested tables that are views, whose rows are elsewhere */
  readonly views: readonly string[];
  /** number of commits between the checks; absent if unknown */
  readonly commits?: number;
  /** whether some of `tables` may be unchanged */
  readonly coarse: boolean;
  /** whether a commit is being written that readers do not see yet */
  readonly soon: boolean;
}

/** Most rounds of one check; a database that keeps changing is checked again later. */
const MOST_ROUNDS = 4;
/** Written pages up to which trees are updated; for more they are read again. */
const MOST_WRITTEN = 20_000;
/** Most pages of a tracked table; reading them takes a few seconds. */
const MOST_PAGES = 200_000;

interface Changes {
  readonly tables: Set<string>;
  schema: boolean;
  commits: number | undefined;
  coarse: boolean;
}

/** A database whose changed tables are found by the pages that commits write. */
export class WatchedFile {
  readonly #path: string;
  readonly #contents = new PageContents();
  #frames = new FrameMap();
  #before: Stamp | undefined;
  #schema: ReadonlyMap<string, Definition> = new Map();
  readonly #trees = new Map<string, readonly Tree[]>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the changes since the last check; `tables` are distinguished from now on. */
  look(tables: readonly string[]): Observation {
    for (const known of this.#trees.keys()) if (!tables.includes(known)) this.#trees.delete(known);
    const found: Changes = { tables: new Set(), schema: false, commits: 0, coarse: false };
    let state: Observation['state'] = 'same';
    for (let round = 1; ; round++) {
      const snapshot = new FileSnapshot(this.#path, this.#frames);
      try {
        const { stamp } = snapshot;
        if (!snapshot.exists) return this.#gone();
        if (snapshot.unsettled) return this.#seen(state === 'same' ? 'waiting' : state, found, true);
        const soon = isComing(snapshot);
        if (this.#before === undefined || this.#before.file !== stamp.file) {
          this.#begin(snapshot);
          state = 'begun';
        } else if (!isSame(this.#before, stamp) || (round === 1 && mayHide(this.#before, stamp))) {
          if (this.#take(this.#before, snapshot, found) && state === 'same') state = 'changed';
          this.#before = stamp;
        } else if (this.#follow(snapshot, tables)) return this.#seen(state, found, soon);
        this.#follow(snapshot, tables);
        if (round >= MOST_ROUNDS) return this.#seen(state, found, true);
      } finally {
        snapshot.close();
      }
    }
  }

  #gone(): Observation {
    this.#before = undefined;
    this.#trees.clear();
    return { state: 'gone', tables: [], schema: false, views: [], coarse: false, soon: false };
  }

  #begin(snapshot: FileSnapshot): void {
    this.#contents.begin(snapshot);
    this.#trees.clear();
    this.#schema = readSchema(snapshot);
    this.#before = snapshot.stamp;
  }

  /** Applies one step and returns whether anything was written. */
  #take(before: Stamp, snapshot: FileSnapshot, found: Changes): boolean {
    const written = this.#contents.since(before, snapshot);
    found.commits =
      written.commits === undefined || found.commits === undefined
        ? undefined
        : found.commits + written.commits;
    const changes = written.pages === 'any' || written.pages.size > 0;
    const hit = this.#hitOf(snapshot, written, found);
    for (const name of hit.keys()) found.tables.add(name);
    if (changes && this.#takeSchema(before, snapshot, found)) found.schema = true;
    this.#update(snapshot, written, hit);
    return changes;
  }

  /** Returns the tables that have, or may have, changed, each with whether that is certain. */
  #hitOf(snapshot: FileSnapshot, { pages }: ChangedPages, found: Changes): Map<string, boolean> {
    const hit = new Map<string, boolean>();
    let left = mostPages(snapshot);
    for (const [name, trees] of this.#trees) {
      const isOpen = this.#schema.get(name)?.isExternal === true;
      if (pages !== 'any') {
        if ((isOpen && pages.size > 0) || trees.some((tree) => tree.hasAny(pages))) hit.set(name, true);
        continue;
      }
      const isUnknown = isOpen || trees.some((tree) => tree.isUnknown);
      if (!isUnknown) for (const tree of trees) left -= tree.size;
      const isCoarse = isUnknown || left < 0;
      found.coarse ||= isCoarse;
      if (isCoarse || trees.some((tree) => tree.differs(snapshot))) hit.set(name, !isCoarse);
    }
    return hit;
  }

  #takeSchema(before: Stamp, snapshot: FileSnapshot, found: Changes): boolean {
    if (before.header?.cookie === snapshot.stamp.header?.cookie) return false;
    const known = this.#schema;
    this.#schema = readSchema(snapshot);
    for (const name of this.#trees.keys()) {
      const [old, now] = [known.get(name), this.#schema.get(name)];
      if (old?.digest !== now?.digest || old?.roots.join() !== now?.roots.join()) found.tables.add(name);
      if (name === 'sqlite_schema' || name === 'sqlite_master') found.tables.add(name);
    }
    return true;
  }

  #update(snapshot: FileSnapshot, { pages }: ChangedPages, hit: ReadonlyMap<string, boolean>): void {
    const most = mostPages(snapshot);
    const isWal = snapshot.stamp.header?.wal === true;
    for (const [name, trees] of this.#trees) {
      const roots = this.#schema.get(name)?.roots ?? [];
      const isOther = roots.join() !== trees.map(({ root }) => root).join();
      // a tree that was too large is read again if more pages may be tracked now; a tree that is not read again still
      // differs, which is right where no WAL names pages
      const isAnew = (tree: Tree): boolean =>
        tree.isUnknown ? most > tree.most : hit.get(name) === true || (hit.has(name) && isWal);
      if (isOther || ((pages === 'any' || pages.size > MOST_WRITTEN) && trees.some(isAnew)))
        this.#map(snapshot, name);
      else if (pages !== 'any')
        for (const tree of trees) if (!tree.isUnknown && tree.hasAny(pages)) tree.update(snapshot, pages);
    }
  }

  /** Starts tracking new tables and returns whether there were none. */
  #follow(snapshot: FileSnapshot, tables: readonly string[]): boolean {
    const missing = tables.filter((name) => !this.#trees.has(name));
    for (const name of missing) this.#map(snapshot, name);
    return missing.length === 0;
  }

  #seen(
    state: Observation['state'],
    { tables, schema, commits, coarse }: Changes,
    soon: boolean,
  ): Observation {
    const views = [...this.#trees.keys()].filter((name) => this.#schema.get(name)?.isView === true);
    const counted = commits === undefined ? {} : { commits };
    return { state, tables: [...tables], schema, views, coarse, soon, ...counted };
  }

  #map(snapshot: FileSnapshot, name: string): void {
    const roots = this.#schema.get(name)?.roots ?? [];
    const most = mostPages(snapshot);
    this.#trees.set(
      name,
      roots.map((root) => new Tree(snapshot, root, most)),
    );
  }
}

/** Returns the most pages to track: more if a WAL names the written pages. */
function mostPages({ stamp: { header } }: FileSnapshot): number {
  return header === undefined || header.wal ? MOST_PAGES : Math.floor(MOST_READ / header.pageSize);
}

function isSame(before: Stamp, now: Stamp): boolean {
  if (before.wal !== undefined && now.wal !== undefined) return sameWal(before, now);
  return (
    before.wal === undefined &&
    now.wal === undefined &&
    before.size === now.size &&
    before.changed === now.changed &&
    before.header?.counter === now.header?.counter
  );
}

/** Returns whether a WAL may have been created and removed unnoticed. */
function mayHide(before: Stamp, now: Stamp): boolean {
  return before.isRecent && before.wal === undefined && now.wal === undefined && now.header?.wal === true;
}

function sameWal({ wal: before }: Stamp, { wal: now }: Stamp): boolean {
  return (
    before?.salt === now?.salt &&
    before?.frames === now?.frames &&
    before?.commits === now?.commits &&
    before?.index === now?.index
  );
}

function isComing(snapshot: FileSnapshot): boolean {
  const { wal, header } = snapshot.stamp;
  if (header?.wal !== true || snapshot.wal === undefined) return false;
  // without a wal-index the WAL itself was scanned
  if (wal !== undefined && wal.commits === undefined) return false;
  return commitIsComing(snapshot.wal, header.pageSize, wal);
}
