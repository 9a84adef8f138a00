import { pageOf } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { readHead, shortRef } from '../../call/head.ts';
import { restFacts } from '../../call/list-rest.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { parseRefs, type Ref, type RefsOptions, refsCommand } from '../../porcelain/refs.ts';
import { isoDate } from './person.ts';

const NAME = 'git_branch';

const input = z.strictObject({
  repo_path: repoPath,
  branch_type: z.enum(['local', 'remote', 'all']).optional().describe('default local'),
  contains: z.string().optional().describe('revision'),
  not_contains: z.string().optional(),
  pattern: z.string().optional().describe('release/* or release/**'),
  sort: z.enum(['name', 'date']).optional().describe('date: newest first'),
  upstream: z.boolean().optional().describe('with distance'),
  cursor: z.string().optional(),
});

const branch = z.object({
  name: z.string(),
  remote: z.boolean().optional(),
  commit: z.string(),
  current: z.boolean().optional(),
  symbolic: z.string().optional().describe('the ref it stands for'),
  upstream: z.string().optional(),
  gone: z.boolean().optional().describe('the upstream'),
  ahead: z.int().optional(),
  behind: z.int().optional(),
  date: z.string().optional(),
});

const output = z.object({
  branch: z.string().optional().describe('absent: HEAD is detached'),
  detached: z.string().optional(),
  at: z.string().optional().describe('the commit of a ref that is no branch'),
  unborn: z.boolean().optional().describe('no commit yet'),
  branches: z.array(branch),
  ...restFacts,
});

type Arguments = z.output<typeof input>;
type Output = z.input<typeof output>;
type Branch = z.input<typeof branch>;

const kinds = { local: ['branch'], remote: ['remote'], all: ['branch', 'remote'] } as const;

export const gitBranch = tool({
  name: NAME,
  title: 'Branches',
  description: 'Local and remote branches, and those that contain a commit.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, args.repo_path, signal, async (opened) => {
      const options = await optionsOf(opened, args);
      const { stdout, truncated } = await opened.run(refsCommand(options));
      const items = parseRefs(stdout, options);
      const { commonIdentity } = opened.repository;
      const head = { ...(await headOf(opened, items)) };
      return reply(
        pageOf(
          {
            tool: NAME,
            query: [commonIdentity, Object.entries(options).flat()],
            cursor: args.cursor,
            items,
            keyOf: ({ name }) => name,
            whole: !truncated,
            words: ['branch', 'branches'],
            maxOutput,
          },
          (listed, rest): Output => ({ ...head, branches: listed.map(toBranch), ...rest }),
          linesOf,
        ),
      );
    });
  },
});

async function optionsOf(opened: Opened, args: Arguments) {
  const { branch_type = 'local', contains, not_contains, pattern, sort, upstream } = args;
  return {
    kinds: kinds[branch_type],
    ...defined({ pattern }),
    ...(upstream === true && { upstream }),
    ...(sort === 'date' && ({ sort: 'newest', subject: true } as const)),
    ...(contains !== undefined && { contains: await opened.resolve(contains, 'commit') }),
    ...(not_contains !== undefined && { notContaining: await opened.resolve(not_contains, 'commit') }),
  } satisfies RefsOptions;
}

async function headOf(opened: Opened, listed: readonly Ref[]): Promise<Partial<Output>> {
  const current = listed.find((ref) => ref.current && ref.kind === 'branch');
  if (current !== undefined) return { branch: current.short };
  const { branch: name, commit } = readHead(opened.repository);
  if (commit !== undefined) return { detached: commit };
  if (name === undefined) return {};
  const born = await opened.objects.info('HEAD');
  if (born === undefined) return { branch: name, unborn: true };
  return { branch: name, ...(name.startsWith('refs/') && { at: born.oid }) };
}

function toBranch({ short, kind, oid, current, symbolic, upstream, time }: Ref): Branch {
  const track = upstream?.track;
  const date = isoDate(time, undefined);
  return {
    name: short,
    ...(kind === 'remote' && { remote: true }),
    commit: oid,
    ...(current && { current }),
    ...defined({ symbolic }),
    ...(upstream !== undefined && { upstream: shortRef(upstream.name) }),
    ...(track === 'gone' ? { gone: true } : track),
    ...defined({ date }),
  };
}

function linesOf({ branch: current, detached, at, unborn, branches }: Output): string[] {
  const lines = branches.map(lineOf);
  if (detached !== undefined) lines.unshift(`* (HEAD detached at ${detached.slice(0, 12)})`);
  else if (at !== undefined) lines.unshift(`* (HEAD at ${current} ${at.slice(0, 12)})`);
  else if (unborn === true) lines.unshift(`* ${current} (no commit yet)`);
  return lines.length === 0 ? ['no such branches'] : lines;
}

function lineOf({ name, remote, commit, current, symbolic, ...facts }: Branch): string {
  const at = symbolic === undefined ? commit.slice(0, 12) : `-> ${shortRef(symbolic)}`;
  const date = facts.date === undefined ? '' : ` ${facts.date}`;
  return `${current ? '*' : ' '} ${remote ? 'remotes/' : ''}${name} ${at}${date}${trackOf(facts)}`;
}

function trackOf({ upstream, gone, ahead = 0, behind = 0 }: Partial<Branch>): string {
  if (upstream === undefined) return '';
  const tracking = [
    gone ? 'gone' : '',
    ahead > 0 ? `ahead ${ahead}` : '',
    behind > 0 ? `behind ${behind}` : '',
  ];
  const track = tracking.filter((word) => word !== '').join(', ');
  return ` [${upstream}${track === '' ? '' : `: ${track}`}]`;
}
