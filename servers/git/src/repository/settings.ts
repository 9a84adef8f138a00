import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { locate, textOfBytes } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { parseConfig, type Setting } from './config-text.ts';
import { contentOf, placeOf } from './pointers.ts';
import { type Look, leadsOut, malformed } from './refusals.ts';

/** What the configuration says about where the repository is. */
export interface Settings {
  readonly bare: boolean;
  /** `core.worktree` as it is written, and the file that says it */
  readonly workTree: { readonly written: string; readonly file: string } | undefined;
}

/** As deep as git follows includes. */
const mostIncludes = 10;

/**
 * Reads these settings as git does when it sets up: from the repository's own files alone. What they include is
 * followed for one question only, whether all of it is inside.
 */
export function readSettings(look: Look, gitDir: string, commonDir: string): Settings {
  const shared = join(commonDir, 'config');
  const own = join(gitDir, 'config.worktree');
  let bare = false;
  let workTree: Settings['workTree'];
  let perWorktree = false;
  const take = (file: string, settings: readonly Setting[]): void => {
    for (const [key, value] of settings) {
      if (key === 'core.bare') bare = isTrue(value);
      else if (key === 'core.worktree' && value !== undefined) workTree = { written: textOf(value), file };
      else if (key === 'extensions.worktreeconfig') perWorktree = isTrue(value);
    }
  };
  take(shared, settingsIn(look, shared, 0));
  const ofWorktree = perWorktree ? settingsIn(look, own, 0) : [];
  // what the main work tree is says nothing about a linked one, unless each has its settings
  if (gitDir !== commonDir && !perWorktree) return { bare: false, workTree: undefined };
  take(own, ofWorktree);
  return { bare, workTree };
}

function settingsIn(look: Look, file: string, depth: number): readonly Setting[] {
  const bytes = contentOf(look, file);
  if (bytes === undefined) return [];
  const settings = parseConfig(bytes.toString('latin1'));
  if (settings === undefined) throw malformed(look, file, 'is not a configuration that git reads');
  for (const [key, value] of settings)
    if (value !== undefined && isInclude(key)) followInclude(look, file, textOf(value), depth + 1);
  return settings;
}

function isInclude(key: string): boolean {
  // whether a condition holds is for git to say, and may change
  return key === 'include.path' || (key.startsWith('includeif.') && key.endsWith('.path'));
}

function followInclude(look: Look, file: string, written: string, depth: number): void {
  if (depth > mostIncludes) throw malformed(look, file, `includes more than ${mostIncludes} deep`);
  // another user's home, and where git is installed
  if (/^(?:~[^/]|%\(prefix\))/.test(written)) throw leadsOut(look, file);
  const path = written.startsWith('~') ? join(homedir(), written.slice(1)) : written;
  let place: string;
  try {
    place = placeOf(look.scope, dirname(file), path);
    // a file that is missing includes nothing, but a place outside is refused whether something is there or not
    locate(look.scope, place);
  } catch (error) {
    if (error instanceof ToolError) throw leadsOut(look, file, error);
    throw error;
  }
  settingsIn(look, place, depth);
}

function isTrue(value: string | undefined): boolean {
  return value === undefined || /^(?:true|yes|on|[-+]?0*[1-9]\d*[kmg]?)$/i.test(value);
}

function textOf(value: string): string {
  return textOfBytes(Buffer.from(value, 'latin1'));
}
