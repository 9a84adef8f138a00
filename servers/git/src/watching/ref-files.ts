import { join } from 'node:path';
import { textOfBytes } from '@rootbound/kit/boundary';
import { bytesOfName } from '../porcelain/names.ts';
import type { Repository } from '../repository/repository.ts';
import type { Trace } from './trace.ts';

/** As many symbolic refs as git follows. */
const MOST_STEPS = 5;
/** Of more loose refs only the folders are watched: git replaces their files, and so does what stands beside it. */
const MOST_LOOSE = 2_000;
/** Refs that each work tree has for itself. */
const ofWorkTree = ['refs/bisect', 'refs/worktree', 'refs/rewritten'];

/** The values of refs, read from their files: loose ones first, for git packs a ref before it removes its file. */
export class RefFiles {
  readonly #trace: Trace;
  readonly #gitDir: string;
  readonly #commonDir: string;
  #packed: string | undefined;

  constructor(trace: Trace, { place, commonDir }: Pick<Repository, 'place' | 'commonDir'>) {
    this.#trace = trace;
    this.#gitDir = place.gitDir;
    this.#commonDir = commonDir;
    for (const top of new Set([place.gitDir, commonDir])) {
      if (trace.has(join(top, 'reftable', 'tables.list'))) trace.unusual = true;
    }
  }

  /** Where a ref is, by its whole name: the refs that it stands for, and an id in the end unless there is none. */
  value(name: string): string {
    let ref = bytesOfName(name).toString('latin1');
    const steps: string[] = [];
    while (steps.length < MOST_STEPS) {
      const text = this.#loose(ref) ?? this.#inPacked(ref) ?? '';
      steps.push(text);
      const target = /^ref:\s*(\S.*)$/s.exec(text)?.[1];
      if (target === undefined) break;
      ref = target;
    }
    return steps.join('\n');
  }

  /** All refs with their values. */
  all(): string {
    const found = new Map<string, string>();
    this.#gather(this.#commonDir, 'refs', found);
    if (this.#gitDir !== this.#commonDir) {
      for (const name of found.keys()) if (isOfWorkTree(name)) found.delete(name);
      for (const folder of ofWorkTree) this.#gather(this.#gitDir, folder, found);
    }
    for (const [, oid, name] of this.#packedText().matchAll(/^([0-9a-f]+) (refs\/.*)$/gm)) {
      if (!found.has(name!)) found.set(name!, oid!);
    }
    return [...found]
      .map(([name, value]) => `${name} ${value}\n`)
      .sort()
      .join('');
  }

  #gather(top: string, folder: string, found: Map<string, string>): void {
    for (const { name, bytes, kind } of this.#trace.entries(pathOf(top, folder))) {
      const ref = `${folder}/${(bytes ?? Buffer.from(name)).toString('latin1')}`;
      if (kind === 'directory') this.#gather(top, ref, found);
      else if (!name.endsWith('.lock')) {
        const value = this.#read(top, ref, found.size < MOST_LOOSE);
        if (value !== undefined) found.set(ref, value);
      }
    }
  }

  #loose(ref: string): string | undefined {
    const own = !ref.startsWith('refs/') || isOfWorkTree(ref);
    return this.#read(own ? this.#gitDir : this.#commonDir, ref, true);
  }

  #read(top: string, ref: string, watched: boolean): string | undefined {
    const path = pathOf(top, ref);
    return this.#trace.read(path, watched)?.toString('latin1').trimEnd();
  }

  #inPacked(ref: string): string | undefined {
    const text = this.#packedText();
    const at = text.indexOf(` ${ref}\n`);
    return at === -1 ? undefined : text.slice(text.lastIndexOf('\n', at) + 1, at);
  }

  #packedText(): string {
    this.#packed ??= this.#trace.read(join(this.#commonDir, 'packed-refs'))?.toString('latin1') ?? '';
    return this.#packed;
  }
}

function isOfWorkTree(ref: string): boolean {
  return ofWorkTree.some((folder) => ref.startsWith(`${folder}/`));
}

function pathOf(top: string, ref: string): string {
  return join(top, textOfBytes(Buffer.from(ref, 'latin1')));
}
