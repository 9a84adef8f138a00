import { join } from 'node:path';
import {
  locate,
  noRoots,
  notFound,
  openDirectory,
  readEntries,
  readSmall,
  replaceFile,
  type Scope,
} from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';

const EXTENSION = '.md';
const LARGEST_BYTES = 1024 * 1024;

/** The notes that one call may use: the files `<name>.md` of the first root. */
export class Notes {
  readonly #scope: Scope;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** The real path of the folder. */
  get folder(): string {
    const [root] = this.#scope.roots;
    if (root === undefined) throw noRoots(this.#scope);
    return root.real;
  }

  /** Returns the names of the notes, sorted. */
  names(): string[] {
    const folder = openDirectory(this.#scope, this.folder);
    try {
      const isDenied = this.#scope.hiddenIn(folder.path);
      return [...readEntries(folder, this.folder)]
        .filter(({ name, kind }) => kind === 'file' && name.endsWith(EXTENSION) && !isDenied(name))
        .map(({ name }) => name.slice(0, -EXTENSION.length))
        .sort();
    } finally {
      folder.close();
    }
  }

  /** Returns the text of a note; throws if there is none. */
  read(name: string): string {
    const file = readSmall(this.#scope, this.#pathOf(name), LARGEST_BYTES);
    if (file === undefined) throw new ToolError(`${name} is larger than 1 MiB`, { code: 'too-large' });
    return file.bytes.toString();
  }

  /** Writes a note in one step: readers get the old text or the new one. Returns false for one that must not exist. */
  async write(
    name: string,
    text: string,
    options: { exclusive: boolean; signal: AbortSignal },
  ): Promise<boolean> {
    try {
      await replaceFile(this.#scope, this.#pathOf(name), text, options);
      return true;
    } catch (error) {
      if (error instanceof ToolError && error.code === 'exists') return false;
      throw error;
    }
  }

  /** Returns the real path of a note for a watcher; the note may be missing. */
  locate(name: string): string {
    return locate(this.#scope, this.#pathOf(name)).path;
  }

  #pathOf(name: string): string {
    if (name === '') throw notFound(name);
    // a name such as ../other leads outside: the boundary reports that path as missing
    return join(this.folder, `${name}${EXTENSION}`);
  }
}
