import { join } from 'node:path';
import {
  Boundary,
  makeDirectory,
  openDirectory,
  readEntries,
  readSmall,
  removeEntry,
  replaceFile,
  type Scope,
  setAttributes,
  statChild,
  statEntry,
  sweepStaging,
} from '@rootbound/kit/boundary';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import { decodeEntry, encodeEntry } from './entry-file.ts';
import type { Store, StoredResponse } from './stored-response.ts';

export interface FileStoreOptions {
  /** an existing folder that the operator named */
  readonly folder: string;
  /** bytes of all files, 512 MiB unless given */
  readonly bytes?: number | undefined;
  /** bytes of one file, 16 MiB unless given */
  readonly entryBytes?: number | undefined;
  /** called with errors of reads and writes; the cache then works without the file */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** ms since 1970 */
  readonly now?: (() => number) | undefined;
}

const OWN_FOLDER = 'rootbound-fetch';
const SHARD = /^[0-9a-f]{2}$/;
const ENTRY = /^[0-9a-f]{62}-[0-9a-f]{16}$/;
const MIB = 1024 * 1024;
/** the time of last use is written if it is this much newer than the stored one */
const USE_MS = 10 * 60 * 1000;

/**
 * Responses in files below the operator's folder, readable by this user only; any number of server processes may share
 * it. Files are written atomically; a corrupt file is removed and counts as absent. Beyond the quota, the least
 * recently used files are removed.
 */
export class FileStore implements Store {
  readonly #scope: Scope;
  readonly #folder: string;
  readonly #quota: number;
  readonly #most: number;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  #written = Number.POSITIVE_INFINITY;
  #sweeping: Promise<void> | undefined;

  constructor({ folder, bytes = 512 * MIB, entryBytes = 16 * MIB, onError, now }: FileStoreOptions) {
    const boundary = new Boundary({ roots: [{ path: folder, readOnly: false }], policy: 'ignore' });
    this.#scope = boundary.operatorScope();
    if (boundary.missingRoots().length > 0)
      throw new TypeError('the cache folder does not exist; create it or name another');
    this.#folder = join(folder, OWN_FOLDER);
    this.#quota = bytes;
    this.#most = Math.min(entryBytes, bytes);
    this.#now = now ?? Date.now;
    this.#onError = onError ?? (() => {});
    this.#own(this.#folder);
    sweepStaging(this.#scope);
  }

  async find(key: string): Promise<readonly StoredResponse[]> {
    const { shard, name } = this.#place(key);
    const found: StoredResponse[] = [];
    for (const one of this.#names(shard, (entry) => entry.startsWith(`${name}-`))) {
      const stored = await this.#read(join(shard, one));
      if (stored !== undefined) found.push(stored);
    }
    return found;
  }

  async put(key: string, variant: string, stored: StoredResponse): Promise<void> {
    const content = encodeEntry(stored);
    const bytes = content.reduce((sum, part) => sum + part.length, 0);
    const { shard, name } = this.#place(key);
    const path = join(shard, `${name}-${variant}`);
    if (bytes > this.#most) return this.#remove(path);
    try {
      this.#own(shard);
      await replaceFile(this.#scope, path, content, { mode: 0o600 });
    } catch (error) {
      this.#onError(error);
      return;
    }
    this.#written += bytes;
    if (this.#written > this.#quota / 16) await this.sweep();
  }

  async remove(key: string, variant?: string): Promise<void> {
    const { shard, name } = this.#place(key);
    const wanted = variant === undefined ? `${name}-` : `${name}-${variant}`;
    for (const one of this.#names(shard, (entry) => entry.startsWith(wanted)))
      await this.#remove(join(shard, one));
  }

  /** Removes the least recently used files until the files of all processes fit the quota. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  async #sweep(): Promise<void> {
    this.#written = 0;
    const files: { path: string; size: number; usedAt: number }[] = [];
    for (const shard of this.#names(this.#folder, (name) => SHARD.test(name))) {
      files.push(...this.#sizes(join(this.#folder, shard)));
      await yieldToEventLoop();
    }
    let total = files.reduce((sum, { size }) => sum + size, 0);
    if (total <= this.#quota) return;
    files.sort((one, other) => one.usedAt - other.usedAt);
    for (const { path, size } of files) {
      // leave some room, so that not every write has to scan all files
      if (total <= this.#quota * 0.9) break;
      await this.#remove(path);
      total -= size;
    }
  }

  async #read(path: string): Promise<StoredResponse | undefined> {
    try {
      const file = readSmall(this.#scope, path, this.#most);
      // too large, or in use by another process: the sweep or the next read handles it
      if (file === undefined) return undefined;
      const stored = decodeEntry(file.bytes);
      if (stored === undefined) {
        await this.#remove(path);
        return undefined;
      }
      const now = this.#now();
      if (now - file.stat.mtimeMs > USE_MS)
        await setAttributes(this.#scope, path, { modified: new Date(now) });
      return stored;
    } catch (error) {
      // another process may have removed it; after any error the response counts as absent
      if (!isMissing(error)) this.#onError(error);
      return undefined;
    }
  }

  async #remove(path: string): Promise<void> {
    try {
      await removeEntry(this.#scope, path);
    } catch (error) {
      if (!isMissing(error)) this.#onError(error);
    }
  }

  /** Creates a folder with access for this user only; throws if it belongs to another user. */
  #own(folder: string): void {
    // both calls are synchronous in effect: the boundary makes no other change below this folder
    void makeDirectory(this.#scope, folder);
    const { stat } = statEntry(this.#scope, folder);
    if (process.geteuid !== undefined && stat.uid !== process.geteuid())
      throw new TypeError('the cache folder contains a folder of another user; name another folder');
    if ((stat.mode & 0o077) !== 0) void setAttributes(this.#scope, folder, { mode: 0o700 });
  }

  #names(folder: string, wanted: (name: string) => boolean): string[] {
    try {
      const open = openDirectory(this.#scope, folder);
      try {
        return [...readEntries(open, folder)].map(({ name }) => name).filter(wanted);
      } finally {
        open.close();
      }
    } catch (error) {
      if (!isMissing(error)) this.#onError(error);
      return [];
    }
  }

  #sizes(shard: string): { path: string; size: number; usedAt: number }[] {
    const names = this.#names(shard, (name) => ENTRY.test(name));
    if (names.length === 0) return [];
    const open = openDirectory(this.#scope, shard);
    try {
      return names.flatMap((name) => {
        const stat = statChild(open, name);
        return stat === undefined ? [] : { path: join(shard, name), size: stat.size, usedAt: stat.mtimeMs };
      });
    } finally {
      open.close();
    }
  }

  #place(key: string): { shard: string; name: string } {
    return { shard: join(this.#folder, key.slice(0, 2)), name: key.slice(2) };
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'not-found';
}
