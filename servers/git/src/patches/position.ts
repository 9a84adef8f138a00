import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { bytesOfName } from '../porcelain/names.ts';

/** Where the next page of a patch begins; plain JSON of less than 300 bytes, for a cursor. */
export type PatchPosition = readonly [
  /** the path of the file, or a short form of a long one */
  file: string,
  /** the objects that were compared: in a patch of others the position is stale */
  versions: string,
  /** bytes of this file's patch that the pages before had */
  offset: number,
];

/** Whether a cursor holds a position of a patch. */
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
/** No path of git begins with a slash. */
const SHORTENED = '/';

/** How a position names a file. */
export function fileOf(path: string): string {
  if (Buffer.byteLength(JSON.stringify(path)) <= MOST_BYTES) return path;
  return SHORTENED + createHash('sha256').update(path).digest('base64url').slice(0, 20);
}

/** The path as an argument of git, where the position has it and a command line can. */
export function pathOf([file]: PatchPosition): string | undefined {
  const bytes = file.startsWith(SHORTENED) ? undefined : bytesOfName(file);
  return bytes !== undefined && isUtf8(bytes) ? bytes.toString() : undefined;
}
