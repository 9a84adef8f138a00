import type { Verb } from '../verb.ts';
import { type Observation, WatchedFile } from '../watching/watched-file.ts';

export interface WatchArgs {
  /** absolute, without symbolic links */
  readonly path: string;
  /** tables to distinguish, in lower case; undefined ends watching the database */
  readonly tables: readonly string[] | undefined;
}

const files = new Map<string, WatchedFile>();

/**
 * Returns the changes of a database since the last call. It reads files without a connection, so no program waits for a
 * lock.
 */
export const watch: Verb<WatchArgs, Observation | undefined> = (_call, { path, tables }) => {
  if (tables === undefined) {
    files.delete(path);
    return undefined;
  }
  const file = files.get(path) ?? new WatchedFile(path);
  files.set(path, file);
  return file.look(tables);
};
