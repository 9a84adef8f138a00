/** The pointer that git stores in the place of a file of Git LFS. */
export interface LfsPointer {
  readonly oid: string;
  /** bytes of the file */
  readonly size: number;
}

/** A pointer has no fewer and no more bytes. */
export const lfsPointerSizes = { least: 120, most: 1024 } as const;

const pointer =
  /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\n(?:ext-\d-[^\n]+\n)*oid (sha256:[0-9a-f]{64})\nsize (\d{1,15})\n$/;

/** Parses a file's contents as a pointer of Git LFS; undefined when they are none. */
export function lfsPointerOf(bytes: Buffer): LfsPointer | undefined {
  if (bytes.length > lfsPointerSizes.most) return undefined;
  const [, oid, size] = pointer.exec(bytes.toString('latin1')) ?? [];
  return oid === undefined ? undefined : { oid, size: Number(size) };
}
