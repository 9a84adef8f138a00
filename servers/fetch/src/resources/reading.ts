import { type CallContext, type ReadOutcome, ToolError } from '@rootbound/protocol';
import { WebError } from '../failure.ts';
import { loadPage } from '../fetching/load-page.ts';
import type { Snapshot } from '../pages/page.ts';
import { newestOf, type Page } from '../pages/page-store.ts';
import { pageOf } from '../pages/paging.ts';
import type { Workspace } from '../workspace.ts';
import { findPage } from './pages.ts';

/** Reads a `page:` URI: the page as it was fetched last. */
export async function readPageUri(uri: string, context: CallContext<Workspace>): Promise<ReadOutcome> {
  const { scope, signal } = context;
  const page = findPage(uri, scope);
  if (page === undefined) throw nothingThere();
  const kept = newestOf(page);
  const { url, want, selector } = kept;
  try {
    const isBytes =
      kept.reading.text === '' && (kept.reading.kind === 'image' || kept.reading.kind === 'binary');
    if (!isBytes) return { contents: [textOf(uri, kept, scope.maxOutput)], ...hintsOf(page, scope) };
    const { fetched, snapshot } = await loadPage(scope, { url, selector }, { want, signal });
    if (fetched.body.length * 4 > scope.maxOutput * 3) throw tooLarge(fetched.body.length);
    const blob = Buffer.from(fetched.body.buffer, fetched.body.byteOffset, fetched.body.length).toString(
      'base64',
    );
    return { contents: [{ uri, mimeType: mimeTypeOf(snapshot), blob }], ...hintsOf(page, scope) };
  } catch (error) {
    if (error instanceof WebError)
      throw new ToolError(error.message, { code: error.code, retryable: error.retryable });
    throw error;
  }
}

/** Returns the whole text if it fits, else its beginning with a note on the rest. */
function textOf(uri: string, snapshot: Snapshot, maxBytes: number) {
  const { text, next, total } = pageOf(snapshot.reading, {
    maxBytes: maxBytes - 512,
    verbatim: snapshot.want === 'source',
  });
  const rest =
    next === undefined ? '' : `\n\n[${total - next} more characters: call fetch with start_index ${next}]`;
  return { uri, mimeType: mimeTypeOf(snapshot), text: text + rest };
}

/** Returns the type of a page's text: Markdown for HTML and feeds, for others their own. */
export function mimeTypeOf({ want, reading }: Snapshot): string {
  const isMarkdown = want !== 'source' && ['html', 'feed', 'markdown', 'csv'].includes(reading.kind);
  if (isMarkdown) return 'text/markdown';
  return reading.kind === 'pdf' ? 'text/plain' : reading.mediaType;
}

/** Returns the cache hints of a page: it does not change before its response becomes stale. */
function hintsOf(page: Page, { engine }: Workspace): { ttlMs: number; cacheScope: 'private' } {
  return { ttlMs: engine.freshness.leftMs(page), cacheScope: 'private' };
}

function nothingThere(): ToolError {
  return new ToolError('no such page is stored', { code: 'not-found', hint: 'fetch it first' });
}

function tooLarge(bytes: number): ToolError {
  return new ToolError(`the page has ${bytes} bytes, more than a result may have`, {
    code: 'too-large',
    hint: 'save it with download',
  });
}
