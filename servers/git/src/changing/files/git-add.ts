import { counted } from '@rootbound/kit/budget';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { changed, dryRun } from '../safety/change-schema.ts';
import { movement, pointOf } from '../safety/point.ts';
import {
  type Entry,
  entriesBetween,
  entry,
  entryLine,
  listed,
  MAX_LISTED,
  pathsFor,
  type Staged,
  stagedNow,
} from '../safety/staged.ts';
import { applyChosen, choose, hunksArgument } from './chosen-hunks.ts';
import { stageable, stagePaths } from './stage.ts';

const input = z.strictObject({
  repo_path: repoPath,
  files: z.array(z.string()).optional().describe('["."] is everything'),
  hunks: hunksArgument,
  update: z.boolean().optional().describe('tracked files only'),
  intent_to_add: z.boolean().optional(),
  force: z.boolean().optional().describe('ignored files too'),
  dry_run: dryRun,
});

type Arguments = z.output<typeof input>;

export const gitAdd = tool({
  name: 'git_add',
  title: 'Stage',
  description: 'Stages files as they are in the work tree, or hunks of the unstaged diff.',
  input,
  output: z.object({
    ...changed,
    staged: z.array(entry),
    total: z.int(),
    nested: z.array(z.string()).optional().describe('repositories: only their commit is staged'),
    dry_run: z.boolean().optional(),
  }),
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories }, signal }) {
    return repositories.change(scope, args.repo_path, signal, async (opened) => {
      const at = await pointOf(opened);
      if (args.dry_run === true) {
        return {
          ...movement(opened, at, at, undefined),
          ...stagedFacts(await wouldStage(opened, args)),
          dry_run: true,
        };
      }
      const before = await stagedNow(opened);
      await stage(opened, args);
      const entries = entriesBetween(before, await stagedNow(opened));
      return { ...movement(opened, at, at, undoOf(before, entries)), ...stagedFacts(entries) };
    });
  },
  render({ staged, total, dry_run }) {
    if (total === 0) return 'nothing staged: the index has all of it';
    const head = `${dry_run === true ? 'would stage' : 'staged'} ${counted(total, 'path', 'paths')}`;
    return [head, ...listed(staged.map(entryLine), total)].join('\n');
  },
});

async function stage(opened: Opened, args: Arguments): Promise<void> {
  const { hunks } = args;
  if (hunks === undefined) return stagePaths(opened, namesOf(args), optionsOf(args));
  assertAlone(args);
  await applyChosen(opened, await choose(opened, 'unstaged', hunks), { to: 'index' });
}

async function wouldStage(opened: Opened, args: Arguments): Promise<Entry[]> {
  const { hunks } = args;
  if (hunks === undefined) return stageable(opened, namesOf(args), optionsOf(args));
  assertAlone(args);
  const chosen = await choose(opened, 'unstaged', hunks);
  await applyChosen(opened, chosen, { to: 'index', check: true });
  return [...chosen.entries];
}

function namesOf({ files = [], update = false }: Arguments): readonly string[] {
  if (files.length > 0) return files;
  if (update) return ['.'];
  throw new ToolError('files is missing', {
    code: 'invalid-arguments',
    hint: 'name files, or give hunks; ["."] is everything',
  });
}

function optionsOf({ update = false, intent_to_add: intent = false, force = false }: Arguments) {
  return { update, intent, force };
}

function assertAlone({ files, update, intent_to_add }: Arguments): void {
  if (files === undefined && update === undefined && intent_to_add === undefined) return;
  throw new ToolError('hunks are staged by themselves', {
    code: 'invalid-arguments',
    hint: 'leave out files, update and intent_to_add',
  });
}

function stagedFacts(entries: readonly Entry[]) {
  const nested = entries.filter(({ mode, before }) => mode === '160000' && before === undefined);
  return {
    staged: entries.slice(0, MAX_LISTED),
    total: entries.length,
    ...(nested.length > 0 && { nested: nested.slice(0, MAX_LISTED).map(({ path }) => path) }),
  };
}

/** git_reset resets paths to HEAD: it is the undo only for those that equalled HEAD */
function undoOf(before: Staged, entries: readonly Entry[]): string | undefined {
  if (entries.length === 0 || entries.some(({ path }) => before.has(path))) return undefined;
  const paths = pathsFor(entries.map(({ path }) => path));
  if (paths !== undefined) return `git_reset with paths ${paths}`;
  return before.size === 0 ? 'git_reset' : undefined;
}
