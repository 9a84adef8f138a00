import { defined } from '@rootbound/kit/primitives';
import { LaneError, messageOf } from '../../shared/error.ts';
import { sqliteCode } from '../failure.ts';
import type { Reject } from './result.ts';
import type { Row } from './rows.ts';
import { ValueProblem } from './values.ts';

/** Most rejected rows listed. */
const MOST_LISTED = 20;

/** Collects the rejected rows of an import and throws if there are too many. */
export class Rejects {
  readonly #most: number;
  readonly listed: Reject[] = [];
  count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(reject: Reject): void {
    this.count += 1;
    if (this.listed.length < MOST_LISTED) this.listed.push(reject);
    if (this.count <= this.#most) return;
    const { line, column, reason } = this.listed[0] ?? reject;
    const where = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
    const before = this.#most === 0 ? '' : `, the first of ${this.count} rows`;
    throw new LaneError(`${where}: ${reason}${before}; nothing was imported`, {
      code: 'rejected',
      hint: 'set dry_run to list all such rows, or max_rejects to skip up to that many',
    });
  }
}

/** Returns the reject of a row for an error; undefined if the error does not concern the row alone. */
export function rejectOf({ line }: Row, error: unknown): Reject | undefined {
  if (error instanceof ValueProblem) return { line, reason: error.message };
  const code = sqliteCode(error);
  if (code === undefined || !/^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG)/.test(code)) return undefined;
  const reason = messageOf(error);
  const [, column] = / \S[^\s.]*\.(\S+)$/.exec(reason) ?? [];
  return { line, reason, ...defined({ column }) };
}
