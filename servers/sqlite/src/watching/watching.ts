import { linksTo, locate } from '@rootbound/kit/boundary';
import { WatchHub } from '@rootbound/kit/watch';
import { ToolError } from '@rootbound/protocol';
import type { Committed } from '../changes.ts';
import { resolveDatabase } from '../databases/resolve.ts';
import { parseSqliteUri, type Target } from '../resources/uri.ts';
import type { Workspace } from '../workspace.ts';
import { WatchedDatabase } from './database.ts';
import { ListedDatabases } from './listed-databases.ts';
import { WatchedRow } from './watched-row.ts';

export interface WatchingOptions {
  /** called when a database, table or view of the list was added or removed */
  readonly listChanged: () => void;
  readonly onError: (error: unknown) => void;
}

/** Most URIs watched at once for all clients together. */
const MOST_WATCHED = 1_000;
/** Most watched paths of database files and side files. */
const MOST_PATHS = 4_000;
/** Time in which changes are combined into one notification, ms. */
const TOGETHER_MS = 5;
/** Longest time between checks of a database, ms, and least average time between checks of all. */
const POLL_MS = 2_000;
const POLL_EACH_MS = 40;

type Engine = Workspace['engine'];

/** Watches the resources of `sqlite:` URIs. */
export class Watching {
  readonly #options: WatchingOptions;
  readonly #hub: WatchHub;
  readonly #databases = new Map<string, WatchedDatabase>();
  readonly #listed: ListedDatabases;
  readonly #stopListening: () => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  #watched = 0;

  constructor(engine: Engine, options: WatchingOptions) {
    this.#options = options;
    this.#hub = new WatchHub({ cap: MOST_PATHS, onError: options.onError });
    this.#stopListening = engine.changes.on((committed) => this.#announce(committed));
    this.#listed = new ListedDatabases({
      hub: this.#hub,
      acquire: (path) => this.#acquire(engine, path),
      ...options,
    });
  }

  /** Calls `changed` after changes of a resource. Resolves when no later change can be missed. */
  async watch(uri: string, workspace: Workspace, changed: () => void): Promise<() => void> {
    const found = parseSqliteUri(uri);
    if (found === undefined) throw notFound();
    // a stored result does not change
    if ('result' in found) return () => {};
    if (this.#watched >= MOST_WATCHED) throw tooMany();
    this.#watched += 1;
    try {
      const { database: path, target } = found;
      const real = assertInside(workspace, path);
      const stop = await this.#watchAt(real, path, target, workspace, this.#debounced(changed));
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        this.#watched -= 1;
        stop();
      };
    } catch (error) {
      this.#watched -= 1;
      throw error;
    }
  }

  /** Reports changes of the list of databases in these roots and of their tables from now on. */
  follow(workspace: Workspace): Promise<void> {
    return this.#listed.follow(workspace);
  }

  /** Checks all watched files again after a root was replaced. */
  lookAgain(): void {
    this.#hub.lookAgain();
  }

  async close(): Promise<void> {
    this.#stopListening();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#listed.close();
    for (const database of this.#databases.values()) database.close();
    this.#databases.clear();
    await this.#hub.close();
  }

  async #watchAt(
    real: string,
    path: string,
    target: Target,
    workspace: Workspace,
    changed: () => void,
  ): Promise<() => void> {
    const { database, release } = this.#acquire(workspace.engine, real);
    const stops: (() => void)[] = [release];
    const end = (): void => {
      for (const stop of stops.splice(0).reverse()) stop();
    };
    try {
      // if a link changes, its old target is reported, and the client reads and subscribes again
      for (const link of linksTo(workspace.scope, path))
        stops.push(await this.#hub.watch(link, 'file', changed));
      stops.push(await this.#interest(database, path, target, workspace, changed));
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }

  async #interest(
    database: WatchedDatabase,
    path: string,
    target: Target,
    workspace: Workspace,
    changed: () => void,
  ): Promise<() => void> {
    if (target.kind === 'database') return (await database.add({ of: 'anything', changed })).stop;
    if (target.kind === 'schema') return (await database.add({ of: 'schema', changed })).stop;
    const name = target.table.toLowerCase();
    if (target.kind === 'row') {
      const row = new WatchedRow(workspace, path, target, { changed, onError: this.#options.onError });
      const { stop } = await database.add({ of: new Set([name]), changed: row.look });
      await row.begin();
      return stop;
    }
    const { views, stop } = await database.add({ of: new Set([name]), changed });
    if (!views.includes(name)) return stop;
    stop();
    const bases = await basesOf(workspace, path, target.table);
    // a view with unknown tables may change with any commit
    const of = bases === undefined ? ('anything' as const) : new Set([name, ...bases]);
    return (await database.add({ of, changed })).stop;
  }

  #acquire(engine: Engine, path: string): { database: WatchedDatabase; release: () => void } {
    let database = this.#databases.get(path);
    if (database === undefined) {
      database = new WatchedDatabase({
        path,
        hub: this.#hub,
        lane: engine.watchLane,
        isWriting: () => engine.lanes.isWriting(path),
        pollMs: () => Math.max(POLL_MS, this.#databases.size * POLL_EACH_MS),
        schemaChanged: this.#options.listChanged,
        onError: this.#options.onError,
      });
      this.#databases.set(path, database);
    }
    const own = database;
    own.holders += 1;
    return {
      database: own,
      release: () => {
        own.holders -= 1;
        if (own.holders > 0) return;
        own.close();
        this.#databases.delete(path);
      },
    };
  }

  #announce(committed: Committed): void {
    this.#databases.get(committed.real)?.announce(committed);
    if (committed.schema) this.#options.listChanged();
  }

  #debounced(changed: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    return () => {
      if (timer !== undefined) return;
      const own = setTimeout(() => {
        this.#timers.delete(own);
        timer = undefined;
        changed();
      }, TOGETHER_MS);
      timer = own;
      this.#timers.add(own);
    };
  }
}

/**
 * Returns the real path of a database that exists or may be created; a path outside the roots or of another file is
 * reported as missing.
 */
function assertInside({ scope }: Workspace, path: string): string {
  const { path: real, exists } = locate(scope, path);
  try {
    if (exists) resolveDatabase(scope, path);
  } catch (error) {
    if (error instanceof ToolError) throw notFound();
    throw error;
  }
  return real;
}

async function basesOf(
  { scope, engine }: Workspace,
  path: string,
  view: string,
): Promise<readonly string[] | undefined> {
  try {
    const { facts } = await engine.lanes.run(resolveDatabase(scope, path), 'read', 'schema', { table: view });
    return facts.bases?.map((base) => base.toLowerCase());
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function notFound(): ToolError {
  return new ToolError('no such resource', { code: 'not-found' });
}

function tooMany(): ToolError {
  return new ToolError(`too many subscriptions: ${MOST_WATCHED} at most`, {
    code: 'too-many-watches',
    retryable: true,
    hint: 'end another subscription first',
  });
}
