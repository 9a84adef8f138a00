import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';

export type Database = Sqlite.Database;
export type Statement = Sqlite.Statement<unknown[], unknown>;

let loaded: typeof Sqlite | undefined;

/**
 * Loads the version of better-sqlite3 that this Node can run. Version 13 needs Node-API 10; loaded without it, it ends
 * the process without a message.
 */
export function loadDriver(): typeof Sqlite {
  loaded ??= createRequire(import.meta.url)(driverPackage()) as typeof Sqlite; // both versions have the same interface
  return loaded;
}

/** Returns the package of the driver for this Node. */
export function driverPackage(napi: string = process.versions.napi ?? '0'): string {
  return Number(napi) >= 10 ? 'better-sqlite3' : '@rootbound/sqlite-node20';
}
