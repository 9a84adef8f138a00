import { isIndex } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { isPlainName, nameOfByteString } from '../../porcelain/names.ts';
import { unexpected } from '../../porcelain/records.ts';
import { command } from '../../run/command.ts';
import { toOid } from '../../run/oid.ts';
import { type Entries, type Entry, FOLDER } from './entry.ts';

/** The last entry that was read, in git's order: its path in hex, and its stage. */
export type StagedPosition = readonly [path: string, stage: number];

export function isStagedPosition(value: unknown): value is StagedPosition {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && isIndex(value[1]);
}

export interface StagedOptions {
  /** a folder or one entry, as a byte string; '' for all */
  readonly path: string;
  readonly depth: number;
  readonly from?: StagedPosition | undefined;
}

const record = /([0-7]{6}) ([0-9a-f]+) ([0-3])\t([^\0]+)\0/gy;

/** The index entries at a path and below it, read from git as far as they are asked for. */
export class StagedEntries implements Entries<StagedPosition> {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #finished: Promise<unknown>;
  readonly #stop: () => void;
  readonly #options: StagedOptions;
  readonly #waiting: Entry[] = [];
  #rest = '';
  #last: { readonly path: string; readonly stage: number };
  #ended = false;

  constructor(opened: Opened, options: StagedOptions) {
    const name = nameOfByteString(options.path);
    const asked = command('ls-files', {
      flags: ['-z', '--stage', '--full-name'],
      // git takes no other bytes here: then all is read
      ...(options.path !== '' && isPlainName(name) && { paths: [name] }),
    });
    const { chunks, finished, stop } = opened.stream(asked);
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#finished = finished;
    this.#stop = stop;
    this.#options = options;
    const [path = '', stage = 0] = options.from ?? [];
    this.#last = { path: Buffer.from(path, 'hex').toString('latin1'), stage };
  }

  async next(): Promise<Entry | undefined> {
    for (;;) {
      const entry = this.#waiting.shift();
      if (entry === undefined && !(await this.#read())) return undefined;
      if (entry === undefined) continue;
      const visible = this.#isAfter(entry) ? this.#visible(entry) : undefined;
      if (visible === undefined) continue;
      // the content of a listed folder comes right after it
      const end = visible.mode === FOLDER ? '/' : '';
      this.#last = { path: visible.path + end, stage: visible.stage };
      return visible;
    }
  }

  get position(): StagedPosition | undefined {
    if (this.#ended) return undefined;
    const { path, stage } = this.#last;
    return [Buffer.from(path, 'latin1').toString('hex'), stage];
  }

  close(): void {
    this.#stop();
  }

  async #read(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done === true) {
      await this.#finished;
      this.#ended = true;
      return false;
    }
    const text = value.toString('latin1');
    // a long name comes in many chunks
    if (!text.includes('\0')) {
      this.#rest += text;
      return true;
    }
    const bytes = this.#rest + text;
    let end = 0;
    for (const [whole, mode, oid, stage, path] of bytes.matchAll(record)) {
      end += whole.length;
      this.#waiting.push({
        path: path!,
        mode: mode!,
        oid: toOid(oid!),
        stage: Number(stage),
        missing: false,
      });
    }
    this.#rest = bytes.slice(end);
    if (this.#rest.includes('\0')) throw unexpected('entry of the index');
    return true;
  }

  #isAfter({ path, stage }: Entry): boolean {
    const last = this.#last;
    if (last.path.endsWith('/') && path.startsWith(last.path)) return false;
    return path > last.path || (path === last.path && stage > last.stage);
  }

  /** Returns the entry, or the folder that stands for it; undefined when it lies elsewhere. */
  #visible(entry: Entry): Entry | undefined {
    const { path: top, depth } = this.#options;
    if (entry.path === top) return entry;
    const prefix = top === '' ? '' : `${top}/`;
    if (!entry.path.startsWith(prefix)) return undefined;
    const parts = entry.path.slice(prefix.length).split('/');
    if (parts.length <= depth) return entry;
    const path = prefix + parts.slice(0, depth).join('/');
    return { path, mode: FOLDER, oid: undefined, stage: 0, missing: false };
  }
}
