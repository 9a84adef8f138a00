/** The facts that identify the content of a file without reading it. */
export interface ContentFacts {
  size: number;
  mtimeMs: number;
  ino: number;
}

/** Returns a short opaque word that changes when the file's content does. */
export function etagOf(stat: ContentFacts): string {
  // microseconds: a double has no more precision for present times
  return `${stat.ino}-${stat.size}-${Math.round(stat.mtimeMs * 1000)}`;
}
