import { copyFile } from 'node:fs/promises';
import { showName } from '@rootbound/kit/boundary';
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
  path: z.string().optional().describe('of a backup'),
  undo_point: z.string().optional().describe('or what a change has given'),
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
    'Puts the content of a backup, or of an undo point, in the place of all that a database holds; what was there is kept as an undo point.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async ask(args, ask, { facts, scope }): Promise<undefined> {
    const from = nameOf(args);
    const target = writable(scope, args.database);
    if (!canAsk(facts)) return undefined;
    const question = `Replace all that ${showName(target.displayPath)} holds by the content of ${showName(from)}?`;
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
    const done = `${showName(database)} has the content of ${showName(from)} now, ${pages} pages`;
    return [done, ...undoLines(undo)].join('\n');
  },
});

/** What the content comes from, by the caller's name. */
function nameOf({ path, undo_point: point }: Arguments): string {
  const name = path ?? point;
  if (name !== undefined && (path === undefined || point === undefined)) return name;
  throw new ToolError('either path or undo_point', {
    code: 'invalid-arguments',
    hint: name === undefined ? 'say what to restore' : 'leave one out',
  });
}

/** Makes a copy of what is to be restored in the server's own folder, a backup through SQLite, since others may write to it. */
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
        hint: 'name that database in database',
      });
    }
    await copyFile(kept.path, copy);
    return;
  }
  const source = resolveDatabase(scope, path!); // one of the two is given
  if (source.real === target.real || (source.dev === target.dev && source.ino === target.ino))
    throw new ToolError('a database is not restored from itself', { code: 'invalid-arguments' });
  // of an empty file, which is an empty database, nobody wants all content back
  if (source.size === 0)
    throw new ToolError(`the backup is empty: ${showName(path!)}`, { code: 'not-a-database' });
  await engine.lanes.run(source, 'read', 'backup', { path: copy }, options);
}
