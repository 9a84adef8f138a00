import { join } from 'node:path';
import { textOfBytes } from '@rootbound/kit/boundary';
import { bytesOfName } from '../../porcelain/names.ts';
import type { Repository } from '../../repository/repository.ts';
import { isOid } from '../../run/oid.ts';
import type { Trace } from './trace.ts';

/** Symbolic refs that git follows in a chain. */
const MOST_STEPS = 5;
/** Above this number of loose refs only the folders are watched: git replaces files, which changes their folder. */
const MOST_LOOSE = 2_000;
const packedNames = /^[0-9a-f]+ (refs\/(?:heads|tags)\/.*)$/gm;
/** Refs that each work tree has for itself. */
const ofWorkTree = ['refs/bisect', 'refs/worktree', 'refs/rewritten'];

/** The values of refs, read from their files: loose ones first, as git packs a ref before it removes its file. */
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

  /** Resolves a ref by its full name: the refs in its chain, and an id at the end unless there is none. */
  value(name: string): string {
    return this.#steps(bytesOfName(name).toString('latin1')).join('\n');
  }

  #steps(name: string): string[] {
    const steps: string[] = [];
    let ref = name;
    while (steps.length < MOST_STEPS) {
      const text = this.#loose(ref) ?? this.#inPacked(ref) ?? '';
      steps.push(text);
      const target = /^ref:\s*(\S.*)$/s.exec(text)?.[1];
      if (target === undefined) break;
      ref = target;
    }
    return steps;
  }

  /** Returns all refs with their values. */
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

  /** Returns the first names of branches and tags in their order, as byte strings, and watches their folders. */
  first(count: number): string[] {
    const found = new Set<string>();
    for (const folder of ['refs/heads', 'refs/tags']) {
      for (const name of this.#namesIn(folder)) {
        if (found.size === count) break;
        const value = this.#read(this.#commonDir, name, false) ?? '';
        if (isOid(value) || (value.startsWith('ref:') && this.has(name))) found.add(name);
      }
    }
    // git keeps these sorted
    let left = count;
    for (const [, name] of this.#packedText().matchAll(packedNames)) {
      if (left-- === 0) break;
      found.add(name!);
    }
    return [...found].sort().slice(0, count);
  }

  /** Returns whether a ref leads to an id. */
  has(ref: string): boolean {
    return isOid(this.#steps(ref).at(-1)!);
  }

  /** Returns the names of loose refs in their order, each looked up only when it is requested. */
  *#namesIn(folder: string): Generator<string> {
    const names = this.#trace.entries(pathOf(this.#commonDir, folder)).map(({ name, bytes, kind }) => {
      const own = (bytes ?? Buffer.from(name)).toString('latin1');
      return kind === 'directory' ? `${own}/` : own;
    });
    for (const name of names.sort()) {
      if (name.endsWith('/')) yield* this.#namesIn(`${folder}/${name.slice(0, -1)}`);
      else if (!name.endsWith('.lock')) yield `${folder}/${name}`;
    }
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
