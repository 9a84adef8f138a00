import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@rootbound/protocol';
import type { UndoCopy } from '../lane/copies/undo-copy.ts';

/** Bytes of all copies together. */
const QUOTA = 2 ** 30;
const HANDLE_BYTES = 9;

/** Where the copy of a database before a change goes, and by which name it is asked for. */
export interface UndoFile {
  readonly point: string;
  readonly path: string;
}

export interface UndoPoint extends UndoFile {
  /** whose it is */
  readonly owner: string;
  /** absolute, without symbolic links */
  readonly database: string;
  readonly bytes: number;
}

/** The copies of databases from before changes; the oldest go when they need too much room, and all with the server. */
export class UndoPoints {
  readonly #folder: string;
  readonly #quota: number;
  /** the one used longest ago first */
  readonly #points = new Map<string, UndoPoint>();

  constructor(folder: string, quota = QUOTA) {
    this.#folder = join(folder, 'undo');
    this.#quota = quota;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** A place for the next copy; `keep` it or `discard` it. */
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

  /** Keeps what was copied to a place, if anything was. */
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

  /** The copy behind a handle of this owner. */
  open(handle: string, owner: string): UndoPoint {
    const point = this.#points.get(handle);
    if (point === undefined || point.owner !== owner) {
      throw new ToolError(`no such undo point: ${handle}`, {
        code: 'unknown-undo-point',
        hint: 'undo points go with the server, and the oldest ones when they need too much room',
      });
    }
    this.#points.delete(handle);
    this.#points.set(handle, point);
    return point;
  }
}
