import { defined } from '@rootbound/kit/primitives';
import type { GrepFile } from '../../porcelain/grep-scan.ts';
import type { Match } from './search-matches.ts';

/** A file with its results. */
export interface FoundInFile {
  path: string;
  count?: number;
  matches?: FoundLine[];
  more?: true;
}

export interface FoundLine {
  line: number;
  column: number;
  text: string;
  clipped?: true;
  lossy?: true;
  before?: string[];
  after?: string[];
}

/** Returns matches by file for a result; `more` names the files of which not all are listed. */
export function grouped(matches: readonly Match[], more: ReadonlySet<string>): FoundInFile[] {
  const files: FoundInFile[] = [];
  for (const match of matches) {
    const { path, line, column, text, clipped, lossy, before, after } = match;
    if (files.at(-1)?.path !== path) files.push({ path, matches: [], ...(more.has(path) && { more: true }) });
    files.at(-1)!.matches!.push({
      line,
      column: column!, // a match has one
      text,
      ...(clipped && { clipped }),
      ...(lossy && { lossy }),
      ...(before.length > 0 && { before }),
      ...(after.length > 0 && { after }),
    });
  }
  return files;
}

export function named({ path, count }: GrepFile): FoundInFile {
  return { path, ...defined({ count }) };
}

/** Returns matches as git grep prints them; with context, with a mark where lines are left out. */
export function foundLines(files: readonly FoundInFile[], context: boolean): string[] {
  const lines: string[] = [];
  for (const { path, count, matches, more } of files) {
    if (matches === undefined) lines.push(count === undefined ? path : `${path}:${count}`);
    let last: number | undefined;
    for (const { line, text, clipped, before = [], after = [] } of matches ?? []) {
      const first = line - before.length;
      if (context && lines.length > 0 && first - 1 !== last) lines.push('--');
      lines.push(...before.map((other, index) => `${path}-${first + index}-${other}`));
      lines.push(`${path}:${line}:${text}${clipped === true ? ' [cut]' : ''}`);
      lines.push(...after.map((other, index) => `${path}-${line + 1 + index}-${other}`));
      last = line + after.length;
    }
    if (more === true) lines.push(`[more matches in ${path}; max_per_file sets how many are listed]`);
  }
  return lines;
}
