/** Where the next page of a patch begins; plain JSON, for a cursor. */
export type PatchPosition = readonly [
  path: string,
  /** the objects that were compared: in a patch of others the position is stale */
  versions: string,
  /** bytes of this file's patch that the pages before had */
  offset: number,
];

/** Whether a cursor holds a position of a patch. */
export function isPatchPosition(value: unknown): value is PatchPosition {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [path, versions, offset] = value as unknown[];
  return (
    typeof path === 'string' &&
    typeof versions === 'string' &&
    Number.isSafeInteger(offset) &&
    Number(offset) >= 0
  );
}
