import { join } from 'node:path';
import {
  type OpenDirectory,
  openDirectory,
  readEntries,
  readSmall,
  type Scope,
  statChild,
} from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { isNotFound } from '../refusals.ts';
import type { Repository } from '../repository.ts';
import { free } from './grammar.ts';
import { grammarOf, states } from './known.ts';

/** Bytes of a state file that is parsed; a list of steps is the longest of them. */
const MOST_BYTES = 4 << 20;

type Folder = keyof typeof states;

/**
 * Throws for state files that git would not have written: git runs the steps of a list, takes options and names from
 * the others, and checks none of them. Call it in the same turn as the command that reads them.
 */
export function assertKnownStates({ place, reach }: Pick<Repository, 'place' | 'reach'>): void {
  for (const folder of Object.keys(states) as Folder[]) assertKnownFolder(reach, place.gitDir, folder); // in the spelling of the table
}

/** Returns the first state file that git would not have written. */
export function foreignStateIn(repository: Pick<Repository, 'place' | 'reach'>): string | undefined {
  try {
    assertKnownStates(repository);
  } catch (error) {
    if (error instanceof ForeignState) return error.file;
    throw error;
  }
  return undefined;
}

function assertKnownFolder(reach: Scope, gitDir: string, name: Folder): void {
  const path = join(gitDir, name);
  const folder = openFolder(reach, path, name);
  if (folder === undefined) return;
  try {
    for (const entry of namesIn(folder, name)) {
      const displayName = name === '' ? entry : `${name}/${entry}`;
      const grammar = grammarOf(name, entry);
      if (grammar === undefined) throw foreign(displayName, 'is no file that git writes there');
      const stat = statChild(folder, entry);
      if (stat === undefined) continue;
      if (!stat.isFile() || stat.nlink !== 1) throw foreign(displayName, 'is not a plain file of its own');
      if (grammar === free) continue;
      const problem = grammar(contentOf(reach, join(path, entry), displayName));
      if (problem !== undefined) throw foreign(displayName, problem);
    }
  } finally {
    folder.close();
  }
}

function openFolder(reach: Scope, path: string, name: Folder): OpenDirectory | undefined {
  try {
    const folder = openDirectory(reach, path);
    if (folder.path === path) return folder;
    folder.close();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (!(error instanceof ToolError)) throw error;
  }
  throw foreign(name, 'is not a folder of its own');
}

/** Returns all names of a folder of state; of the git dir only those that are state. */
function* namesIn(folder: OpenDirectory, name: Folder): Generator<string> {
  if (name === '') {
    for (const known of Object.keys(states[''])) if (statChild(folder, known) !== undefined) yield known;
    return;
  }
  for (const entry of readEntries(folder, name)) yield entry.name;
}

function contentOf(reach: Scope, path: string, displayName: string): string {
  let bytes: Buffer | undefined;
  try {
    bytes = readSmall(reach, path, MOST_BYTES)?.bytes;
  } catch (error) {
    // another program has ended the operation meanwhile
    if (isNotFound(error)) return '';
    throw error;
  }
  if (bytes === undefined) throw foreign(displayName, `is larger than ${MOST_BYTES} bytes`);
  return bytes.toString('latin1');
}

/** Returns the failure for a state file that git would not have written, by its path in the git dir. */
class ForeignState extends ToolError {
  readonly file: string;

  constructor(file: string, what: string) {
    super(`git is not asked in this state, which git itself does not write: ${file} ${what}`, {
      code: 'unsupported',
      hint: 'git_trust lets git work with it as by hand; or end what is in progress by hand, and remove that file',
    });
    this.file = file;
  }
}

function foreign(file: string, what: string): ForeignState {
  return new ForeignState(file, what);
}
