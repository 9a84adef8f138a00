import type { CallContext } from '@rootbound/protocol';
import { continueIn, type Page } from '../pages/page-store.ts';
import type { Wanted } from '../reading/reading.ts';
import type { Workspace } from '../workspace.ts';
import type { PageArguments } from './arguments.ts';
import { isAllowed, type Loaded } from './load-page.ts';
import { readPage } from './read-page.ts';

export interface Continuing extends PageArguments {
  readonly start_index?: number | undefined;
  readonly from?: number | undefined;
  readonly section?: string | undefined;
}

/** A page, and what a caller should know who goes on in it. */
export interface ReadOn extends Loaded {
  readonly note: string | undefined;
}

/** How old a text may be that is gone on with unasked. */
const LONGEST_MS = 15 * 60_000;
/** The hash of the text that the last part was of, by page: whoever goes on has its places from there. */
const lastHashes = new WeakMap<Page, string>();

/** The page for a tool that gives places in it, or goes on from one. */
export async function readOn(
  args: Continuing,
  context: CallContext<Workspace>,
  want: Wanted = 'article',
): Promise<ReadOn> {
  const loaded = continued(args, context.scope, want) ?? (await readPage(args, context, want));
  return { ...loaded, note: noteOf(loaded, args) };
}

/**
 * The text that a caller goes on in, as it was when a part of it was fetched: its places count in no other. Undefined
 * where the caller does not go on, wants it fresher, or where that text is no longer kept.
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
    ...{ finalUrl, redirects, status, headers: {}, body: new Uint8Array(), fetchedAt },
    ...{ ageSeconds: age / 1000, freshSeconds: 0, from: 'cache' as const, stale: false },
    ...{ wireBytes: 0, elapsedMs: 0 },
  };
  return { snapshot, page, fetched };
}

/** Remembers which text a part is given of; what a caller should know who goes on in it. */
function noteOf({ page, snapshot }: Loaded, args: Continuing): string | undefined {
  if (page === undefined) return undefined;
  const before = lastHashes.get(page);
  lastHashes.set(page, snapshot.hash);
  if (!goesOn(args)) return undefined;
  if (before !== undefined && before !== snapshot.hash)
    return 'the page has changed since the part before, whose places do not count in it: begin again at 0';
  return continueIn(page, snapshot.hash).outdated
    ? 'the page has changed since; this goes on in the text as it was, and max_age 0 gives the new one'
    : undefined;
}

function goesOn({ start_index = 0, from = 0, section }: Continuing): boolean {
  return start_index > 0 || from > 0 || section !== undefined;
}
