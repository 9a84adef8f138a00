import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { pathsArgument, repoPath, toPaths } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { command } from '../../run/command.ts';
import { changed, confirmed } from '../safety/change-schema.ts';
import { requireConsent } from '../safety/consent.ts';
import { askToLose } from '../safety/data-loss-consent.ts';
import { someOf } from '../safety/names.ts';
import { movement, pointOf } from '../safety/point.ts';
import { lossOf, untrackedOf } from './untracked.ts';

/** Files that are named at most. */
const MAX_LISTED = 200;

const input = z.strictObject({
  repo_path: repoPath,
  paths: pathsArgument,
  ignored: z.boolean().optional().describe('ignored files, too'),
  dry_run: z.boolean().optional().describe('default true: only tells what would be deleted'),
  confirm: confirmed,
});

type Arguments = z.output<typeof input>;

export const gitClean = tool({
  name: 'git_clean',
  title: 'Delete untracked files',
  description: 'Deletes files that git does not track; repositories among them stay.',
  input,
  output: z.object({
    ...changed,
    deleted: z.boolean().describe('false: only told'),
    files: z.array(z.string()),
    total: z.int(),
    truncated: z.boolean(),
    kept_repositories: z.array(z.string()).optional(),
  }),
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  ask: (args, ask, context) =>
    args.dry_run === false
      ? askToLose(ask, context, args.repo_path, async (opened) =>
          lossOf(opened, await untrackedOf(assertWorkTree(opened), args)),
        )
      : undefined,
  run(args, context) {
    const { scope, repositories } = context.scope;
    return repositories.change(scope, args.repo_path, context.signal, async (opened) => {
      const at = await pointOf(assertWorkTree(opened));
      const found = await untrackedOf(opened, args);
      const deleted = args.dry_run === false && found.files.length > 0;
      if (deleted) {
        requireConsent(lossOf(opened, found), context.answers, args.confirm);
        await clean(opened, args);
      }
      return {
        ...movement(opened, at, at, undefined),
        deleted,
        files: found.files.slice(0, MAX_LISTED),
        total: found.files.length,
        truncated: found.files.length > MAX_LISTED,
        ...(found.repositories.length > 0 && {
          kept_repositories: found.repositories.slice(0, MAX_LISTED),
        }),
      };
    });
  },
  render({ deleted, files, total, truncated, kept_repositories: kept = [] }) {
    const lines = [titleOf(deleted, total)];
    lines.push(...files.map((name) => `  ${name}`));
    if (truncated) lines.push(`  and ${total - files.length} more`);
    if (kept.length > 0) lines.push(`repositories that stay: ${someOf(kept)}`);
    return lines.join('\n');
  },
});

function titleOf(deleted: boolean, total: number): string {
  if (total === 0) return 'nothing to delete';
  if (deleted) return `deleted ${total}:`;
  return `nothing was deleted; dry_run: false deletes ${total === 1 ? 'this one' : `these ${total}`}:`;
}

async function clean(opened: Opened, args: Arguments): Promise<void> {
  const { paths, ignored = false } = args;
  await opened.run(
    command('clean', {
      // a single force leaves repositories alone
      flags: ['--force', '-d', '--quiet', ...(ignored ? (['-x'] as const) : [])],
      ...(paths !== undefined && { paths: toPaths(paths) }),
    }),
  );
  const { files } = await untrackedOf(opened, args);
  if (files.length === 0) return;
  throw new ToolError(`git reported success, but these are there: ${someOf(files)}`, {
    code: 'changed',
    hint: 'another program may have made them; look before trying again',
  });
}

function assertWorkTree(opened: Opened): Opened {
  if (opened.repository.place.workTree !== undefined) return opened;
  throw new ToolError('a bare repository has no work tree', { code: 'unsupported' });
}
