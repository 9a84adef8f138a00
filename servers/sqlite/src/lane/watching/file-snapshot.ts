import { closeSync } from 'node:fs';
import { type OpenFile, openPlain, readAt } from './files.ts';
import { HEADER_BYTES, type Header, parseHeader } from './header.ts';
import { framesFrom, NO_RUN, pageOfFrame, readWalIndex, scanWal, type WalState } from './wal.ts';

/** Identifies a state of a database. */
export interface Stamp {
  readonly header: Header | undefined;
  readonly wal: WalState | undefined;
  readonly size: number;
  readonly changed: bigint;
  /** the file was written so recently that a later write may not change its time */
  readonly isRecent: boolean;
  readonly file: string;
}

/** Resolution of file times, ms. */
const TICK_MS = 20;

/** The open files of a database at one moment, for reading pages; takes no lock and creates no file. */
export class FileSnapshot {
  readonly path: string;
  readonly #db: OpenFile | undefined;
  #wal: OpenFile | undefined;
  /** the newest WAL frame of each page */
  readonly #frames: FrameMap;
  readonly stamp: Stamp;
  /** a commit is under way: the files show no consistent state */
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

  /** Number of pages of the database. */
  get pages(): number {
    const { header, wal, size } = this.stamp;
    if (header === undefined) return 0;
    return wal?.frames !== 0 && wal?.pages !== undefined ? wal.pages : Math.floor(size / header.pageSize);
  }

  /** Returns a page as of the last commit; fewer bytes if it does not exist. */
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

  /** Returns the header, which may be in the WAL. */
  #headerNow(header: Header | undefined, wal: WalState | undefined): Header | undefined {
    const frame = wal === undefined ? undefined : this.#frames.of(1);
    if (header === undefined || frame === undefined || this.#wal === undefined) return header;
    return parseHeader(pageOfFrame(this.#wal, frame, header.pageSize)) ?? header;
  }

  #hasJournal(): boolean {
    const journal = openPlain(`${this.path}-journal`);
    if (journal === undefined) return false;
    try {
      // a finished journal is truncated or begins with zeros
      return journal.size > 0 && readAt(journal.fd, 0, 8).some((byte) => byte !== 0);
    } finally {
      closeSync(journal.fd);
    }
  }
}

/** The newest frame of each page in one generation of a WAL. */
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
