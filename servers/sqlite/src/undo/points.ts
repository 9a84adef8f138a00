import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@rootbound/protocol';
import type { UndoCopy } from '../lane/copies/undo-copy.ts';

/** Most bytes of all undo copies. */
const QUOTA = 2 ** 30;
const HANDLE_BYTES = 9;

/** The file of an undo copy and its handle. */
export interface UndoFile {
  readonly point: string;
  readonly path: string;
}

export interface UndoPoint extends UndoFile {
  /** owner */
  readonly owner: string;
  /** absolute, without symbolic links */
  readonly database: string;
  readonly bytes: number;
}

/** Undo copies of databases. The least recently used are removed when space is needed, and all when the server ends. */
export class UndoPoints {
  readonly #folder: string;
  readonly #quota: number;
  /** least recently used first */
  readonly #points = new Map<string, UndoPoint>();

  constructor(folder: string, quota = QUOTA) {
    this.#folder = join(folder, 'undo');
    this.#quota = quota;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Reserves a file for the next copy; follow with `keep` or `discard`. */
  reserve(): UndoFile {
    const point = `undo-${randomBytes(HANDLE_BYTES).toString('base64url')}`;
    return { point, path: join(this.#folder, `${point}.db`) };
  }

  keep(point: UndoPoint): void {
    this.#points.set(point.point, point);
    let bytes = 0;
    for (const each of this.#points.values()) bytes += each.bytes;
    for (const oldest of this.#points.values()) {
      if (bytes <= this.#quota || oldest === point) break;
      this.#points.delete(oldest.point);
      this.discard(oldest);
      bytes -= oldest.bytes;
    }
  }

  /** Stores the copy in a reserved file, if one was made. */
  keepCopy(
    place: UndoFile,
    copy: UndoCopy | undefined,
    of: Pick<UndoPoint, 'owner' | 'database'>,
  ): UndoPoint | undefined {
    if (copy === undefined || 'none' in copy) return undefined;
    const point = { ...place, ...of, bytes: copy.bytes };
    this.keep(point);
    return point;
  }

  discard({ path }: UndoFile): void {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  }

  /** Returns the undo point of a handle of this owner. */
  open(handle: string, owner: string): UndoPoint {
    const point = this.#points.get(handle);
    if (point === undefined || point.owner !== owner) {
      throw new ToolError(`no such undo point: ${handle}`, {
        code: 'unknown-undo-point',
        hint: 'undo points are removed when the server ends, and the oldest when space is needed; restore a backup with path',
      });
    }
    this.#points.delete(handle);
    this.#points.set(handle, point);
    return point;
  }
}
