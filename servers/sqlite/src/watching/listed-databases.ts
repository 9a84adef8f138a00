import type { WatchHub } from '@rootbound/kit/watch';
import { findDatabases } from '../databases/find.ts';
import type { Workspace } from '../workspace.ts';
import type { WatchedDatabase } from './database.ts';

export interface ListedOptions {
  readonly hub: Pick<WatchHub, 'watch'>;
  /** returns the watched database of a path; call `release` afterwards */
  readonly acquire: (path: string) => { database: WatchedDatabase; release: () => void };
  readonly listChanged: () => void;
  readonly onError: (error: unknown) => void;
}

/** Most databases and folders watched for each set of roots, those nearest to the roots first. */
const MOST_DATABASES = 50;
const MOST_FOLDERS = 200;
const MOST_ENTRIES = 20_000;
/** Most sets of roots that are watched, those listed last. */
const MOST_FOLLOWED = 16;
/** Pause before a changed folder is searched again, ms. */
const PAUSE_MS = 100;

interface Found {
  readonly databases: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

/** The databases of listed roots, watched so that changes of the list are reported. */
export class ListedDatabases {
  readonly #options: ListedOptions;
  readonly #byRoots = new Map<string, FollowedRoots>();

  constructor(options: ListedOptions) {
    this.#options = options;
  }

  /** Watches the roots of a workspace; resolves when no later change can be missed. */
  async follow(workspace: Workspace): Promise<void> {
    const key = [workspace.owner, ...workspace.scope.roots.map(({ real }) => real)].join('\0');
    const followed = this.#byRoots.get(key) ?? new FollowedRoots(this.#options, workspace);
    // the least recently listed first
    this.#byRoots.delete(key);
    this.#byRoots.set(key, followed);
    const [oldest] = this.#byRoots;
    if (this.#byRoots.size > MOST_FOLLOWED && oldest !== undefined) {
      this.#byRoots.delete(oldest[0]);
      oldest[1].close();
    }
    try {
      await followed.begun();
    } catch (error) {
      followed.close();
      this.#byRoots.delete(key);
      this.#options.onError(error);
    }
  }

  close(): void {
    for (const followed of this.#byRoots.values()) followed.close();
    this.#byRoots.clear();
  }
}

/** The watched databases of one set of roots. */
class FollowedRoots {
  readonly #options: ListedOptions;
  readonly #workspace: Workspace;
  readonly #stops = new Map<string, () => void>();
  #known: Found | undefined;
  #begun: Promise<void> | undefined;
  #turn: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(options: ListedOptions, workspace: Workspace) {
    this.#options = options;
    this.#workspace = workspace;
  }

  begun(): Promise<void> {
    this.#begun ??= this.#lookAgain();
    return this.#begun;
  }

  close(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
  }

  readonly #scheduleLook = (): void => {
    if (this.#timer !== undefined || this.#ended) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#turn = this.#turn.then(() => this.#lookAgain()).catch(this.#options.onError);
    }, PAUSE_MS);
  };

  async #lookAgain(): Promise<void> {
    const found = find(this.#workspace);
    const { hub, acquire } = this.#options;
    const known = this.#known;
    this.#known = found;
    for (const folder of found.folders)
      await this.#watchOnce(`folder ${folder}`, () => hub.watch(folder, 'directory', this.#scheduleLook));
    for (const path of [...found.databases].slice(0, MOST_DATABASES))
      await this.#watchOnce(`database ${path}`, async () => {
        const { database, release } = acquire(path);
        // schema changes are reported by `schemaChanged`, so this listener does nothing
        const { stop } = await database.add({ of: 'schema', changed: () => {} });
        return () => {
          stop();
          release();
        };
      });
    for (const [key, stop] of this.#stops) {
      if (
        found.folders.has(key.slice('folder '.length)) ||
        found.databases.has(key.slice('database '.length))
      )
        continue;
      this.#stops.delete(key);
      stop();
    }
    if (known !== undefined && [...known.databases].join('\0') !== [...found.databases].join('\0'))
      this.#options.listChanged();
  }

  async #watchOnce(key: string, start: () => Promise<() => void>): Promise<void> {
    if (this.#stops.has(key) || this.#ended) return;
    const stop = await start();
    if (this.#ended) stop();
    else this.#stops.set(key, stop);
  }
}

function find({ scope }: Workspace): Found {
  const databases = new Set<string>();
  const folders = new Set<string>();
  for (const seen of findDatabases(scope, { entries: MOST_ENTRIES })) {
    if ('database' in seen) databases.add(seen.database.path);
    else if ('folder' in seen && folders.size < MOST_FOLDERS) folders.add(seen.folder);
  }
  return { databases, folders };
}
