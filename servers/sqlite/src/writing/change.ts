import { type CallContext, ToolError } from '@rootbound/protocol';
import type { Database } from '../databases/database.ts';
import type { ChangeFacts } from '../lane/writing/facts.ts';
import type { Caps } from '../lane/writing/returned.ts';
import type { Terms } from '../lane/writing/terms.ts';
import type { RunOptions } from '../lanes/lane.ts';
import type { LaneReply } from '../lanes/reply.ts';
import type { UndoPoint } from '../undo/points.ts';
import { databaseOf, type Workspace } from '../workspace.ts';

/** The arguments of every tool that runs changes, besides the SQL. */
export interface ChangeArguments {
  readonly database?: string | undefined;
  readonly dry_run?: boolean | undefined;
  readonly max_changes?: number | undefined;
  readonly undo?: boolean | undefined;
  readonly timeout_ms?: number | undefined;
}

/** Runs the verb with these terms and caps. */
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
/** Share of the result limit for rows. */
const ROWS_SHARE = 0.4;

/** The parts of the call that a change needs. */
export type ChangeContext = Pick<
  CallContext<Workspace, unknown>,
  'scope' | 'signal' | 'wantsProgress' | 'progress'
>;

/** Returns the database that a call changes; throws, before anything is opened, if it is read-only. */
export function writable(workspace: Workspace, named: string | undefined): Database {
  const target = databaseOf(workspace, named);
  if (!target.readOnly) return target;
  throw new ToolError(`the database is read-only: ${target.displayPath}`, {
    code: 'read-only',
    hint: 'its root is read-only; use read_query, or another database',
  });
}

/** Runs a change, stores its undo copy, and notifies watchers. */
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
