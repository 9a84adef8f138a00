import { basename } from 'node:path';
import { openFile, type Scope, showPath, statEntry } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Database } from '../databases/database.ts';
import { beginsAsDatabase } from '../databases/resolve.ts';

/** Files that SQLite keeps beside a database and takes for its own. */
const beside = ['-journal', '-wal', '-shm'];
const isBeside = /-(?:journal|wal|shm|mj[0-9a-f]+)$/i;

export interface DestinationOptions {
  readonly overwrite: boolean;
  /** what is written: a database, or a file of data */
  readonly kind: 'database' | 'data';
}

/** Refuses a place where what is written would harm a database; says early what the writing itself would refuse late. */
export function assertDestination(scope: Scope, path: string, { overwrite, kind }: DestinationOptions): void {
  if (isBeside.test(basename(path)))
    throw refusal('SQLite would take a file of this name for a part of a database', path, 'use another name');
  const there = sizeOf(scope, path);
  if (there === undefined && hasOnlyFileRoots(scope))
    throw refusal(
      'no root is a folder, so no file can be made',
      path,
      'the server takes a folder as a further root when it is started',
    );
  if (there !== undefined && !overwrite) throw alreadyExists(path);
  if (kind === 'data') {
    if (there !== undefined && isDatabase(scope, path))
      throw refusal(
        'a database is there',
        path,
        'use another name; only backup_database replaces a database',
      );
    return;
  }
  const left = beside.find((suffix) => (sizeOf(scope, path + suffix) ?? 0) > 0);
  if (left === undefined) return;
  throw refusal(
    `a ${left} file is there, which SQLite would apply to the copy`,
    path,
    'use another name, or end what uses the database there',
  );
}

/** The refusal to replace what is there without being told to. */
export function alreadyExists(path: string): ToolError {
  return new ToolError(`already exists: ${showPath(path)}`, {
    code: 'exists',
    hint: 'overwrite replaces it',
  });
}

/** Whether a path leads to this very file. */
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
    // a root that is gone takes nothing either
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
