import { type OpenDirectory, openDirectory } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Search } from '../search/index.ts';
import type { ContentOutcome, NamesOutcome, SearchCounts, SearchFailure } from '../search/outcome.ts';
import { type NameQuery, type Query, SearchError } from '../search/query.ts';
import type { Workspace } from '../workspace.ts';
import type { Attention } from './listing.ts';

export interface Finding extends Attention {
  readonly wantsProgress: boolean;
}

let started: Promise<Search> | undefined;

/** The one search of this process; its workers start at the first query. */
function searching(): Promise<Search> {
  started ??= import('../search/index.ts').then(({ createSearch }) => createSearch());
  return started;
}

/** Works in the directory that a path names, whose handle stays open until the work is over. */
export async function inDirectory<T>(
  { scope }: Workspace,
  path: string,
  work: (folder: OpenDirectory) => Promise<T>,
): Promise<T> {
  const folder = openDirectory(scope, path);
  try {
    return await work(folder);
  } finally {
    folder.close();
  }
}

/** What a query finds, with progress and cancellation of the call. */
export async function find<Q extends Query>(
  query: Q,
  { signal, progress, wantsProgress }: Finding,
): Promise<Q extends NameQuery ? NamesOutcome : ContentOutcome> {
  const search = await searching();
  const onProgress = wantsProgress
    ? ({ filesSeen, found }: { filesSeen: number; found: number }) =>
        progress(filesSeen, undefined, `${filesSeen} files seen, ${found} found`)
    : undefined;
  try {
    // holds: a query of one kind gives an outcome of that kind
    return (await search.search(query as never, { signal, onProgress })) as never;
  } catch (error) {
    throw error instanceof SearchError ? asToolError(error) : error;
  }
}

function asToolError(error: SearchError): ToolError {
  if (error.code === 'pattern')
    return new ToolError(error.message, { code: 'invalid-arguments', cause: error });
  return new ToolError(error.message, { code: 'failed', retryable: true, cause: error });
}

/** What a search could not read, if anything, in a sentence: its results are then honest and not whole. */
export function unreadableOf({
  counts,
  failures,
}: {
  counts: SearchCounts;
  failures: readonly SearchFailure[];
}): string | undefined {
  if (counts.errors === 0) return undefined;
  const first = failures.map(({ path, code }) => `${path === '' ? '.' : path} (${code})`).join(', ');
  return `${counts.errors} could not be read: ${first}${counts.errors > failures.length ? ', ...' : ''}`;
}
