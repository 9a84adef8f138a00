import { fromSystem, openDirectory } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Search, SearchProgress } from '../search/index.ts';
import type { ContentOutcome, NamesOutcome, SearchCounts, SearchFailure } from '../search/outcome.ts';
import { type NameQuery, type Query, SearchError } from '../search/query.ts';
import type { CallControl, Workspace } from '../workspace.ts';

import { openSearchTarget, type SearchTarget } from './search-target.ts';

export interface SearchCall extends CallControl {
  readonly wantsProgress: boolean;
}

let started: Promise<Search> | undefined;

/** Returns the search of this process, whose workers start at the first query. */
function searching(): Promise<Search> {
  started ??= import('../search/index.ts').then(({ createSearch }) => createSearch());
  return started;
}

/** Runs work in a directory; its handles stay open until the work settles. */
export async function inDirectory<T>(
  { scope }: Workspace,
  path: string,
  ignoreFiles: boolean,
  work: (target: SearchTarget) => Promise<T>,
): Promise<T> {
  const target = openSearchTarget(scope, openDirectory(scope, path), ignoreFiles);
  try {
    return await work(target);
  } catch (error) {
    throw withCallerPath(path, error);
  } finally {
    target.close();
  }
}

/** Returns a system error of a whole search as a ToolError with the caller's path, and any other error as it is. */
export function withCallerPath(path: string, error: unknown): unknown {
  const cause = error instanceof ToolError && error.cause instanceof SearchError && error.cause.cause;
  return cause instanceof Error && 'code' in cause ? fromSystem(cause, path) : error;
}

/** Runs a query with the progress and cancellation of the call; `size` is set if one file is searched. */
export async function find<Q extends Query>(
  query: Q,
  { signal, progress, wantsProgress }: SearchCall,
  size?: number,
): Promise<Q extends NameQuery ? NamesOutcome : ContentOutcome> {
  const search = await searching();
  const onProgress = wantsProgress
    ? (now: SearchProgress) =>
        size === undefined
          ? progress(now.filesSeen, undefined, progressMessage(now))
          : progress(Math.min(now.bytes, size), size)
    : undefined;
  try {
    // the kind of the query decides the kind of the outcome
    const outcome = (await search.search(query as never, { signal, onProgress })) as never;
    if (wantsProgress && size !== undefined) progress(size, size);
    return outcome;
  } catch (error) {
    throw error instanceof SearchError ? asToolError(error) : error;
  }
}

function progressMessage({ filesSeen, found }: SearchProgress): string {
  return `${filesSeen} files seen, ${found} found`;
}

function asToolError(error: SearchError): ToolError {
  if (error.code === 'pattern')
    return new ToolError(error.message, { code: 'invalid-arguments', cause: error });
  return new ToolError(error.message, { code: 'failed', retryable: true, cause: error });
}

/** Entries that a search skipped: the number excluded by ignore files, and a text about unreadable ones. */
export interface Gaps {
  ignored?: number;
  unreadable?: string;
}

/** Returns the entries that a search skipped. */
export function gapsOf({
  counts,
  failures,
}: {
  counts: SearchCounts;
  failures: readonly SearchFailure[];
}): Gaps {
  const gaps: Gaps = counts.ignored === 0 ? {} : { ignored: counts.ignored };
  if (counts.errors === 0) return gaps;
  const first = failures.map(({ path, code }) => `${path === '' ? '.' : path} (${code})`).join(', ');
  const rest = counts.errors > failures.length ? ', ...' : '';
  return { ...gaps, unreadable: `${counts.errors} unreadable: ${first}${rest}` };
}

/** Returns the lines about skipped entries at the end of a text. */
export function gapLines({ ignored, unreadable }: Gaps): string[] {
  return [
    ...(ignored === undefined
      ? []
      : [`[${ignored} excluded by ignore files; set ignoreFiles to false to include them]`]),
    ...(unreadable === undefined ? [] : [`[${unreadable}]`]),
  ];
}
