import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type GitInput, type Scratch, scratch } from '../scratch.ts';
import { random } from './random.ts';

/** Names that git quotes, that look like options or patches, and that are no UTF-8. */
const names = [
  'plain.txt',
  'sp ace',
  ' lead',
  'trail ',
  'tab\there',
  'quo"te',
  'new\nline',
  'diff --git a/x b/x',
  '-dash',
  'caf\xe9',
  'gr\xc3\xbc\xc3\x9f',
  '"quoted"',
  'folder/file',
  'folder/deep er/--- a',
  'back\\slash',
];

const texts = [
  'alpha',
  'beta',
  '',
  'diff --git a/x b/x',
  '--- a/x',
  '+++ b/x',
  '@@ -1,3 +1,3 @@',
  '\\ No newline at end of file',
  'crlf\r',
  'caf\xe9',
  '\xc3\xbc',
  '\t tabs  ',
  'index 0000000..1111111',
  '-minus',
  '+plus',
];

/** A repository and ways to change it by chance, the same ones each run. */
export class States {
  readonly made: Scratch = scratch();
  readonly next: (below: number) => number;

  constructor(seed: number) {
    this.next = random(seed);
    this.git('init');
  }

  get folder(): string {
    return this.made.folder;
  }

  git(...args: readonly (string | GitInput)[]): Buffer {
    return this.made.git(this.folder, ...args);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.next(from.length)]!;
  }

  lines(most: number): string[] {
    return Array.from({ length: this.next(most) + 1 }, () => this.pick(texts));
  }

  content(): Buffer {
    if (this.next(8) === 0) return Buffer.from(`\0binary${this.next(1000)}\n\xff`, 'latin1');
    return Buffer.from(this.lines(40).join('\n') + this.pick(['\n', '\n', '']), 'latin1');
  }

  /** Creates, edits, moves, removes, empties, links and chmods files. */
  change(times: number): void {
    for (let time = 0; time < times; time++) {
      const path = this.#path(this.pick(names));
      const kind = this.next(10);
      if (!exists(path) || kind < 2) this.#put(path, this.content());
      else if (kind === 2) rmSync(path);
      else if (kind === 3) this.#put(path, '');
      else if (kind === 4 || lstatSync(path).isSymbolicLink()) this.#link(path);
      else if (kind === 5) chmodSync(path, this.pick([0o755, 0o644]));
      else if (kind === 6) this.#move(path);
      else this.#edit(path);
    }
  }

  commit(message = 'change'): string {
    this.git('add', '--all');
    this.git('commit', '--allow-empty', '-m', message);
    return this.git('rev-parse', 'HEAD').toString().trim();
  }

  #path(name: string): Buffer {
    return Buffer.concat([Buffer.from(`${this.folder}/`), Buffer.from(name, 'latin1')]);
  }

  #put(path: Buffer, content: string | Buffer): void {
    mkdirSync(dirname(path.toString('latin1')), { recursive: true });
    rmSync(path, { force: true });
    writeFileSync(path, content);
  }

  #link(path: Buffer): void {
    rmSync(path, { force: true });
    symlinkSync(this.pick(['there', 'else where']), path);
  }

  #move(path: Buffer): void {
    const content = readFileSync(path);
    rmSync(path);
    this.#put(this.#path(this.pick(names)), content);
  }

  #edit(path: Buffer): void {
    const lines = readFileSync(path).toString('latin1').split('\n');
    for (let edit = this.next(4); edit >= 0; edit--) {
      lines.splice(this.next(lines.length + 1), this.next(3), ...this.lines(3));
    }
    writeFileSync(path, Buffer.from(lines.join('\n'), 'latin1'));
  }
}

function exists(path: Buffer): boolean {
  // a link to nowhere exists too
  return existsSync(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
