import { relative } from 'node:path';
import { type Scope, showPath } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';

/** The context of one opening: the boundary of its git dirs, and the path that the caller sent. */
export interface Look {
  readonly scope: Scope;
  readonly displayPath: string;
  /** the advice where a file leads out, unless it is the usual one */
  readonly leadsOutHint?: string;
  /** the setting that names the place to look at */
  readonly key?: string;
}

/** The advice for a linked work tree whose repository is elsewhere. */
export const OF_LINKED =
  'a linked work tree needs the git dir of its repository: the operator can start the server with --allow-common-dir <that .git>, which lets work trees inside the roots use it, or add a root that holds it';

/** Returns the words for a repository around a root. */
export function beginsAbove(way: string): string {
  return `one begins above the root, at ${way} from it`;
}

/** The advice for such a root. */
export const MAKE_ROOT = 'nothing above a root is read: the operator can make that folder a root';

/** Returns the failure when no folder from here up to the root is a repository. */
export function notARepository(path: string, why?: string, above?: string): ToolError {
  const reason = why === undefined ? '' : ` (${why})`;
  if (above !== undefined)
    return new ToolError(`no git repository here: ${showPath(path)}${reason}: ${beginsAbove(above)}`, {
      code: 'not-a-repository',
      hint: MAKE_ROOT,
    });
  return new ToolError(`no git repository here: ${showPath(path)}${reason}`, {
    code: 'not-a-repository',
    hint: 'name a folder in a repository whose top level lies inside the allowed roots, or a bare repository itself',
  });
}

/**
 * Returns the failure when a file of the repository leads out of the boundary, or to nothing: callers do not learn
 * which.
 */
export function leadsOut(
  { scope, displayPath, leadsOutHint, key }: Look,
  file: string,
  cause?: unknown,
): ToolError {
  const where = key === undefined ? nameOf(scope, file) : `${key} in ${nameOf(scope, file)}`;
  return new ToolError(
    `the repository is not all inside the allowed roots: ${showPath(displayPath)}: ${where} leads to what is missing or outside`,
    {
      code: 'not-found',
      hint: leadsOutHint ?? 'add a root that holds what it leads to, or change it',
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

/** Returns the failure when a file of the repository has not the form that git expects. */
export function malformed({ scope, displayPath }: Look, file: string, what: string): ToolError {
  return new ToolError(
    `the repository is damaged: ${showPath(displayPath)}: ${nameOf(scope, file)} ${what}`,
    {
      code: 'damaged',
      hint: 'repair or remove that file',
    },
  );
}

/** Returns the failure for a repository that cannot be used in its present form. */
export function unsupported(path: string, what: string, hint: string): ToolError {
  return new ToolError(`not possible with this repository: ${showPath(path)}: ${what}`, {
    code: 'unsupported',
    hint,
  });
}

/** Returns whether the error is the boundary's answer for missing and outside paths. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ToolError && error.code === 'not-found';
}

/** Returns a file's name below its root: the path of the root may be hidden from the caller. */
function nameOf(scope: Scope, file: string): string {
  const root = scope.rootOf(file);
  return showPath(root === undefined ? '.git' : relative(root.real, file));
}
