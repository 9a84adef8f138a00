import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const WIDE = 100_000;
export const FOLDERS = 1000;
export const FILES_PER_FOLDER = 50;
export const HITS = 50;
export const REPOSITORY_FOLDERS = 2000;
export const NEEDLE = 'needle_in_the_haystack';
export const WATCHED = 1000;
export const WATCHED_FOLDERS = 20;
export const LINES_PER_BLOCK = 16_384;
export const BLOCKS = 1024;
export const PART_BLOCKS = 100;
export const EDITED_TEXT = 'this is the text that is edited';
const LINE_BYTES = 64;

const LINE = '\tconst answer = lookup("key", { depth: 3, strict: true }); // \\d+ stays\n';

const RULES = `# dependencies and what is built
node_modules/
build/
/dist
coverage
*.log
*.tmp
!important.log
.cache/
docs/**/*.html
`;

/** The files of one run, created at their first use below one temporary folder. */
export class Trees {
  /** @type {Map<string, string>} */
  #made = new Map();

  constructor() {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-bench-')));
  }

  /** Returns a folder with 64 files of 1 KB. */
  small() {
    return this.#once('small', (folder) => {
      for (let i = 0; i < 64; i += 1) writeFileSync(join(folder, `note-${i}.txt`), text(1024));
    });
  }

  /** Returns a folder with `large.txt`, 10 MB of ASCII source lines, and `mixed.txt`, the same with some other letters. */
  large() {
    return this.#once('large', (folder) => {
      writeFileSync(join(folder, 'large.txt'), text(10_000_000));
      writeFileSync(join(folder, 'mixed.txt'), text(10_000_000).replaceAll('\\d+', 'größe — 数'));
    });
  }

  /** Returns a folder with 100,000 empty files. */
  wide() {
    return this.#once('wide', (folder) => {
      for (let i = 0; i < WIDE; i += 1) closeSync(openSync(join(folder, `entry-${pad(i, 6)}.txt`), 'w'));
    });
  }

  /** Returns 1,000 folders of 50 files of about 1 KB; 50 names contain `needle-`, 50 lines the needle. */
  forest() {
    return this.#once('forest', (folder) => {
      const plain = text(1000);
      const hit = `${text(500)}the ${NEEDLE} is here\n${text(500)}`;
      const every = (FOLDERS * FILES_PER_FOLDER) / HITS;
      for (let i = 0, d = 0; d < FOLDERS; d += 1) {
        const below = join(folder, `folder-${pad(d, 4)}`);
        mkdirSync(below);
        for (let f = 0; f < FILES_PER_FOLDER; f += 1, i += 1) {
          const named = i % every === 7;
          const name = named ? `needle-${pad(i, 5)}.txt` : `file-${pad(i, 5)}.txt`;
          writeFileSync(join(below, name), i % every === 500 ? hit : plain);
        }
      }
    });
  }

  /**
   * Returns a repository of 2,000 folders of 50 files of about 1 KB with common ignore rules; 50 names contain `needle-` and
   * a number, 50 lines the needle. It has a tenth as many ignored files, each of which would match.
   */
  repository() {
    return this.#once('repository', (folder) => {
      const plain = text(1000);
      const hit = `${text(500)}the ${NEEDLE} is here\n${text(500)}`;
      const every = (REPOSITORY_FOLDERS * FILES_PER_FOLDER) / HITS;
      mkdirSync(join(folder, '.git'));
      writeFileSync(join(folder, '.gitignore'), RULES);
      for (let i = 0, d = 0; d < REPOSITORY_FOLDERS; d += 1) {
        const below = join(folder, `folder-${pad(d, 4)}`);
        mkdirSync(join(below, 'build'), { recursive: true });
        for (let f = 0; f < FILES_PER_FOLDER; f += 1, i += 1) {
          const name = i % every === 7 ? `needle-${pad(i, 6)}.txt` : `file-${pad(i, 6)}.txt`;
          writeFileSync(join(below, name), i % every === 500 ? hit : plain);
        }
        writeFileSync(join(below, 'needle-ignored.log'), hit);
        for (let f = 0; f < 4; f += 1) writeFileSync(join(below, 'build', `needle-ignored-${f}.txt`), hit);
        if (d % 20 === 0) writeFileSync(join(below, '.gitignore'), '/generated\n*.bak\n!kept.bak\n');
      }
    });
  }

  /** Returns 1,000 files in 20 folders, for subscriptions. */
  watched() {
    return this.#once('watched', (folder) => {
      for (const path of watchedFiles(folder)) {
        mkdirSync(join(path, '..'), { recursive: true });
        writeFileSync(path, 'before\n');
      }
    });
  }

  /** Returns a folder with `huge.txt`, 1 GiB of 64-byte lines; the first and last line of a block have its number. */
  huge() {
    return this.#once('huge', (folder) => writeBlocks(join(folder, 'huge.txt'), BLOCKS));
  }

  /** Returns a folder with `parted.txt`, 100 MiB of such blocks. */
  parted() {
    return this.#once('parted', (folder) => writeBlocks(join(folder, 'parted.txt'), PART_BLOCKS));
  }

  /** Returns a folder with `edited.txt`, 60 MB of source lines with a line in the middle for edits. */
  edited() {
    return this.#once('edited', (folder) => {
      const half = text(30_000_000);
      writeFileSync(join(folder, 'edited.txt'), `${half}${EDITED_TEXT}\n${half}`);
    });
  }

  /** Returns an empty folder for writes. */
  scratch() {
    return this.#once('scratch', () => {});
  }

  /**
   * Deletes a large tree before the end of the run.
   * @param {string} name
   */
  drop(name) {
    const folder = this.#made.get(name);
    this.#made.delete(name);
    if (folder) rmSync(folder, { recursive: true, force: true });
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }

  /**
   * @param {string} name
   * @param {(folder: string) => void} fill
   */
  #once(name, fill) {
    let folder = this.#made.get(name);
    if (folder === undefined) {
      folder = join(this.root, name);
      mkdirSync(folder);
      fill(folder);
      this.#made.set(name, folder);
    }
    return folder;
  }
}

/**
 * Yields blocks of 1 MiB of 64-byte lines; the first and last line of a block have its number.
 * @param {string} path
 * @param {number} blocks
 */
function writeBlocks(path, blocks) {
  const fd = openSync(path, 'w');
  const block = Buffer.from(`${'x'.repeat(LINE_BYTES - 1)}\n`.repeat(LINES_PER_BLOCK));
  for (let i = 0; i < blocks; i += 1) {
    block.write(`block ${pad(i, 4)}`);
    block.write(`block ${pad(i, 4)}`, block.length - LINE_BYTES);
    writeSync(fd, block);
  }
  closeSync(fd);
}

/**
 * Returns the paths of the watched files.
 * @param {string} folder
 */
export function watchedFiles(folder) {
  return Array.from({ length: WATCHED }, (_, i) =>
    join(folder, `part-${i % WATCHED_FOLDERS}`, `file-${i}.txt`),
  );
}

/**
 * Returns source-like ASCII text with tabs, quotes and backslashes, which need escapes.
 * @param {number} bytes
 */
export function text(bytes) {
  return `${LINE.repeat(Math.ceil(bytes / LINE.length)).slice(0, bytes - 1)}\n`;
}

/**
 * @param {number} value
 * @param {number} width
 */
function pad(value, width) {
  return String(value).padStart(width, '0');
}
