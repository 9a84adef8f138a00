import type { Params } from '../jsonrpc/message.ts';
import { withoutUnsafeIcons } from '../protocol/icons.ts';
import { type Revision, revisions } from '../protocol/revisions.ts';
import { AnswerError } from './errors.ts';
import { describeProblem } from './problem.ts';

type Schemas = typeof import('../protocol/schemas/index.ts');

let loading: Promise<Schemas> | undefined;

/** Returns the schemas of all revisions; loads them at the first result. */
export function loadSchemas(): Promise<Schemas> {
  loading ??= import('../protocol/schemas/index.ts');
  return loading;
}

/**
 * Returns a result that matches the schema of its method, without icons that must not be loaded. Results of
 * methods without a schema are returned unchanged.
 */
export async function checkResult(revision: Revision, method: string, result: Params): Promise<Params> {
  checkType(revision, method, result);
  const schema = (await loadSchemas()).result(revision, method);
  const parsed = schema?.safeParse(withoutNullCursor(result));
  if (parsed === undefined) return result;
  if (parsed.success) return withoutUnsafeIcons(parsed.data as Params); // every result schema describes an object
  throw new AnswerError(`the response to ${method} is invalid: ${describeProblem(parsed.error)}`, {
    cause: parsed.error,
  });
}

/** Removes a null `nextCursor`, which some servers send where it must be absent. */
function withoutNullCursor(result: Params): Params {
  if (result.nextCursor !== null) return result;
  const { nextCursor: _none, ...rest } = result;
  return rest;
}

/** Checks `resultType`: absent means complete, and an unknown one is invalid. */
function checkType(revision: Revision, method: string, { resultType = 'complete' }: Params): void {
  if (revisions[revision].era === 'handshake') return;
  if (resultType === 'complete' || resultType === 'input_required') return;
  throw new AnswerError(`the response to ${method} has the unknown resultType ${JSON.stringify(resultType)}`);
}
