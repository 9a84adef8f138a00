import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { bytesOfName } from '../../porcelain/names.ts';

/** The start of the next page of a patch; plain JSON of less than 300 bytes, for a cursor. */
export type PatchPosition = readonly [
  /** the path of the file, or a digest of a long one */
  file: string,
  /** the objects that are compared: for others the position is stale */
  versions: string,
  /** bytes of this file's patch that earlier pages had */
  offset: number,
];

/** Returns whether a cursor holds a position in a patch. */
export function isPatchPosition(value: unknown): value is PatchPosition {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [file, versions, offset] = value as unknown[];
  return (
    typeof file === 'string' &&
    typeof versions === 'string' &&
    Number.isSafeInteger(offset) &&
    Number(offset) >= 0
  );
}

const MOST_BYTES = 160;
/** Paths in git do not begin with a slash. */
const SHORTENED = '/';

/** Returns the name of a file in a position. */
export function fileOf(path: string): string {
  if (Buffer.byteLength(JSON.stringify(path)) <= MOST_BYTES) return path;
  return SHORTENED + createHash('sha256').update(path).digest('base64url').slice(0, 20);
}

/** Returns the path as an argument of git, where the position has it and a command line can. */
export function pathOf([file]: PatchPosition): string | undefined {
  const bytes = file.startsWith(SHORTENED) ? undefined : bytesOfName(file);
  return bytes !== undefined && isUtf8(bytes) ? bytes.toString() : undefined;
}
