import { fromSystem, openDirectory } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Search, SearchProgress } from '../search/index.ts';
import type { ContentOutcome, NamesOutcome, SearchCounts, SearchFailure } from '../search/outcome.ts';
import { type NameQuery, type Query, SearchError } from '../search/query.ts';
import type { Workspace } from '../workspace.ts';
import type { Attention } from './listing.ts';
import { openSearchTarget, type SearchTarget } from './search-target.ts';

export interface Finding extends Attention {
  readonly wantsProgress: boolean;
}

let started: Promise<Search> | undefined;

/** The one search of this process; its workers start at the first query. */
function searching(): Promise<Search> {
  started ??= import('../search/index.ts').then(({ createSearch }) => createSearch());
  return started;
}

/** Works in the directory that a path names, whose handles stay open until the work is over. */
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

/** What the system answered to a search as a whole, in the words of the path that the caller sent. */
export function withCallerPath(path: string, error: unknown): unknown {
  const cause = error instanceof ToolError && error.cause instanceof SearchError && error.cause.cause;
  return cause instanceof Error && 'code' in cause ? fromSystem(cause, path) : error;
}

/** What a query finds, with progress and cancellation of the call; `size` is that of the one file to search. */
export async function find<Q extends Query>(
  query: Q,
  { signal, progress, wantsProgress }: Finding,
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
    // holds: a query of one kind gives an outcome of that kind
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

/** What a search did not look at: in numbers what ignore files leave out, in words what could not be read. */
export interface Gaps {
  ignored?: number;
  unreadable?: string;
}

/** What a search did not look at, if anything: its results are then honest and not whole. */
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
  return { ...gaps, unreadable: `${counts.errors} could not be read: ${first}${rest}` };
}

/** The same for the end of a text. */
export function gapLines({ ignored, unreadable }: Gaps): string[] {
  return [
    ...(ignored === undefined
      ? []
      : [`[${ignored} left out by ignore files; ignoreFiles: false shows them]`]),
    ...(unreadable === undefined ? [] : [`[${unreadable}]`]),
  ];
}
