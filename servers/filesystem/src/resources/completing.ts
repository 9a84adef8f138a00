import { completeInSteps, fromFileUri, type Scope, toFileUri } from '@rootbound/kit/boundary';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import type { CallContext, Completion } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';

const MOST_VALUES = 100;

/** Completes the `{+path}` of `file:///{+path}`: percent-encoded paths without the slash of the template. */
export async function completeUriPath(
  value: string,
  { scope: { scope }, signal }: CallContext<Workspace>,
): Promise<Completion> {
  // the appended letter keeps "." and ".." at the end from being resolved as folders
  const longer = fromFileUri(`file:///${value}x`);
  if (longer === undefined) return [];
  const { values, more } = await complete(scope, longer.slice(0, -1), signal);
  return { values: values.map((path) => toFileUri(path).slice('file:///'.length)), hasMore: more };
}

/** Completes a path argument of a prompt. */
export async function completePathArgument(
  value: string,
  { scope: { scope }, signal }: CallContext<Workspace>,
): Promise<Completion> {
  const { values, more } = await complete(scope, value, signal);
  return { values, hasMore: more };
}

/** Completes a path; large folders are read in several turns of the event loop. */
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
    // closes the folder if an abort ended the work
    work.return({ values: [], more: false });
  }
}
