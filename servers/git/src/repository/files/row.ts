/** Where a file is looked for: `objects` also stands for each alternate. */
export type Place = 'git dir' | 'common dir' | 'objects' | 'work tree';

/** One kind of file that git or a program of its own opens or looks for in a repository. */
export interface FileRow {
  readonly at: Place;
  /** its path from there */
  readonly path: RegExp;
  /** how git reads it */
  readonly grammar: string;
  /** which part of this server looks at it before git does, or why none has to */
  readonly check: string;
  /** the events after which that look no longer holds */
  readonly stale: string;
}

/** Of those that each call looks at anew, before git runs and after. */
export const eachCall = 'nothing: it is looked at in each call';
/** Of those that are data to git, which verifies and bounds them itself. */
export const data = 'none: git parses it, runs nothing of it and follows no path in it';

/** The row for a file, undefined where the table has none. */
export function rowOf(rows: readonly FileRow[], at: Place, path: string): FileRow | undefined {
  return rows.find((row) => row.at === at && row.path.test(path));
}
