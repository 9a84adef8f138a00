import { copyFile } from 'node:fs/promises';
import { showName } from '@rootbound/kit/boundary';
import { counted } from '@rootbound/kit/budget';
import { agree, canAsk } from '@rootbound/kit/call';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { databaseArgument, timeoutArgument, WHOLE_MS } from '../arguments.ts';
import { withCopy } from '../copies/temporary-copy.ts';
import type { Database } from '../databases/database.ts';
import { resolveDatabase } from '../databases/resolve.ts';
import type { RunOptions } from '../lanes/lane.ts';
import { undoFields, undoLines, undoOutput } from '../undo/output.ts';
import { tool, type Workspace } from '../workspace.ts';
import { writable } from '../writing/change.ts';

const input = z.strictObject({
  path: z.string().optional().describe('of the backup'),
  undo_point: z.string().optional().describe('or undo.point of a change'),
  database: databaseArgument,
  timeout_ms: timeoutArgument,
});

const output = z.object({
  database: z.string(),
  from: z.string(),
  pages: z.int(),
  bytes: z.int(),
  ...undoOutput,
});

type Arguments = z.output<typeof input>;

export const restoreDatabase = tool({
  name: 'restore_database',
  title: 'Restore',
  description:
    'Replaces the content of a database by that of a backup or undo point; the previous content becomes an undo point.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async ask(args, ask, { facts, scope }): Promise<undefined> {
    const from = nameOf(args);
    const target = writable(scope, args.database);
    if (!canAsk(facts)) return undefined;
    const question = `Replace the content of ${showName(target.displayPath)} by that of ${showName(from)}?`;
    return agree(ask, question, 'Replace it');
  },
  async run(args, { scope: workspace, signal, wantsProgress, progress }) {
    const from = nameOf(args);
    const { engine, owner } = workspace;
    const target = writable(workspace, args.database);
    const { timeout_ms: deadlineMs = WHOLE_MS } = args;
    const options = { signal, deadlineMs, ...(wantsProgress && { onProgress: progress }) };
    return withCopy(engine.folder, async (copy) => {
      await copySource(workspace, args, target, copy, { signal, deadlineMs });
      const place = engine.undo.reserve();
      const { dev, ino, real } = target;
      const terms = { from: copy, undo: place.path, dev, ino };
      const { facts } = await engine.lanes
        .run(target, 'write', 'restore', terms, options)
        .catch((error: unknown) => {
          engine.undo.discard(place);
          throw error;
        });
      const { pages, bytes, undoCopy, tables } = facts;
      const undo = engine.undo.keepCopy(place, undoCopy, { owner, database: real });
      engine.changes.emit({ real, tables, schema: true, commits: 1 });
      return { database: target.displayPath, from, pages, bytes, ...undoFields(undo, undoCopy) };
    });
  },
  render({ database, from, pages, ...undo }) {
    const done = `${showName(database)} restored from ${showName(from)}, ${counted(pages, 'page', 'pages')}`;
    return [done, ...undoLines(undo)].join('\n');
  },
});

/** Returns the caller's name of the source. */
function nameOf({ path, undo_point: point }: Arguments): string {
  const name = path ?? point;
  if (name !== undefined && (path === undefined || point === undefined)) return name;
  throw new ToolError(
    name === undefined ? 'path and undo_point are missing' : 'path and undo_point exclude each other',
    {
      code: 'invalid-arguments',
      hint: name === undefined ? 'pass one of them' : 'omit one',
    },
  );
}

/** Copies the source to the server's own folder, a backup through SQLite, since others may write to it. */
async function copySource(
  { scope, engine, owner }: Workspace,
  { path, undo_point: point }: Arguments,
  target: Database,
  copy: string,
  options: RunOptions,
): Promise<void> {
  if (point !== undefined) {
    const kept = engine.undo.open(point, owner);
    if (kept.database !== target.real) {
      throw new ToolError(`the undo point is of another database: ${point}`, {
        code: 'unknown-undo-point',
        hint: 'pass that database in database',
      });
    }
    await copyFile(kept.path, copy);
    return;
  }
  const source = resolveDatabase(scope, path!); // path or undo_point is given
  if (source.real === target.real || (source.dev === target.dev && source.ino === target.ino))
    throw new ToolError('path is the database itself', { code: 'invalid-arguments' });
  // an empty file is an empty database, which is hardly meant as a backup
  if (source.size === 0)
    throw new ToolError(`the backup is empty: ${showName(path!)}`, { code: 'not-a-database' });
  await engine.lanes.run(source, 'read', 'backup', { path: copy }, options);
}
