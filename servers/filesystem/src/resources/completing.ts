import { completePath, fromFileUri, toFileUri } from '@rootbound/kit/boundary';
import type { CallContext, Completion } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';

const MOST_VALUES = 100;

/** Paths for the `{+path}` of `file:///{+path}`: percent-encoded, without the slash that the template has. */
export function completeUriPath(value: string, { scope: { scope } }: CallContext<Workspace>): Completion {
  // the last part is the start of a name: with one more letter "." and ".." are not taken for folders
  const longer = fromFileUri(`file:///${value}x`);
  if (longer === undefined) return [];
  const { values, more } = completePath(scope, longer.slice(0, -1), MOST_VALUES);
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
