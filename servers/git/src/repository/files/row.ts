/** The folder of a file: `objects` also stands for each alternate. */
export type Place = 'git dir' | 'common dir' | 'objects' | 'work tree';

/** One kind of file that git or one of its programs opens or looks up in a repository. */
export interface FileRow {
  readonly at: Place;
  /** its path from the folder */
  readonly path: RegExp;
  /** how git reads it */
  readonly grammar: string;
  /** the part of this server that checks it before git reads it, or the reason why none has to */
  readonly check: string;
  /** the events that make the check invalid */
  readonly stale: string;
}

/** Returns the row of a file that each call checks anew, before git runs and after. */
export const eachCall = 'nothing: it is looked at in each call';
/** Returns the row of a file that is data to git, which verifies and bounds it itself. */
export const data = 'none: git parses it, runs nothing of it and follows no path in it';

/** Returns the row for a file; undefined where the table has none. */
export function rowOf(rows: readonly FileRow[], at: Place, path: string): FileRow | undefined {
  return rows.find((row) => row.at === at && row.path.test(path));
}
