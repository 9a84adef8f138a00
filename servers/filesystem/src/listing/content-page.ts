import { basename, dirname } from 'node:path';
import { type OpenDirectory, openDirectory, openFile, showName } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { ContentOutcome, FoundLine } from '../search/outcome.ts';
import type { ContentPosition, ContentQuery } from '../search/query.ts';
import type { Workspace } from '../workspace.ts';
import { type Finding, find } from './find.ts';
import { nameGlob } from './globs.ts';
import type { ShownMatch } from './match-text.ts';
import { fit, type Halves } from './page.ts';
import { bytePathOf, joinShown } from './paths.ts';

/** Where a content search looks: below a directory, or in one file of it. */
export interface Place {
  folder: OpenDirectory;
  /** the globs that select that one file; none for a directory */
  only: readonly string[] | undefined;
  /** the path to show for one that is relative to the folder */
  shown(path: string): string;
}

/** Opens what a path names for a content search; the caller closes the folder. */
export function openPlace({ scope }: Workspace, path: string): Place {
  try {
    const folder = openDirectory(scope, path);
    return { folder, only: undefined, shown: (below) => joinShown(path, below) };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'not-a-directory') throw error;
  }
  const file = openFile(scope, path);
  file.close();
  // the engine reads through the folder, which is not inside then
  if (scope.isRoot(file.path)) {
    throw new ToolError(`a root that is a file cannot be searched: ${showName(path)}`, {
      code: 'unsupported',
      hint: 'read_text_file reads it',
    });
  }
  const folder = openDirectory(scope, dirname(file.path));
  return { folder, only: [nameGlob(basename(file.path))], shown: () => path };
}

/** A file with what was found in it. */
export interface FoundInFile {
  path: string;
  count?: number;
  matches?: ShownMatch[];
}

export type ContentWanted = Pick<
  ContentQuery,
  'pattern' | 'mode' | 'ignoreCase' | 'contextLines' | 'include' | 'exclude' | 'limit' | 'output'
>;

export type SayContent<H extends Halves> = (
  files: FoundInFile[],
  next: ContentPosition | undefined,
  outcome: ContentOutcome,
) => H;

/** One page of a content search, cut to the budget of both halves. */
export async function contentPage<H extends Halves>(
  place: Place,
  wanted: ContentWanted,
  after: ContentPosition | undefined,
  maxOutput: number,
  finding: Finding,
  say: SayContent<H>,
): Promise<H> {
  const { fd, path } = place.folder;
  const search = (limit: number): Promise<ContentOutcome> => {
    const query: ContentQuery = { kind: 'content', root: { fd, path }, ...wanted, limit };
    return find(after === undefined ? query : { ...query, after }, finding);
  };
  const outcome = await search(wanted.limit);
  const found = resultsOf(outcome);
  const whole = found.length;
  const { kept, halves } = fit(whole, maxOutput, (count) => {
    const next = count === whole ? outcome.next : positionOf(found[count - 1]!);
    return say(grouped(found.slice(0, count), place), next, outcome);
  });
  if (kept === whole || bytePathOf(found[kept - 1]!.path) !== undefined) return halves;
  // only the search knows the bytes of a name that is shown by escapes
  const shorter = await search(kept);
  return say(grouped(resultsOf(shorter), place), shorter.next, shorter);
}

type Result = FoundLine | { path: string; count?: number };

function resultsOf({ matches, files }: ContentOutcome): readonly Result[] {
  return matches.length > 0 ? matches : files;
}

function positionOf(result: Result): ContentPosition {
  const path = bytePathOf(result.path) ?? result.path;
  return 'line' in result ? { path, line: result.line } : { path };
}

function grouped(results: readonly Result[], place: Place): FoundInFile[] {
  const files: FoundInFile[] = [];
  let last: string | undefined;
  for (const result of results) {
    const again = result.path === last;
    last = result.path;
    if (!('line' in result)) files.push({ ...result, path: place.shown(result.path) });
    else if (again) files.at(-1)!.matches!.push(matchOf(result));
    else files.push({ path: place.shown(result.path), matches: [matchOf(result)] });
  }
  return files;
}

function matchOf({ line, text, clipped, before, after }: FoundLine): ShownMatch {
  return {
    line,
    text,
    ...(clipped === true && { clipped }),
    ...(before !== undefined && before.length > 0 && { before }),
    ...(after !== undefined && after.length > 0 && { after }),
  };
}
