import { join } from 'node:path';
import { etagOf, locate, readSmall, replaceFile, textOfBytes } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName } from '../../porcelain/names.ts';
import { scopeOfFiles } from '../../repository/files.ts';

const MOST_BYTES = 4 << 20;

export interface Kept {
  readonly bytes: Buffer;
  /** the digest that it must have when it is replaced */
  readonly etag: string;
}

/** A file of the work tree with the data that shows whether it is unchanged. */
export function readFile({ repository }: Opened, path: string): Kept {
  const found = readSmall(scopeOfFiles(repository.opened.roots), placeOf(repository, path), MOST_BYTES);
  if (found === undefined) throw tooLarge(path);
  return { bytes: found.bytes, etag: etagOf(found.stat) };
}

export async function writeFile(
  { repository }: Opened,
  path: string,
  bytes: Buffer,
  ifMatch: string | undefined,
): Promise<void> {
  const place = placeOf(repository, path);
  await replaceFile(scopeOfFiles(repository.opened.roots), place, bytes, { ifMatch, createParents: true });
}

export function tooLarge(path: string): ToolError {
  return new ToolError(`too large to be decided part by part: ${path}`, {
    code: 'too-large',
    hint: 'take a side, or give the content',
  });
}

/** Returns the real path. A link there, or on the way, would have another file read and written. */
function placeOf({ place, opened }: Opened['repository'], path: string): string {
  const expected = join(place.workTree!, textOfBytes(bytesOfName(path)));
  if (locate(opened.roots, expected).path === expected) return expected;
  throw new ToolError(`a link is at or above ${path}`, {
    code: 'unsupported',
    hint: 'take a side, or delete it',
  });
}
