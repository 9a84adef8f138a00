import type { CallContext } from '@rootbound/protocol';
import { continueIn, type Page } from '../pages/page-store.ts';
import type { Wanted } from '../reading/reading.ts';
import type { Workspace } from '../workspace.ts';
import { loadForTool } from './load-for-tool.ts';
import { isAllowed, type Loaded } from './load-page.ts';
import type { PageArguments } from './page-arguments.ts';

export interface Continuing extends PageArguments {
  readonly start_index?: number | undefined;
  readonly from?: number | undefined;
  readonly section?: string | undefined;
}

/** A page, with a note for a caller that continues in it. */
export interface ContinuedPage extends Loaded {
  readonly note: string | undefined;
}

/** Milliseconds that a text is used without validation when a caller continues in it. */
const LONGEST_MS = 15 * 60_000;
/** The hash of the text that each page's last part came from; a caller's positions belong to that text. */
const lastHashes = new WeakMap<Page, string>();

/** Returns the page for a tool that returns positions in it, or continues from one. */
export async function loadToContinue(
  args: Continuing,
  context: CallContext<Workspace>,
  want: Wanted = 'article',
): Promise<ContinuedPage> {
  const loaded = continued(args, context.scope, want) ?? (await loadForTool(args, context, want));
  return { ...loaded, note: noteOf(loaded, args) };
}

/**
 * Returns the text that the caller continues in, as it was for the part before, because positions are valid only in it.
 * Undefined if the caller does not continue, gives `max_age`, or the text is no longer kept.
 */
function continued(args: Continuing, workspace: Workspace, want: Wanted): Loaded | undefined {
  const url = URL.parse(args.url.trim());
  const fresher = args.max_age !== undefined || url === null || !isAllowed(workspace, url.href);
  if (fresher || !goesOn(args)) return undefined;
  const { engine, owner } = workspace;
  const { selector, render: rendered, wait_for: waitFor } = args;
  const page = engine.pages.find(owner, { url: url.href, want, selector, rendered, waitFor });
  if (page === undefined) return undefined;
  const { snapshot, changed } = continueIn(page, lastHashes.get(page));
  if (changed || snapshot.reading.text === '') return undefined;
  const { finalUrl, fetchedAt, way } = snapshot;
  const age = Date.now() - fetchedAt;
  if (age > LONGEST_MS || !isAllowed(workspace, finalUrl)) return undefined;
  const { redirects = [], status = 200 } = way;
  const fetched = {
    finalUrl,
    redirects,
    status,
    headers: {},
    body: new Uint8Array(),
    fetchedAt,
    ageSeconds: age / 1000,
    freshSeconds: 0,
    from: 'cache' as const,
    stale: false,
    wireBytes: 0,
    elapsedMs: 0,
  };
  return { snapshot, page, fetched };
}

/** Stores the hash of the text that a part comes from; returns the note for a caller that continues in it. */
function noteOf({ page, snapshot }: Loaded, args: Continuing): string | undefined {
  if (page === undefined) return undefined;
  const before = lastHashes.get(page);
  lastHashes.set(page, snapshot.hash);
  if (!goesOn(args)) return undefined;
  if (before !== undefined && before !== snapshot.hash)
    return 'the page has changed since the previous part, so positions in that are invalid: start again at 0';
  return continueIn(page, snapshot.hash).outdated
    ? 'the page has changed since; this continues in the previous text, and max_age 0 gives the new one'
    : undefined;
}

function goesOn({ start_index = 0, from = 0, section }: Continuing): boolean {
  return start_index > 0 || from > 0 || section !== undefined;
}
