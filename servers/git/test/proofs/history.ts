import { names } from '../porcelain/random-states.ts';

type Random = (below: number) => number;

/** A file of a tree as fast-import takes it; of a submodule, the commit instead of the content. */
interface Stored {
  readonly mode: '100644' | '100755' | '120000' | '160000';
  readonly content: Buffer;
}

export type Operation =
  | 'add'
  | 'delete'
  | 'edit'
  | 'executable'
  | 'link'
  | 'rename'
  | 'rename and edit'
  | 'binary'
  | 'empty'
  | 'submodule'
  | 'bytes'
  | 'line ends';

export const operations: readonly Operation[] = [
  ...(['add', 'add', 'delete', 'edit', 'edit', 'edit', 'executable', 'link', 'rename'] as const),
  ...(['rename and edit', 'binary', 'empty', 'submodule', 'bytes', 'line ends'] as const),
];

/** A history of commits, each with a few changes by chance; the same one for equal numbers. */
export class History {
  readonly #tree = new Map<string, Stored>();
  readonly #next: Random;
  readonly #announced: Buffer[] = [];
  /** what was done how often */
  readonly counts = new Map<Operation, number>();

  constructor(next: Random, commits: number) {
    this.#next = next;
    for (let commit = 0; commit <= commits; commit++) this.#commit(commit);
  }

  /** For `git fast-import`: commit `n` has the mark `n + 1`. */
  get stream(): Buffer {
    return Buffer.concat([...this.#announced, Buffer.from('done\n')]);
  }

  #commit(number: number): void {
    const header = `commit refs/heads/main\nmark :${number + 1}\ncommitter A <a@b> ${1e9 + number} +0000\ndata 0\n`;
    this.#announced.push(Buffer.from(header));
    const changes = number === 0 ? 12 : 1 + this.#next(4);
    for (let change = 0; change < changes; change++) {
      const operation = number === 0 ? 'add' : this.#pick(operations);
      if (this.#change(operation)) this.counts.set(operation, (this.counts.get(operation) ?? 0) + 1);
    }
  }

  /** Whether there was something to do it to. */
  #change(operation: Operation): boolean {
    const name = this.#pick(names);
    const [old, stored] = this.#existing();
    if (operation === 'add') return this.#put(name, '100644', this.#lines());
    if (operation === 'link')
      return this.#put(name, '120000', Buffer.from(this.#pick(['there', 'else where'])));
    if (operation === 'submodule')
      return this.#put(name, '160000', Buffer.from(String(1 + this.#next(9)).repeat(40)));
    if (stored === undefined) return false;
    if (operation === 'delete') return this.#remove(old);
    if (stored.mode === '160000' || stored.mode === '120000') return false;
    const { mode, content } = stored;
    switch (operation) {
      case 'edit':
        return this.#put(old, mode, this.#edited(content));
      case 'executable':
        return this.#put(old, mode === '100644' ? '100755' : '100644', content);
      case 'binary':
        return this.#put(old, mode, Buffer.from(`\0${this.#next(1000)}\n`));
      case 'empty':
        return this.#put(old, mode, Buffer.alloc(0));
      case 'bytes':
        return this.#put(old, mode, Buffer.concat([content, Buffer.from('caf\xe9 \xff\n', 'latin1')]));
      case 'line ends':
        return this.#put(
          old,
          mode,
          Buffer.from(content.toString('latin1').replaceAll('\n', '\r\n').slice(0, -1), 'latin1'),
        );
      case 'rename':
      case 'rename and edit':
        if (names.some((each) => each.startsWith(`${name}/`)) || name.startsWith(`${old}/`)) return false;
        this.#remove(old);
        return this.#put(name, mode, operation === 'rename' ? content : this.#edited(content));
    }
  }

  #existing(): [string, Stored | undefined] {
    const all = [...this.#tree];
    return all.length === 0 ? ['', undefined] : this.#pick(all);
  }

  #put(name: string, mode: Stored['mode'], content: Buffer): boolean {
    // a file takes the place of a folder, and a folder that of a file
    for (const other of this.#tree.keys())
      if (other.startsWith(`${name}/`) || name.startsWith(`${other}/`)) this.#remove(other);
    this.#tree.set(name, { mode, content });
    if (mode === '160000') this.#tell(`M 160000 ${content.toString()} ${quoted(name)}\n`);
    else {
      this.#tell(`M ${mode} inline ${quoted(name)}\ndata ${content.length}\n`);
      this.#announced.push(content);
      this.#tell('\n');
    }
    return true;
  }

  #remove(name: string): boolean {
    this.#tree.delete(name);
    this.#tell(`D ${quoted(name)}\n`);
    return true;
  }

  #tell(text: string): void {
    this.#announced.push(Buffer.from(text));
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#next(all.length)]!;
  }

  #lines(): Buffer {
    const text = this.#next(6);
    const lines = Array.from({ length: 3 + this.#next(30) }, (_, line) => `text ${text}, line ${line}`);
    return Buffer.from(lines.join('\n') + this.#pick(['\n', '\n', '']));
  }

  #edited(content: Buffer): Buffer {
    const lines = content.toString('latin1').split('\n');
    for (let edits = this.#next(3); edits >= 0; edits--) {
      const added = Array.from({ length: this.#next(3) }, () => this.#pick(hard));
      lines.splice(this.#next(lines.length + 1), this.#next(3), ...added);
    }
    return Buffer.from(lines.join('\n'), 'latin1');
  }
}

/** Lines that look like parts of a patch. */
const hard = [
  '',
  'diff --git a/x b/x',
  '--- a/x',
  '+++ b/x',
  '@@ -1,3 +1,3 @@',
  '\\ No newline at end of file',
  '\t tabs  ',
];

/** A name in git's quoted form, each byte of it. */
function quoted(name: string): string {
  const bytes = [...Buffer.from(name, 'latin1')];
  return `"${bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`;
}
