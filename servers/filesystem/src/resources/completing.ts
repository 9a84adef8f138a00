import { completeInSteps, fromFileUri, type Scope, toFileUri } from '@rootbound/kit/boundary';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import type { CallContext, Completion } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';

const MOST_VALUES = 100;

/** Paths for the `{+path}` of `file:///{+path}`: percent-encoded, without the slash that the template has. */
export async function completeUriPath(
  value: string,
  { scope: { scope }, signal }: CallContext<Workspace>,
): Promise<Completion> {
  // the last part is the start of a name: with one more letter "." and ".." are not taken for folders
  const longer = fromFileUri(`file:///${value}x`);
  if (longer === undefined) return [];
  const { values, more } = await complete(scope, longer.slice(0, -1), signal);
  return { values: values.map((path) => toFileUri(path).slice('file:///'.length)), hasMore: more };
}

/** Paths for an argument of a prompt, as they are typed. */
export async function completePathArgument(
  value: string,
  { scope: { scope }, signal }: CallContext<Workspace>,
): Promise<Completion> {
  const { values, more } = await complete(scope, value, signal);
  return { values, hasMore: more };
}

/** Long folders are gone through in steps, between which others are served. */
async function complete(
  scope: Scope,
  typed: string,
  signal: AbortSignal,
): Promise<{ values: readonly string[]; more: boolean }> {
  const work = completeInSteps(scope, typed, MOST_VALUES);
  try {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
  } finally {
    // closes the folder when it was left early
    work.return({ values: [], more: false });
  }
}
