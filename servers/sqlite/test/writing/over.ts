import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import type { Database } from '../../src/lane/driver.ts';
import { call, type Outcome, Served, type Setting } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

export interface Counts {
  table: string;
  inserted: number;
  updated: number;
  deleted: number;
}

export interface Facts {
  committed: boolean;
  changes: number;
  last_insert_rowid?: unknown;
  tables: Counts[];
  uncounted?: string[];
  ddl: boolean;
  schema_changes?: Record<'added' | 'removed' | 'changed', { type: string; name: string }[]>;
  columns?: { name: string }[];
  rows?: unknown[][];
  row_count?: number;
  truncated: boolean;
  undo?: { point: string; bytes: number };
  no_undo?: string;
  foreign_key_violations?: string[];
  integrity?: string;
  statements?: { index: number; line: number; action: string; changes: number; rows?: unknown[][] }[];
}

export interface Over {
  readonly folder: string;
  readonly path: string;
  readonly client: Client;
  /** a connection of the test */
  readonly db: Database;
  write(query: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<Outcome<Facts>>;
  script(script: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<Outcome<Facts>>;
  rows(query: string): unknown[];
}

let made = 0;
let places: Scratch | undefined;
let shared: Over | undefined;
const lasting = new Served('closed');

/** Ends what the tests of a file have shared, so that the next file starts anew. */
export async function endShared(): Promise<void> {
  await lasting.close();
  places = undefined;
  shared = undefined;
}

/**
 * Returns a database made by these statements and a client of a server over it; both are shared and cleared unless
 * there is a setting.
 */
export async function over(served: Served, sql: string, setting?: Setting): Promise<Over> {
  if (setting === undefined) {
    shared ??= await fresh(lasting, {});
    clear(shared.db);
    shared.db.exec(sql);
    return shared;
  }
  const own = await fresh(served, setting);
  own.db.exec(sql);
  return own;
}

async function fresh(served: Served, setting: Setting): Promise<Over> {
  made += 1;
  places ??= scratch();
  const { folder, database, open } = places;
  const own = join(folder, `d${made}`);
  const path = database(`d${made}/data.db`);
  const client = await served.client([own], setting);
  const db = open(path);
  return {
    folder: own,
    path,
    db,
    client,
    write: (query, args = {}, signal) =>
      call<Facts>(client, 'write_query', { query, ...args }, signal && { signal }),
    script: (script, args = {}, signal) =>
      call<Facts>(client, 'run_script', { script, ...args }, signal && { signal }),
    rows: (query) => db.prepare(query).raw().all(),
  };
}

function clear(db: Database): void {
  db.pragma('foreign_keys = OFF');
  const all = db
    .prepare(
      "SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'table') ORDER BY sql LIKE 'CREATE VIRTUAL%' DESC",
    )
    .all() as { type: string; name: string }[];
  for (const { type, name } of all)
    if (!/^sqlite_|^docs_/.test(name)) db.exec(`DROP ${type} IF EXISTS "${name}"`);
  db.pragma('foreign_keys = ON');
}
/** Returns the counts of one table from those that are not zero. */
export function of(table: string, counts: Partial<Counts>): Counts {
  return { table, inserted: 0, updated: 0, deleted: 0, ...counts };
}
