import { counted, fit, moreNote, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { isIndex, pathsArgument, repoPath, toPaths } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { type Conflict, conflicts } from '../../porcelain/status-entries.ts';
import { filtersOffIn, filtersOffNotice } from './filters-off.ts';
import { readStatus } from './read-status.ts';
import { branchFacts, entryFacts } from './status-facts.ts';

const NAME = 'git_status';

const input = z.strictObject({
  repo_path: repoPath,
  paths: pathsArgument,
  untracked: z
    .enum(['none', 'folders', 'all'])
    .optional()
    .describe('default folders: one entry for a folder'),
  ignored: z.boolean().optional(),
  cursor: z.string().optional(),
});

const entry = z.object({
  path: z.string(),
  index: z.string().optional().describe('staged: M A D R C T'),
  worktree: z.string().optional().describe('not staged: M D T A'),
  from: z.string().optional().describe('renamed or copied from'),
  conflict: z.string().optional().describe('both-modified, deleted-by-us, ...'),
  kind: z.enum(['changed', 'unmerged', 'untracked', 'ignored']),
  submodule: z.string().optional(),
  filter_off: z.string().optional().describe('a filter that does not run'),
});

const output = z.object({
  branch: z.string().optional().describe('absent: HEAD is detached'),
  commit: z.string().optional().describe('absent: no commit yet'),
  upstream: z.string().optional(),
  ahead: z.int().optional(),
  behind: z.int().optional(),
  stashes: z.int(),
  problem: z.string().optional().describe('what git could not heed of .gitmodules and the like'),
  notice: z.string().optional().describe('of filters that do not run'),
  clean: z.boolean(),
  entries: z.array(entry),
  total: z.int(),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
});

type Arguments = z.output<typeof input>;
type Output = z.input<typeof output>;
type Entry = z.input<typeof entry>;

export const gitStatus = tool({
  name: NAME,
  title: 'Status',
  description: 'Branch, upstream, and what is staged, changed, unmerged and untracked.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, args.repo_path, signal, async (opened) => {
      if (opened.audit.facts.bare) throw noWorkTree();
      const { paths, untracked = 'folders', ignored = false } = args;
      const asked = { untracked, ignored, ...(paths !== undefined && { paths: toPaths(paths) }) };
      const { problem, ...status } = await readStatus(opened, asked);
      const filtersOff = await filtersOffIn(opened, status.entries);
      const entries = status.entries.map((each) => entryFacts(each, filtersOff));
      const query = queryOf(opened, args);
      const start = args.cursor === undefined ? 0 : openPosition(NAME, query, args.cursor, isIndex);
      const rest = entries.slice(start);
      const head = {
        ...branchFacts(status.branch),
        stashes: status.stashes,
        ...defined({ problem, notice: filtersOffNotice(filtersOff.values()) }),
      };
      const { halves } = fit(rest.length, maxOutput, (kept) => {
        const end = start + kept;
        const structured: Output = {
          ...head,
          clean: entries.length === 0,
          entries: rest.slice(0, kept),
          total: entries.length,
          truncated: end < entries.length,
          ...(end < entries.length && { next_cursor: sealPosition(NAME, query, end) }),
        };
        return { structured, text: textOf(structured) };
      });
      return reply({ structured: halves.structured, content: halves.text });
    });
  },
});

function queryOf({ repository }: Opened, { paths = [], untracked = 'folders', ignored = false }: Arguments) {
  return [repository.identity, paths, untracked, ignored];
}

function textOf(status: Output): string {
  const lines = [headLine(status)];
  if (status.stashes > 0) lines.push(counted(status.stashes, 'stash', 'stashes'));
  if (status.problem !== undefined) lines.push(status.problem);
  lines.push(...status.entries.map(entryLine));
  if (status.notice !== undefined) lines.push(status.notice);
  if (status.clean) lines.push('nothing to commit, nothing changed');
  if (status.truncated) {
    const count = `${counted(status.entries.length, 'entry', 'entries')} of ${status.total}`;
    lines.push(moreNote(count, status.next_cursor));
  }
  return lines.join('\n');
}

function headLine({ branch, commit, upstream, ahead, behind }: Output): string {
  const where = branch === undefined ? `HEAD detached at ${commit?.slice(0, 12)}` : `on ${branch}`;
  const first = commit === undefined ? `${where}, no commit yet` : where;
  if (upstream === undefined) return first;
  if (ahead === undefined || behind === undefined) return `${first}, upstream ${upstream} is gone`;
  return `${first}, ${ahead} ahead of and ${behind} behind ${upstream}`;
}

function entryLine(entry: Entry): string {
  const { path, from, conflict, submodule, filter_off } = entry;
  const off = filter_off === undefined ? undefined : `filter ${filter_off} is off`;
  const letters = lettersOf(entry);
  const origin = from === undefined ? '' : ` (from ${from})`;
  const extra = [conflict, submodule, off].filter((one) => one !== undefined).map((one) => ` [${one}]`);
  return `${letters} ${path}${origin}${extra.join('')}`;
}

function noWorkTree(): ToolError {
  return new ToolError('a bare repository has no work tree and nothing staged', {
    code: 'unsupported',
    hint: 'git_overview reports its state',
  });
}

function lettersOf({ kind, index = '.', worktree = '.', conflict }: Entry): string {
  if (kind === 'untracked') return '??';
  if (kind === 'ignored') return '!!';
  if (kind === 'unmerged') return conflicts[conflict as Conflict]; // each path has one of them
  return index + worktree;
}
