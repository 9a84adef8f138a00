import { basename, dirname } from 'node:path';
import { assertOneName, openDirectory, openFile, showName } from '@rootbound/kit/boundary';
import { fit, type Halves } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { ContentOutcome, FoundFile, FoundLine } from '../search/outcome.ts';
import type { ContentQuery, Position, Sort } from '../search/query.ts';
import type { Workspace } from '../workspace.ts';
import { isoTime } from './facts.ts';
import { find, type SearchCall } from './find.ts';
import { nameGlob } from './globs.ts';
import type { MatchingLine } from './match-text.ts';
import { bytePathOf, joinDisplayPath } from './paths.ts';
import { openSearchTarget, type SearchTarget } from './search-target.ts';

/** The directory of a content search, or one file in it. */
export interface ContentTarget extends SearchTarget {
  /** the glob of that file and its size; undefined for a directory */
  only: { glob: string; size: number } | undefined;
  /** Returns the path in results for one that is relative to the directory. */
  displayPath(path: string): string;
}

/** Opens the directory or file of a content search; the caller closes it. */
export function openContentTarget(
  { scope, changes }: Workspace,
  path: string,
  ignoreFiles: boolean,
): ContentTarget {
  try {
    const target = openSearchTarget(scope, openDirectory(scope, path), ignoreFiles);
    return { ...target, only: undefined, displayPath: (below) => joinDisplayPath(path, below) };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'not-a-directory') throw error;
  }
  const file = openFile(scope, path);
  file.close();
  assertOneName(file.stat, path, changes.hardLinks);
  // the engine reads through the parent folder, which is outside the roots here
  if (scope.isRoot(file.path)) {
    throw new ToolError(`path is a root that is a file, which cannot be searched: ${showName(path)}`, {
      code: 'unsupported',
      hint: 'call read_text_file',
    });
  }
  // ignore files do not apply to a file that the caller named
  const target = openSearchTarget(scope, openDirectory(scope, dirname(file.path)), false);
  const only = { glob: nameGlob(basename(file.path)), size: file.stat.size };
  return { ...target, only, displayPath: () => path };
}

/** A file and its matches. */
export interface FoundInFile {
  path: string;
  count?: number;
  matches?: MatchingLine[];
  /** whether the file has further matching lines, beyond maxPerFile */
  more?: true;
  /** present if files are sorted by it */
  modified?: string;
}

export type ContentOptions = Pick<
  ContentQuery,
  | 'pattern'
  | 'mode'
  | 'ignoreCase'
  | 'wholeWord'
  | 'multiline'
  | 'contextLines'
  | 'perFile'
  | 'hardLinks'
  | 'include'
  | 'exclude'
  | 'limit'
  | 'output'
> & { sort: Sort };

export type RenderContent<H extends Halves> = (
  files: FoundInFile[],
  next: Position | undefined,
  outcome: ContentOutcome,
) => H;

/** Returns one page of a content search, cut to the size limit of both halves. */
export async function contentPage<H extends Halves>(
  target: ContentTarget,
  wanted: ContentOptions,
  after: Position | undefined,
  maxOutput: number,
  call: SearchCall,
  render: RenderContent<H>,
): Promise<H> {
  const search = (limit: number): Promise<ContentOutcome> => {
    const query: ContentQuery = { kind: 'content', ...target.where, ...wanted, limit };
    return find<ContentQuery>(after === undefined ? query : { ...query, after }, call, target.only?.size);
  };
  const outcome = await search(wanted.limit);
  const found = resultsOf(outcome);
  const whole = found.length;
  const { kept, halves } = fit(whole, maxOutput, (count) => {
    const next = count === whole ? outcome.next : positionOf(found[count - 1]!);
    return render(grouped(found.slice(0, count), target), next, outcome);
  });
  if (kept === whole || bytePathOf(found[kept - 1]!.path) !== undefined) return halves;
  // only the search knows the bytes of a name that has escapes
  const shorter = await search(kept);
  return render(grouped(resultsOf(shorter), target), shorter.next, shorter);
}

type Result = FoundLine | FoundFile;

function resultsOf({ matches, files }: ContentOutcome): readonly Result[] {
  return matches.length > 0 ? matches : files;
}

function positionOf(result: Result): Position {
  const path = bytePathOf(result.path) ?? result.path;
  return {
    path,
    ...('line' in result && { line: result.line }),
    ...defined({ key: result.modified }),
  };
}

function grouped(results: readonly Result[], target: ContentTarget): FoundInFile[] {
  const files: FoundInFile[] = [];
  let last: string | undefined;
  for (const result of results) {
    const again = result.path === last;
    last = result.path;
    if (!again) files.push(fileOf(result, target));
    if (!('line' in result)) continue;
    const file = files.at(-1)!;
    file.matches ??= [];
    file.matches.push(matchOf(result));
    if (result.more === true) file.more = true;
  }
  return files;
}

function fileOf(result: Result, target: ContentTarget): FoundInFile {
  const modified = result.modified === undefined ? undefined : isoTime(result.modified);
  return {
    path: target.displayPath(result.path),
    ...('count' in result && { count: result.count }),
    ...defined({ modified }),
  };
}

function matchOf({ line, endLine, text, clipped, before, after }: FoundLine): MatchingLine {
  return {
    line,
    ...defined({ endLine }),
    text,
    ...(clipped === true && { clipped }),
    ...(before !== undefined && before.length > 0 && { before }),
    ...(after !== undefined && after.length > 0 && { after }),
  };
}
