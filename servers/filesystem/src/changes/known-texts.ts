import { type ContentFacts, etagOf } from '@rootbound/kit/boundary';
import { LruMap } from '@rootbound/kit/primitives';

/** Files that were just written as plain UTF-8 with LF, by their etags: the next write need not look into them. */
const known = new LruMap<string, true>(1000);

/** Whether a file is known to be plain text, as it is now. */
export function isPlainText(stat: ContentFacts): boolean {
  return known.get(etagOf(stat)) === true;
}

/** Notes that a file holds a text, when that has no mark and no CR. */
export function rememberText(etag: string, text: string): void {
  if (text.startsWith('\ufeff') || text.includes('\r')) return;
  known.set(etag, true);
}
