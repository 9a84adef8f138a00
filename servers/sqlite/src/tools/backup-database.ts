import { open } from 'node:fs/promises';
import { showName } from '@rootbound/kit/boundary';
import { counted } from '@rootbound/kit/budget';
import { reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { databaseArgument, timeoutArgument, WHOLE_MS } from '../arguments.ts';
import { withCopy } from '../copies/temporary-copy.ts';
import { assertDestination, isSameFile } from '../exporting/destination.ts';
import { linkTo, writeFile } from '../exporting/file.ts';
import { piecesOf } from '../importing/file-pieces.ts';
import { databaseOf, tool } from '../workspace.ts';

const input = z.strictObject({
  path: z.string(),
  overwrite: z.boolean().optional(),
  database: databaseArgument,
  timeout_ms: timeoutArgument,
});

const output = z.object({
  database: z.string(),
  path: z.string(),
  uri: z.string(),
  pages: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  checked: z.boolean(),
});

export const backupDatabase = tool({
  name: 'backup_database',
  title: 'Back up',
  description:
    'Writes a consistent, checked copy of a database to a file in the roots, while others may write.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run(args, { scope: workspace, signal, wantsProgress, progress }) {
    const { path, overwrite = false, timeout_ms: deadlineMs = WHOLE_MS } = args;
    const { scope, engine } = workspace;
    const target = databaseOf(workspace, args.database);
    assertDestination(scope, path, { overwrite, kind: 'database' });
    // programs that have the database open would continue to write to the replaced file
    if (isSameFile(scope, path, target))
      throw new ToolError(`path is the database itself: ${showName(path)}`, {
        code: 'invalid-arguments',
        hint: 'use another name',
      });
    return withCopy(engine.folder, async (copy) => {
      const options = { signal, deadlineMs, ...(wantsProgress && { onProgress: progress }) };
      const { facts } = await engine.lanes.run(target, 'read', 'backup', { path: copy }, options);
      const written = await writeFile(scope, path, { overwrite, signal }, async (write) => {
        const file = await open(copy);
        try {
          for await (const piece of piecesOf(file)) {
            signal.throwIfAborted();
            await write(piece);
          }
        } finally {
          await file.close();
        }
      });
      const { pages } = facts;
      const structured = { database: target.displayPath, path, ...written, pages, checked: true };
      const { bytes, sha256 } = written;
      const text = `${showName(target.displayPath)} copied to ${showName(path)} and checked: ${counted(pages, 'page', 'pages')}, ${bytes} bytes, sha256 ${sha256}`;
      const link = linkTo(path, written, 'application/vnd.sqlite3');
      return reply({ structured, content: [{ type: 'text', text }, link] });
    });
  },
});
