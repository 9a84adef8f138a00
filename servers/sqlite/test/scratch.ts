import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Boundary, type Scope } from '@rootbound/kit/boundary';
import { type Database, loadDriver } from '../src/lane/driver.ts';

export interface Scratch {
  /** an empty folder, by its real path; removed after the tests of the file */
  readonly folder: string;
  /** Creates a database file in it with these statements and returns its path. */
  database(name: string, sql?: string): string;
  /** Opens a connection as another program would; it is closed after the tests. */
  open(path: string): Database;
  write(path: string, content: string | Buffer): string;
}

const folders: string[] = [];
const opened: Database[] = [];

/** Closes and removes what the tests of a file have created. */
export function removeScratch(): void {
  for (const db of opened.splice(0)) db.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

export function scratch(): Scratch {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-sqlite-test-')));
  folders.push(folder);
  const Driver = loadDriver();
  const write = (path: string, content: string | Buffer): string => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  return {
    folder,
    write,
    database(name, sql = '') {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      const db = new Driver(path);
      db.exec(sql);
      db.close();
      return path;
    },
    open(path) {
      const db = new Driver(path);
      opened.push(db);
      return db;
    },
  };
}

/** Returns the scope of a server with this one root. */
export function scopeOver(root: string): Scope {
  const roots = [{ path: root, readOnly: false }];
  return new Boundary({ roots, policy: 'ignore' }).operatorScope();
}
