import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';

export type Database = Sqlite.Database;
export type Statement = Sqlite.Statement<unknown[], unknown>;

let loaded: typeof Sqlite | undefined;

/**
 * better-sqlite3 as this Node can run it. It is chosen before anything is loaded: version 13 needs Node-API 10, and
 * without it ends the process with no word.
 */
export function loadDriver(): typeof Sqlite {
  loaded ??= createRequire(import.meta.url)(driverPackage()) as typeof Sqlite; // both versions have one shape
  return loaded;
}

/** The package that holds the driver for this Node. */
export function driverPackage(napi: string = process.versions.napi ?? '0'): string {
  return Number(napi) >= 10 ? 'better-sqlite3' : '@rootbound/sqlite-node20';
}
