import { closeSync } from 'node:fs';
import { type OpenFile, openPlain, readAt } from './files.ts';
import { HEADER_BYTES, type Header, parseHeader } from './header.ts';
import { framesFrom, NO_RUN, pageOfFrame, readWalIndex, scanWal, type WalState } from './wal.ts';

/** What tells one state of a database from another. */
export interface Stamp {
  readonly header: Header | undefined;
  readonly wal: WalState | undefined;
  readonly size: number;
  readonly changed: bigint;
  /** the file was written so shortly before that a later change may leave its time as it is */
  readonly isRecent: boolean;
  readonly file: string;
}

/** File systems stamp by the clock tick. */
const TICK_MS = 20;

/** The files of a database as they are at one moment, open for reading pages; no lock is taken and no file made. */
export class FileSnapshot {
  readonly path: string;
  readonly #db: OpenFile | undefined;
  #wal: OpenFile | undefined;
  /** pages whose newest frame was looked up, and so far in one run of the WAL */
  readonly #frames: FrameMap;
  readonly stamp: Stamp;
  /** somebody is in the middle of a commit: what is there now is no state of the database */
  readonly unsettled: boolean;

  constructor(path: string, frames: FrameMap) {
    this.path = path;
    this.#frames = frames;
    this.#db = openPlain(path);
    const header = this.#db === undefined ? undefined : parseHeader(readAt(this.#db.fd, 0, HEADER_BYTES));
    const wal = header?.wal === true ? this.#readWal(header) : undefined;
    this.unsettled = wal === 'unsettled' || (header?.wal === false && this.#hasJournal());
    const settled = wal === 'unsettled' ? undefined : wal;
    this.stamp = {
      header: this.#headerNow(header, settled),
      wal: settled,
      size: this.#db?.size ?? -1,
      changed: this.#db?.changed ?? 0n,
      isRecent: this.#db !== undefined && Date.now() - Number(this.#db.changed / 1_000_000n) < TICK_MS,
      file: this.#db === undefined ? '' : `${this.#db.dev}:${this.#db.ino}`,
    };
  }

  get exists(): boolean {
    return this.#db !== undefined;
  }

  get wal(): OpenFile | undefined {
    return this.#wal;
  }

  /** Pages of the database. */
  get pages(): number {
    const { header, wal, size } = this.stamp;
    if (header === undefined) return 0;
    return wal?.frames !== 0 && wal?.pages !== undefined ? wal.pages : Math.floor(size / header.pageSize);
  }

  /** A page by its number, as the last commit has left it; shorter where there is none. */
  page(number: number): Buffer {
    const { header, wal } = this.stamp;
    if (header === undefined || this.#db === undefined) return Buffer.alloc(0);
    const frame = wal === undefined ? undefined : this.#frames.of(number);
    if (frame !== undefined && this.#wal !== undefined) return pageOfFrame(this.#wal, frame, header.pageSize);
    return readAt(this.#db.fd, (number - 1) * header.pageSize, header.pageSize);
  }

  close(): void {
    for (const file of [this.#db, this.#wal]) if (file !== undefined) closeSync(file.fd);
  }

  #readWal(header: Header): WalState | 'unsettled' | undefined {
    const index = openPlain(`${this.path}-shm`);
    try {
      const published = readWalIndex(index);
      if (published === 'unsettled') return published;
      this.#wal = openPlain(`${this.path}-wal`);
      const state = published ?? scanWal(this.#wal, header.pageSize);
      if (state?.salt === NO_RUN) return undefined;
      if (state !== undefined && this.#wal !== undefined)
        this.#frames.follow(this.#wal, header.pageSize, state);
      return state;
    } finally {
      if (index !== undefined) closeSync(index.fd);
    }
  }

  /** The first page may be in the WAL, too. */
  #headerNow(header: Header | undefined, wal: WalState | undefined): Header | undefined {
    const frame = wal === undefined ? undefined : this.#frames.of(1);
    if (header === undefined || frame === undefined || this.#wal === undefined) return header;
    return parseHeader(pageOfFrame(this.#wal, frame, header.pageSize)) ?? header;
  }

  #hasJournal(): boolean {
    const journal = openPlain(`${this.path}-journal`);
    if (journal === undefined) return false;
    try {
      // one that has been played is cut to nothing, or begins with zeros
      return journal.size > 0 && readAt(journal.fd, 0, 8).some((byte) => byte !== 0);
    } finally {
      closeSync(journal.fd);
    }
  }
}

/** Where the newest version of each page is in a run of a WAL. */
export class FrameMap {
  #run = '';
  #known = 0;
  readonly #newest = new Map<number, number>();

  of(page: number): number | undefined {
    return this.#newest.get(page);
  }

  follow(wal: OpenFile, pageSize: number, { salt, frames }: WalState): void {
    if (salt !== this.#run || frames < this.#known) {
      this.#newest.clear();
      this.#run = salt;
      this.#known = 0;
    }
    const found = framesFrom(wal, pageSize, this.#known + 1, salt, frames);
    for (const [at, { page }] of found.entries()) this.#newest.set(page, this.#known + 1 + at);
    this.#known += found.length;
  }
}
