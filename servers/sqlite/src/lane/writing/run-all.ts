import { LaneError } from '../../shared/error.ts';
import type { Params } from '../../shared/sql/parameters.ts';
import type { PlannedStatement } from '../../shared/write-plan.ts';
import { makeUndoCopy, type UndoCopy } from '../copies/undo-copy.ts';
import { failureOf } from '../failure.ts';
import { forgetPrograms } from '../policy/inspect.ts';
import { Answer, type LaneCall } from '../verb.ts';
import { type Applied, applyStatement } from './apply.ts';
import { appliedFacts, type ChangeFacts, changedTables } from './facts.ts';
import { forgetNotes } from './notes.ts';
import type { Caps } from './returned.ts';
import { readSchema, type SchemaChanges, schemaChanges } from './schema.ts';
import { assertWithin, losesMany, type Terms } from './terms.ts';
import { begin, commit, rollback } from './transaction.ts';
import { integrity, newViolations, violations } from './verification.ts';

export interface RunAll {
  readonly statements: readonly PlannedStatement[];
  readonly params?: Params | undefined;
  readonly terms: Terms;
  /** most rows of each statement, and most bytes of all rows together */
  readonly caps: Caps;
  /**
   * whether foreign keys are off during the run, as rebuilding a table needs: https://sqlite.org/lang_altertable.html
   */
  readonly keysAtEnd?: boolean;
  /** whether foreign keys and the whole file are checked before the commit */
  readonly checks: { readonly keys: boolean; readonly file: boolean };
}

interface Done {
  readonly applied: readonly (Applied & { readonly action: string })[];
  readonly schema: SchemaChanges | undefined;
  readonly violations: readonly string[];
  readonly integrity: string | undefined;
}

/** Runs statements in order as one transaction without other writers in between: all or none. */
export async function runAll(call: LaneCall, work: RunAll): Promise<Answer<ChangeFacts>> {
  if (work.keysAtEnd !== true) return transact(call, work);
  const { db } = call.connection;
  // the pragma has no effect within a transaction
  db.pragma('foreign_keys = OFF');
  try {
    return await transact(call, work);
  } finally {
    db.pragma('foreign_keys = ON');
    // programs inspected meanwhile do not contain actions of foreign keys
    forgetPrograms(call.connection);
  }
}

async function transact(call: LaneCall, work: RunAll): Promise<Answer<ChangeFacts>> {
  const { connection } = call;
  const { statements, terms } = work;
  const undo = terms.dryRun ? undefined : terms.undo;
  const loses = statements.some(({ allRows, drops }) => allRows === true || drops === true);
  let copy: UndoCopy | undefined;
  begin(connection);
  try {
    if (undo !== undefined && (undo.when === 'always' || loses)) copy = await makeUndoCopy(call, undo.path);
    let done = attempt(call, work);
    if (undo !== undefined && copy === undefined && losesMany(done.applied)) {
      // the number of rows is known only afterwards: start again with a copy first
      rollBack(call);
      begin(connection);
      copy = await makeUndoCopy(call, undo.path);
      done = attempt(call, work);
    }
    if (terms.dryRun) rollBack(call);
    else commit(connection);
    return answerOf(done, !terms.dryRun, copy);
  } catch (error) {
    rollBack(call);
    throw error;
  }
}

function attempt(call: LaneCall, { statements, params, terms, caps, checks }: RunAll): Done {
  const { connection } = call;
  const schema = readSchema(connection);
  const orphans = checks.keys ? violations(connection) : undefined;
  const applied: Done['applied'][number][] = [];
  let left = caps.bytes;
  for (const [index, statement] of statements.entries()) {
    const one = numbered(statement, index, statements.length, () =>
      applyStatement(connection, statement, params, { rows: caps.rows, bytes: left }),
    );
    for (const row of one.returned?.rows ?? []) left -= Buffer.byteLength(row);
    applied.push({ ...one, action: statement.action });
    assertWithin(terms, applied);
    if (statements.length > 1) call.progress(index + 1, statements.length, 'statements');
  }
  const done = {
    applied,
    schema: applied.some((one) => one.schema !== undefined)
      ? schemaChanges(schema, readSchema(connection))
      : undefined,
    violations: orphans === undefined ? [] : newViolations(orphans, violations(connection)),
    integrity: checks.file ? integrity(connection) : undefined,
  };
  if (!terms.dryRun) assertSound(done);
  return done;
}

/** Adds the number and line of the statement to a failure within a script. */
function numbered<T>({ line }: PlannedStatement, index: number, count: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const failure = line === undefined ? undefined : failureOf(error);
    if (failure === undefined) throw error;
    const { message, ...rest } = failure;
    throw new LaneError(`statement ${index + 1} of ${count} (line ${line}): ${message}`, {
      ...rest,
      hint: `nothing was changed${rest.hint === undefined ? '' : `; ${rest.hint}`}`,
      cause: error,
    });
  }
}

function assertSound({ violations: [first, ...more], integrity: found }: Done): void {
  if (first !== undefined) {
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    throw new LaneError(`foreign keys would be violated: ${first}${others}`, {
      code: 'constraint',
      hint: 'nothing was changed; set dry_run to list them',
    });
  }
  if (found === undefined || found === 'ok' || found.startsWith('skipped')) return;
  throw new LaneError(`the integrity check of the database would fail: ${found}`, {
    code: 'corrupt',
    hint: 'nothing was changed; the database may have been damaged before',
  });
}

/** Rolls back, and drops what is cached by schema version, which may be used again for another schema. */
function rollBack({ connection }: LaneCall): void {
  rollback(connection);
  forgetNotes(connection);
}

function answerOf(done: Done, committed: boolean, copy: UndoCopy | undefined): Answer<ChangeFacts> {
  const { applied, parts } = appliedFacts(done.applied);
  return new Answer(
    {
      committed,
      applied,
      schema: done.schema,
      violations: done.violations,
      integrity: done.integrity,
      copy,
      changedTables: changedTables(done.applied, done.schema),
      schemaChanged: done.schema !== undefined,
    },
    parts,
  );
}
