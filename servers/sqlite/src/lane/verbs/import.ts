import { defined } from '@rootbound/kit/primitives';
import { LaneError } from '../../shared/error.ts';
import type { ImportPlan } from '../../shared/import-plan.ts';
import type { Connection } from '../connection.ts';
import { makeUndoCopy } from '../copies/undo-copy.ts';
import { type Pull, textOf } from '../formats/text.ts';
import { importRows } from '../importing/import-rows.ts';
import { importScript } from '../importing/import-script.ts';
import type { Imported } from '../importing/result.ts';
import type { LaneCall, Verb } from '../verb.ts';
import { begin, commit, rollback } from '../writing/transaction.ts';
import { newViolations, violations } from '../writing/verification.ts';

export type ImportArgs = ImportPlan;
export type ImportFacts = Imported;

/** Imports a file into the database in one transaction. */
export const importData: Verb<ImportArgs, ImportFacts> = async (call, plan) => {
  if (plan.format !== 'sql')
    return inTransaction(call, plan, () => importRows(call.connection, textIn(call, plan), plan));
  const { db } = call.connection;
  // a dump has its tables in any order: foreign keys are checked at its end
  db.pragma('foreign_keys = OFF');
  try {
    return await inTransaction(call, plan, () => runScript(call, plan));
  } finally {
    db.pragma('foreign_keys = ON');
  }
};

function runScript(call: LaneCall, plan: ImportPlan): Imported {
  const { connection } = call;
  const before = violations(connection);
  const imported = importScript(connection, textIn(call, plan));
  const [broken] = newViolations(before, violations(connection));
  if (broken === undefined) return imported;
  throw new LaneError(`FOREIGN KEY constraint failed: ${broken}; nothing was imported`, {
    code: 'constraint',
  });
}

function textIn({ pull, progress }: LaneCall, { bytes, encoding, types }: ImportPlan): Pull<string> {
  // progress of a second read continues after the first
  const before = types === undefined ? 0 : bytes;
  let read = 0;
  return textOf(() => {
    const piece = pull();
    read += piece?.length ?? 0;
    progress(before + read, before + Math.max(bytes, read));
    return piece;
  }, encoding);
}

async function inTransaction(
  call: LaneCall,
  { dryRun, undo }: ImportPlan,
  work: () => Imported,
): Promise<Imported> {
  const { connection } = call;
  begin(connection);
  try {
    const copy = undo === undefined || isEmpty(connection) ? undefined : await makeUndoCopy(call, undo);
    const imported = work();
    if (!dryRun && imported.retryWithTypes === undefined) commit(connection);
    return { ...imported, ...defined({ copy }) };
  } finally {
    rollback(connection);
  }
}

function isEmpty({ db }: Connection): boolean {
  return db.prepare('SELECT 1 FROM main.sqlite_schema').get() === undefined;
}
