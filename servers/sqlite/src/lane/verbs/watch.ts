import type { Verb } from '../verb.ts';
import { type Observation, WatchedFile } from '../watching/watched-file.ts';

export interface WatchArgs {
  /** absolute, without symbolic links */
  readonly path: string;
  /** tables that are told apart, in lower case; none at all: the database is watched no more */
  readonly tables: readonly string[] | undefined;
}

const files = new Map<string, WatchedFile>();

/** What has changed in a database since the last look at it; no connection is used, so nobody waits for a lock. */
export const watch: Verb<WatchArgs, Observation | undefined> = (_call, { path, tables }) => {
  if (tables === undefined) {
    files.delete(path);
    return undefined;
  }
  const file = files.get(path) ?? new WatchedFile(path);
  files.set(path, file);
  return file.look(tables);
};
