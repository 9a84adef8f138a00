import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, parse, resolve, sep } from 'node:path';
import { homeFolder } from '../names/machine.ts';
import { pathOfUri, uriOfPath } from '../names/root-uris.ts';
import { isInside, type Root } from './scope.ts';

/** A root as the operator wrote it. */
export interface RootSpec {
  path: string;
  readOnly: boolean;
}

/** Parses a root of the command line: a folder, `~/folder` or a file URI, and `:ro` at the end for read-only. */
export function parseRootSpec(text: string): RootSpec {
  const mode = /:(ro|rw)$/.exec(text);
  const bare = mode ? text.slice(0, -3) : text;
  if (bare === '' || bare.includes('\0')) throw new TypeError(`root ${JSON.stringify(text)} is not a path`);
  const path = /^file:/i.test(bare) ? pathOfUri(bare) : bare.replace(/^~(?=$|[/\\])/, () => homeFolder());
  if (path === undefined)
    throw new TypeError(`root ${JSON.stringify(text)} is not a file URI of this machine`);
  return { path: resolve(path), readOnly: mode?.[1] === 'ro' };
}

/** A root that may appear, vanish and be replaced while the process runs. */
export class LiveRoot {
  readonly path: string;
  readonly readOnly: boolean;
  readonly name: string;
  #root: Root | undefined;
  #dev = 0;
  #ino = 0;
  /** the operator who set this root vouches for the links on its path at first; later ones are checked */
  #vouched = true;

  constructor(spec: { path: string; readOnly: boolean; name?: string }) {
    this.path = resolve(spec.path);
    this.readOnly = spec.readOnly;
    this.name = spec.name ?? (basename(this.path) || this.path);
  }

  /**
   * Returns the root as it is now, or undefined while it does not exist; the same object as long as it is the same
   * folder. `reach` is the part that callers can change: a root that appears or changes later is not followed through
   * links there, or moving a link into the place of a root would widen the boundary.
   */
  current(reach: readonly string[]): Root | undefined {
    const stat = statOf(this.path);
    if (stat === undefined) this.#root = undefined;
    else if (this.#root === undefined || stat.dev !== this.#dev || stat.ino !== this.#ino) {
      const real = this.#vouched ? realOf(this.path) : walkReal(this.path, reach);
      // another folder may appear without an event: a mount; a file is replaced at each change
      const kept = real === this.#root?.real && !stat.isDirectory();
      if (!kept) this.#root = real === undefined ? undefined : this.#describe(real);
      this.#dev = stat.dev;
      this.#ino = stat.ino;
    }
    this.#vouched = false;
    return this.#root;
  }

  /** its real path at the last look */
  get real(): string | undefined {
    return this.#root?.real;
  }

  #describe(real: string): Root {
    const { path, readOnly, name } = this;
    return Object.freeze({ path, real, readOnly, uri: uriOfPath(path), name });
  }
}

function statOf(path: string): Stats | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isDirectory() || stat?.isFile() ? stat : undefined;
  } catch {
    // unreadable or a loop of links: missing until that changes
    return undefined;
  }
}

function realOf(path: string): string | undefined {
  try {
    return exact(realpathSync.native(path));
  } catch {
    // it vanished between two calls: missing
    return undefined;
  }
}

// text cannot distinguish names whose bytes are not UTF-8, so no such folder can be a root
function exact(real: string): string | undefined {
  return real.includes('\uFFFD') || ofSystem.test(real) ? undefined : real;
}

// where Unix shows processes and devices as files: reading one can block for ever, or change things
const ofSystem = /^\/(?:proc|sys|dev(?!\/shm(?:\/|$)))(?:\/|$)/;

const linkLimit = 40;

function walkReal(path: string, reach: readonly string[]): string | undefined {
  if (process.platform === 'win32') return realOf(path);
  let real = parse(path).root;
  const rest = path.slice(real.length).split(sep).reverse();
  let links = 0;
  try {
    while (rest.length > 0) {
      const name = rest.pop()!;
      if (name === '' || name === '.') continue;
      if (name === '..') {
        real = dirname(real);
        continue;
      }
      const next = join(real, name);
      if (!lstatSync(next).isSymbolicLink()) {
        real = next;
        continue;
      }
      if (++links > linkLimit || reach.some((folder) => isInside(next, folder))) return undefined;
      const target = readlinkSync(next);
      if (target.startsWith(sep)) real = sep;
      rest.push(...target.split(sep).reverse());
    }
  } catch {
    // a part vanished meanwhile: missing
    return undefined;
  }
  return exact(real);
}
