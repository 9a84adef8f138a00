import { completePath, fromFileUri, toFileUri } from '@rootbound/kit/boundary';
import type { CallContext, Completion } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';

const MOST_VALUES = 100;

/** Paths for the `{+path}` of `file:///{+path}`: percent-encoded, without the slash that the template has. */
export function completeUriPath(value: string, { scope: { scope } }: CallContext<Workspace>): Completion {
  const typed = fromFileUri(`file:///${value}`);
  if (typed === undefined) return [];
  // a trailing slash says: what is in this folder
  const prefix = value.endsWith('/') && !typed.endsWith('/') ? `${typed}/` : typed;
  const { values, more } = completePath(scope, prefix, MOST_VALUES);
  return { values: values.map((path) => toFileUri(path).slice('file:///'.length)), hasMore: more };
}

/** Paths for an argument of a prompt, as they are typed. */
export function completePathArgument(
  value: string,
  { scope: { scope } }: CallContext<Workspace>,
): Completion {
  const { values, more } = completePath(scope, value, MOST_VALUES);
  return { values, hasMore: more };
}
