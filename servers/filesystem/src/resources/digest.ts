import { hash } from 'node:crypto';
import { isStagingName, openDirectory, readEntries, readSmall, type Scope } from '@rootbound/kit/boundary';
import type { Digest } from '@rootbound/kit/watch';
import { ToolError } from '@rootbound/protocol';

/** Larger files are compared by size, time and number. */
const MOST_BYTES = 1024 * 1024;
/** Larger folders are compared by the time at which an entry last came or went. */
const MOST_NAMES = 5_000;
/** How long a folder that was too large is taken to be so. */
const TOO_LARGE_MS = 10_000;
/** Where small files are read; nothing keeps its bytes. */
const SCRATCH_BYTES = 64 * 1024;
let scratch: Buffer | undefined;

/** Tells contents of a real path apart: the bytes of a file, the names in a folder that are not hidden. */
export function digestOf(scope: Scope, path: string): Digest {
  let tooLargeUntil = 0;
  return ({ kind, size }) => {
    try {
      if (kind === 'directory') {
        if (performance.now() < tooLargeUntil) return undefined;
        const names = readNames(scope, path);
        if (names === undefined) tooLargeUntil = performance.now() + TOO_LARGE_MS;
        return names && digestOfNames(names.sort());
      }
      return kind === 'file' && size <= MOST_BYTES ? fileDigest(scope, path) : undefined;
    } catch (error) {
      // gone meanwhile, or it may not be read: what can be seen from outside has to do
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  };
}

function fileDigest(scope: Scope, path: string): string | undefined {
  scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  const small = readSmall(scope, path, MOST_BYTES, scratch);
  return small && sha256(small.bytes);
}

/** The names in a folder, undefined when they are many. */
function readNames(scope: Scope, path: string): string[] | undefined {
  const names: string[] = [];
  const folder = openDirectory(scope, path);
  try {
    const isDenied = scope.hiddenIn(folder.path);
    for (const { name } of readEntries(folder, path)) {
      if (names.length === MOST_NAMES) return undefined;
      if (!isStagingName(name) && !isDenied(name)) names.push(name);
    }
  } finally {
    folder.close();
  }
  return names;
}

/** A word for a list of names. */
export function digestOfNames(names: readonly string[]): string {
  return sha256(names.join('\0'));
}

function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64');
}
