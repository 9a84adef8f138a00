import { type CallContext, ToolError } from '@rootbound/protocol';
import type { Database } from '../databases/database.ts';
import type { ChangeFacts } from '../lane/writing/facts.ts';
import type { Caps } from '../lane/writing/returned.ts';
import type { Terms } from '../lane/writing/terms.ts';
import type { RunOptions } from '../lanes/lane.ts';
import type { LaneReply } from '../lanes/reply.ts';
import type { UndoPoint } from '../undo/points.ts';
import { databaseOf, type Workspace } from '../workspace.ts';

/** What every tool that changes takes besides its SQL. */
export interface ChangeArguments {
  readonly database?: string | undefined;
  readonly dry_run?: boolean | undefined;
  readonly max_changes?: number | undefined;
  readonly undo?: boolean | undefined;
  readonly timeout_ms?: number | undefined;
}

/** Asks the lane; its terms and caps go into the args of the verb. */
type Run = (
  target: Database,
  terms: Terms,
  caps: Caps,
  options: RunOptions,
) => Promise<LaneReply<ChangeFacts>>;

export interface Changed {
  readonly database: string;
  readonly facts: ChangeFacts;
  readonly parts: readonly Buffer[];
  readonly undo: UndoPoint | undefined;
}

const MOST_ROWS = 200;
/** Of a half's bytes, so much is for rows. */
const ROWS_SHARE = 0.4;

/** What a change needs of its call. */
export type ChangeContext = Pick<
  CallContext<Workspace, unknown>,
  'scope' | 'signal' | 'wantsProgress' | 'progress'
>;

/** The database that a call is to change; throws when that is not allowed, before anything is opened. */
export function writable(workspace: Workspace, named: string | undefined): Database {
  const target = databaseOf(workspace, named);
  if (!target.readOnly) return target;
  throw new ToolError(`may not be changed: ${target.displayPath}`, {
    code: 'read-only',
    hint: 'its root is read-only; read_query reads it',
  });
}

/** Changes a database, keeps the copy from before where one was made, and tells whoever watches. */
export async function change(context: ChangeContext, args: ChangeArguments, run: Run): Promise<Changed> {
  const { engine, owner, maxOutput } = context.scope;
  const target = writable(context.scope, args.database);
  const dryRun = args.dry_run === true;
  const place = dryRun || args.undo === false ? undefined : engine.undo.reserve();
  const terms: Terms = {
    dryRun,
    maxChanges: args.max_changes,
    undo: place && { path: place.path, when: args.undo === true ? 'always' : 'when-needed' },
  };
  const caps = { rows: MOST_ROWS, bytes: Math.floor(maxOutput * ROWS_SHARE) };
  try {
    const { facts, parts } = await run(target, terms, caps, optionsOf(context, args));
    if (facts.committed && (facts.schemaChanged || facts.changedTables.length > 0)) {
      engine.changes.emit({
        real: target.real,
        tables: facts.changedTables,
        schema: facts.schemaChanged,
        commits: 1,
      });
    }
    const undo = place && engine.undo.keepCopy(place, facts.copy, { owner, database: target.real });
    return { database: target.displayPath, facts, parts, undo };
  } catch (error) {
    if (place !== undefined) engine.undo.discard(place);
    throw error;
  }
}

function optionsOf(
  { signal, wantsProgress, progress }: ChangeContext,
  { timeout_ms: deadlineMs }: ChangeArguments,
): RunOptions {
  return { signal, deadlineMs, ...(wantsProgress && { onProgress: progress }) };
}
