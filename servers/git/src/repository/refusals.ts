import { relative } from 'node:path';
import { type Scope, showPath } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';

/** The context of one opening: the boundary of its git dirs, and the path that the caller sent. */
export interface Look {
  readonly scope: Scope;
  readonly shown: string;
}

/** The refusal when no folder from here up to the root is a repository. */
export function notARepository(path: string, why?: string): ToolError {
  const told = why === undefined ? '' : ` (${why})`;
  return new ToolError(`no git repository here: ${showPath(path)}${told}`, {
    code: 'not-a-repository',
    hint: 'name a folder in a repository whose top level lies inside the allowed roots, or a bare repository itself',
  });
}

/** The refusal when a file of the repository leads out of the boundary, or to nothing: callers do not learn which. */
export function leadsOut({ scope, shown }: Look, file: string, cause?: unknown): ToolError {
  return new ToolError(
    `the repository is not all inside the allowed roots: ${showPath(shown)}: ${nameOf(scope, file)} leads to what is missing or outside`,
    {
      code: 'not-found',
      hint: 'add a root that holds what it leads to, or change it',
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

/** The refusal when a file of the repository cannot be what git expects there. */
export function malformed({ scope, shown }: Look, file: string, what: string): ToolError {
  return new ToolError(`the repository is damaged: ${showPath(shown)}: ${nameOf(scope, file)} ${what}`, {
    code: 'damaged',
    hint: 'repair or remove that file',
  });
}

/** The refusal of what cannot be worked with as it is. */
export function unsupported(path: string, what: string, hint: string): ToolError {
  return new ToolError(`not possible with this repository: ${showPath(path)}: ${what}`, {
    code: 'unsupported',
    hint,
  });
}

/** Whether the error is the boundary's answer for missing and outside. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ToolError && error.code === 'not-found';
}

/** A file by its name below the root that holds it: where that root is may be none of the caller's business. */
function nameOf(scope: Scope, file: string): string {
  const root = scope.rootOf(file);
  return showPath(root === undefined ? '.git' : relative(root.real, file));
}
