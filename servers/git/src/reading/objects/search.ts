import { ToolError } from '@rootbound/protocol';
import type { Tell } from '../../call/list-progress.ts';
import type { Opened } from '../../call/open-repository.ts';
import { grepCommand, grepCountsCommand, grepFilesCommand, grepStatuses } from '../../porcelain/grep.ts';
import type { GrepQuery } from '../../porcelain/grep-query.ts';
import { type GrepFile, GrepFileScanner, GrepLineScanner } from '../../porcelain/grep-scan.ts';
import type { Command } from '../../run/command.ts';
import type { Limits } from '../../run/work.ts';
import { Gatherer, type GatherOptions, isUpTo, type SearchPosition } from './search-matches.ts';

/** Bytes of a line that are returned. */
const MOST_TEXT = 500;
/** Milliseconds: a pattern that takes git longer would never end. */
const searchLimits: Partial<Limits> = { idle: 60_000, total: 60_000 };

/** git continues after a missing object. */
const notRead = /unable to read [0-9a-f]{40}/;
/** The text before git's message about a pattern, and the bracket after it. */
const OPTION = '(-e option, ';

/** The bounds of reading git's output. */
export interface Bounds {
  /** matches, or files: one more is searched, so that the end is known */
  readonly most: number;
  readonly bytes: number;
  readonly limits?: Partial<Limits>;
  /** receives how many were found */
  readonly tell?: Tell | undefined;
}

/** The paths that could not be searched. */
export interface Unsearched {
  /** some contents are not stored here */
  readonly missing: boolean;
}

export interface GatheredLines extends Unsearched, Pick<Gatherer, 'matches' | 'more' | 'refused'> {
  /** the last match is one too many */
  readonly enough: boolean;
}

/** Finds matching lines, one more than are wanted where there are more. */
export async function gatherLines(
  opened: Opened,
  query: GrepQuery,
  options: GatherOptions,
  bounds: Bounds,
): Promise<GatheredLines> {
  const scanner = new GrepLineScanner(query, MOST_TEXT);
  const gatherer = new Gatherer(options);
  const { matches, more, refused } = gatherer;
  let enough = false;
  const missing = await grep(opened, grepCommand(query, options), bounds, matches, (chunk) => {
    for (const line of scanner.read(chunk)) {
      gatherer.add(line);
      enough = matches.length > bounds.most || (matches.length > 1 && gatherer.bytes > bounds.bytes);
      if (enough) return true;
    }
    return false;
  });
  return { matches, more, refused, enough, missing };
}

export interface FoundFiles extends Unsearched {
  readonly files: readonly GrepFile[];
  readonly refused: number;
}

/** Finds files with a match, one more than are wanted where there are more. */
export async function gatherFiles(
  opened: Opened,
  query: GrepQuery,
  kind: 'files' | 'counts',
  { after, admits }: Pick<GatherOptions, 'after' | 'admits'>,
  bounds: Bounds,
): Promise<FoundFiles> {
  const scanner = new GrepFileScanner(query, kind);
  const files: GrepFile[] = [];
  let refused = 0;
  const asked = kind === 'files' ? grepFilesCommand(query) : grepCountsCommand(query);
  const missing = await grep(opened, asked, bounds, files, (chunk) => {
    for (const file of scanner.read(chunk)) {
      if (after !== undefined && isUpTo(file.path, after[0])) continue;
      if (admits(file.path)) files.push(file);
      else refused += 1;
      if (files.length > bounds.most) return true;
    }
    return false;
  });
  return { files, refused, missing };
}

/**
 * Runs git and reads until `read`, which collects the results, has enough; returns whether git left out missing
 * contents.
 */
async function grep(
  opened: Opened,
  asked: Command,
  { limits, most, tell }: Bounds,
  found: readonly unknown[],
  read: (chunk: Buffer) => boolean,
): Promise<boolean> {
  const { chunks, finished } = opened.stream(asked, {
    okay: grepStatuses,
    limits: { ...searchLimits, ...limits },
  });
  try {
    for await (const chunk of chunks) {
      if (read(chunk)) break;
      tell?.(found.length);
    }
    const { stderr } = await finished;
    const listed = Math.min(found.length, most);
    tell?.(listed, listed);
    return notRead.test(stderr);
  } catch (error) {
    throw searchFailure(error);
  }
}

/** Returns the failure in the search's words. */
function searchFailure(error: unknown): unknown {
  if (!(error instanceof ToolError)) return error;
  if (error.code === 'timeout') {
    return new ToolError('the search took too long and was stopped', {
      code: 'timeout',
      hint: 'simplify the pattern, or name fewer paths',
      cause: error,
    });
  }
  const at = error.message.indexOf(OPTION);
  if (at === -1 || !error.message.endsWith(')')) return error;
  const fault = error.message.slice(at + OPTION.length, -1);
  return new ToolError(`the pattern cannot be used: ${fault}`, {
    code: 'invalid-pattern',
    hint: 'syntax fixed matches every character literally',
    cause: error,
  });
}

/** Returns the end of a page of files. */
export function positionOf({ path }: GrepFile): SearchPosition {
  return [path, 0, 0];
}
