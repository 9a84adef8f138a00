import { basename } from 'node:path';
import { openFile, type Scope, showPath, statEntry } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Database } from '../databases/database.ts';
import { beginsAsDatabase } from '../databases/resolve.ts';

/** Endings of files that SQLite would use as part of a database. */
const beside = ['-journal', '-wal', '-shm'];
const isBeside = /-(?:journal|wal|shm|mj[0-9a-f]+)$/i;

export interface DestinationOptions {
  readonly overwrite: boolean;
  /** the content to write: a database, or a file of data */
  readonly kind: 'database' | 'data';
}

/**
 * Throws if writing to the path could harm a database; also checks early what `writeFile` would refuse only at its end.
 */
export function assertDestination(scope: Scope, path: string, { overwrite, kind }: DestinationOptions): void {
  if (isBeside.test(basename(path)))
    throw refusal('SQLite would use a file of this name as part of a database', path, 'use another name');
  const there = sizeOf(scope, path);
  if (there === undefined && hasOnlyFileRoots(scope))
    throw refusal(
      'no root is a folder, so no file can be created',
      path,
      'ask the user to start the server with a folder as a further root',
    );
  if (there !== undefined && !overwrite) throw alreadyExists(path);
  if (kind === 'data') {
    if (there !== undefined && isDatabase(scope, path))
      throw refusal(
        'the path is that of a database',
        path,
        'use another name; only backup_database replaces a database',
      );
    return;
  }
  const left = beside.find((suffix) => (sizeOf(scope, path + suffix) ?? 0) > 0);
  if (left === undefined) return;
  throw refusal(
    `a ${left} file is beside it, which SQLite would apply to the copy`,
    path,
    'use another name, or close the programs that use the database there',
  );
}

/** Returns the failure of a path that exists while `overwrite` is not set. */
export function alreadyExists(path: string): ToolError {
  return new ToolError(`already exists: ${showPath(path)}`, {
    code: 'exists',
    hint: 'set overwrite to replace it',
  });
}

/** Returns whether the path leads to this file. */
export function isSameFile(scope: Scope, path: string, { dev, ino }: Pick<Database, 'dev' | 'ino'>): boolean {
  try {
    const file = openFile(scope, path);
    file.close();
    return String(file.stat.dev) === dev && String(file.stat.ino) === ino;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

function hasOnlyFileRoots(scope: Scope): boolean {
  return scope.roots.length > 0 && scope.roots.every(({ real }) => isFile(scope, real));
}

function isFile(scope: Scope, path: string): boolean {
  try {
    return statEntry(scope, path).stat.isFile();
  } catch (error) {
    // a missing root takes no new files either
    if (error instanceof ToolError) return true;
    throw error;
  }
}

function sizeOf(scope: Scope, path: string): number | undefined {
  try {
    return statEntry(scope, path).stat.size;
  } catch (error) {
    if (error instanceof ToolError && error.code === 'not-found') return undefined;
    throw error;
  }
}

function isDatabase(scope: Scope, path: string): boolean {
  const file = openFile(scope, path);
  try {
    return beginsAsDatabase(file.fd);
  } finally {
    file.close();
  }
}

function refusal(message: string, path: string, hint: string): ToolError {
  return new ToolError(`${message}: ${showPath(path)}`, { code: 'refused', hint });
}
