import type { Params } from '../jsonrpc/message.ts';
import { withoutUnsafeIcons } from '../protocol/icons.ts';
import { type Revision, revisions } from '../protocol/revisions.ts';
import { AnswerError } from './errors.ts';
import { describeProblem } from './problem.ts';

type Schemas = typeof import('../protocol/schemas/index.ts');

let loading: Promise<Schemas> | undefined;

/** The schemas of all revisions, loaded at the first result. */
export function loadSchemas(): Promise<Schemas> {
  loading ??= import('../protocol/schemas/index.ts');
  return loading;
}

/**
 * A result that fits what the revision says about its method, without icons that nobody may load; methods without a
 * schema pass as they are.
 */
export async function checkResult(revision: Revision, method: string, result: Params): Promise<Params> {
  checkType(revision, method, result);
  const schema = (await loadSchemas()).result(revision, method);
  const parsed = schema?.safeParse(withoutNullCursor(result));
  if (parsed === undefined) return result;
  if (parsed.success) return withoutUnsafeIcons(parsed.data as Params); // holds: every result schema describes an object
  throw new AnswerError(`the answer to ${method} is not valid: ${describeProblem(parsed.error)}`, {
    cause: parsed.error,
  });
}

/** Some servers write null where the cursor of the last page must be absent. */
function withoutNullCursor(result: Params): Params {
  if (result.nextCursor !== null) return result;
  const { nextCursor: _none, ...rest } = result;
  return rest;
}

/** An absent `resultType` means complete, and one that nobody has heard of is invalid. */
function checkType(revision: Revision, method: string, { resultType = 'complete' }: Params): void {
  if (revisions[revision].era === 'handshake') return;
  if (resultType === 'complete' || resultType === 'input_required') return;
  throw new AnswerError(`the answer to ${method} has the unknown resultType ${JSON.stringify(resultType)}`);
}
