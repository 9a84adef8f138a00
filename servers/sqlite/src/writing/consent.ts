import { createHash } from 'node:crypto';
import { showName } from '@rootbound/kit/boundary';
import { clipText } from '@rootbound/kit/budget';
import { agree, canAsk } from '@rootbound/kit/call';
import { type Ask, type Facts, ToolError } from '@rootbound/protocol';
import type { Statement } from '../shared/sql/statement.ts';
import { isOfAllRows } from '../shared/write-plan.ts';

/** The arguments that allow changing every row of a table. */
interface AllRowsArguments {
  readonly all_rows?: boolean | undefined;
  readonly dry_run?: boolean | undefined;
}

/** Digest of the statements that the user has agreed to; undefined if they were not asked. */
export type Agreed = string | undefined;

const MOST_CHARACTERS = 300;

/**
 * Asks the user to agree to an UPDATE or DELETE without WHERE that the arguments do not allow; a refusal ends the call.
 */
export async function agreeToAllRows(
  ask: Ask,
  facts: Facts,
  args: AllRowsArguments,
  statements: readonly Statement[],
): Promise<Agreed> {
  const unbounded = changesOfAllRows(statements);
  if (unbounded.length === 0 || args.all_rows === true || args.dry_run === true || !canAsk(facts))
    return undefined;
  const digest = digestOf(unbounded);
  await agree(ask, `Change every row of the table? ${excerptOf(unbounded)}`, 'Change every row', digest);
  return digest;
}

/** Throws unless the caller or the user allows changing every row; a dry run needs no consent. */
export function requireAllRows(
  args: AllRowsArguments,
  statements: readonly Statement[],
  agreed: Agreed,
): void {
  const unbounded = changesOfAllRows(statements);
  if (unbounded.length === 0 || args.all_rows === true || args.dry_run === true) return;
  if (agreed === digestOf(unbounded)) return;
  throw new ToolError(`without WHERE every row would be changed: ${excerptOf(unbounded)}`, {
    code: 'needs-confirmation',
    hint: 'nothing was changed; add a WHERE, or set all_rows to true to change every row',
  });
}

function changesOfAllRows(statements: readonly Statement[]): readonly Statement[] {
  return statements.filter(isOfAllRows);
}

function excerptOf(statements: readonly Statement[]): string {
  const { kept, truncated } = clipText(
    showName(statements.map(({ text }) => text).join('; ')),
    MOST_CHARACTERS,
  );
  return truncated ? `${kept}…` : kept;
}

function digestOf(statements: readonly Statement[]): string {
  return createHash('sha256')
    .update(JSON.stringify(statements.map(({ text }) => text)))
    .digest('base64url');
}
