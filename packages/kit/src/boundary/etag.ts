/** What identifies the content of a file without reading it. */
export interface ContentFacts {
  size: number;
  mtimeMs: number;
  ino: number;
}

/** A short opaque word that changes when the file's content does. */
export function etagOf(stat: ContentFacts): string {
  // microseconds: a double holds no more of today's time
  return `${stat.ino.toString(36)}-${stat.size.toString(36)}-${Math.round(stat.mtimeMs * 1000).toString(36)}`;
}
