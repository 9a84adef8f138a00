import { type ContentFacts, etagOf } from '@rootbound/kit/boundary';
import { LruMap } from '@rootbound/kit/primitives';

/** Etags of files that this process wrote as UTF-8 with LF, so that the next write need not examine them. */
const known = new LruMap<string, true>(1000);

/** Returns whether a file, in its present state, is known to be UTF-8 with LF and without a byte order mark. */
export function isPlainText(stat: ContentFacts): boolean {
  return known.get(etagOf(stat)) === true;
}

/** Records the etag of a file with this text, unless the text has a byte order mark or CR. */
export function rememberText(etag: string, text: string): void {
  if (text.startsWith('\ufeff') || text.includes('\r')) return;
  known.set(etag, true);
}
