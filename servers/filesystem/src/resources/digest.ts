import { hash } from 'node:crypto';
import { isStagingName, openDirectory, readEntries, readSmall, type Scope } from '@rootbound/kit/boundary';
import type { Digest } from '@rootbound/kit/watch';
import { ToolError } from '@rootbound/protocol';

/** Larger files, in bytes, are compared by size, time and inode. */
const MOST_BYTES = 1024 * 1024;
/** Folders with more names are compared by their modification time. */
const MOST_NAMES = 5_000;
/** Time for which a folder that was too large is not counted again, in milliseconds. */
const TOO_LARGE_MS = 10_000;
/** Size of the buffer into which small files are read; no result refers to its bytes. */
const SCRATCH_BYTES = 64 * 1024;
let scratch: Buffer | undefined;

/** Returns a function that computes the digest of a real path: of a file's bytes, or of a folder's visible names. */
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
      // deleted meanwhile or unreadable: size, time and inode decide
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

/** Reads the names in a folder; undefined if there are too many. */
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

/** Returns the digest of a list of names. */
export function digestOfNames(names: readonly string[]): string {
  return sha256(names.join('\0'));
}

function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64');
}
