/** What identifies the content of a file without reading it. */
export interface ContentFacts {
  size: number;
  mtimeMs: number;
  ino: number;
}

/** A short opaque word that changes when the file's content does. */
export function etagOf(stat: ContentFacts): string {
  // microseconds: a double holds no more of today's time
  return `${stat.ino}-${stat.size}-${Math.round(stat.mtimeMs * 1000)}`;
}
